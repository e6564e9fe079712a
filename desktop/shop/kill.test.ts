import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, onTestFinished } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { readDigest } from "../../sync/feed/feed.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { countOf, oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { secretHeader } from "./guard.ts";
import type { ShopCommand, ShopReport } from "./shop-process.ts";
import { digestOf } from "./testing/till.ts";

const test = oneIn(3);

/** Each round: a start, some sales, and a kill at a random moment. */
const rounds = countOf("KILL_ROUNDS");
const secret = "the secret of one start of a window";
const main = join(import.meta.dirname, "shop-process.ts");
const asha = {
	name: "Asha",
	email: "asha@example.com",
	password: "correct horse",
};

const testCache = join(import.meta.dirname, "../../node_modules/.cache");

/** Starts the till's process as the shell does. */
function startProcess(dataDir: string, token: string | undefined) {
	const child = fork(main, {
		env: {
			PATH: process.env.PATH,
			DATA_DIR: dataDir,
			LOG_LEVEL: "silent",
			// Use the compile cache, so that starts are fast.
			NODE_COMPILE_CACHE: join(testCache, "compiled"),
		},
		stdio: ["ignore", "ignore", "inherit", "ipc"],
	});
	const order: ShopCommand = { kind: "start", secret, token };
	child.send(order);
	return child;
}

async function kill(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill("SIGKILL");
	await once(child, "exit");
}

test(
	`every confirmed sale is there once after ${rounds} kills, on the till and on the server [INV-7] [OUT-1]`,
	async () => {
		const server = await openTestServer();
		const made = await server.ask("POST", "/api/auth/register", { body: asha });
		const { id: userId, businessId } = made.body as Record<string, string>;
		const caller = {
			businessId,
			userId,
			role: "OWNER",
			deviceId: null,
		} as never;
		await server.shop.mutate(caller, productCreate, {
			id: "milk",
			name: "Milk",
			buyingPrice: 58,
			sellingPrice: 65,
			quantity: 100_000,
		});

		const dataDir = join(testDir(), "till");
		const confirmed: string[] = [];
		let token: string | undefined;
		let cookie = "";
		let child = startProcess(dataDir, token);
		onTestFinished(() => kill(child));

		/** @returns its address, or undefined if it was killed before it reported one */
		async function whereabouts(): Promise<string | undefined> {
			return new Promise((resolve, reject) => {
				child.on("message", (report: ShopReport) => {
					if (report.kind === "token") token = report.token;
					if (report.kind === "started") resolve(report.url);
					if (report.kind === "failed") reject(new Error(report.message));
				});
				child.on("exit", () => resolve(undefined));
			});
		}

		async function ask(
			url: string,
			method: string,
			path: string,
			body?: object,
		) {
			const response = await fetch(url + path, {
				method,
				headers: {
					[secretHeader]: secret,
					cookie,
					"content-type": "application/json",
				},
				body: body && JSON.stringify(body),
			});
			const set = response.headers.get("set-cookie");
			if (set) cookie = set.split(";")[0] ?? "";
			return (await response.json()) as Record<string, never>;
		}

		const call = (url: string, name: string, ...args: object[]) =>
			ask(url, "POST", "/api/till/calls", { name, args });

		/** Makes one sale after another until the till dies. */
		async function sellUntilKilled(url: string): Promise<void> {
			for (;;) {
				const id = newId(systemEnv);
				const made = {
					id: newId(systemEnv),
					name: saleCreate.name,
					args: {
						id,
						items: [
							{
								id: "1",
								name: "Milk",
								quantity: 1,
								price: 65,
								cost: 58,
								productId: "milk",
							},
						],
					},
				};
				const outcome = await call(url, "mutate", made).catch(() => undefined);
				if (!outcome) return;
				expect(outcome).toMatchObject({ answer: { id: made.id } });
				confirmed.push(id);
			}
		}

		const first = (await whereabouts()) as string;
		await ask(first, "POST", "/api/till/join", { server: server.url, ...asha });
		await expect
			.poll(() => ask(first, "GET", "/api/till"))
			.toMatchObject({ mode: "joined" });
		await ask(first, "POST", "/login", asha);
		await kill(child);

		let started = 0;
		for (let round = 0; round < rounds; round += 1) {
			child = startProcess(dataDir, token);
			const told = whereabouts();
			// Sometimes kill it before it has opened its database.
			if (round % 10 === 9) {
				await sleep(Math.random() * 400);
				await kill(child);
				continue;
			}
			const url = await told;
			if (!url) continue;
			started += 1;
			const enough = confirmed.length + 1 + Math.floor(Math.random() * 5);
			const selling = sellUntilKilled(url);
			while (confirmed.length < enough) await sleep(1);
			// Kill it during a sale, a sync or both.
			await sleep(Math.random() * 20);
			await kill(child);
			await selling;
		}
		// Guard against a test that sold nothing.
		expect(started).toBeGreaterThan(rounds / 2);
		expect(confirmed.length).toBeGreaterThanOrEqual(started);

		child = startProcess(dataDir, token);
		const url = (await whereabouts()) as string;
		await expect
			.poll(() => call(url, "standing"))
			.toMatchObject({ answer: { pending: 0 } });
		const digest = await server.shop.store.read((tx) =>
			readDigest(tx, businessId as string),
		);
		expect(await digestOf(dataDir, businessId as string)).toBe(digest);
		const ids = (await server.rows("SELECT id FROM sales")).map(({ id }) => id);
		expect(ids).toEqual(expect.arrayContaining(confirmed));
		expect(new Set(confirmed).size).toBe(confirmed.length);
		// A sale interrupted by a kill may exist unconfirmed, but none exists twice.
		expect(ids.length).toBeLessThanOrEqual(confirmed.length + rounds);
		const [milk] = await server.rows(
			"SELECT quantity FROM products WHERE id = 'milk'",
		);
		expect(milk?.quantity).toBe((100_000 - ids.length) * 1_000_000);
		await kill(child);
		const database = new Database(join(dataDir, "counterfoil.db"));
		expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
		const sales = database.prepare("SELECT count(*) AS n FROM sales").get();
		expect(sales).toEqual({ n: ids.length });
		database.close();
	},
	60_000 + rounds * 10_000,
);
