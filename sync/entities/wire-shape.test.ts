import { expect, test } from "vitest";
import * as z from "zod";
import { queriesByName } from "../queries/index.ts";
import { selectWires } from "../rows/rows.ts";
import { plainEntities, plainRecords } from "../testing/examples.ts";
import {
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";
import { businessRow } from "./business.ts";
import { categoryRow } from "./category.ts";
import { countLookRow, countRow } from "./count.ts";
import { inboxItemRow } from "./inbox.ts";
import { entities } from "./index.ts";
import { paymentRow } from "./payment.ts";
import { productWire } from "./product.ts";
import { refundRow } from "./refund.ts";
import { reviewRow } from "./review.ts";
import { saleWire } from "./sale.ts";
import { shiftReportRow, shiftRow } from "./shift.ts";
import { statementLineRow } from "./statement.ts";
import { stockMovementRow } from "./stock-movement.ts";

/** The schemas that the REST API and the feed publish for each entity. */
const shapes: Record<string, z.ZodObject> = {
	business: businessRow,
	category: categoryRow,
	product: productWire,
	sale: saleWire,
	refund: refundRow,
	stockMovement: stockMovementRow,
	inboxItem: inboxItemRow,
	review: reviewRow,
	...Object.fromEntries(
		plainEntities.map(({ name }) => [
			name,
			queriesByName.get(`${name}.get`)?.answer as z.ZodObject,
		]),
	),
	payment: paymentRow,
	shift: shiftRow,
	shiftReport: shiftReportRow,
	statementLine: statementLineRow,
	count: countRow,
	countLook: countLookRow,
};

test("every record has exactly the fields of the contract", async () => {
	const server = await openTestShop();
	await addMilk(server);
	const push = (name: string, args: object) =>
		pushOne(
			server,
			message(`${name} ${JSON.stringify(args).length}`, name, args),
		);
	const taxClass = "B";
	await push("business.update", {
		set: {
			taxClass,
			addsTax: true,
			limits: [{ role: "CASHIER", discountMax: 5 }],
			lockMinutes: 5,
			accountCodes: [{ account: "4000", code: "700" }],
			scaleLabels: [
				{
					...{ prefix: "21", holds: "weight", itemDigits: 5 },
					...{ hasValueCheck: false, decimals: 3 },
				},
			],
		},
	});
	await push("category.create", { id: "c", name: "Dairy", taxClass });
	await push("product.update", {
		...{ id: "milk", set: { categoryId: "c", taxClass, unit: "l" } },
	});
	const line = {
		...{ productId: "milk", quantity: 12, listPrice: 100 },
		...{ taxClass, taxRate: 16 },
	};
	const rounded = { ...saleArgs("s", [line]), rounding: 1 };
	await push("shift.open", { id: "h", openingFloat: 5 });
	const shiftId = "h";
	await push("sale.create", { ...rounded, shiftId, paymentCode: "ABC1" });
	await push("sale.create", {
		...{ ...rounded, id: "lent", paid: 2, customerId: "c" },
	});
	const items = [{ id: "1", itemId: "1", quantity: 1 }];
	const back = { saleId: "s", reason: "Sour", restock: true };
	await push("sale.refund", { ...back, id: "r", items, shiftId });
	await push("sale.void", { ...back, id: "w" });
	const cash = { id: "k", amount: -5, category: "expense", reason: "Tea" };
	await push("cash.move", { ...cash, shiftId });
	const counted = [{ method: "CASH", amount: 4 }];
	await push("shift.close", { id: "z", shiftId, counted });
	const tenders = [{ method: "MPESA", amount: 0.5 }];
	await push("sale.refund", {
		...back,
		id: "q",
		saleId: "lent",
		items,
		tenders,
	});
	await push("sale.void", { ...back, id: "y", saleId: "lent" });
	await push("product.update", { id: "milk", set: { quantity: 3 } });
	await push("review.create", { id: "v", rating: 5, text: "Good" });
	const paidAt = "2026-09-11T07:15:00.000Z";
	await push("statement.import", {
		...{ method: "MPESA", lines: [{ code: "UIB1", amount: 50, paidAt }] },
	});
	await push("pack.create", {
		...{ id: "crate", productId: "milk", name: "Crate", size: 12 },
	});
	await push("count.open", { id: "count", name: "Fridge" });
	await push("count.look", {
		...{ id: "look", countId: "count", productId: "milk" },
	});
	for (const { mutation, args } of plainRecords)
		await push(mutation.name, args);
	await push("delivery.create", {
		...{ id: "paid", supplierId: "supplier", tenders },
		items: [{ id: "1", productId: "milk", name: "Milk", quantity: 1, cost: 1 }],
	});
	const layawayId = "layaway";
	await push("payment.collect", {
		...{ id: "deposit", customerId: "customer", layawayId },
		tenders: [{ method: "CASH", amount: 5 }],
	});
	await push("sale.create", { ...rounded, id: "handed", layawayId });
	await push("customer.merge", { fromId: "double", intoId: "customer" });
	await push("customer.erase", { id: "customer" });
	const { store, caller } = server;
	for (const entity of entities) {
		const rows = await store.read((tx) =>
			selectWires(tx, entity, caller.businessId, ""),
		);
		const shape = shapes[entity.name] as z.ZodObject;
		const fields = Object.keys(shape.shape);
		const seen = new Set<string>();
		for (const row of rows) {
			expect(z.encode(shape, shape.strict().parse(row) as never)).toEqual(row);
			const own = Object.keys(row);
			expect(fields.filter((key) => own.includes(key))).toEqual(own);
			for (const key of own) seen.add(key);
		}
		// Fields that are absent in one record are there in another.
		expect([entity.name, seen]).toEqual([entity.name, new Set(fields)]);
	}
	expect(entities.map(({ name }) => name).sort()).toEqual(
		Object.keys(shapes).sort(),
	);
	const names = Object.values(shapes).map((shape) => shape.meta()?.id);
	expect(names).toEqual(
		expect.arrayContaining([
			...["Business", "Category", "Product", "Sale", "Refund", "Review"],
		]),
	);
});

test.each([
	"unknown_product",
	"inactive_product",
	"oversold",
	"old_price",
	"uncountable_stock",
	"over_limit",
	"code_reused",
	"discount_over_limit",
	"refund_over_limit",
	"cash_over_limit",
	"late_for_shift",
	"drawer_differs",
	"figures_differ",
	"closed_twice",
	"layaway_ended",
	"paid_out_too_much",
	"clock",
])("%s is a cause of inbox items", (cause) => {
	expect(inboxItemRow.shape.cause.parse(cause)).toBe(cause);
});
