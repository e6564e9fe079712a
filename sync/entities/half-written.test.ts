import { expect, test } from "vitest";
import { derivedId } from "../protocol/ids.ts";
import { plainEntities, plainMutations } from "../testing/examples.ts";
import {
	addMilk,
	exampleMessages,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";
import { mutationsByName } from "./index.ts";

const items = [{ id: "1", itemId: "1", quantity: 1 }];
const back = { saleId: "s", reason: "Sour", restock: true };
const cream = { id: "p", name: "Cream", buyingPrice: 1, sellingPrice: 1 };
const sold = saleArgs("t", [
	{ productId: "milk", quantity: 90 },
	{ productId: "none" },
]);

const taxed = saleArgs("t", [{ taxClass: "B", taxRate: 16 }]);

const pack = { packId: "pack", packName: "Tray", packSize: 30 };
const packed = saleArgs("t", [{ productId: "milk", ...pack }]);

const collection = {
	...{ id: "c", customerId: "customer" },
	tenders: [{ method: "CASH", amount: 5 }],
};
const adjustment = {
	...{ id: "a", customerId: "customer", amount: 5, reason: "Old book" },
};

const shiftId = "h";
const cash = { id: "k", amount: -5, category: "expense", reason: "Tea" };
const count = { id: "z", shiftId, counted: [{ method: "CASH", amount: 4 }] };
const remittance = {
	...{ id: "f", supplierId: "supplier" },
	tenders: [{ method: "CASH", amount: 5 }],
};
const brought = { id: "1", productId: "milk", name: "Milk", quantity: 2 };
const delivery = {
	...{ ...remittance, id: "g", shiftId },
	items: [{ ...brought, cost: 5 }],
};
const statement = {
	method: "MPESA",
	lines: ["UIBJN5YMQC", "UIB9B1U5VV"].map((code) => ({
		...{ code, amount: 50, paidAt: "2026-09-11T07:15:00.000Z" },
	})),
};

const look = { id: "l", countId: "n", productId: "milk" };
const closing = {
	id: "n",
	lines: [{ lookId: "l", productId: "milk", counted: 4, goods: 9 }],
};

/** The inbox item of a sale of an unknown product. */
const ids = [derivedId("m-odd", 1)];

/** A failing statement, and the mutation that runs it. */
const writes: [statement: string, name: string, args: object][] = [
	["INSERT ON stored_sales", "sale.create", sold],
	["INSERT ON names", "sale.create", sold],
	["INSERT ON stored_lines", "sale.create", sold],
	["INSERT ON line_taxes", "sale.create", taxed],
	["INSERT ON line_units", "sale.create", packed],
	["UPDATE OF quantity ON products", "sale.create", sold],
	["INSERT ON inbox_items", "sale.create", sold],
	["INSERT ON payments", "sale.create", { ...sold, customerId: "customer" }],
	["INSERT ON payments", "payment.collect", collection],
	["INSERT ON payments", "payment.adjust", adjustment],
	["INSERT ON payments", "payment.payout", collection],
	["INSERT ON inbox_items", "payment.payout", collection],
	["INSERT ON payments", "payment.remit", remittance],
	["INSERT ON payments", "delivery.create", delivery],
	["INSERT ON stock_movements", "delivery.create", delivery],
	["UPDATE OF version ON products", "delivery.create", delivery],
	["INSERT ON payments", "cash.move", { ...cash, shiftId }],
	["INSERT ON payments", "drawer.open", { id: "o", reason: "Change" }],
	["INSERT ON inbox_items", "pin.lock", { id: "l", userId: "asha" }],
	["INSERT ON payments", "cart.remove", { id: "o", reason: "1 × Milk 65" }],
	["INSERT ON shifts", "shift.open", { id: "i", openingFloat: 5 }],
	["INSERT ON shift_reports", "shift.close", count],
	["UPDATE OF version ON shifts", "shift.close", count],
	["INSERT ON inbox_items", "shift.close", count],
	["INSERT ON statement_lines", "statement.import", statement],
	["INSERT ON counts", "count.open", { id: "d", name: "Fridge" }],
	["INSERT ON count_looks", "count.look", { ...look, id: "again" }],
	["UPDATE OF version ON count_looks", "count.enter", { id: "l", counted: 5 }],
	["INSERT ON stock_movements", "count.close", closing],
	["UPDATE OF version ON counts", "count.close", closing],
	["INSERT ON refunds", "sale.refund", { ...back, id: "r", items }],
	["INSERT ON refund_items", "sale.refund", { ...back, id: "r", items }],
	["INSERT ON stock_movements", "sale.refund", { ...back, id: "r", items }],
	["INSERT ON refunds", "sale.void", { ...back, id: "v" }],
	["INSERT ON refund_items", "sale.void", { ...back, id: "v" }],
	["INSERT ON stock_movements", "sale.void", { ...back, id: "v" }],
	[
		"INSERT ON inbox_items",
		"sale.void",
		{ ...back, id: "v", businessDay: "2020-01-01" },
	],
	[
		"INSERT ON stock_movements",
		"stock.adjust",
		{ id: "a", productId: "milk", delta: 1, reason: "count" },
	],
	[
		"INSERT ON stock_movements",
		"product.update",
		{ id: "milk", set: { name: "Cream", quantity: 3 } },
	],
	[
		"UPDATE OF version ON products",
		"product.update",
		{ id: "milk", set: { name: "Cream" } },
	],
	["UPDATE OF version ON products", "product.delete", { id: "milk" }],
	["INSERT ON stock_movements", "product.create", { ...cream, quantity: 1 }],
	["INSERT ON products", "product.create", cream],
	["INSERT ON categories", "category.create", { id: "d", name: "Dairy" }],
	[
		"UPDATE OF version ON categories",
		"category.update",
		{ id: "c", set: { name: "Dairy" } },
	],
	["UPDATE OF version ON categories", "category.delete", { id: "c" }],
	["UPDATE OF version ON products", "category.delete", { id: "c" }],
	[
		"UPDATE OF version ON businesses",
		"business.update",
		{ set: { name: "Duka la Njeri" } },
	],
	[
		"UPDATE OF version ON businesses",
		"business.backdate",
		{ createdAt: "2025-01-01T00:00:00.000Z" },
	],
	[
		"UPDATE OF version ON inbox_items",
		"inbox.dismiss",
		{ ids, reason: "right" },
	],
	["UPDATE OF version ON inbox_items", "inbox.reopen", { ids }],
	["INSERT ON reviews", "review.create", { id: "w", rating: 5, text: "Good" }],
	...plainMutations.flatMap(({ name, examples }) =>
		examples.map((args): [string, string, object] => [
			`${/\.(create|set)$/.test(name) ? "INSERT" : "UPDATE OF version"} ON ${tableOf(name)}`,
			name,
			args as object,
		]),
	),
];

function tableOf(mutation: string): string {
	const [noun] = mutation.split(".");
	return plainEntities.find(({ name }) => name === noun)?.table ?? "";
}

test("each mutation is tested with a failing write", () => {
	const tried = new Set(writes.map(([, name]) => name));
	expect(new Set(mutationsByName.keys())).toEqual(tried);
});

test.each(writes)(
	"if the %s fails, nothing of a %s is stored",
	async (statement, name, args) => {
		const server = await openTestShop({ kind: "sqlite" });
		const { shop, caller, rows, store } = server;
		await addMilk(server);
		const sale = saleArgs("s", [{ productId: "milk" }]);
		await pushOne(server, message("m-s", "sale.create", sale));
		const odd = saleArgs("odd", [{ productId: "gone" }]);
		await pushOne(server, message("m-odd", "sale.create", odd));
		const category = { id: "c", name: "Drinks" };
		await pushOne(server, message("m-c", "category.create", category));
		const set = { categoryId: "c" };
		await pushOne(
			server,
			message("m-p", "product.update", { id: "milk", set }),
		);
		const opened = { id: shiftId, openingFloat: 5 };
		await pushOne(server, message("m-h", "shift.open", opened));
		const counting = { id: "n", name: "Shelf" };
		await pushOne(server, message("m-n", "count.open", counting));
		await pushOne(server, message("m-l", "count.look", look));
		// What the examples of a plain entity change is made by those before.
		for (const example of exampleMessages()) {
			if (example.name === name) break;
			if (plainMutations.some((one) => one.name === example.name))
				await pushOne(server, example);
		}
		const before = await shop.digest(caller);
		const counts = () => rows("SELECT count(*) AS count FROM mutations");
		const logged = await counts();
		await store.write((tx) =>
			tx.run(
				`CREATE TRIGGER torn BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'Torn'); END`,
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
