import { describe, expect, test } from "vitest";
import {
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";
import type { Role } from "./entity.ts";
import { mutations } from "./index.ts";

const a = (length: number) => "a".repeat(length);
const milk = { name: "Milk", buyingPrice: 1, sellingPrice: 1 };
const sold = (more: object) => ({ ...saleArgs("s"), ...more });
const pack = { id: "k", productId: "milk", name: "Pair", size: 2 };
const packed = { productId: "milk", packId: "k", packName: "Pair" };
const line = (more: object) => saleArgs("s", [more]);

/** Each mutation with a field's largest value and the first one beyond it. */
const limits: [
	field: string,
	name: string,
	args: (value: never) => object,
	fits: unknown,
	beyond: unknown,
][] = [
	[
		"name",
		"product.create",
		(name) => ({ ...milk, id: "p", name }),
		a(500),
		a(501),
	],
	[
		"sku",
		"product.create",
		(sku) => ({ ...milk, id: "p", sku }),
		a(100),
		a(101),
	],
	[
		"imageUrl",
		"product.create",
		(imageUrl) => ({ ...milk, id: "p", imageUrl }),
		a(2_000),
		a(2_001),
	],
	[
		"thumbnailUrl",
		"product.create",
		(thumbnailUrl) => ({ ...milk, id: "p", thumbnailUrl }),
		a(2_000),
		a(2_001),
	],
	["id", "product.create", (id) => ({ ...milk, id }), a(64), a(65)],
	[
		"unit",
		"product.create",
		(unit) => ({ ...milk, id: "p", unit }),
		a(20),
		a(21),
	],
	["name", "pack.create", (name) => ({ ...pack, name }), a(100), a(101)],
	["size", "pack.create", (size) => ({ ...pack, size }), 1e9, 1e9 + 1],
	[
		"items.0.packSize",
		"sale.create",
		(packSize) => line({ ...packed, quantity: 500, packSize }),
		2e6,
		2e6 + 1,
	],
	[
		"sellingPrice",
		"product.create",
		(sellingPrice) => ({ ...milk, id: "p", sellingPrice }),
		1e9,
		1e9 + 1,
	],
	[
		"sellingPrice",
		"product.create",
		(sellingPrice) => ({ ...milk, id: "p", sellingPrice }),
		0,
		-0.01,
	],
	[
		"quantity",
		"product.create",
		(quantity) => ({ ...milk, id: "p", quantity }),
		-1e9,
		-1e9 - 1,
	],
	[
		"lowStock",
		"product.create",
		(lowStock) => ({ ...milk, id: "p", lowStock }),
		0,
		-1,
	],
	["name", "category.create", (name) => ({ id: "c", name }), a(200), a(201)],
	[
		"paymentMethod",
		"sale.create",
		(paymentMethod) => sold({ paymentMethod }),
		a(500),
		a(501),
	],
	["notes", "sale.create", (notes) => sold({ notes }), a(2_000), a(2_001)],
	[
		"receiptNumber",
		"sale.create",
		(receiptNumber) => sold({ receiptNumber }),
		a(32),
		a(33),
	],
	["items.0.name", "sale.create", (name) => line({ name }), a(500), a(501)],
	[
		"items.0.listPrice",
		"sale.create",
		(listPrice) => line({ listPrice }),
		1e9,
		1e9 + 1,
	],
	[
		"items.0.listPrice",
		"sale.create",
		(listPrice) => line({ listPrice }),
		0,
		-1,
	],
	[
		"rounding",
		"sale.create",
		// Not more than the total, too.
		(rounding) => ({ ...line({ price: 1e6, quantity: 1 }), rounding }),
		999_999.99,
		1e6,
	],
	[
		"rounding",
		"sale.create",
		(rounding) => sold({ rounding }),
		-999_999.99,
		-1e6,
	],
	["items.0.quantity", "sale.create", (quantity) => line({ quantity }), 0, -1],
	[
		"items",
		"sale.create",
		(count) => saleArgs("s", Array(count).fill({})),
		1,
		0,
	],
	[
		"items",
		"sale.create",
		(count) => saleArgs("s", Array(count).fill({})),
		1_000,
		1_001,
	],
	[
		"reason",
		"sale.void",
		(reason) => ({ id: "v", saleId: "sold", reason }),
		a(500),
		a(501),
	],
	[
		"reason",
		"sale.void",
		(reason) => ({ id: "v", saleId: "sold", reason }),
		"x",
		"",
	],
	[
		"note",
		"stock.adjust",
		(note) => ({ id: "m", productId: "milk", delta: 1, reason: "other", note }),
		a(500),
		a(501),
	],
	[
		"ids",
		"inbox.dismiss",
		(ids) => ({ ids, reason: "right" }),
		Array(500).fill(a(64)),
		Array(501).fill(a(64)),
	],
	["ids", "inbox.reopen", (ids) => ({ ids }), ["item"], []],
	[
		"reason",
		"inbox.dismiss",
		(reason) => ({ ids: ["item"], reason }),
		a(200),
		a(201),
	],
	[
		"rating",
		"review.create",
		(rating) => ({ id: "r", rating, text: "x" }),
		5,
		6,
	],
	[
		"rating",
		"review.create",
		(rating) => ({ id: "r", rating, text: "x" }),
		1,
		0,
	],
	[
		"set.cutOffHour",
		"business.update",
		(cutOffHour) => ({ set: { cutOffHour } }),
		23,
		24,
	],
	[
		"set.cutOffHour",
		"business.update",
		(cutOffHour) => ({ set: { cutOffHour } }),
		0,
		-1,
	],
	[
		"items.0.taxRate",
		"sale.create",
		(taxRate) => line({ taxClass: "B", taxRate }),
		100,
		100.01,
	],
	[
		"id",
		"tax.set",
		(id) => ({
			...{ id, name: "VAT", kind: "standard" },
			rates: [{ from: "2021-01-01", rate: 16 }],
		}),
		"ABCD1234",
		"ABCD12345",
	],
	[
		"set.cashUnit",
		"business.update",
		(cashUnit) => ({ set: { cashUnit } }),
		1e9,
		1e9 + 1,
	],
	[
		"set.cashUnit",
		"business.update",
		(cashUnit) => ({ set: { cashUnit } }),
		0.000001,
		0,
	],
	[
		"set.receiptLanguage",
		"business.update",
		(receiptLanguage) => ({ set: { receiptLanguage } }),
		"zh-Hant-TW",
		"english",
	],
	[
		"set.receiptLogoUrl",
		"business.update",
		(receiptLogoUrl) => ({ set: { receiptLogoUrl } }),
		a(2_000),
		a(2_001),
	],
	[
		"set.receiptHeader",
		"business.update",
		(receiptHeader) => ({ set: { receiptHeader } }),
		a(2_000),
		a(2_001),
	],
	[
		"set.receiptFooter",
		"business.update",
		(receiptFooter) => ({ set: { receiptFooter } }),
		a(2_000),
		a(2_001),
	],
];

describe("limits of fields", () => {
	test.each(limits)(
		"%s of %s is accepted up to its limit and refused beyond",
		async (field, name, args, fits, beyond) => {
			const server = await openTestShop();
			await addMilk(server);
			await pushOne(server, message("m0", "sale.create", saleArgs("sold")));
			expect(
				await pushOne(server, message("m1", name, args(beyond as never))),
			).toMatchObject({
				status: "rejected",
				error: { code: "invalid_args", field },
			});
			expect(
				await pushOne(server, message("m2", name, args(fits as never))),
			).toMatchObject({ status: "applied" });
		},
	);
});

describe("a stock adjustment with a used id", () => {
	const adjustment = {
		id: "x",
		productId: "milk",
		delta: 1,
		reason: "received",
	};
	test.each([
		["of another product", { productId: "bread" }],
		["of another amount", { delta: 2 }],
		["for another reason", { reason: "damage" }],
	])(
		"a stock adjustment with a used id is refused if it is %s, and is a repeat otherwise",
		async (_, other) => {
			const server = await openTestShop();
			await addMilk(server);
			const adjust = (id: string, more: object) =>
				pushOne(
					server,
					message(id, "stock.adjust", { ...adjustment, ...more }),
				);
			await adjust("m1", {});
			expect(await adjust("m2", other)).toMatchObject({
				status: "rejected",
				error: { code: "id_reused" },
			});
			expect(await adjust("m3", {})).toMatchObject({ status: "applied" });
			expect(
				await server.rows(
					"SELECT delta, reason, user_id, created_at FROM stock_movements WHERE id = 'x'",
				),
			).toEqual([
				{
					delta: 1_000_000,
					reason: "received",
					user_id: "user-1",
					created_at: "2026-11-20T08:00:00.000Z",
				},
			]);
			expect(await server.rows("SELECT quantity FROM products")).toEqual([
				{ quantity: 11_000_000 },
			]);
		},
	);
});

describe("a product's updatedAt", () => {
	test("a product's updatedAt stays when an older sale arrives", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const at = async () =>
			(await server.rows("SELECT updated_at FROM products"))[0]?.updated_at;
		const sell = (id: string, more: object) =>
			pushOne(
				server,
				message(id, "sale.create", saleArgs(id, [{ productId: "milk" }]), more),
			);
		await sell("s1", { at: "2026-11-20T08:00:00.000Z" });
		expect(await at()).toBe("2026-11-20T09:00:00.000Z");
		server.env.pass(60_000);
		await sell("s2", { at: "2026-11-20T09:00:30.000Z" });
		expect(await at()).toBe("2026-11-20T09:00:30.000Z");
	});
});

/** The roles that may make a mutation, if they are not owners and managers. */
const otherRoles: Record<string, readonly Role[] | undefined> = {
	"business.update": ["OWNER"],
	"sale.create": undefined,
	"sale.void": undefined,
	"sale.refund": undefined,
	"review.create": undefined,
	"customer.create": undefined,
	"customer.update": undefined,
	"customer.erase": ["OWNER"],
	"payment.collect": undefined,
	"payment.payout": undefined,
	"layaway.create": undefined,
	"layaway.cancel": undefined,
	"shift.open": undefined,
	"shift.close": undefined,
	"count.open": undefined,
	"count.look": undefined,
	"count.enter": undefined,
	"cash.move": undefined,
	"drawer.open": undefined,
	"cart.remove": undefined,
	"pin.lock": undefined,
	"tax.set": ["OWNER"],
};

test("each mutation is allowed to its roles and to no others", () => {
	const managing = ["OWNER", "MANAGER"];
	for (const { name, roles } of mutations)
		expect([name, roles]).toEqual([
			name,
			name in otherRoles ? otherRoles[name] : managing,
		]);
	expect(mutations.map(({ name }) => name)).toEqual(
		expect.arrayContaining(Object.keys(otherRoles)),
	);
});
