import { expect, test } from "vitest";
import {
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../test-shop.ts";

const items = [{ id: "1", itemId: "1", quantity: 1 }];
const back = { saleId: "s", reason: "Sour", restock: true };
const sold = saleArgs("t", [
	{ productId: "milk", quantity: 90 },
	{ productId: "none" },
]);

/** Each table, and what writes to it. */
const writes: [table: string, name: string, args: object][] = [
	["sales", "sale.create", sold],
	["sale_items", "sale.create", sold],
	["stock_movements", "sale.create", sold],
	["inbox_items", "sale.create", sold],
	["refunds", "sale.refund", { ...back, id: "r", items }],
	["refund_items", "sale.refund", { ...back, id: "r", items }],
	["stock_movements", "sale.refund", { ...back, id: "r", items }],
	["refunds", "sale.void", { ...back, id: "v" }],
	["refund_items", "sale.void", { ...back, id: "v" }],
	["stock_movements", "sale.void", { ...back, id: "v" }],
	["inbox_items", "sale.void", { ...back, id: "v", businessDay: "2020-01-01" }],
	[
		"stock_movements",
		"stock.adjust",
		{ id: "a", productId: "milk", delta: 1, reason: "count" },
	],
	[
		"stock_movements",
		"product.update",
		{ id: "milk", set: { name: "Cream", quantity: 3 } },
	],
	[
		"stock_movements",
		"product.create",
		{ id: "p", name: "P", buyingPrice: 1, sellingPrice: 1, quantity: 1 },
	],
	[
		"products",
		"product.create",
		{ id: "p", name: "P", buyingPrice: 1, sellingPrice: 1 },
	],
	["categories", "category.create", { id: "d", name: "Dairy" }],
	["reviews", "review.create", { id: "w", rating: 5, text: "Good" }],
];

test.each(writes)(
	"where %s can't be written, nothing of a %s is stored",
	async (table, name, args) => {
		const server = await openTestShop({ kind: "sqlite" });
		const { shop, caller, rows, store } = server;
		await addMilk(server);
		const sale = saleArgs("s", [{ productId: "milk" }]);
		await pushOne(server, message("m-s", "sale.create", sale));
		const before = await shop.digest(caller);
		const counts = () => rows("SELECT count(*) AS count FROM mutations");
		const logged = await counts();
		await store.write((tx) =>
			tx.run(
				`CREATE TRIGGER torn BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'Torn'); END`,
			),
		);
		const push = () => pushOne(server, message("m", name, args));
		await expect(push().catch(() => undefined)).resolves.not.toMatchObject({
			status: "applied",
		});
		expect(await shop.digest(caller)).toEqual(before);
		expect(await counts()).toEqual(logged);
		await store.write((tx) => tx.run("DROP TRIGGER torn"));
		expect(await push()).toMatchObject({ status: "applied" });
	},
);
