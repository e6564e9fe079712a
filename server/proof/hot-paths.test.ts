import { describe, expect, test, vi } from "vitest";
import { productCreate } from "../../sync/entities/product.ts";
import type { Connection, Store } from "../../sync/store/store.ts";
import { open } from "../gateway/testing/spending.ts";
import { openTestTill } from "../testing/tills.ts";

/**
 * Tables that a database sharded by business_id would keep whole on each node: accounts and memberships are read before
 * the business is known.
 */
const referenceTables = new Set([
	...["users", "admins", "memberships", "api_keys"],
	...["ended_sessions", "meta", "shops", "json_each"],
]);

/** The server looks into the queue of AI requests at intervals, for all shops at once and whatever they do. */
const isFromQueue = (sql: string) => sql.includes(" ai_queue ");

/** @returns the SQL of all statements from now on */
function watchStatements(store: Store): Set<string> {
	const seen = new Set<string>();
	const watched = (tx: Connection): Connection => ({
		get: (sql, ...params) => tx.get(note(sql), ...params),
		all: (sql, ...params) => tx.all(note(sql), ...params),
		run: (sql, ...params) => tx.run(note(sql), ...params),
		savepoint: (fn) => tx.savepoint(fn),
	});
	function note(sql: string): string {
		seen.add(sql);
		return sql;
	}
	const read = store.read.bind(store);
	const write = store.write.bind(store);
	vi.spyOn(store, "read").mockImplementation((fn) =>
		read((tx) => fn(watched(tx))),
	);
	vi.spyOn(store, "write").mockImplementation((fn, options) =>
		write((tx) => fn(watched(tx)), options),
	);
	return seen;
}

/** True for a statement that a sharded database would send to every node. */
function isSpread(sql: string): boolean {
	const named = (pattern: RegExp) =>
		[...sql.matchAll(pattern)].map(([, name]) => name as string);
	const own = new Set(named(/\b([a-z_]+) AS \(/g));
	const tables = named(/\b(?:FROM|JOIN|INTO|UPDATE) ([a-z_]+)/g).filter(
		(table) => !own.has(table) && !referenceTables.has(table),
	);
	const scopes =
		sql.match(/\b(?:business_id|shop) =|\((?:business_id|shop),/g) ?? [];
	return scopes.length < tables.length;
}

describe("a statement on a hot path", () => {
	test("every statement on a hot path names its business or uses only reference tables", async () => {
		const { server, asha, addKey, ask } = await open();
		const { bearer } = await addKey({ monthlyBudget: 10 });
		const milk = { name: "Milk", buyingPrice: 60, sellingPrice: 100 };
		await server.shop.mutate(asha.caller, productCreate, {
			...milk,
			...{ id: "milk", quantity: 10 },
		});
		const till = await openTestTill(asha, server);
		const seen = watchStatements(server.shop.store);

		for (let i = 0; i < 12; i += 1) await till.sell(1);
		await till.till.sync();
		const line = { name: "Milk", quantity: 2, price: 100, productId: "milk" };
		const sold = await server.ask("POST", "/api/sales", {
			as: asha,
			body: { items: [{ ...line, cost: 60 }] },
		});
		expect(sold.status).toBe(201);
		await till.till.sync();
		const { id } = sold.body as { id: string };
		for (const path of [
			...["/api/sync", "/api/sync?digest=1", "/api/dashboard"],
			...["/api/products?search=mil", "/api/sales", `/api/sales/${id}`],
		]) {
			const { status } = await server.ask("GET", path, { as: asha });
			expect(`${path}: ${status}`).toBe(`${path}: 200`);
		}
		const answered = await ask({}, { authorization: bearer });
		expect(answered.status).toBe(200);
		await server.close();

		const asked = [...seen].filter((sql) => !isFromQueue(sql));
		expect(asked.filter(isSpread)).toEqual([]);
		for (const table of ["sales", "mutations", "ai_calls", "api_keys"])
			expect([...seen].join("\n")).toContain(` ${table} `);
	});

	test("a statement without a business is detected", () => {
		expect(isSpread("SELECT id FROM sales WHERE id = ?")).toBe(true);
		expect(
			isSpread(
				"SELECT 1 FROM sales JOIN sale_items ON sale_id = sales.id WHERE sales.business_id = ?",
			),
		).toBe(true);
		expect(isSpread("SELECT email FROM users WHERE id = ?")).toBe(false);
	});
});
