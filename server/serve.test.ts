import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { oneIn, sampled } from "../sync/testing/lane.ts";
import { testDir } from "../sync/testing/shop.ts";
import { lanAddresses } from "./http/lan-addresses.ts";

const main = join(import.meta.dirname, "main.js");
const cli = join(import.meta.dirname, "../cli/main.js");
/** How long a stopping server waits for a running request, and in all. */
const graceMs = 10_000;

function start(
	env: Record<string, string>,
	node = process.execPath,
	args = [main],
) {
	const child = spawn(node, args, {
		env: { PATH: process.env.PATH, LOG_LEVEL: "silent", PORT: "0", ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	let errors = "";
	child.stderr.on("data", (chunk) => {
		errors += chunk;
	});
	return { child, errors: () => errors };
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
	const lines = createInterface({ input: stdout as NodeJS.ReadableStream });
	const [line] = (await once(lines, "line")) as [string];
	return /http:\/\/\S+/.exec(line)?.[0] as string;
}

async function exitOf(child: ChildProcess): Promise<number | null> {
	if (child.exitCode === null) await once(child, "exit");
	return child.exitCode;
}

const account = {
	name: "Njeri",
	email: "njeri@example.com",
	password: "correct horse",
};

async function post(url: string, path: string, body: object) {
	const response = await fetch(new URL(path, url), {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	return response.status;
}

describe("the server's process", () => {
	test.each(sampled(["SIGTERM", "SIGINT"] as const, 2))(
		"a server stopped by %s answers running requests, closes its database, and has its data at the next start",
		async (signal) => {
			const dataDir = join(testDir(), "data");
			const first = start({ DATA_DIR: dataDir });
			const url = await urlOf(first.child);
			expect(await post(url, "/api/auth/register", account)).toBe(201);
			// When the signal comes, the headers have arrived but not the body.
			const body = JSON.stringify(account);
			const slow = request(new URL("/api/auth/mobile-login", url), {
				method: "POST",
				headers: {
					"content-length": Buffer.byteLength(body),
					expect: "100-continue",
				},
			});
			const answered = once(slow, "response");
			slow.flushHeaders();
			await once(slow, "continue");
			slow.write(body.slice(0, 10));
			first.child.kill(signal);
			const isListening = () =>
				fetch(new URL("/healthz", url)).then(
					() => true,
					() => false,
				);
			await expect.poll(isListening).toBe(false);
			const asked = performance.now();
			slow.end(body.slice(10));
			const [response] = await answered;
			expect(response.statusCode).toBe(200);
			response.resume();
			expect(await exitOf(first.child)).toBe(0);
			// The server doesn't wait for an idle keep-alive connection.
			expect(performance.now() - asked).toBeLessThan(graceMs);
			expect(first.errors()).toBe("");
			expect(existsSync(join(dataDir, "counterfoil.db-wal"))).toBe(false);

			const second = start({ DATA_DIR: dataDir });
			const again = await urlOf(second.child);
			expect(await post(again, "/api/auth/mobile-login", account)).toBe(200);
			second.child.kill("SIGTERM");
			expect(await exitOf(second.child)).toBe(0);
		},
	);

	oneIn(6)(
		"a stopping server doesn't wait for a connection that a browser never used",
		async () => {
			const { child } = start({ DATA_DIR: join(testDir(), "data") });
			const { port } = new URL(await urlOf(child));
			const ahead = connect(Number(port), "127.0.0.1");
			onTestFinished(() => void ahead.destroy());
			await once(ahead, "connect");
			// Being cut off is expected.
			ahead.on("error", () => undefined);
			const begun = performance.now();
			child.kill("SIGTERM");
			expect(await exitOf(child)).toBe(0);
			expect(performance.now() - begun).toBeLessThan(graceMs);
		},
	);

	oneIn(6)("a server started by npm stops with it", async () => {
		const dataDir = join(testDir(), "data");
		// Like npm's, this shell waits for its child and dies of a signal without passing it on.
		const shell = spawn(
			"sh",
			["-c", `"${process.execPath}" "${main}" & echo $!; wait`],
			{
				env: {
					PATH: process.env.PATH,
					PORT: "0",
					DATA_DIR: dataDir,
					npm_lifecycle_event: "start",
				},
				stdio: ["ignore", "pipe", "ignore"],
			},
		);
		const lines = createInterface({ input: shell.stdout });
		const said: string[] = [];
		lines.on("line", (line) => said.push(line));
		await expect
			.poll(() => said.some((line) => line.startsWith("Counterfoil is at")))
			.toBe(true);
		const pid = Number(said[0]);
		const isThere = () => {
			try {
				return process.kill(pid, 0);
			} catch {
				return false;
			}
		};
		onTestFinished(() => {
			if (isThere()) process.kill(pid, "SIGKILL");
		});
		shell.kill("SIGTERM");
		const wal = join(dataDir, "counterfoil.db-wal");
		await expect.poll(() => existsSync(wal)).toBe(false);
	});

	test("only the server's user can read its secret", async () => {
		const dataDir = join(testDir(), "data");
		const { child } = start({ DATA_DIR: dataDir });
		await urlOf(child);
		const secret = join(dataDir, "auth-secret");
		expect(statSync(secret).mode & 0o777).toBe(0o600);
		expect(statSync(dataDir).mode & 0o777).toBe(0o700);
		expect(readFileSync(secret, "utf8").length).toBeGreaterThanOrEqual(43);
	});

	test.each(
		sampled(
			[
				["PORT", { PORT: "many" }, 78],
				["PORT", { PORT: "70000" }, 78],
				["LOG_LEVEL", { LOG_LEVEL: "loud" }, 78],
				["AUTH_SECRET", { AUTH_SECRET: "short" }, 78],
				["DATA_DIR", { DATA_DIR: "/dev/null/data" }, 78],
				["DATABASE_URL", { DATABASE_URL: "mysql://shop:hunter2@db/shop" }, 78],
				["HOST", { HOST: "203.0.113.9" }, 78],
				["HOST", { HOST: "no.such.host.invalid" }, 78],
			] as const,
			8,
		),
	)(
		"a server with an invalid %s names it in one line",
		async (name, env, status) => {
			const { child, errors } = start({ DATA_DIR: testDir(), ...env });
			expect(await exitOf(child)).toBe(status);
			expect(errors()).toMatch(
				new RegExp(`^Counterfoil can't start: ${name}: .+\n$`),
			);
			// NaN means nothing to an operator.
			expect(errors()).not.toMatch(/NaN|expected number/);
			expect(errors()).not.toContain("hunter2");
		},
	);

	oneIn(6)(
		"a server with an unusable secret names its file in one line",
		async () => {
			const unreadable = testDir();
			mkdirSync(join(unreadable, "auth-secret"));
			const empty = testDir();
			writeFileSync(join(empty, "auth-secret"), "");
			for (const dataDir of [unreadable, empty]) {
				const { child, errors } = start({ DATA_DIR: dataDir });
				expect(await exitOf(child)).toBe(78);
				expect(errors()).toMatch(
					/^Counterfoil can't start: DATA_DIR: auth-secret in it .+\n$/,
				);
			}
		},
	);

	oneIn(6)(
		"a server with a secret but no database doesn't start a new shop",
		async () => {
			const dataDir = join(testDir(), "data");
			const first = start({ DATA_DIR: dataDir });
			await urlOf(first.child);
			first.child.kill();
			expect(await exitOf(first.child)).toBe(0);
			const file = join(dataDir, "counterfoil.db");
			renameSync(file, `${file}.aside`);
			for (const make of [() => {}, () => writeFileSync(file, "")]) {
				make();
				const { child, errors } = start({ DATA_DIR: dataDir });
				expect(await exitOf(child)).toBe(78);
				expect(errors()).toMatch(
					/^Counterfoil can't start: DATA_DIR: .+ is missing or empty, but its auth-secret is there\. Mount its disk or restore a backup; .+\n$/,
				);
			}
			renameSync(`${file}.aside`, file);
			const back = start({ DATA_DIR: dataDir });
			await urlOf(back.child);
			// The operator removes it on purpose.
			for (const name of ["auth-secret", "counterfoil.db"])
				renameSync(join(dataDir, name), join(dataDir, `${name}.aside`));
			back.child.kill();
			await exitOf(back.child);
			await urlOf(start({ DATA_DIR: dataDir }).child);
		},
	);

	oneIn(6)("a server prints its URL, on localhost or not", async () => {
		const { child } = start({ DATA_DIR: testDir(), HOST: "127.0.0.2" });
		const url = await urlOf(child);
		expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
		const health = await fetch(new URL("/healthz", url));
		expect(await health.json()).toEqual({ ok: true });
	});

	oneIn(6)(
		"a server on all addresses prints the URLs for other tills",
		async () => {
			const { child } = start({ DATA_DIR: testDir(), HOST: "0.0.0.0" });
			const lines = createInterface({ input: child.stdout });
			const said: string[] = [];
			lines.on("line", (line) => said.push(line));
			await expect.poll(() => said.length).toBeGreaterThan(0);
			const port = /:(\d+)$/.exec(said[0] ?? "")?.[1];
			const wanted = lanAddresses().map(
				(address) => `Other tills reach it at http://${address}:${port}`,
			);
			await expect.poll(() => said.slice(1, 1 + wanted.length)).toEqual(wanted);
		},
	);

	oneIn(6)("says in one line that its port is taken", async () => {
		const other = createServer().listen(0, "127.0.0.1");
		await once(other, "listening");
		onTestFinished(() => {
			other.close();
		});
		const { port } = other.address() as AddressInfo;
		const dataDir = testDir();
		const { child, errors } = start({
			DATA_DIR: dataDir,
			PORT: String(port),
		});
		expect(await exitOf(child)).toBe(1);
		expect(errors()).toMatch(
			/^Counterfoil can't start: the port is taken.*\n$/,
		);
		// It left nothing that would keep it from starting elsewhere.
		await urlOf(start({ DATA_DIR: dataDir }).child);
	});

	oneIn(6)(
		"a server whose database is another kind of file says so in one line",
		async () => {
			const dataDir = testDir();
			writeFileSync(
				join(dataDir, "counterfoil.db"),
				"Buy milk. ".repeat(1_000),
			);
			const { child, errors } = start({ DATA_DIR: dataDir });
			expect(await exitOf(child)).toBe(1);
			expect(errors()).toBe(
				"Counterfoil can't start: The file is not a database\n",
			);
		},
	);
});

/** Finds a Node older than 22 on this machine. */
function findOldNode(): string | undefined {
	return (process.env.PATH ?? "")
		.split(":")
		.filter((dir) => !dir.includes("node_modules"))
		.map((dir) => join(dir, "node"))
		.filter((file) => existsSync(file))
		.find(
			(file) =>
				Number(execFileSync(file, ["-p", "parseInt(process.versions.node)"])) <
				22,
		);
}

const oldNode = findOldNode();

describe("a server's memory", () => {
	const system = "/proc/self";

	test.skipIf(!existsSync(system)).each([[[main]], [[cli, "serve"]]])(
		"the server has a small heap and one arena, in the process that was started: %j (skipped without /proc)",
		async (args) => {
			const own = { DATA_DIR: testDir() };
			const { child } = start(own, process.execPath, args);
			await urlOf(child);
			const read = (file: string) =>
				readFileSync(`/proc/${child.pid}/${file}`, "utf8").split("\0");
			expect(read("cmdline")).toEqual([
				...[process.execPath, "--max-semi-space-size=8", ...args, ""],
			]);
			expect(read("environ")).toEqual(
				expect.arrayContaining([
					...["MALLOC_ARENA_MAX=1", "MALLOC_MMAP_THRESHOLD_=32768"],
				]),
			);
		},
	);

	test("what a server imports leaves Node's own fetch and WebSockets out", () => {
		const program = `await import(${JSON.stringify(join(import.meta.dirname, "serve.ts"))});
			console.log(process.moduleLoadList.filter((name) => name.includes("deps/undici")));`;
		const args = ["--input-type=module", "--eval", program];
		expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(
			"[]\n",
		);
	});

	test.skipIf(!existsSync(system)).each([
		[["--max-semi-space-size=32", main], {}],
		[[main], { NODE_OPTIONS: "--max-semi-space-size=32" }],
	])(
		"the owner's own settings of memory stay: %j, %j (skipped without /proc)",
		async (args, env) => {
			const own = { DATA_DIR: testDir(), MALLOC_ARENA_MAX: "4", ...env };
			const { child } = start(own, process.execPath, args);
			await urlOf(child);
			const read = (file: string) =>
				readFileSync(`/proc/${child.pid}/${file}`, "utf8").split("\0");
			expect(read("cmdline")).toEqual([process.execPath, ...args, ""]);
			expect(read("environ")).toContain("MALLOC_ARENA_MAX=4");
		},
	);
});

describe("an old Node", () => {
	test.skipIf(oldNode === undefined)(
		"an old Node is refused in one line (skipped if none is installed)",
		async () => {
			const { child, errors } = start({ DATA_DIR: testDir() }, oldNode);
			expect(await exitOf(child)).toBe(1);
			expect(errors()).toMatch(
				/^Counterfoil needs Node 22\.19 or newer; this is \S+ In a clone, "npm ci" brings one and "npm start" uses it; elsewhere, install Node 24\.\n$/,
			);
		},
	);

	test("an old Node is recognized by its version", async () => {
		const { refuseOldNode } = await import("./node-version.js");
		const before = process.exitCode;
		const refused = [
			"18.20.0",
			"20.20.2",
			"22.17.1",
			"22.19.0",
			"24.21.0",
			"26.0.0",
		].map((version) => refuseOldNode(version));
		process.exitCode = before;
		expect(refused).toEqual([true, true, true, false, false, false]);
	});
});
