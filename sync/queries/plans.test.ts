import { expect, onTestFinished, test } from "vitest";
import type { Caller } from "../log/log.ts";
import { openShop, type Shop } from "../shop.ts";
import { explaining } from "../testing/plans.ts";
import { openTestShop } from "../testing/shop.ts";
import { dashboardGet } from "./dashboard.ts";
import { productList } from "./product.ts";
import { productByCode, productFind } from "./product-search.ts";
import { askEverything } from "./testing/everything.ts";

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
	// The right side of a left join with a view is gathered from all shops.
	const gathered = [...plans].filter(([, plan]) =>
		/MATERIALIZE (sales|sale_items|mutations|stock_ledger)\b|SCAN (stored|sale|line)\b/.test(
			plan,
		),
	);
	expect(gathered).toEqual([]);
	const ledger = [...plans].filter(([sql]) => sql.includes("SELECT moved.*"));
	expect(ledger).toHaveLength(1);
	for (const part of [
		/sale USING INDEX sales_by_version \(shop=\? AND version>\? AND version<\?\)/,
		/refunds USING INDEX refunds_by_sale/,
	])
		expect(ledger[0]?.[1]).toMatch(part);
});

async function plansOf(
	ask: (shop: Shop, caller: Caller) => Promise<unknown>,
): Promise<[sql: string, plan: string][]> {
	const { store, env, caller } = await openTestShop({ kind: "sqlite" });
	onTestFinished(() => store.close());
	const plans = new Map<string, string>();
	await ask(openShop({ store: explaining(store, plans), env }), caller);
	return [...plans];
}

const byName = "SEARCH products USING COVERING INDEX products_by_name";

test("a search at the till reads the best sellers, the names that start with a word, and only then all names", async () => {
	const plans = await plansOf(({ ask }, caller) =>
		ask(caller, productFind, { words: "bred 5" }),
	);
	const searched = plans.filter(([sql]) => sql.includes("search_name"));
	const expected = [
		"SEARCH products USING INDEX sqlite_autoindex_products_1 (business_id=? AND id=?)",
		`${byName} (business_id=? AND deleted=? AND search_name>? AND search_name<?)`,
		`${byName} (business_id=? AND deleted=?)`,
	];
	// For these words, and for those that are near to them.
	expect(searched.map(([, plan]) => plan)).toEqual(
		[...expected, ...expected].map((step) => expect.stringContaining(step)),
	);
	for (const [sql, plan] of searched)
		if (!sql.includes("best"))
			expect(plan).not.toMatch(/TEMP B-TREE FOR ORDER BY/);
});

test("a code is found in the indexes of codes, however many products there are", async () => {
	const plans = await plansOf(async ({ ask }, caller) => {
		await ask(caller, productByCode, { code: "bread" });
		await ask(caller, productFind, { words: "bread" });
	});
	const wanted = plans.filter(([sql]) => sql.includes("ltrim(sku"));
	expect(wanted.length).toBeGreaterThan(1);
	for (const [, plan] of wanted)
		expect(plan).toContain(
			"SEARCH products USING INDEX products_by_key (business_id=? AND <expr>=?)",
		);
});

test("the overview finds what runs low without reading all products", async () => {
	const plans = await plansOf(({ ask }, caller) =>
		ask(caller, dashboardGet, {}),
	);
	const low = plans.filter(([sql]) => sql.includes("quantity <= low_stock"));
	// Their number, and the lowest.
	expect(low).toHaveLength(2);
	for (const [, plan] of low)
		expect(plan).toContain("SEARCH products USING INDEX products_low");
});

test("a category's products are read in their order, and no others", async () => {
	const plans = await plansOf(async ({ ask }, caller) => {
		await ask(caller, productList, { categoryId: "dairy" });
		await ask(caller, productFind, { words: "", categoryId: "dairy" });
	});
	const listed = plans.filter(
		([sql]) => /category_id = \?/.test(sql) && !sql.includes("best"),
	);
	expect(listed).toHaveLength(2);
	for (const [, plan] of listed)
		expect(plan).toMatch(
			/SEARCH products USING INDEX products_by_category \(business_id=\? AND category_id=\? AND deleted=\?/,
		);
});
