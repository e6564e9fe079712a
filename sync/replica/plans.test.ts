import { expect, test } from "vitest";
import { productCreate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { explaining } from "../testing/plans.ts";
import {
	openTestShop,
	openTestTill,
	saleArgs,
	testLine,
} from "../testing/shop.ts";

test("a till that sells and syncs reads none of its history as a whole", async () => {
	const server = await openTestShop();
	const plans = new Map<string, string>();
	const { till, sell } = await openTestTill(server, {
		watch: (store) => explaining(store, plans),
	});
	await till.sync();
	plans.clear();
	await sell({ milk: 1 });
	await till.sync();
	await till.sync();
	expect(plans.size).toBeGreaterThan(20);
	const wide = [...plans].filter(([, plan]) =>
		/AUTOMATIC|MATERIALIZE|(sale|line|mutations|refunds|payments) USING (COVERING )?(INDEX \S+|PRIMARY KEY) \((business_id|shop)=\?\)/.test(
			plan,
		),
	);
	expect(wide).toEqual([]);
	// A till without backups keeps all that it ever sold.
	const [, unseen] =
		[...plans].find(([sql]) => sql.includes("server_version > ?")) ?? [];
	expect(unseen).toContain(
		"outbox_by_version (business_id=? AND server_version>?)",
	);
});

/** A till with a window, whose shop has an older sale, and the plans of what it runs. */
async function openWithWindow() {
	const server = await openTestShop();
	const { shop, caller, env, store } = server;
	const dayMs = 24 * 3_600_000;
	env.pass(-180 * dayMs);
	await shop.mutate(caller, productCreate, {
		...{ id: "milk", name: "Milk", buyingPrice: 60, sellingPrice: 100 },
	});
	await shop.mutate(caller, saleCreate, saleArgs("old"));
	env.pass(180 * dayMs);
	await store.write((tx) => tx.run("UPDATE businesses SET head = 300"));
	const plans = new Map<string, string>();
	const { till } = await openTestTill(server, {
		...{ line: testLine(shop, caller, true), windowDays: 90 },
		watch: (store) => explaining(store, plans),
	});
	await till.sync();
	return { till, plans };
}

test("a till that joins with a window looks up by product what older sales moved", async () => {
	const { plans } = await openWithWindow();
	const sums = [...plans].filter(([sql]) =>
		/^UPDATE products SET quantity .*older_stock/s.test(sql),
	);
	expect(sums.length).toBeGreaterThan(0);
	const wide = sums.filter(([, plan]) =>
		/older_stock USING .*\(business_id=\?\)/.test(plan),
	);
	expect(wide).toEqual([]);
});

test("a till with a window finds the facts of each product whose stock it checks, and reads no others", async () => {
	const { till, plans } = await openWithWindow();
	plans.clear();
	expect(await till.compare()).toBe("same");
	const ledgers = [...plans].filter(([sql]) => sql.includes("stock_ledger"));
	expect(ledgers.length).toBeGreaterThan(0);
	const wide = ledgers.filter(([, plan]) =>
		/AUTOMATIC|SCAN (sale|line|stock_movements)\b/.test(plan),
	);
	expect(wide).toEqual([]);
});
