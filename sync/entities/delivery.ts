import * as z from "zod";
import { approval } from "./approval.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
	type RowOf,
} from "./entity.ts";
import { dateFact } from "./fact-date.ts";
import {
	amount,
	computed,
	day,
	positiveAmount,
	recordId,
	requiredText,
	text,
	timestamp,
} from "./fields.ts";
import { amountMax, toDecimal, unitMicros } from "./money.ts";
import { unitsOf } from "./pack-row.ts";
import { moneyTenders } from "./payment.ts";
import { moveStock, product } from "./product.ts";
import { totalOf } from "./sale-item.ts";
import { linesMax } from "./sale-limits.ts";
import { assertExact, hasWholePack, linePack } from "./sale-pack.ts";
import { listOf } from "./sentence.ts";
import { fixDayAndShift } from "./shift.ts";
import { writeSupplierMoney } from "./supplier-payment.ts";

/** A line in the product's unit, or in packs, which its quantity and cost are of then. */
export const deliveryItem = z.strictObject({
	id: recordId,
	productId: recordId,
	name: text(500),
	quantity: positiveAmount,
	/** What one costs. */
	cost: amount,
	...linePack,
});
type DeliveryItem = z.output<typeof deliveryItem>;

export const deliveryRow = z.object({
	id: recordId,
	businessId: recordId,
	/** Absent of goods from nobody in particular, such as a market. */
	supplierId: recordId.optional(),
	/** What stands on the supplier's paper. */
	number: requiredText(100).nullable(),
	/** True of goods that went back to the supplier. */
	isReturn: z.boolean(),
	items: z.array(deliveryItem),
	/** What they cost together; negative is what came back for a return. */
	total: computed,
	businessDay: day,
	userId: recordId.nullable(),
	deviceId: recordId.nullable(),
	createdAt: timestamp,
});
/** A delivery in wire form, with what was paid with it at once, and its supplier's name. */
export const deliveryWire = deliveryRow
	.extend({ paid: computed, supplierName: text(200).nullable() })
	.meta({ id: "Delivery" });
export type Delivery = z.input<typeof deliveryWire>;

/** Goods that a supplier brought, or that went back: a fact. Each line is a movement of stock, which keeps its cost. */
export const delivery = defineEntity({
	name: "delivery",
	table: "deliveries",
	row: deliveryRow,
	isNeededFirst: true,

	async expand(tx, businessId, rows) {
		if (rows.length === 0) return [];
		const ids = JSON.stringify(rows.map(({ id }) => id));
		const sums = await tx.all(
			`SELECT fact_id, sum(amount) AS amount FROM payments
       WHERE business_id = ? AND fact_id IN (SELECT value FROM json_each(?)) AND kind = 'supplier' AND deleted = 0 GROUP BY fact_id`,
			...[businessId, ids],
		);
		const names = await tx.all(
			`SELECT id, name FROM suppliers WHERE business_id = ? AND id IN (
         SELECT supplier_id FROM deliveries WHERE business_id = ? AND id IN (SELECT value FROM json_each(?)))`,
			...[businessId, businessId, ids],
		);
		const paid = new Map(sums.map((row) => [row.fact_id, Number(row.amount)]));
		const nameById = new Map(names.map(({ id, name }) => [id, name]));
		return rows.map(({ id, supplierId }) => ({
			paid: toDecimal(0 - (paid.get(id) ?? 0)),
			supplierName: nameById.get(supplierId ?? null) ?? null,
		}));
	},
});

const { supplierId, number } = deliveryRow.shape;

/** Records goods that came from a supplier, or went back, and what was paid for them at once. */
export const deliveryCreate = defineMutation({
	name: "delivery.create",
	args: z.strictObject({
		id: recordId,
		supplierId,
		number: number.default(null),
		isReturn: deliveryRow.shape.isReturn.default(false),
		items: z
			.array(
				deliveryItem
					.refine(hasWholePack, {
						message:
							"Needs packId, packName and packSize of its product, or none of them, and at most a billion units",
						path: ["packSize"],
					})
					.refine((line) => unitCostOf(line) <= amountMax * unitMicros, {
						// A size that can't be counted with is refused by its field.
						when: ({ issues }) => issues.length === 0,
						message: "A unit of the pack costs more than a billion",
						path: ["cost"],
					}),
			)
			.min(1)
			.max(linesMax)
			.refine(
				(lines) => new Set(lines.map(({ id }) => id)).size === lines.length,
				"Two lines have the same id",
			),
		/** True if what they cost becomes the products' buying price. */
		setsCosts: z.boolean().default(true),
		/** What was paid at once, or given back for a return. The rest is owed. */
		tenders: moneyTenders.optional(),
		businessDay: day.optional(),
		/** The shift of the drawer that the cash is taken from, fixed when it is made. */
		shiftId: recordId.optional(),
		/** Where the cash goes beyond its maker's limits. */
		approval: approval.optional(),
	}),
	roles: managing,
	sentence: ({ items, isReturn, supplierId }) =>
		`${isReturn ? "Sent back" : "Received"} ${listOf(items.map(itemText))}${supplierId ? ` ${isReturn ? "to" : "from"} supplier ${supplierId}` : ""}`,
	examples: [
		{
			id: "delivery",
			supplierId: "supplier",
			number: "Note 118",
			items: [
				{
					...{ id: "1", productId: "product", name: "Soda 500 ml" },
					...{ quantity: 2, cost: 1_080 },
					...{ packId: "pack", packName: "Carton", packSize: 24 },
				},
			],
			tenders: [{ method: "CASH", amount: 1_000 }],
		},
		{
			id: "return",
			supplierId: "supplier",
			isReturn: true,
			items: [
				{
					...{ id: "1", productId: "product", name: "Soda 500 ml" },
					...{ quantity: 3, cost: 45 },
				},
			],
		},
	],
	prepare: async (context, args, device) => {
		assertExact(args.items);
		const { shiftId, ...fixed } = await fixDayAndShift(context, args, device);
		const isCash = args.tenders?.some(({ method }) => method === "CASH");
		return isCash && shiftId !== undefined ? { ...fixed, shiftId } : fixed;
	},
	async apply(context, { businessDay, shiftId, approval, ...args }) {
		const { setsCosts, tenders = [], ...made } = args;
		const { id, isReturn, items } = made;
		const isSame = (a: RowOf<typeof delivery>) =>
			a.isReturn === isReturn &&
			a.supplierId === made.supplierId &&
			JSON.stringify(a.items) === JSON.stringify(items);
		if (await context.isRecorded(delivery, id, isSame)) return;
		const dated = await dateFact(context, businessDay);
		const sign = isReturn ? -1 : 1;
		const { businessId, userId, deviceId } = context;
		await context.insert(delivery, {
			...{ ...made, businessId, userId, deviceId },
			total: sign * totalOf(items.map(toPriced)),
			...{ businessDay: dated.day, createdAt: dated.at },
		});
		for (const item of items) {
			const { productId } = item;
			const cost = unitCostOf(item);
			await moveStock(context, {
				...{ productId, delta: sign * unitsOf(item), cost, deliveryId: id },
				...{ reason: isReturn ? "sentBack" : "received", createdAt: dated.at },
				note: made.number,
			});
			if (setsCosts && !isReturn) await setCost(context, productId, cost);
		}
		await writeSupplierMoney(context, {
			...{ act: deliveryCreate.name, factId: id, shiftId, approval },
			supplierId: made.supplierId,
			entries: tenders.map((one) => ({ ...one, amount: -sign * one.amount })),
			...{ businessDay: dated.day, createdAt: dated.at },
		});
	},
});

const toPriced = ({ cost: price, quantity }: DeliveryItem) => ({
	...{ price, quantity },
});

function itemText(item: z.input<typeof deliveryItem>): string {
	const pack = item.packName ? `${item.packName} (${item.packSize}) ` : "";
	return `${item.quantity} x ${pack}${item.name} at ${item.cost}`;
}

/** Returns what one of the product's units costs, rounded to a millionth. */
function unitCostOf({ cost, packSize }: DeliveryItem): number {
	if (packSize === undefined) return cost;
	const [price, size] = [BigInt(cost) * BigInt(unitMicros), BigInt(packSize)];
	return Number((price + size / 2n) / size);
}

/** Makes a cost the buying price of a product that is known here. */
async function setCost(
	context: Context,
	productId: string,
	buyingPrice: number,
): Promise<void> {
	if (await context.find(product, productId))
		await context.edit(product, productId, { buyingPrice });
}
