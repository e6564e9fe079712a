import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { secretHeader } from "../shop/guard.ts";
import { chromiumPath } from "../ui/testing/browser.ts";
import { testReceipt } from "./testing/receipt.ts";

interface Answer {
	id: number;
	// biome-ignore lint/suspicious/noExplicitAny: each test checks the answer
	value?: any;
	problem?: string;
}

/** The till's unchanged main process on a stand-in for Electron. */
function startShell(home = testDir(), env: NodeJS.ProcessEnv = {}) {
	const { DATA_DIR, ...inherited } = process.env;
	const child = fork(join(import.meta.dirname, "../main.ts"), {
		execArgv: [
			"--import",
			join(import.meta.dirname, "testing/electron-hooks.ts"),
		],
		env: {
			...inherited,
			...env,
			TEST_HOME: home,
			CHROMIUM_PATH: chromiumPath,
		},
		silent: true,
	});
	let said = "";
	child.stderr?.on("data", (text) => {
		said += text;
	});
	const ended = once(child, "exit");
	onTestFinished(async () => {
		if (child.exitCode === null) child.kill("SIGKILL");
		await ended;
	});
	let last = 0;

	async function ask(
		what: string,
		...given: string[]
	): Promise<Answer["value"]> {
		last += 1;
		const id = last;
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		const listen = (answer: Answer) => {
			if (answer.id !== id) return;
			child.off("message", listen);
			if (answer.problem) reject(new Error(answer.problem));
			else resolve(answer.value);
		};
		child.on("message", listen);
		void ended.then(() => reject(new Error(`The shell has ended: ${said}`)));
		child.send({ id, what, given });
		return promise;
	}

	return {
		home,
		child,
		ended,
		ask,
		evaluate: (script: string) => ask("evaluate", script),
		/** Waits until the window shows a text. */
		sees: (text: string) => expect.poll(() => ask("text")).toContain(text),
		noted: async (what: string) =>
			((await ask("noted")) as { what: string; given: unknown[] }[])
				.filter((one) => one.what === what)
				.map(({ given }) => given),
		origin: async () => new URL(await ask("url")).origin,
	};
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

describe.skipIf(!chromiumPath)(
	"the desktop shell, on a stand-in for Electron",
	() => {
		oneIn(3)(
			"the shell opens a window on its own shop, answers only that page, and keeps it from navigating elsewhere",
			async () => {
				const shell = startShell();
				await shell.sees("Open your shop");
				const origin = await shell.origin();
				expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
				expect((await fetch(origin)).status).toBe(403);

				const [[window]] = (await shell.noted("window")) as [[object]];
				expect(window).toMatchObject({
					webPreferences: {
						contextIsolation: true,
						sandbox: true,
						nodeIntegration: false,
						preload: join(import.meta.dirname, "../preload.cjs"),
					},
				});
				expect(await shell.noted("enableSandbox")).toHaveLength(1);
				const { [secretHeader]: secret } = await shell.ask(
					"headers",
					`${origin}/api/till`,
				);
				expect(secret).toMatch(/^[\w-]{43}$/);
				for (const elsewhere of [
					"http://127.0.0.1:1/",
					`http://localhost:${new URL(origin).port}/`,
					`https://example.com/?${origin}`,
				])
					expect(await shell.ask("headers", elsewhere)).not.toHaveProperty(
						secretHeader,
					);

				expect(await shell.evaluate("window.till.versions()")).toMatchObject({
					counterfoil: expect.stringMatching(/^\d/),
					node: process.versions.node,
				});
				expect(
					await shell.ask("invoke", "till:versions", origin),
				).toHaveProperty("value");
				for (const [from, framed] of [
					["https://example.com", ""],
					["null", ""],
					["http://127.0.0.1:1", ""],
					[origin, "framed"],
				] as const)
					expect(
						await shell.ask("invoke", "till:versions", from, framed),
					).toEqual({
						problem: "Forbidden",
					});
				await expect(
					shell.evaluate(
						"window.till.choosePrinter({ kind: 'device', path: '/etc/passwd', width: 80 })",
					),
				).rejects.toThrow("path: must be a printer's device");
				await expect(shell.evaluate("window.till.print({})")).rejects.toThrow(
					/expected/,
				);

				await shell.evaluate("void window.open('https://example.com/')");
				await shell.evaluate("void window.open('/api/products')");
				await shell.evaluate("void window.open('/api/receipts/1?format=html')");
				const popups = async () => {
					const noted = (await shell.noted("popup")) as [string, string][];
					return noted.map(([, action]) => action).sort();
				};
				await expect.poll(popups).toEqual(["allow", "deny", "deny"]);
				await shell.evaluate("void (location.href = 'https://example.com/')");
				const log = join(shell.home, "logs/counterfoil.log");
				await expect
					.poll(() => readFileSync(log, "utf8"))
					.toContain("Refused a navigation");
				await shell.sees("Open your shop");
				expect(await shell.origin()).toBe(origin);

				expect(await shell.ask("permission", "fullscreen", origin)).toBe(true);
				expect(await shell.ask("permission", "media", origin)).toBe(false);
				expect(
					await shell.ask("permission", "fullscreen", "https://example.com/"),
				).toBe(false);

				// Neither files nor logs contain the secret.
				for (const file of readdirSync(shell.home, {
					recursive: true,
					withFileTypes: true,
				}))
					if (file.isFile())
						expect(
							readFileSync(join(file.parentPath, file.name), "latin1"),
						).not.toContain(secret);
			},
		);

		oneIn(6)("the shell does for the page what a browser can't", async () => {
			const shell = startShell();
			await shell.sees("Open your shop");
			expect(await shell.evaluate("window.till.printers()")).toEqual({
				chosen: null,
				system: ["Star TSP100"],
			});
			const print = `window.till.print(${JSON.stringify(testReceipt)})`;
			await expect(shell.evaluate(print)).rejects.toThrow(
				"No receipt printer has been chosen yet",
			);
			const printer = { kind: "system", name: "Star TSP100", width: 80 };
			await shell.evaluate(
				`window.till.choosePrinter(${JSON.stringify(printer)})`,
			);
			await shell.evaluate(print);
			const [[options, text]] = (await shell.noted("print")) as [
				[object, string],
			];
			expect(options).toMatchObject({
				silent: true,
				deviceName: "Star TSP100",
			});
			expect(text).toContain("Duka la Njeri");
			await expect(shell.evaluate("window.till.openDrawer()")).rejects.toThrow(
				/open the cash drawer/,
			);

			// The shop's own data of the sale is printed.
			await shell.evaluate(`(async () => {
			const post = (path, body) => fetch(path, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify(body),
			}).then((answer) => answer.json());
			await post("/api/setup", { name: "Njeri", email: "njeri@example.com", password: "correct horse" });
			const sale = await post("/api/sales", { items: [{ name: "Mandazi", quantity: 3, price: 10, cost: 6 }] });
			await window.till.print(await (await fetch("/api/receipts/" + sale.id)).json());
		})()`);
			expect((await shell.noted("print")).at(-1)?.[1]).toContain("Mandazi");
			await shell.evaluate("void (location.href = '/settings')");
			await shell.sees("Receipt printer");

			expect(await shell.evaluate("window.till.fullScreen()")).toBe(false);
			expect(await shell.evaluate("window.till.fullScreen(true)")).toBe(true);
			expect(await shell.noted("menuBar")).toEqual([[false]]);

			const name = await shell.evaluate("window.till.backup()");
			const copy = new Database(join(shell.home, "copies", name), {
				readonly: true,
			});
			onTestFinished(() => void copy.close());
			expect(copy.prepare("SELECT count(*) AS n FROM products").get()).toEqual({
				n: 0,
			});
			expect(readdirSync(join(shell.home, "copies"))).toEqual([name]);
		});

		oneIn(3)(
			"the shell restarts a crashed shop at the same address, and ends it with the window",
			async () => {
				const shell = startShell();
				await shell.sees("Open your shop");
				const origin = await shell.origin();
				await shell.evaluate("void (document.title = 'A cart half full')");
				const [first] = await shell.ask("shopPids");
				const before = await shell.ask("headers", origin);
				process.kill(first, "SIGKILL");
				await expect.poll(() => isAlive(first)).toBe(false);
				await expect
					.poll(() => shell.evaluate("fetch('/readyz').then((it) => it.ok)"))
					.toBe(true);
				expect(await shell.evaluate("document.title")).toBe("A cart half full");
				expect(await shell.ask("headers", origin)).not.toEqual(before);
				const pids: number[] = await shell.ask("shopPids");
				expect(pids).toHaveLength(2);

				await shell.ask("secondStart");
				expect(await shell.noted("focus")).toHaveLength(1);
				const closing = shell.ask("close");
				expect(await shell.ended).toEqual([0, null]);
				await closing.catch(() => undefined);
				expect(pids.filter(isAlive)).toEqual([]);
				expect(
					existsSync(join(shell.home, "userData/shop/counterfoil.db-wal")),
				).toBe(false);

				const again = startShell(shell.home);
				await again.sees("Open your shop");
				// The page's storage belongs to an address.
				expect(await again.origin()).toBe(origin);
				const [[window]] = (await again.noted("window")) as [[object]];
				expect(window).toMatchObject({
					x: 10,
					y: 20,
					width: 1000,
					height: 700,
				});
			},
		);

		oneIn(3)(
			"the shell says what is wrong if the shop can't start",
			async () => {
				const home = testDir();
				const shell = startShell(home, { RELEASES_REPO: "not a repository" });
				await shell.sees("RELEASES_REPO: must be owner/name");
				expect(await shell.ask("text")).toContain("Will retry automatically");
				const log = readFileSync(join(home, "logs/counterfoil.log"), "utf8");
				expect(log).toContain("RELEASES_REPO");
			},
		);

		oneIn(3)(
			"a second start activates the first one's window and exits",
			async () => {
				const shell = startShell(testDir(), { TEST_SECOND: "1" });
				expect(await shell.ended).toEqual([0, null]);
				expect(readdirSync(shell.home)).toEqual([]);
			},
		);
	},
);
