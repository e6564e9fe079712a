import * as z from "zod";
import { ShopError } from "../protocol/errors.ts";
import { storedSales } from "../rows/stored-sales.ts";
import {
	approval,
	cashBeyond,
	type LimitedLine,
	limitConcerns,
	linesBeyond,
} from "./approval.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	type RowOf,
} from "./entity.ts";
import { dateFact } from "./fact-date.ts";
import {
	amount,
	computed,
	day,
	recordId,
	roundingAmount,
	text,
	timestamp,
} from "./fields.ts";
import { type InboxConcern, raise } from "./inbox.ts";
import { handOver, handOverLate } from "./layaway.ts";
import { sumOfProducts, toDecimal } from "./money.ts";
import { isExact, unitsOf } from "./pack-row.ts";
import { creditMethod, paymentCode, reusedCodes, tenders } from "./payment.ts";
import { moveFactQuantity, product } from "./product.ts";
import {
	type saleItemArgs,
	saleItemRow,
	saleItems,
	totalOf,
} from "./sale-item.ts";
import { assertExact, priceOf } from "./sale-pack.ts";
import {
	assertSamePayments,
	cashOfSale,
	coinOf,
	pay,
	paymentOf,
} from "./sale-payment.ts";
import { addedRates, fixTaxes } from "./sale-tax.ts";
import { listOf } from "./sentence.ts";
import { fixDayAndShift, lateConcerns } from "./shift.ts";
import { taxIn } from "./tax-amount.ts";

export const saleRow = z.object({
	id: recordId,
	total: computed,
	cost: computed,
	paid: computed,
	/** A longer one would not fit in the database key of its sums. */
	paymentMethod: text(500),
	notes: text(2_000).nullable(),
	businessId: recordId,
	receiptNumber: text(32).nullable(),
	businessDay: day,
	userId: recordId.nullable(),
	deviceId: recordId.nullable(),
	createdAt: timestamp,
	/** What cash was rounded by, as a part of `paid`: positive if the shop forgave it. Absent without rounding. */
	rounding: roundingAmount.optional(),
	/** What the payment's message or slip names it by. Absent without one. */
	paymentCode: paymentCode.optional(),
	/** True if payments beside it say how it was paid: by several methods, or by a named customer. Else absent. */
	hasPayments: z.boolean().optional(),
	/** The shift that it was made in. Absent where none was open. */
	shiftId: recordId.optional(),
	items: z.array(saleItemRow),
});
/** A sale in wire form, with its computed fields. */
export const saleWire = saleRow
	.extend({ profit: computed, change: computed })
	.meta({ id: "Sale" });
export type Sale = z.input<typeof saleWire>;
type StoredSale = z.output<typeof saleRow>;

/** A fact: never edited, only voided or refunded by a later fact that names it. */
export const sale = defineEntity({
	name: "sale",
	table: "sales",
	row: saleRow,
	lines: {
		field: "items",
		table: "sale_items",
		parent: "sale_id",
		row: saleItemRow,
	},
	storage: storedSales,
	movesStock: ({ items, createdAt: at }) =>
		items.flatMap(({ productId, isStockless, ...line }) =>
			productId === null || isStockless
				? []
				: [{ productId, delta: -unitsOf(line), at }],
		),
	derive: ({ total, cost, paid }) => ({
		profit: toDecimal(total - cost),
		change: toDecimal(paid - total),
	}),
});

type Line = z.output<typeof saleItemArgs>;

/**
 * Records a sale. It is never rejected for a business reason: whatever looks wrong becomes an inbox item.
 *
 * `price` and `cost` are per unit, or per pack where the line names one, and used as sent. `paid` of null or 0 means the exact total. The cash handed over is
 * `paid - rounding`.
 */
export const saleCreate = defineMutation({
	name: "sale.create",
	args: z
		.strictObject({
			id: recordId,
			items: saleItems,
			paid: amount.nullable().default(null),
			rounding: saleRow.shape.rounding,
			paymentMethod: saleRow.shape.paymentMethod.default("CASH"),
			paymentCode: saleRow.shape.paymentCode,
			/** In place of paid, paymentMethod and paymentCode, where it is paid by several methods. */
			tenders: tenders.optional(),
			/** Who buys. What they don't pay is credit. */
			customerId: recordId.optional(),
			notes: saleRow.shape.notes.default(null),
			receiptNumber: saleRow.shape.receiptNumber.default(null),
			businessDay: day.optional(),
			/** Fixed when it is made. */
			shiftId: saleRow.shape.shiftId,
			/** Where it goes beyond its maker's limits. */
			approval: approval.optional(),
			/** What was kept for the customer, and is handed over. */
			layawayId: recordId.optional(),
		})
		.refine(
			({ rounding, paymentMethod, tenders }) =>
				!rounding ||
				(tenders?.some(({ method }) => method === "CASH") ??
					paymentMethod === "CASH"),
			{
				message: "Must be absent or 0 unless cash is paid",
				path: ["rounding"],
			},
		)
		.refine(
			({ tenders, customerId }) =>
				customerId !== undefined ||
				!tenders?.some(({ method }) => method === creditMethod),
			{ message: "Credit needs a customer", path: ["customerId"] },
		)
		.refine(({ tenders, paid }) => !tenders || !paid, {
			message: "Must be absent or 0 where tenders say what is paid",
			path: ["paid"],
		}),
	since: {
		rounding: 2,
		"items.listPrice": 2,
		paymentCode: 3,
		tenders: 3,
		customerId: 3,
		shiftId: 4,
		"items.taxClass": 5,
		"items.taxRate": 5,
		approval: 6,
		"items.packId": 7,
		"items.packName": 7,
		"items.packSize": 7,
		layawayId: 8,
		"items.unit": 9,
	},
	ownId: ({ id }) => id,
	sentence: ({ items, paymentMethod = "CASH" }) =>
		`Sold ${listOf(items.map(soldLine))}, paid by ${paymentMethod}`,
	examples: [
		{
			id: "sale",
			items: [
				{
					id: "1",
					name: "Soda 500 ml",
					quantity: 2,
					price: 63,
					cost: 48.5,
					productId: "product",
					listPrice: 65,
				},
				{ id: "2", name: "Bag", quantity: 1, price: 5, cost: 1 },
			],
			paid: 151,
			rounding: 1,
			notes: "Delivered to the office",
		},
		{
			id: "lent",
			items: [
				{
					...{ id: "1", name: "Soda 500 ml", productId: "product" },
					...{ packId: "pack", packName: "Carton", packSize: 24 },
					...{ quantity: 1, price: 900, cost: 700 },
				},
			],
			tenders: [
				{ method: "CASH", amount: 500 },
				{ method: "MPESA", amount: 100, code: "TIA9B1U5VV" },
			],
			customerId: "customer",
		},
	],

	async prepare(context, args, device) {
		assertExact(args.items);
		const dated = await fixDayAndShift(context, args, device);
		return {
			...dated,
			items: await fixTaxes(context, dated),
			receiptNumber: args.receiptNumber ?? (await device.nextReceiptNumber()),
		};
	},

	async apply(context, args) {
		const { id, items: lines } = args;
		const dated = await dateFact(context, args.businessDay);
		const total = totalOf(lines);
		if ((args.rounding ?? 0) > total)
			throw new ShopError(
				"invalid_args",
				"Must not be more than the total",
				"rounding",
			);
		// What discounts took off is added up too.
		totalOf(lines.map((line) => ({ ...line, price: listPriceOf(line) })));
		const { entries, ...paidBy } = paymentOf(args, total);
		const made: StoredSale = {
			id,
			total,
			cost: totalOf(
				lines.map(({ cost, quantity }) => ({ price: cost, quantity })),
			),
			...paidBy,
			rounding: args.rounding || undefined,
			notes: args.notes,
			businessId: context.businessId,
			receiptNumber: args.receiptNumber,
			businessDay: dated.day,
			userId: context.userId,
			deviceId: context.deviceId,
			createdAt: dated.at,
			shiftId: args.shiftId,
			items: lines.map((line) => toRow(id, line)),
		};
		const isSame = (a: StoredSale) => contentOf(a) === contentOf(made);
		const handing = { layawayId: args.layawayId, saleId: id, total };
		if (await context.isRecorded(sale, id, isSame)) {
			if (made.hasPayments) await assertSamePayments(context, id, entries);
			for (const concern of await handOverLate(context, handing))
				await raise(context, id, concern);
			return;
		}

		const { concerns, isPromised } = await handOver(context, handing);
		const taken = await takeLines(context, made, lines, isPromised);
		concerns.push(...taken.concerns);
		const { limited } = taken;
		const amount = cashOfSale(made, entries);
		const cash = { kind: "cash", amount, shiftId: args.shiftId };
		if (limited.length > 0 || amount < 0)
			concerns.push(
				...(await limitConcerns(context, {
					...{ act: saleCreate.name, id, approval: args.approval },
					beyond: (limits) => [
						...linesBeyond(limited, limits),
						...cashBeyond(cash, limits),
					],
				})),
			);
		await context.insert(sale, made);
		concerns.push(...(await pay(context, made, args.customerId, entries)));
		const named = [{ code: made.paymentCode, amount: made.paid }, ...entries];
		concerns.push(...(await reusedCodes(context, id, named)));
		concerns.push(...(await lateConcerns(context, { ...made, amount: total })));
		if (dated.isCorrected) concerns.push({ cause: "clock", amount: total });
		for (const concern of concerns) await raise(context, id, concern);
	},
});

const listPriceOf = ({ price, listPrice = price }: Line) => listPrice;

function toRow(saleId: string, { isService: _, ...line }: Line) {
	const { taxRate } = line;
	if (taxRate === undefined) return { ...line, saleId };
	return { ...line, saleId, tax: taxIn(sumOfProducts([line]), taxRate) };
}

function soldLine({
	name,
	quantity,
	price,
	listPrice = price,
	...line
}: z.input<typeof saleItemArgs>): string {
	const instead = listPrice === price ? "" : ` instead of ${listPrice}`;
	const pack = line.packName ? `${line.packName} (${line.packSize}) ` : "";
	const amount = [quantity, !pack && line.unit].filter(Boolean).join(" ");
	return `${amount} x ${pack}${name} at ${price}${instead}`;
}

/** Returns which part of its prices a sale was paid: what is neither paid nor lent is a discount, but for less than a coin. */
async function paidPart(
	context: Context,
	{ total, paid, rounding = 0 }: StoredSale,
): Promise<number> {
	const forgiven = Math.max(total - paid, 0) + rounding;
	if (forgiven <= 0) return 1;
	return forgiven < (await coinOf(context)) ? 1 : (total - forgiven) / total;
}

/** What a line did to stock, and what looks wrong about it. */
interface Taken {
	isStockless: boolean;
	concerns: InboxConcern[];
	/** The price that the line should have. Null if there is none. */
	sellingPrice: number | null;
}

/**
 * Takes the goods of a sale from stock, and marks the lines in its row that took nothing.
 *
 * @returns what looks wrong, and the lines that the limits of their seller are about
 */
async function takeLines(
	context: Context,
	made: StoredSale,
	lines: readonly Line[],
	isPromised: (line: Line) => boolean,
): Promise<{ concerns: InboxConcern[]; limited: LimitedLine[] }> {
	const concerns: InboxConcern[] = [];
	const limited: LimitedLine[] = [];
	const part = await paidPart(context, made);
	const rates = await addedRates(context, lines, made.businessDay);
	for (const [i, line] of lines.entries()) {
		const rate = rates.get(line.productId ?? "");
		const taken = await takeStock(context, line, made.createdAt, rate);
		if (taken.isStockless)
			made.items[i] = { ...toRow(made.id, line), isStockless: true };
		const isKept = isPromised(line);
		concerns.push(
			...taken.concerns.filter(({ cause }) => !isKept || cause !== "old_price"),
		);
		const sellingPrice = isKept ? line.price : taken.sellingPrice;
		const price =
			sellingPrice === null ? line.price : Math.round(line.price * part);
		if (sellingPrice !== price) limited.push({ ...line, price, sellingPrice });
	}
	return { concerns, limited };
}

/** Takes the goods of one line from stock. */
async function takeStock(
	context: Context,
	line: Line,
	at: string,
	addedRate: number | undefined,
): Promise<Taken> {
	const { productId, isService } = line;
	if (productId === null)
		return { isStockless: false, concerns: [], sellingPrice: null };
	const quantity = unitsOf(line);
	const sold = isService
		? await context.find(product, productId)
		: isExact(line)
			? await moveFactQuantity(context, { productId, delta: -quantity, at })
			: "uncountable";
	const isStockless = isService || sold === "uncountable";
	if (sold === "uncountable" || !sold) {
		const cause = sold ? "uncountable_stock" : "unknown_product";
		const concerns = [{ cause, productId, quantity } as const];
		return { isStockless, concerns, sellingPrice: null };
	}
	const price = await priceOf(context, line, sold, addedRate);
	const concerns = await concernsOf(context, line, sold, quantity);
	if (price.isOld) concerns.push(oldPrice(line, price, quantity));
	const sellingPrice = price.isOld ? line.price : price.now;
	return { isStockless, concerns, sellingPrice };
}

/** @param quantity in the product's unit, as the price is, unless the pack has another */
function oldPrice(
	{ productId, price, packSize }: Line,
	{ isPacks }: { isPacks: boolean },
	quantity: number,
): InboxConcern {
	const cause = "old_price";
	if (isPacks) return { cause, productId, amount: price };
	const amount = packSize ? Math.round(price / toDecimal(packSize)) : price;
	return { cause, productId, quantity, amount };
}

/** Returns what looks wrong about a line, by its product after the sale of so many of its units. */
async function concernsOf(
	context: Context,
	{ isService }: Line,
	sold: RowOf<typeof product>,
	quantity: number,
): Promise<InboxConcern[]> {
	const { id: productId } = sold;
	const isCrossing =
		sold.quantity <= sold.lowStock && sold.quantity + quantity > sold.lowStock;
	if (isCrossing && !isService && !sold.isService)
		await context.notify({ code: "low_stock", ...sold });
	const concerns: InboxConcern[] = [];
	if (!sold.isActive)
		concerns.push({ cause: "inactive_product", productId, quantity });
	if (!isService && sold.quantity < 0 && quantity > 0)
		concerns.push({
			cause: "oversold",
			productId,
			quantity: Math.min(quantity, -sold.quantity),
		});
	return concerns;
}

/**
 * Serializes what the cashier recorded. The same sale may arrive with another member, moment or receipt number; its
 * sums follow from its lines.
 */
function contentOf({
	paid,
	paymentMethod,
	paymentCode,
	notes,
	rounding,
	hasPayments,
	items,
}: StoredSale) {
	const lines = items.map(
		({ id, name, quantity, price, cost, productId, listPrice, ...line }) => [
			...[id, name, quantity, price, cost, productId, listPrice],
			...[line.packId, line.packName, line.packSize, line.unit],
		],
	);
	return JSON.stringify([
		...[paid, paymentMethod, paymentCode, notes, rounding, hasPayments, lines],
	]);
}
