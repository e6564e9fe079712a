import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { productUpdate } from "../../../sync/entities/product.ts";
import { saleVoid } from "../../../sync/entities/refund.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { newId, systemEnv } from "../../../sync/protocol/ids.ts";
import { httpTransport } from "../../../sync/replica/http.ts";
import { openReplica } from "../../../sync/replica/replica.ts";
import { simulatedBrowser } from "../../../sync/simulation/wasm-sqlite.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { openInMemory } from "../../../sync/store/sqlite-wasm.ts";
import type { DbRow, Store } from "../../../sync/store/store.ts";
import { testDir } from "../../../sync/testing/shop.ts";
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
