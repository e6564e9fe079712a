import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import type { Connection } from "../../sync/store/store.ts";
import { mountSmallDisk, noSmallDisk } from "../../sync/testing/disk.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { storeKind } from "../../sync/testing/store-kind.ts";
import { databaseFile } from "../operations/database.ts";
import { readSettings } from "../settings.ts";
import { fill, idsByResource, requests } from "../testing/operations.ts";
import {
	type Answer,
	authSecret,
	inFile,
	openTestServer,
	type TestServer,
	type TestUser,
	twoShops,
} from "../testing/server.ts";

const main = join(import.meta.dirname, "../main.js");
const named = (what: string) =>
	noSmallDisk ? `${what} (skipped: ${noSmallDisk})` : what;
const isFull = { status: 507, body: { error: "The disk is full" } };
const opening = 5_000;

/** Makes sales of one milk each, with ids chosen by the client. */
function salesOfMilk(count: number) {
	return Array.from({ length: count }, () => {
		const id = newId(systemEnv);
		const line = { id: "1", name: "Milk", productId: "milk", quantity: 1 };
		const args = { id, items: [{ ...line, price: 65, cost: 58 }] };
		const at = new Date().toISOString();
		return { id, name: saleCreate.name, args, at };
	});
}

async function addMilk({ shop }: TestServer, { caller }: TestUser) {
	await shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 58,
		sellingPrice: 65,
		quantity: opening,
	});
}

/** Calls each operation of a kind once. @returns the answers by operation */
async function askAll(
	server: TestServer,
	asha: TestUser,
	isAsked: (operation: string) => boolean,
): Promise<Record<string, Answer>> {
	const answers: Record<string, Answer> = {};
	for (const [operation, { path, body, as }] of Object.entries(
		requests("none"),
	)) {
		if (!isAsked(operation)) continue;
		const [method = "", route = ""] = operation.split(" ");
		const id = idsByResource[route.split("/")[2] ?? ""] ?? "none";
		answers[operation] = await server.ask(
			method,
			path ?? route.replace(":id", id),
			{
				body,
				...(as === "session"
					? { headers: { cookie: asha.cookie } }
					: { as: asha }),
			},
		);
	}
	return answers;
}

const statuses = (answers: Record<string, Answer>) =>
	Object.entries(answers).map(([asked, { status }]) => `${asked} ${status}`);

/** Skipped, because each costs a bcrypt hash and would be refused the same way. */
const isCostly = /login|auth|setup|members$/;

oneIn(3).skipIf(noSmallDisk)(
	named(
		"a server on a full disk refuses writes with Retry-After, answers reads, and recovers once there is room",
	),
	async () => {
		const disk = mountSmallDisk(8);
		const server = await openTestServer({ ...inFile, DATA_DIR: disk.dir });
		const asha = await server.addUser("Asha");
		await fill(server, asha, "own");
		await addMilk(server, asha);
		const isRead = (operation: string) => operation.startsWith("GET ");
		const before = statuses(await askAll(server, asha, isRead));
		const { digest } = await server.shop.digest(asha.caller);
		const push = (mutations: unknown[]) =>
			server.ask("POST", "/api/sync", { as: asha, body: { mutations } });

		disk.fill();
		const refused = salesOfMilk(500);
		const answer = await push(refused);
		expect(answer).toMatchObject(isFull);
		expect(answer.headers.get("retry-after")).toBe("10");
		const writes = await askAll(
			server,
			asha,
			(operation) => !isRead(operation) && !isCostly.test(operation),
		);
		for (const [operation, { status, headers, body }] of Object.entries(
			writes,
		)) {
			if (status < 500) continue;
			expect({ operation, status, body }).toEqual({ operation, ...isFull });
			expect(headers.get("retry-after")).toBe("10");
		}
		expect(statuses(writes)).toContain("POST /api/sales 507");
		expect(statuses(writes)).toContain("POST /api/products/:id/picture 507");
		expect(
			readdirSync(join(disk.dir, "pictures"), { recursive: true }),
		).toEqual([asha.businessId]);
		// Only a supervisor hears of it.
		expect(statuses(await askAll(server, asha, isRead))).toEqual(
			before.map((said) => said.replace("GET /readyz 200", "GET /readyz 503")),
		);
		expect((await server.shop.digest(asha.caller)).digest).toBe(digest);
		// An empty push is a read, also from an unknown device.
		const body = { mutations: [], deviceId: "a new till", cursor: "" };
		expect(
			await server.ask("POST", "/api/sync", { as: asha, body }),
		).toMatchObject({ status: 200, body: { hasMore: false } });

		// With little room, a small write succeeds and a large one leaves no trace.
		disk.clear();
		disk.fill(150_000);
		const small = salesOfMilk(1);
		expect((await push(small)).status).toBe(200);
		expect(await push(refused)).toMatchObject(isFull);

		disk.clear();
		const taken = await push(refused);
		const { results } = taken.body as { results: object[] };
		expect(results).toHaveLength(refused.length);
		for (const result of results) {
			expect(result).toMatchObject({ status: "applied" });
			expect(result).not.toHaveProperty("duplicate");
		}
		expect(
			await server.rows("SELECT quantity FROM products WHERE id = 'milk'"),
		).toEqual([{ quantity: (opening - refused.length - 1) * 1_000_000 }]);
		expect(await server.rows("PRAGMA integrity_check")).toEqual([
			{ integrity_check: "ok" },
		]);
	},
);

/** Starts a server process that logs to the same disk, as under many supervisors. */
function startProcess(dataDir: string, log: string) {
	const file = openSync(log, "a");
	const child = spawn(process.execPath, [main], {
		env: {
			PATH: process.env.PATH,
			PORT: "0",
			DATA_DIR: dataDir,
			AUTH_SECRET: authSecret,
			// Log lines written early would change how much room is left.
			LOG_LEVEL: "warn",
		},
		stdio: ["ignore", "pipe", file],
	});
	closeSync(file);
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	return child;
}

type Process = ReturnType<typeof startProcess>;

async function whereabouts({ stdout }: Process): Promise<string> {
	const lines = createInterface(stdout as NodeJS.ReadableStream);
	const [line] = (await once(lines, "line")) as [string];
	return /http:\/\/\S+/.exec(line)?.[0] as string;
}

async function end(child: Process, signal: "SIGKILL" | "SIGTERM") {
	child.kill(signal);
	if (child.exitCode === null && child.signalCode === null)
		await once(child, "exit");
	return child.exitCode;
}

oneIn(3).skipIf(noSmallDisk)(
	named(
		"a server with a full disk and log survives kills and restarts, explains a failed start, and loses nothing acknowledged",
	),
	async () => {
		const disk = mountSmallDisk(8);
		const prepared = await openTestServer({ ...inFile, DATA_DIR: disk.dir });
		const asha = await prepared.addUser("Asha");
		await addMilk(prepared, asha);
		await prepared.close();
		const log = join(disk.dir, "server.log");
		const ask = async (url: string, path: string, mutations?: object[]) => {
			const response = await fetch(url + path, {
				method: mutations ? "POST" : "GET",
				headers: { authorization: asha.bearer },
				body: mutations && JSON.stringify({ mutations }),
			});
			return { status: response.status, body: await response.json() };
		};
		const acknowledged = salesOfMilk(3);
		const refused = salesOfMilk(100);
		const sold = { status: 200, body: { total: acknowledged.length } };

		let child = startProcess(disk.dir, log);
		let url = await whereabouts(child);
		expect(await ask(url, "/api/sync", acknowledged)).toMatchObject({
			status: 200,
		});
		disk.fill();
		expect(await ask(url, "/api/sync", refused)).toMatchObject(isFull);
		expect(await ask(url, "/api/sales", undefined)).toMatchObject(sold);
		await end(child, "SIGKILL");

		child = startProcess(disk.dir, log);
		url = await whereabouts(child);
		expect(await ask(url, "/api/sales")).toMatchObject(sold);
		expect(await ask(url, "/api/sync", refused)).toMatchObject(isFull);
		expect(await ask(url, "/healthz")).toMatchObject({ status: 200 });
		// A failed log write didn't stop the server.
		expect(readFileSync(log, "utf8")).toBe("");
		// Stops cleanly without room to checkpoint.
		expect(await end(child, "SIGTERM")).toBe(0);

		disk.clear();
		child = startProcess(disk.dir, log);
		url = await whereabouts(child);
		expect(await ask(url, "/api/sync", refused)).toMatchObject({ status: 200 });
		expect(await ask(url, "/api/sales")).toMatchObject({
			body: { total: acknowledged.length + refused.length },
		});
		expect(await end(child, "SIGTERM")).toBe(0);

		// Now the database is a single file, and opening it needs more room.
		disk.fill();
		const said = spawn(process.execPath, [main], {
			env: {
				PATH: process.env.PATH,
				PORT: "0",
				DATA_DIR: disk.dir,
				AUTH_SECRET: authSecret,
			},
		});
		expect(await text(said.stderr)).toBe(
			"Counterfoil can't start: The disk is full\n",
		);
	},
);

test.skipIf(noSmallDisk)(
	named("an installation without room for its secret creates it later"),
	() => {
		const disk = mountSmallDisk(1);
		disk.fill();
		const read = () => readSettings({ DATA_DIR: disk.dir });
		expect(read).toThrow("auth-secret in it can't be used: ENOSPC");
		disk.clear();
		expect(read().authSecret.length).toBeGreaterThanOrEqual(32);
	},
);

test.skipIf(storeKind === "postgres")(
	"writes to a locked database file get 503 with Retry-After, and reads go on (skipped on PostgreSQL)",
	async () => {
		const { server, asha } = await twoShops();
		const other = new Database(databaseFile(server.settings));
		onTestFinished(() => void other.close());
		other.exec("BEGIN IMMEDIATE");
		// Skips the ten seconds' wait: each look at the clock is a second later.
		const now = performance.now.bind(performance);
		let lookedMs = 0;
		const spy = vi.spyOn(performance, "now").mockImplementation(() => {
			lookedMs += 1_000;
			return now() + lookedMs;
		});
		onTestFinished(() => spy.mockRestore());
		const body = { name: "Tea" };
		const asked = server.ask("POST", "/api/products", { as: asha, body });
		expect(
			(await server.ask("GET", "/api/products", { as: asha })).status,
		).toBe(200);
		const answer = await asked;
		expect(answer).toMatchObject({
			status: 503,
			body: { error: "Another process is using the database" },
		});
		expect(answer.headers.get("retry-after")).toBe("10");
		other.exec("COMMIT");
		expect(
			(await server.ask("POST", "/api/products", { as: asha, body })).status,
		).toBe(201);
	},
);

test.skipIf(storeKind === "postgres")(
	"writes to a read-only database file get 503 with Retry-After, and reads go on (skipped on PostgreSQL)",
	async () => {
		const { server, asha } = await twoShops();
		const body = { name: "Tea" };
		let writer: Connection | undefined;
		await server.shop.store.write(async (tx) => {
			await tx.run("PRAGMA query_only = 1");
			// Kept, since no new write transaction could undo this.
			writer = tx;
		});
		const answer = await server.ask("POST", "/api/products", {
			as: asha,
			body,
		});
		expect(answer).toMatchObject({
			status: 503,
			body: { error: "The database can't be written" },
		});
		expect(answer.headers.get("retry-after")).toBe("10");
		expect(
			(await server.ask("GET", "/api/products", { as: asha })).status,
		).toBe(200);
		await writer?.run("PRAGMA query_only = 0");
		expect(
			(await server.ask("POST", "/api/products", { as: asha, body })).status,
		).toBe(201);
	},
);
