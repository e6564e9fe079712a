import * as z from "zod";
import { ShopError, SumOverflow } from "../protocol/errors.ts";
import type { Connection, DbRow } from "../store/store.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
	type RowOf,
	type StockMove,
} from "./entity.ts";
import {
	amount,
	computed,
	quantity,
	recordId,
	requiredText,
	signedQuantity,
	text,
	timestamp,
} from "./fields.ts";
import { toDecimal } from "./money.ts";
import { type ProductPack, productPack } from "./pack-row.ts";
import { searchable } from "./searchable.ts";
import { fieldsOf } from "./sentence.ts";
import {
	readStock,
	stockMovement,
	type stockMovementRow,
} from "./stock-movement.ts";
import { taxCode } from "./tax.ts";

export const productRow = z.object({
	id: recordId,
	name: requiredText(500),
	sku: text(100).nullable(),
	/** Null if no price was ever entered. */
	buyingPrice: amount.nullable(),
	sellingPrice: amount.nullable(),
	quantity: computed,
	lowStock: quantity,
	isService: z.boolean(),
	isActive: z.boolean(),
	categoryId: recordId.nullable(),
	imageUrl: text(2_000).nullable(),
	thumbnailUrl: text(2_000).nullable(),
	businessId: recordId,
	createdAt: timestamp,
	updatedAt: timestamp,
	/** The class of its tax. Absent for that of its category, or else of the shop. */
	taxClass: taxCode.nullable().optional(),
	/** What its stock is counted in: `kg`, `g`, `l`, `ml`, `m` or a word of the shop's. Absent for pieces. */
	unit: requiredText(20).nullable().optional(),
});
/** A product in wire form, with its category and packs. */
export const productWire = productRow
	.extend({
		category: z
			.object({ id: recordId, name: z.string(), sortOrder: z.int() })
			.nullable(),
		/** By size. Absent without any. */
		packs: z.array(productPack).optional(),
	})
	.meta({ id: "Product" });
export type Product = z.input<typeof productWire>;

export const product = defineEntity({
	name: "product",
	table: "products",
	row: productRow,
	summed: ["quantity"],
	editable: true,

	columns({ name }): DbRow {
		return name === undefined ? {} : { search_name: searchable(name) };
	},

	async expand(tx, businessId, rows) {
		const categories = await readCategories(tx, businessId, rows);
		const packs = await readPacks(tx, businessId, rows);
		return rows.map(({ id, categoryId }) => ({
			category: categories.get(categoryId) ?? null,
			...(packs.has(id) && { packs: packs.get(id) }),
		}));
	},
});

async function readCategories(
	tx: Connection,
	businessId: string,
	rows: readonly { categoryId: string | null }[],
): Promise<Map<unknown, object>> {
	if (rows.every(({ categoryId }) => categoryId === null)) return new Map();
	const categories = await tx.all(
		"SELECT id, name, sort_order FROM categories WHERE business_id = ? AND deleted = 0",
		businessId,
	);
	return new Map(
		categories.map(({ id, name, sort_order }) => [
			id,
			{ id, name, sortOrder: sort_order },
		]),
	);
}

async function readPacks(
	tx: Connection,
	businessId: string,
	rows: readonly { id: string }[],
): Promise<Map<unknown, ProductPack[]>> {
	const packs = await tx.all(
		`SELECT product_id, id, name, size, selling_price, is_active FROM product_packs
     WHERE business_id = ? AND product_id IN (SELECT value FROM json_each(?)) AND deleted = 0 ORDER BY size, name, id`,
		businessId,
		JSON.stringify(rows.map(({ id }) => id)),
	);
	const byProduct = new Map<unknown, ProductPack[]>();
	for (const { product_id, ...row } of packs) {
		const price = row.selling_price as number | null;
		const list = byProduct.get(product_id) ?? [];
		byProduct.set(product_id, list);
		list.push({
			id: row.id as string,
			name: row.name as string,
			size: toDecimal(row.size as number),
			sellingPrice: price === null ? null : toDecimal(price),
			isActive: row.is_active === 1,
		});
	}
	return byProduct;
}

/**
 * Changes a product's quantity by what a fact moves.
 *
 * @returns the product after the change, or undefined if it is unknown: it starts from its ledger when it arrives
 * @throws SumOverflow with nothing moved
 */
function moveQuantity(
	context: Context,
	{ productId, delta, at }: StockMove,
): Promise<RowOf<typeof product> | undefined> {
	return context.add(product, productId, "quantity", delta, at);
}

/**
 * Like `moveQuantity`, for goods that have changed hands. Returns "uncountable" with nothing moved if the stock would
 * leave the range of exact integers.
 */
export async function moveFactQuantity(
	context: Context,
	move: StockMove,
): Promise<RowOf<typeof product> | "uncountable" | undefined> {
	try {
		return await moveQuantity(context, move);
	} catch (error) {
		if (error instanceof SumOverflow) return "uncountable";
		throw error;
	}
}

type Movement = Pick<
	z.output<typeof stockMovementRow>,
	"productId" | "delta" | "reason"
> &
	Partial<z.output<typeof stockMovementRow>>;

/**
 * Writes a movement into the ledger and changes the product's quantity with it.
 *
 * @throws SumOverflow with nothing moved
 */
export async function moveStock(
	context: Context,
	movement: Movement,
): Promise<void> {
	const { productId, delta, createdAt: at = context.at } = movement;
	await moveQuantity(context, { productId, delta, at });
	await context.insert(stockMovement, {
		id: context.nextId(),
		note: null,
		saleId: null,
		itemId: null,
		userId: context.userId,
		createdAt: at,
		...movement,
	});
}

const fields = productRow.shape;

export const productCreate = defineMutation({
	name: "product.create",
	args: z.strictObject({
		id: recordId,
		name: fields.name,
		sku: fields.sku.default(null),
		buyingPrice: fields.buyingPrice,
		sellingPrice: fields.sellingPrice,
		quantity: signedQuantity.prefault(0),
		lowStock: fields.lowStock.prefault(5),
		isService: fields.isService.default(false),
		categoryId: fields.categoryId.default(null),
		imageUrl: fields.imageUrl.default(null),
		thumbnailUrl: fields.thumbnailUrl.default(null),
		taxClass: fields.taxClass,
		unit: fields.unit,
	}),
	since: { taxClass: 2, unit: 3 },
	roles: managing,
	sentence: ({ name }) => `Created product "${name}"`,
	examples: [
		{
			id: "product",
			name: "Soda 500 ml",
			sku: "5449000000996",
			buyingPrice: 48.5,
			sellingPrice: 60,
			quantity: 24,
			lowStock: 6,
			categoryId: "category",
			unit: "bottle",
		},
	],
	async apply(context, { quantity: opening, ...args }) {
		await context.insert(product, {
			...args,
			categoryId: await unlessDeleted(context, args.categoryId),
			// Sales of it may have arrived first.
			quantity: await readStock(context, context.businessId, args.id),
			isActive: true,
			businessId: context.businessId,
			createdAt: context.at,
			updatedAt: context.at,
		});
		if (opening !== 0)
			await moveStock(context, {
				productId: args.id,
				delta: opening,
				reason: "opening",
			});
	},
});

/** Edits a product. A `quantity` becomes the movement from the level that the writer saw to the one that they set. */
export const productUpdate = defineMutation({
	name: "product.update",
	args: z.strictObject({
		id: recordId,
		set: z
			.strictObject({
				name: fields.name,
				sku: fields.sku,
				buyingPrice: fields.buyingPrice,
				sellingPrice: fields.sellingPrice,
				quantity: signedQuantity,
				lowStock: fields.lowStock,
				isService: fields.isService,
				categoryId: fields.categoryId,
				isActive: fields.isActive,
				imageUrl: fields.imageUrl,
				thumbnailUrl: fields.thumbnailUrl,
				taxClass: fields.taxClass,
				unit: fields.unit,
			})
			.partial(),
		seenQuantity: computed.optional(),
	}),
	since: { "set.taxClass": 2, "set.unit": 3 },
	roles: managing,
	sentence: ({ id, set }) => `Set ${fieldsOf(set)} of product ${id}`,
	examples: [
		{
			id: "product",
			set: { sellingPrice: 65, quantity: 22.5 },
			seenQuantity: 24,
		},
	],

	async prepare(context, args) {
		if (args.set.quantity === undefined || args.seenQuantity !== undefined)
			return args;
		const seen = await context.get(product, args.id, "id");
		return { ...args, seenQuantity: toDecimal(seen.quantity) };
	},

	async apply(context, { id, set, seenQuantity }) {
		const before = await context.get(product, id, "id");
		const { quantity: counted, categoryId, ...edits } = set;
		await context.edit(product, id, {
			...edits,
			...(categoryId === undefined
				? {}
				: { categoryId: await unlessDeleted(context, categoryId) }),
		});
		if (counted === undefined) return;
		const delta = counted - (seenQuantity ?? before.quantity);
		if (!Number.isSafeInteger(delta))
			throw new ShopError(
				"invalid_args",
				"The change is too large to count exactly",
				"set.quantity",
			);
		if (delta !== 0)
			await moveStock(context, { productId: id, delta, reason: "adjustment" });
	},
});

/** Returns null for a category that another till has deleted, so that no product keeps it. */
async function unlessDeleted(
	context: Context,
	categoryId: string | null,
): Promise<string | null> {
	const removed = await context.all(
		"SELECT 1 AS removed FROM categories WHERE business_id = ? AND id = ? AND deleted = 1",
		context.businessId,
		categoryId,
	);
	return removed.length > 0 ? null : categoryId;
}

/** Deactivates a product. Its row and its sales stay. */
export const productDelete = defineMutation({
	name: "product.delete",
	args: z.strictObject({ id: recordId }),
	roles: managing,
	sentence: ({ id }) => `Deactivated product ${id}`,
	examples: [{ id: "product" }],
	async apply(context, { id }) {
		await context.get(product, id, "id");
		await context.edit(product, id, { isActive: false });
	},
});
