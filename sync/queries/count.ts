import * as z from "zod";
import {
	type Count,
	count,
	isCorrected,
	readLines,
	waitingLook,
} from "../entities/count.ts";
import { managing } from "../entities/entity.ts";
import { computed, recordId, timestamp } from "../entities/fields.ts";
import { plus, sumOfProducts, toDecimal } from "../entities/money.ts";
import { ShopError } from "../protocol/errors.ts";
import { findWire } from "../rows/rows.ts";
import type { Value } from "../store/store.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";
import { userName } from "./user-name.ts";

const countSummary = z
	.object({
		id: recordId,
		name: z.string(),
		categoryId: recordId.nullable(),
		openedAt: timestamp,
		/** Null if this database does not know the account. */
		openedBy: z.string().nullable(),
		/** Null while it is open. */
		closedAt: timestamp.nullable(),
		closedBy: z.string().nullable(),
		/** How many products have a number. */
		counted: z.int(),
		/** Of them, those whose stock no closing has corrected yet. */
		waiting: z.int(),
	})
	.meta({ id: "CountSummary" });
type CountSummary = z.input<typeof countSummary>;

const byTime = orderOf<Count>(count, {
	columns: { created_at: "string", id: "string" },
	isDescending: true,
	keyOf: ({ createdAt, id }) => [createdAt, id],
});

export const countList = defineList({
	name: "count.list",
	summary: "Counts of stock, the newest first",
	args: {},
	row: countSummary,
	placeOf: ({ openedAt: createdAt, id }) =>
		byTime.placeOf({ createdAt, id } as Count),
	async read(context, _, page) {
		const found = await byTime.read(context, page);
		const rows: CountSummary[] = [];
		for (const one of found) rows.push(await summaryOf(context, one));
		return { rows };
	},
});

const look = z.object({
	id: recordId,
	productId: recordId,
	/** The product's name. Null if this database does not know it. */
	name: z.string().nullable(),
	shelf: z.string().nullable(),
	/** Null until somebody says. */
	counted: computed.nullable(),
	lookedAt: timestamp,
	lookedBy: z.string().nullable(),
});

/** A count without what the book says: a person who counts must not be able to look. */
const countDetail = z
	.object({ count: countSummary, looks: z.array(look) })
	.meta({ id: "CountDetail" });

export const countGet = defineQuery({
	name: "count.get",
	summary: "A count with its looks at shelves, the newest first",
	args: z.strictObject({ id: anyId }),
	answer: countDetail,
	async run(context, { id }) {
		const { tx, businessId } = context;
		const summary = await findCount(context, id);
		const rows = await tx.all(
			`SELECT look.id, look.product_id, products.name, look.shelf, look.counted, look.created_at, users.name AS looked_by
       FROM count_looks AS look
       LEFT JOIN products ON products.business_id = look.business_id AND products.id = look.product_id
       LEFT JOIN users ON users.id = look.user_id
       WHERE look.business_id = ? AND look.count_id = ? AND look.deleted = 0 ORDER BY look.created_at DESC, look.id DESC`,
			businessId,
			id,
		);
		const looks = rows.map((row) => ({
			id: row.id as string,
			productId: row.product_id as string,
			name: row.name as string | null,
			shelf: row.shelf as string | null,
			counted: row.counted === null ? null : toDecimal(Number(row.counted)),
			lookedAt: row.created_at as string,
			lookedBy: row.looked_by as string | null,
		}));
		return { count: summary, looks };
	},
});

const difference = z.object({
	lookId: recordId,
	productId: recordId,
	/** Null if this database does not know the product. */
	name: z.string().nullable(),
	sku: z.string().nullable(),
	/** On all shelves together. */
	counted: computed,
	/** The stock by the book when the shelf was looked at. */
	expected: computed,
	difference: computed,
	/** What the difference cost. Null without a buying price. */
	value: z.number().nullable(),
	/** What moved before the look, by the clocks of the tills, and was not known there: it comes on top of what was counted. */
	late: computed,
	/** True once a closing has corrected the stock by it, or by a later look. */
	isCorrected: z.boolean(),
});

const countDifferences = z
	.object({
		count: countSummary,
		lines: z.array(difference),
		/** The values of what is missing, as a negative sum, and of what is over. */
		missing: z.number(),
		over: z.number(),
	})
	.meta({ id: "CountDifferences" });
export type CountDifferences = z.input<typeof countDifferences>;
type Difference = CountDifferences["lines"][number];

export const countDifference = defineQuery({
	name: "count.differences",
	summary:
		"What a count found, compared with the book of each look, the largest value first",
	args: z.strictObject({ id: anyId }),
	answer: countDifferences,
	roles: managing,
	async run(context, { id }) {
		const { tx, businessId } = context;
		const summary = await findCount(context, id);
		const lines = await readLines(tx, businessId, id);
		const products = await readProducts(context, lines);
		const waiting: Line[] = [];
		for (const line of lines)
			if (!(await isCorrected(tx, businessId, line))) waiting.push(line);
		const after = await readAfter(context, waiting);
		const differences = lines.map((line): Difference => {
			const { lookId, productId, counted, goods, first, newest } = line;
			const known = products.get(productId);
			const since = after.get(lookId);
			const missed = known && since !== undefined;
			const quantity = counted - first.expected;
			return {
				...{ lookId, productId, name: known?.name ?? null },
				sku: known?.sku ?? null,
				counted: toDecimal(counted),
				expected: toDecimal(first.expected),
				difference: toDecimal(quantity),
				value: newest.cost === null ? null : priced(newest.cost, quantity),
				late: missed ? toDecimal(known.goods - goods - since) : 0,
				isCorrected: since === undefined,
			};
		});
		const values = differences.map(({ value }) => value ?? 0);
		return {
			count: summary,
			lines: differences.toSorted(
				(a, b) =>
					Math.abs(b.value ?? 0) - Math.abs(a.value ?? 0) ||
					Math.abs(b.difference) - Math.abs(a.difference),
			),
			missing: sumOf(values.filter((value) => value < 0)),
			over: sumOf(values.filter((value) => value > 0)),
		};
	},
});

/** @throws ShopError `not_found` */
async function findCount(
	context: QueryContext,
	id: string,
): Promise<CountSummary> {
	const { tx, businessId } = context;
	const found = await findWire<Count>(tx, count, businessId, id);
	if (!found) throw new ShopError("not_found", "Count not found");
	return summaryOf(context, found);
}

async function summaryOf(
	context: QueryContext,
	{ id, name, categoryId, createdAt, userId, closedAt, closedBy }: Count,
): Promise<CountSummary> {
	const { tx, businessId } = context;
	const sums = await tx.get(
		`SELECT count(DISTINCT product_id) AS counted, count(DISTINCT CASE WHEN ${waitingLook} THEN product_id END) AS waiting
     FROM count_looks AS look WHERE business_id = ? AND count_id = ? AND counted IS NOT NULL AND deleted = 0`,
		businessId,
		id,
	);
	return {
		...{ id, name, categoryId, openedAt: createdAt, closedAt },
		openedBy: await userName(context, userId),
		closedBy: await userName(context, closedBy),
		counted: Number(sums?.counted),
		waiting: Number(sums?.waiting),
	};
}

const chunkMax = 500;

type Line = Awaited<ReturnType<typeof readLines>>[number];

/** Reads each line's product, with all that has moved of it without the corrections of counts, in millionths. */
async function readProducts(
	{ tx, businessId }: QueryContext,
	lines: readonly Line[],
) {
	const byId = new Map<
		string,
		{ name: string; sku: string | null; goods: number }
	>();
	for (let at = 0; at < lines.length; at += chunkMax) {
		const ids = lines
			.slice(at, at + chunkMax)
			.map(({ productId }) => productId);
		const rows = await tx.all(
			`SELECT id, name, sku, quantity - coalesce((SELECT sum(delta) FROM stock_movements AS moved WHERE moved.business_id = products.business_id
         AND moved.product_id = products.id AND moved.reason = 'count' AND moved.deleted = 0), 0) AS goods
       FROM products WHERE business_id = ? AND id IN (${ids.map(() => "?").join(", ")}) AND deleted = 0`,
			businessId,
			...ids,
		);
		for (const { id, name, sku, goods } of rows)
			byId.set(id as string, {
				...{ name: name as string, sku: sku as string | null },
				goods: Number(goods),
			});
	}
	return byId;
}

/** Sums what moved after each look, by the clocks, of what it had not seen. @returns millionths by look */
async function readAfter(
	{ tx, businessId }: QueryContext,
	lines: readonly Line[],
): Promise<Map<string, number>> {
	const after = new Map(lines.map(({ lookId }) => [lookId, 0]));
	const byProduct = new Map(lines.map((line) => [line.productId, line]));
	if (lines.length === 0) return after;
	// Two ranges of versions, each found by its index.
	const read = (versions: string, ...params: Value[]) =>
		tx.all(
			`SELECT product_id, delta, version, created_at FROM stock_ledger
       WHERE business_id = ? AND deleted = 0 AND reason <> 'count' AND ${versions}`,
			businessId,
			...params,
		);
	const seen = Math.min(...lines.map(({ first }) => first.seenVersion));
	const rows = [
		...(await read("version = 0")),
		...(await read("version > ?", seen)),
	];
	for (const { product_id, delta, version, created_at } of rows) {
		const line = byProduct.get(product_id as string);
		if (!line || (created_at as string) <= line.first.createdAt) continue;
		if (version !== 0 && Number(version) <= line.first.seenVersion) continue;
		after.set(line.lookId, (after.get(line.lookId) ?? 0) + Number(delta));
	}
	return after;
}

const sumOf = (values: readonly number[]) => values.reduce(plus, 0);

/** Prices a quantity, both in millionths. */
const priced = (price: number, quantity: number) =>
	toDecimal(sumOfProducts([{ price, quantity }]));
