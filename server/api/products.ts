import * as z from "zod";
import {
	product,
	productCreate,
	productDelete,
	productRow,
	productUpdate,
	productWire,
} from "../../sync/entities/product.ts";
import { searchable } from "../../sync/fields.ts";
import { newId } from "../../sync/ids.ts";
import { signedQuantity } from "../../sync/money.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Value } from "../../sync/store/store.ts";
import { HttpError } from "../errors.ts";
import {
	onWire,
	orAbsent,
	orNull,
	queryText,
	requiredField,
} from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";
import { type List, readPages, sendList } from "./long-list.ts";
import { selectWires } from "./rows.ts";

/** A name has 500 characters at most, and normalising makes 18 of one at most (U+FDFA). */
const searchableMax = 500 * 18;

const fields = productRow.shape;

/** Read as the contract's float parse does; what is no number is a price that was never given. */
const price = z
	.unknown()
	.transform((value, context): number | null => {
		const price = toFloat(value);
		if (price !== undefined && Math.abs(price) !== Number.POSITIVE_INFINITY)
			return Number.isNaN(price) ? null : price;
		context.addIssue({ code: "custom", message: "Must be a finite number" });
		return z.NEVER;
	})
	.pipe(onWire(fields.buyingPrice))
	.optional()
	.meta({ type: ["number", "string", "null"], minimum: 0 });

/** @returns undefined for an object whose own fields stand in the way of its text */
function toFloat(value: unknown): number | undefined {
	if (typeof value === "number") return value;
	try {
		return Number.parseFloat(String(value));
	} catch {
		return undefined;
	}
}

const createBody = z.object({
	name: requiredField("name required").pipe(fields.name),
	sku: orNull(fields.sku),
	buyingPrice: price,
	sellingPrice: price,
	quantity: orAbsent(signedQuantity),
	lowStock: orAbsent(fields.lowStock),
	isService: orAbsent(fields.isService),
	categoryId: orNull(fields.categoryId),
	imageUrl: orNull(fields.imageUrl),
	thumbnailUrl: orNull(fields.thumbnailUrl),
});

const updateBody = createBody
	.extend({
		quantity: onWire(signedQuantity),
		lowStock: onWire(fields.lowStock),
		isService: fields.isService,
		isActive: fields.isActive,
	})
	.partial();

/** The order of products in lists and files. */
export const byName: Pick<List, "order" | "keyOf"> = {
	order: ["search_name", "name", "id"],
	keyOf: ({ name, id }) => [
		searchable(name as string),
		name as string,
		id as string,
	],
};

const listQuery = z.object({ search: queryText, categoryId: queryText });

/** Business API, "Products". */
export function productRoutes({ shop }: Deps): Routes {
	/** The caller in the business of theirs that has the product. @throws HttpError 404 */
	async function ownerOf(callers: Caller[], id: string): Promise<Caller> {
		const known = await shop.store.read((tx) =>
			tx.all(
				`SELECT business_id FROM products WHERE id = ? AND deleted = 0 AND business_id IN (${callers.map(() => "?").join(", ")})`,
				id,
				...callers.map(({ businessId }) => businessId),
			),
		);
		const ids = new Set(known.map(({ business_id }) => business_id));
		const owner = callers.find(({ businessId }) => ids.has(businessId));
		if (!owner) throw new HttpError(404, "Product not found");
		return owner;
	}

	async function read({ businessId }: Caller, id: string) {
		const [found] = await shop.store.read((tx) =>
			selectWires(tx, product, businessId, "AND id = ?", id),
		);
		if (!found) throw new HttpError(404, "Product not found");
		return found;
	}

	async function* list(
		{ businessId }: Caller,
		{ search, categoryId }: z.output<typeof listQuery>,
	) {
		const conditions = ["AND is_active = 1"];
		const params: Value[] = [];
		if (search !== undefined) {
			const part = searchable(search);
			if (isInNoName(part)) return;
			// `instr` is written otherwise in PostgreSQL; LIKE with its wildcards escaped is the same in both.
			conditions.push("AND search_name LIKE ? ESCAPE '!'");
			params.push(`%${part.replace(/[!%_]/g, "!$&")}%`);
		}
		if (categoryId !== undefined) {
			conditions.push("AND category_id = ?");
			params.push(categoryId);
		}
		const where = conditions.join(" ");
		yield* readPages(shop.store, product, businessId, {
			where,
			params,
			...byName,
		});
	}

	return {
		"/api/products": {
			GET: operation({
				summary: "The active products by name, of all or of one category",
				access: "member",
				query: listQuery,
				answers: { 200: z.array(productWire) },
				async handle({ caller, query, response }) {
					await sendList(response, list(caller, query));
				},
			}),

			POST: operation({
				summary: "Add a product",
				access: "member",
				roles: productCreate.roles,
				body: createBody,
				answers: { 201: productWire },
				async handle({ caller, body, response }) {
					const id = newId(shop.env);
					const { buyingPrice = null, sellingPrice = null } = body;
					const args = { ...body, id, buyingPrice, sellingPrice };
					await shop.mutate(caller, productCreate, args);
					response.status(201).json(await read(caller, id));
				},
			}),
		},

		"/api/inactive-products": {
			GET: operation({
				summary: "The products that are no longer sold, by name",
				access: "member",
				answers: { 200: z.array(productWire) },
				async handle({ caller: { businessId }, response }) {
					const where = "AND is_active = 0";
					await sendList(
						response,
						readPages(shop.store, product, businessId, { where, ...byName }),
					);
				},
			}),
		},

		"/api/products/:id": {
			GET: operation({
				summary: "A product of any business that the caller belongs to",
				access: "member",
				answers: { 200: productWire },
				async handle({ callers, id, response }) {
					response.json(await read(await ownerOf(callers, id), id));
				},
			}),

			PATCH: operation({
				summary: "Change the fields that are sent",
				access: "member",
				body: updateBody,
				answers: { 200: productWire },
				async handle({ callers, id, body: set, response }) {
					const owner = await ownerOf(callers, id);
					await shop.mutate(owner, productUpdate, { id, set });
					response.json(await read(owner, id));
				},
			}),

			DELETE: operation({
				summary: "Make a product inactive; its sales remain",
				access: "member",
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ callers, id, response }) {
					await shop.mutate(await ownerOf(callers, id), productDelete, { id });
					response.json({ ok: true });
				},
			}),
		},
	};
}

/** A pattern ends at a NUL, so that it would match all; one that is too long is a fault to the database. */
function isInNoName(part: string): boolean {
	return part.includes("\0") || part.length > searchableMax;
}
