import * as z from "zod";
import { ShopError } from "../protocol/errors.ts";
import type { Connection } from "../store/store.ts";
import {
	type CountLine,
	correctionOf,
	countedBy,
	explains,
	linesOf,
} from "./count-lines.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
	type RowOf,
} from "./entity.ts";
import {
	amount,
	computed,
	quantity,
	recordId,
	requiredText,
	timestamp,
} from "./fields.ts";
import { moveStock, product } from "./product.ts";

export const countRow = z
	.object({
		id: recordId,
		businessId: recordId,
		/** What is counted: a shelf, a room, a category. */
		name: requiredText(200),
		/** Null if it is not of one category. */
		categoryId: recordId.nullable(),
		/** Null while it is open. */
		closedAt: timestamp.nullable(),
		closedBy: recordId.nullable(),
		userId: recordId.nullable(),
		createdAt: timestamp,
	})
	.meta({ id: "Count" });
export type Count = z.input<typeof countRow>;

/** A count of stock, by several people at several tills, while the shop sells. */
export const count = defineEntity({
	name: "count",
	table: "counts",
	row: countRow,
});

export const countLookRow = z
	.object({
		id: recordId,
		businessId: recordId,
		countId: recordId,
		productId: recordId,
		/** Where it lies, if it lies in several places. */
		shelf: requiredText(100).nullable(),
		/** The stock by the book of that moment. */
		expected: computed,
		/** The part of it that counts had corrected. */
		corrected: computed,
		/** What a unit cost then. */
		cost: amount.nullable(),
		/** The server's newest version that was known; what the same device had made before was known too. */
		seenVersion: z.int().min(0),
		/** What was found. Null until somebody says. */
		counted: quantity.nullable(),
		userId: recordId.nullable(),
		deviceId: recordId.nullable(),
		createdAt: timestamp,
	})
	.meta({ id: "CountLook" });

/** A look at a product on its shelf: what the book knew at that moment, and what lay there. */
export const countLook = defineEntity({
	name: "countLook",
	table: "count_looks",
	row: countLookRow,
});

const { name, categoryId } = countRow.shape;
const { shelf, counted } = countLookRow.shape;

export const countOpen = defineMutation({
	name: "count.open",
	args: z.strictObject({
		id: recordId,
		name,
		categoryId: categoryId.default(null),
	}),
	sentence: ({ name }) => `Began to count "${name}"`,
	examples: [{ id: "count", name: "Drinks", categoryId: "category" }],
	async apply(context, { id, name, categoryId }) {
		const isSame = (a: RowOf<typeof count>) =>
			a.name === name && a.categoryId === categoryId;
		if (await context.isRecorded(count, id, isSame)) return;
		const { businessId, userId, at: createdAt } = context;
		await context.insert(count, {
			...{ id, businessId, name, categoryId, closedAt: null, closedBy: null },
			...{ userId, createdAt },
		});
	},
});

/** What the book knows, as `countLookRow` has it. */
const seen = z.strictObject({
	expected: computed,
	corrected: computed,
	cost: countLookRow.shape.cost,
	seenVersion: countLookRow.shape.seenVersion,
});

/** Fixes what the book knows of a product when somebody looks at its shelf, before they count it. */
export const countLookAt = defineMutation({
	name: "count.look",
	args: z.strictObject({
		id: recordId,
		countId: recordId,
		productId: recordId,
		shelf: shelf.default(null),
		/** Fixed when it is made. */
		seen: seen.optional(),
	}),
	sentence: ({ productId, shelf }) =>
		`Looked at product ${productId}${shelf ? ` on "${shelf}"` : ""} to count it`,
	examples: [
		{
			...{ id: "look", countId: "count", productId: "product" },
			seen: { expected: 24, corrected: 0, cost: 48.5, seenVersion: 2 },
		},
	],
	prepare: async (context, args) => ({
		...args,
		seen: z.encode(seen, await readBook(context, args.productId)),
	}),
	async apply(context, { seen: given, ...look }) {
		const { id, countId, productId } = look;
		const isSame = (a: RowOf<typeof countLook>) =>
			a.countId === countId && a.productId === productId;
		if (await context.isRecorded(countLook, id, isSame)) return;
		await context.get(count, countId, "countId");
		const seen = given ?? (await readBook(context, productId));
		const { businessId, userId, deviceId, at: createdAt } = context;
		await context.insert(countLook, {
			...{ ...look, ...seen, counted: null },
			...{ businessId, userId, deviceId, createdAt },
		});
	},
});

/** Says what was found at a look; said again, it corrects what was said before. */
export const countEnter = defineMutation({
	name: "count.enter",
	args: z.strictObject({ id: recordId, counted: counted.unwrap() }),
	sentence: ({ id, counted }) => `Counted ${counted} at look ${id}`,
	examples: [{ id: "look", counted: 22 }],
	async apply(context, { id, counted }) {
		const look = await context.get(countLook, id, "id");
		if (look.counted === counted) return;
		if (!(await mayCount(context, look, counted)))
			throw new ShopError(
				"id_reused",
				"The stock was corrected by this look: look again",
				"id",
			);
		await context.update(countLook, id, { counted });
	},
});

/** A look that has corrected the stock keeps its number. A closing may come before the number that it knew. */
async function mayCount(
	context: Context,
	{ id, countId, productId, counted: known }: RowOf<typeof countLook>,
	counted: number,
): Promise<boolean> {
	const { businessId } = context;
	const [moved] = await context.all(
		`SELECT delta, (SELECT sum(delta) FROM stock_movements AS other
       WHERE other.business_id = moved.business_id AND other.product_id = moved.product_id AND other.reason = 'count'
         AND other.deleted = 0 AND other.id <> moved.id
         AND (moved.version < 1 OR other.version >= 1 AND other.version < moved.version)) AS corrected
     FROM stock_movements AS moved WHERE business_id = ? AND id = ? AND reason = 'count'`,
		...[businessId, id],
	);
	if (!moved) return true;
	if (known !== null) return false;
	const looks = (await readLooks(context, businessId, countId))
		.filter((one) => one.productId === productId)
		.map((one) => (one.id === id ? { ...one, counted } : one));
	const look = looks.find((one) => one.id === id);
	return (
		look !== undefined &&
		explains(looks, look, {
			delta: Number(moved.delta),
			corrected: Number(moved.corrected),
		})
	);
}

/** The most products that one closing corrects: what is left is corrected by the next. */
const countLinesMax = 2_000;

const lines = z
	.array(
		z.strictObject({
			lookId: recordId,
			productId: recordId,
			counted: computed,
			goods: computed,
		}),
	)
	.max(countLinesMax);

/** Corrects the stock by what was counted. What comes after the closing waits for the next. */
export const countClose = defineMutation({
	name: "count.close",
	args: z.strictObject({
		id: recordId,
		/** What was counted as far as it is known where the count is closed, fixed when it is made. */
		lines: lines.optional(),
	}),
	roles: managing,
	sentence: ({ id, lines = [] }) =>
		`Closed count ${id} with ${lines.length} ${lines.length === 1 ? "product" : "products"}`,
	examples: [{ id: "count" }],
	async prepare(context, { id }) {
		const left: CountLine[] = [];
		for (const line of await readLines(context, context.businessId, id)) {
			const { lookId, productId, counted, goods } = line;
			if (!(await isCorrected(context, context.businessId, line)))
				left.push({ lookId, productId, counted, goods });
			if (left.length === countLinesMax) break;
		}
		return { id, lines: z.encode(lines, left) };
	},
	async apply(context, { id, lines }) {
		const { businessId } = context;
		const closed = await context.get(count, id, "id");
		const looks = await readLooks(context, businessId, id);
		const known = Map.groupBy(looks, ({ productId }) => productId);
		for (const line of lines ?? linesOf(looks)) {
			const { lookId, productId, counted } = line;
			// A number that was corrected on the way waits for a person who sees it.
			if (countedBy(known.get(productId) ?? [], lookId, counted) !== counted)
				continue;
			if (await isCorrected(context, businessId, line)) continue;
			const delta = correctionOf(line, await readCorrected(context, productId));
			if (!Number.isSafeInteger(delta))
				throw new ShopError(
					"invalid_args",
					"The change is too large to count exactly",
					"lines",
				);
			await moveStock(context, {
				...{ id: lookId, productId, delta, reason: "count" },
				note: closed.name,
			});
		}
		if (closed.closedAt !== null) return;
		const { at: closedAt, userId: closedBy } = context;
		await context.update(count, id, { closedAt, closedBy });
	},
});

type Reader = Pick<Connection, "all">;

/** Reads what is known of a product here and now. */
async function readBook(
	context: Context,
	productId: string,
): Promise<z.output<typeof seen>> {
	const found = await context.get(product, productId, "productId");
	const joining = await context.all(
		`SELECT 1 AS joins FROM replica WHERE business_id = ? AND (history_version IS NOT NULL OR snapshot IS NOT NULL
       OR resetting = 1 AND EXISTS (SELECT 1 FROM older_stock WHERE older_stock.business_id = replica.business_id))`,
		context.businessId,
	);
	// What counts have corrected is a part of the history. Stock that counts facts which a reset still brings comes last.
	if (joining.length > 0)
		throw new ShopError(
			"unknown_record",
			"Older movements of stock are still on their way to this till",
		);
	// A till has its server's rows up to its cursor, and what it has made itself.
	const [known] = await context.all(
		`SELECT coalesce((SELECT cursor_version FROM replica WHERE business_id = businesses.business_id), head) AS version
     FROM businesses WHERE business_id = ?`,
		context.businessId,
	);
	return {
		expected: found.quantity,
		corrected: await readCorrected(context, productId),
		cost: found.buyingPrice,
		seenVersion: Number(known?.version ?? 0),
	};
}

/** Sums what counts have corrected of a product. */
async function readCorrected(
	context: Context,
	productId: string,
): Promise<number> {
	const [sum] = await context.all(
		"SELECT sum(delta) AS delta FROM stock_movements WHERE business_id = ? AND product_id = ? AND reason = 'count' AND deleted = 0",
		context.businessId,
		productId,
	);
	return Number(sum?.delta ?? 0);
}

/** Reads what a count has found of each product, as far as it is here. */
export async function readLines(
	tx: Reader,
	businessId: string,
	countId: string,
) {
	return linesOf(await readLooks(tx, businessId, countId));
}

async function readLooks(tx: Reader, businessId: string, countId: string) {
	const rows = await tx.all(
		"SELECT id, product_id, shelf, expected, corrected, cost, seen_version, counted, created_at FROM count_looks WHERE business_id = ? AND count_id = ? AND deleted = 0",
		businessId,
		countId,
	);
	return rows.map((row) => ({
		id: row.id as string,
		productId: row.product_id as string,
		shelf: row.shelf as string | null,
		expected: Number(row.expected),
		corrected: Number(row.corrected),
		cost: row.cost === null ? null : Number(row.cost),
		seenVersion: Number(row.seen_version),
		counted: row.counted === null ? null : Number(row.counted),
		createdAt: row.created_at as string,
	}));
}

/** The same as a condition on `count_looks AS look`: true while the stock waits to be corrected. */
export const waitingLook = `NOT EXISTS (
  SELECT 1 FROM stock_movements AS moved
  LEFT JOIN count_looks AS later ON later.business_id = moved.business_id AND later.id = moved.id
  WHERE moved.business_id = look.business_id AND moved.product_id = look.product_id AND moved.reason = 'count' AND moved.deleted = 0
    AND (moved.id = look.id OR later.created_at > look.created_at))`;

/** True if a line's look, or a later one at the same product, has corrected the stock. A look need not have arrived. */
export async function isCorrected(
	tx: Reader,
	businessId: string,
	{ lookId, productId }: Pick<CountLine, "lookId" | "productId">,
): Promise<boolean> {
	const [corrected] = await tx.all(
		`SELECT 1 AS done FROM stock_movements AS moved
     LEFT JOIN count_looks AS later ON later.business_id = moved.business_id AND later.id = moved.id
     WHERE moved.business_id = ? AND moved.product_id = ? AND moved.reason = 'count' AND moved.deleted = 0
       AND (moved.id = ? OR later.created_at > (SELECT created_at FROM count_looks WHERE business_id = ? AND id = ?)) LIMIT 1`,
		...[businessId, productId, lookId, businessId, lookId],
	);
	return corrected !== undefined;
}
