import { expect, onTestFinished, test } from "vitest";
import { openShop } from "../shop.ts";
import type { Connection, Store } from "../store/store.ts";
import { openTestShop } from "../testing/shop.ts";
import { askEverything } from "./testing/everything.ts";

/** Gathers the plan of each statement that a store runs, by its text. */
function explaining(store: Store, plans: Map<string, string>): Store {
	async function explain(tx: Connection, sql: string): Promise<void> {
		if (plans.has(sql) || /^(PRAGMA|EXPLAIN)/.test(sql)) return;
		const count = sql.replaceAll(/'[^']*'/g, "").split("?").length - 1;
		const steps = await tx.all(
			`EXPLAIN QUERY PLAN ${sql}`,
			...new Array(count).fill(null),
		);
		plans.set(sql, steps.map(({ detail }) => detail).join("\n"));
	}
	const watched = (tx: Connection): Connection => ({
		async get(sql, ...params) {
			await explain(tx, sql);
			return tx.get(sql, ...params);
		},
		async all(sql, ...params) {
			await explain(tx, sql);
			return tx.all(sql, ...params);
		},
		async run(sql, ...params) {
			await explain(tx, sql);
			return tx.run(sql, ...params);
		},
		savepoint: (fn) => tx.savepoint(fn),
	});
	return {
		read: (fn) => store.read((tx) => fn(watched(tx))),
		write: (fn, options) => store.write((tx) => fn(watched(tx)), options),
		announce: (note) => store.announce(note),
		onAnnounced: (listener) => store.onAnnounced(listener),
		assertInPlace: () => store.assertInPlace(),
		close: () => store.close(),
	};
}

test("no statement reads all of a shop's lines or movements where it needs those of a sale or product", async () => {
	const { store, env, caller } = await openTestShop({ kind: "sqlite" });
	onTestFinished(() => store.close());
	const plans = new Map<string, string>();
	const shop = openShop({ store: explaining(store, plans), env });
	await askEverything(shop, caller);
	expect(plans.size).toBeGreaterThan(100);
	const wide = [...plans].filter(
		([sql, plan]) =>
			!sql.includes("count(*)") &&
			/(line|refund_items|stock_movements) USING (COVERING )?(INDEX \S+|PRIMARY KEY) \((business_id|shop)=\?( AND product(_id)?>\?)?\)/.test(
				plan,
			),
	);
	expect(wide).toEqual([]);
	const ledger = [...plans].filter(([sql]) => sql.includes("SELECT moved.*"));
	expect(ledger).toHaveLength(1);
	for (const part of [
		/sale USING INDEX sales_by_version \(shop=\? AND version>\? AND version<\?\)/,
		/refunds USING INDEX refunds_by_sale/,
	])
		expect(ledger[0]?.[1]).toMatch(part);
});
