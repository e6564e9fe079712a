import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished } from "vitest";
import {
	categoryCreate,
	categoryDelete,
	categoryUpdate,
} from "../../../sync/entities/category.ts";
import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../../../sync/entities/count.ts";
import {
	customerCreate,
	customerDelete,
	customerUpdate,
} from "../../../sync/entities/customer.ts";
import {
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { saleVoid } from "../../../sync/entities/refund.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { newId, systemEnv } from "../../../sync/protocol/ids.ts";
import { httpTransport } from "../../../sync/replica/http.ts";
import { openReplica } from "../../../sync/replica/replica.ts";
import { openShop } from "../../../sync/shop.ts";
import { simulatedBrowser } from "../../../sync/simulation/wasm-sqlite.ts";
import { lookInto, openSqlite } from "../../../sync/store/sqlite.ts";
import { openInMemory } from "../../../sync/store/sqlite-wasm.ts";
import type { DbRow, Store } from "../../../sync/store/store.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import {
	openTestTill as openLocalTill,
	openTestShop,
	type TestTill,
	testDir,
} from "../../../sync/testing/shop.ts";
import {
	writeMembership,
	writeName,
} from "../../../sync/till/local-members.ts";
import {
	cheapHash,
	cheapPassword,
	inFile,
	openTestServer,
} from "../../testing/server.ts";
import { openMilkShop } from "../../testing/tills.ts";
import { restoreFromTill } from "./restore-from-till.ts";

const test = oneIn(3);

const owner = {
	email: "asha@example.com",
	name: "Asha",
	passwordHash: cheapHash,
};

/** A till whose server and session a test can replace. */
async function openTill(
	store: Store,
	businessId: string,
	line: { url: string; token: string },
) {
	onTestFinished(() => store.close());
	const transport = () =>
		httpTransport({ baseUrl: line.url, businessId, token: () => line.token });
	const till = await openReplica({
		store,
		businessId,
		transport: {
			push: (request) => transport().push(request),
			pull: (cursor, limit) => transport().pull(cursor, limit),
			watch: (onMove, signal) => transport().watch(onMove, signal),
			isReachable: () => transport().isReachable(),
		},
	});
	await till.sync();
	const caller = {
		...{ businessId, userId: "chege", role: "CASHIER" as const },
		deviceId: null,
	};
	return {
		till,
		store,
		async sell(quantity = 1, userId = "chege"): Promise<string> {
			const id = newId(till.env);
			const milk = { id: "1", name: "Milk", productId: "milk" };
			await till.mutate({ ...caller, userId }, saleCreate, {
				id,
				items: [{ ...milk, quantity, price: 100, cost: 60 }],
			});
			return id;
		},
	};
}
type Till = Awaited<ReturnType<typeof openTill>>;

/** A shop with a server, two tills with files and one in a browser's memory. */
async function openShopOfThree() {
	const { server, asha } = await openMilkShop(inFile, 100);
	const { businessId } = asha;
	await server.addUser("Chege", { businessId, role: "CASHIER" });
	await server.shop.store.write(async (tx) => {
		await tx.run("PRAGMA defer_foreign_keys = ON");
		await tx.run("UPDATE users SET id = 'chege' WHERE name = 'Chege'");
		await tx.run(
			"UPDATE memberships SET user_id = 'chege' WHERE role = 'CASHIER'",
		);
	});
	const line = { url: server.url, token: asha.bearer.slice("Bearer ".length) };
	const file = join(testDir(), "till.db");
	const { sqlite } = await simulatedBrowser();
	const a = await openTill(await openSqlite(file), businessId, line);
	const b = await openTill(
		await openSqlite(join(testDir(), "till.db")),
		businessId,
		line,
	);
	const c = await openTill(await openInMemory(sqlite), businessId, line);
	// As a till knows its members: by id, name and role.
	await a.store.write(async (tx) => {
		const at = "2026-01-01T00:00:00.000Z";
		for (const [id, name, role] of [
			[asha.id, "Asha", "OWNER"],
			["chege", "Chege", "CASHIER"],
		] as const) {
			await writeName(tx, { id, name }, at);
			await writeMembership(tx, businessId, { id, role }, at);
		}
	});
	return { server, asha, businessId, line, file, a, b, c };
}

async function restoreInto(line: { url: string; token: string }, file: string) {
	const dataDir = join(testDir(), "new");
	const env = systemEnv;
	const restored = await restoreFromTill({
		...{ file, dataDir, env, force: false, owner },
	});
	const server = await openTestServer({ ...inFile, DATA_DIR: dataDir });
	const { body } = await server.ask("POST", "/api/auth/mobile-login", {
		body: { email: owner.email, password: cheapPassword },
	});
	line.url = server.url;
	line.token = (body as { token: string }).token;
	return { restored, server };
}

async function syncAll(...tills: Till[]): Promise<void> {
	for (let i = 0; i < 2; i += 1)
		for (const { till } of tills) {
			await till.resume();
			await till.sync();
		}
}

const allOf = (store: Store, sql: string): Promise<DbRow[]> =>
	store.read((tx) => tx.all(sql));

test("a server built from a till's file gets from all tills what was ever sold, once, under the receipt numbers that it had", async () => {
	const { server, asha, line, file, a, b, c } = await openShopOfThree();
	const sold = [await a.sell(), await b.sell(2), await c.sell(3)];
	await syncAll(a, b, c);
	await server.shop.mutate(asha.caller, productUpdate, {
		id: "milk",
		set: { sellingPrice: 120 },
	});
	sold.push(await a.sell(4, asha.id), await b.sell(5));
	await b.till.sync();
	await a.till.sync();
	// The server's last sales, which the restored copy lacks.
	sold.push(await c.sell(6), await b.sell(7));
	await c.till.sync();
	await b.till.sync();
	sold.push(await a.sell(8), await b.sell(9), await c.sell(10, asha.id));
	await a.till.mutate(asha.caller, saleVoid, {
		id: "void",
		saleId: sold[1] as string,
		reason: "Wrong customer",
	});
	const receipts = new Map<unknown, unknown>();
	for (const { store } of [a, b, c])
		for (const row of await allOf(
			store,
			"SELECT id, receipt_number FROM sales",
		))
			receipts.set(row.id, row.receipt_number);
	await server.close();
	rmSync(server.settings.dataDir, { recursive: true });

	const { restored, server: rebuilt } = await restoreInto(line, file);
	expect(restored).toMatchObject({
		businessName: "Asha's shop",
		ownerId: asha.id,
		own: { recorded: 4, rejected: 0, waiting: 0 },
		withoutEmail: [{ id: "chege", name: "Chege", role: "CASHIER" }],
		replaced: null,
	});
	await syncAll(c, a, b);

	const rows = await rebuilt.rows(
		"SELECT id, receipt_number, user_id FROM sales ORDER BY id",
	);
	expect(rows.map(({ id }) => id)).toEqual(sold.toSorted());
	for (const { id, receipt_number } of rows)
		expect([id, receipt_number]).toEqual([id, receipts.get(id)]);
	expect(new Set(receipts.values()).size).toBe(sold.length);
	expect(
		rows.filter(({ user_id }) => user_id === asha.id).map(({ id }) => id),
	).toEqual([sold[3], sold[9]].toSorted());
	// 100 at first, minus 55 sold, plus the 2 of the void.
	expect(
		await rebuilt.rows("SELECT quantity, selling_price FROM products"),
	).toEqual([{ quantity: 47_000_000, selling_price: 120_000_000 }]);
	for (const { till } of [a, b, c]) {
		expect(await till.status()).toMatchObject({ pending: 0, rejected: 0 });
		expect(await till.digest()).toBe(
			(await rebuilt.shop.digest(asha.caller)).digest,
		);
	}

	const next = [await a.sell(), await b.sell(), await c.sell()];
	await syncAll(a, b, c);
	const numbers = await rebuilt.rows("SELECT receipt_number FROM sales");
	expect(numbers).toHaveLength(sold.length + next.length);
	expect(new Set(numbers.map((row) => row.receipt_number)).size).toBe(
		numbers.length,
	);
	expect(await rebuilt.rows("SELECT count(*) AS count FROM devices")).toEqual([
		{ count: 3 },
	]);
});

/** A server and tills in one process, whose clock a test controls. */
async function openLocalShop(tills: number) {
	const server = await openTestShop({ kind: "sqlite" });
	const { shop, env, caller } = server;
	await shop.mutate(caller, productCreate, {
		...{ id: "milk", name: "Milk", buyingPrice: 60, sellingPrice: 100 },
		quantity: 10,
	});
	const all: TestTill[] = [];
	for (let i = 0; i < tills; i += 1) all.push(await openLocalTill(server));
	for (const { till } of all) await till.sync();
	const edit = (one: TestTill, set: object) => {
		env.pass(600_000);
		return one.till.mutate(caller, productUpdate, { id: "milk", set });
	};
	const sync = async (...ones: TestTill[]) => {
		env.pass(600_000);
		for (const { till } of ones) await till.sync();
	};
	/** Loses the server, and builds another one from a till's file. */
	async function loseServer({ file }: TestTill) {
		const dataDir = join(testDir(), "data");
		await restoreFromTill({ file, dataDir, env, force: false, owner });
		const store = await openSqlite(join(dataDir, "counterfoil.db"));
		onTestFinished(() => store.close());
		const rebuilt = openShop({ store, env });
		for (const { line } of all) line.shop = rebuilt;
		const milk = () =>
			store.read((tx) =>
				tx.get(
					"SELECT name, selling_price / 1000000 AS price, quantity / 1000000 AS quantity FROM products WHERE id = 'milk'",
				),
			);
		return { rebuilt, milk, store };
	}
	return { server, all, caller, env, edit, sync, loseServer };
}

test("an edit that a till offers again undoes no newer one that the copy has, and an unsent edit counts [LOSS-6]", async () => {
	const { server, all, caller, edit, sync, loseServer } =
		await openLocalShop(2);
	const [a, b] = all as [TestTill, TestTill];
	await edit(b, { sellingPrice: 110, quantity: 30 });
	await sync(b);
	await server.shop.mutate(caller, productUpdate, {
		...{ id: "milk", set: { sellingPrice: 120 } },
	});
	await edit(b, { name: "Fresh milk" });
	await sync(a);
	const { milk } = await loseServer(a);
	await sync(b, a);
	const expected = { name: "Fresh milk", price: 120, quantity: 30 };
	expect(await milk()).toEqual(expected);
	expect(await b.till.status()).toMatchObject({ pending: 0, rejected: 0 });
	await sync(a, b);
	expect(await milk()).toEqual(expected);
});

test("an edit that reached the lost server after the till of the copy last synced is applied [LOSS-6]", async () => {
	const { all, edit, sync, loseServer } = await openLocalShop(2);
	const [a, b] = all as [TestTill, TestTill];
	await edit(b, { sellingPrice: 110, quantity: 30 });
	await sync(a);
	await sync(b);
	const { milk } = await loseServer(a);
	expect(await milk()).toEqual({ name: "Milk", price: 100, quantity: 10 });
	await sync(b);
	expect(await milk()).toEqual({ name: "Milk", price: 110, quantity: 30 });
});

test("of two edits the later one stands, whichever till brings its edit first [LOSS-6]", async () => {
	for (const order of [
		[1, 2],
		[2, 1],
	] as const) {
		const { all, edit, sync, loseServer } = await openLocalShop(3);
		const [a, b, c] = all as [TestTill, TestTill, TestTill];
		await edit(b, { sellingPrice: 110 });
		await edit(c, { sellingPrice: 120 });
		await sync(c);
		await sync(a);
		const { milk } = await loseServer(a);
		for (const i of order) await sync(all[i] as TestTill);
		expect(await milk()).toMatchObject({ price: 120 });
	}
});

test("a record that was removed before the till of the copy joined doesn't come back [LOSS-6]", async () => {
	const { server, all, caller, sync, loseServer } = await openLocalShop(1);
	const [a] = all as [TestTill];
	const tea = { id: "tea", name: "Tea" };
	for (const { create, update, remove } of [
		...[
			{
				create: categoryCreate,
				update: categoryUpdate,
				remove: categoryDelete,
			},
		],
		...[
			{
				create: customerCreate,
				update: customerUpdate,
				remove: customerDelete,
			},
		],
	]) {
		await a.till.mutate(caller, create as typeof categoryCreate, tea);
		await a.till.mutate(caller, update as typeof categoryUpdate, {
			...{ id: "tea", set: { name: "Chai" } },
		});
		await a.till.mutate(caller, remove, { id: "tea" });
	}
	await sync(a);
	const late = await openLocalTill(server);
	await sync(late);
	const { store } = await loseServer(late);
	await sync(a);
	for (const table of ["categories", "customers"])
		expect(
			await allOf(store, `SELECT name FROM ${table} WHERE deleted = 0`),
		).toEqual([]);
	expect(await a.till.status()).toMatchObject({ pending: 0, rejected: 0 });
});

test("a number that was entered at a count doesn't win over a later one that the copy has [LOSS-6]", async () => {
	const { all, caller, sync, loseServer } = await openLocalShop(2);
	const [a, b] = all as [TestTill, TestTill];
	await a.till.mutate(caller, countOpen, { id: "count", name: "Fridge" });
	for (const id of ["one", "two"]) {
		const look = { id, countId: "count", productId: "milk", shelf: id };
		await a.till.mutate(caller, countLookAt, look);
		await a.till.mutate(caller, countEnter, { id, counted: 5 });
		await sync(a, b);
		await b.till.mutate(caller, countEnter, { id, counted: 7 });
		if (id === "one") await b.till.mutate(caller, countClose, { id: "count" });
	}
	await sync(b, a, b);
	const { store } = await loseServer(b);
	await sync(a, b);
	expect(
		await allOf(store, "SELECT counted FROM count_looks ORDER BY id"),
	).toEqual([{ counted: 7_000_000 }, { counted: 7_000_000 }]);
	for (const { till } of [a, b])
		expect(await till.status()).toMatchObject({ pending: 0, rejected: 0 });
});

test("a record's id with other content is refused by a server built from a till, as by any other [FACT-2] [LOSS-6]", async () => {
	const { all, caller, env, sync, loseServer } = await openLocalShop(1);
	const [a] = all as [TestTill];
	const id = await a.sell({ milk: 1 });
	await sync(a);
	const { rebuilt, milk } = await loseServer(a);
	env.pass(600_000);
	const at = new Date(env.now()).toISOString();
	const line = { id: "1", name: "Milk", quantity: 2, price: 100, cost: 60 };
	const bread = { id: "milk", name: "Bread", buyingPrice: 1, sellingPrice: 2 };
	const { results } = await rebuilt.push(caller, {
		mutations: [
			{ id: "m1", name: "sale.create", at, args: { id, items: [line] } },
			{ id: "m2", name: "product.create", at, args: bread },
		],
	});
	expect(results.map(({ error }) => error?.code)).toEqual([
		"id_reused",
		"id_reused",
	]);
	expect(await milk()).toEqual({ name: "Milk", price: 100, quantity: 9 });
});

test("a mutation that the lost server had rejected stays rejected, with its reason", async () => {
	const { all, caller, sync, loseServer } = await openLocalShop(2);
	const [a, b] = all as [TestTill, TestTill];
	const id = await b.sell({ milk: 1 });
	await sync(b, a);
	const undo = { saleId: id, reason: "Wrong customer" };
	await b.till.mutate(caller, saleVoid, { id: "first", ...undo });
	await a.till.mutate(caller, saleVoid, { id: "second", ...undo });
	await sync(b, a);
	const { store } = await loseServer(a);
	expect(
		await store.read((tx) =>
			tx.all(
				"SELECT args, version, error FROM mutations WHERE status = 'rejected'",
			),
		),
	).toEqual([
		{
			args: expect.stringContaining('"second"'),
			version: null,
			error: expect.stringContaining("already_voided"),
		},
	]);
});

test("what is no till's database, or not intact, is refused, and nothing is built", async () => {
	const { server, line, file, a, businessId } = await openShopOfThree();
	await a.store.close();
	const dir = testDir();
	const bytes = readFileSync(file);
	const write = (name: string, content: Uint8Array | string) => {
		writeFileSync(join(dir, name), content);
		return join(dir, name);
	};
	const newer = write("newer", bytes);
	const db = new Database(newer);
	db.exec("UPDATE meta SET value = '9999' WHERE key = 'schema_version'");
	db.close();
	const unjoined = join(dir, "unjoined");
	await (await openSqlite(unjoined)).close();
	const empty = join(dir, "empty");
	const store = await openSqlite(empty);
	line.url = "http://127.0.0.1:1";
	await expect(openTill(store, businessId, line)).rejects.toThrow();
	const fresh = join(testDir(), "new");
	const restore = (from: string, dataDir = fresh, force = false) =>
		restoreFromTill({
			...{ file: from, dataDir, force },
			env: systemEnv,
			owner,
		});
	const own = join(server.settings.dataDir, "counterfoil.db");
	for (const [from, reason] of [
		[join(dir, "none"), /^There is no file /],
		[write("notes", "Buy milk. ".repeat(1_000)), /is not a database/],
		[write("half", bytes.subarray(0, bytes.length / 2)), /is damaged/],
		[newer, /Update/],
		[unjoined, /has no shop; use the database of a till/],
		[empty, /has not fetched its shop yet; use another till's/],
		[own, /is not a till's database: Asha's shop joined no server/],
	] as const)
		await expect(restore(from)).rejects.toThrow(reason);
	expect(readdirSync(fresh)).toEqual([]);

	await expect(restore(file, server.settings.dataDir, true)).rejects.toThrow(
		"stop it first",
	);
	await server.close();
	const before = readFileSync(own);
	await expect(restore(file, server.settings.dataDir)).rejects.toThrow(
		/already a shop in .+ use --force/,
	);
	expect(readFileSync(own).equals(before)).toBe(true);
	const { replaced } = await restore(file, server.settings.dataDir, true);
	const users = "SELECT name FROM users ORDER BY name";
	const kept = await lookInto(replaced as string, (tx) => tx.all(users));
	expect(kept).toEqual([{ name: "Asha" }, { name: "Chege" }]);
});

test("a restore from a till that fails at any step leaves nothing behind", async () => {
	const { file, a } = await openShopOfThree();
	await a.sell();
	for (const last of ["copying", "checking", "comparing", "pictures"]) {
		const dataDir = join(testDir(), "new");
		const restoring = restoreFromTill({
			...{ file, dataDir, env: systemEnv, force: false, owner },
			onStep: (step) => {
				if (step === last) throw new Error(`Stopped at ${step}`);
			},
		});
		await expect(restoring).rejects.toThrow(`Stopped at ${last}`);
		expect(readdirSync(dataDir)).toEqual([]);
	}
});
