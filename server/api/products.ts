import {
	product,
	productCreate,
	productDelete,
	productUpdate,
} from "../../sync/entities/product.ts";
import { searchable } from "../../sync/fields.ts";
import { newId } from "../../sync/ids.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Value } from "../../sync/store/store.ts";
import { readJson } from "../body.ts";
import { HttpError } from "../errors.ts";
import { type Deps, queryText, type Routes } from "../routes.ts";
import { toName } from "./name.ts";
import { selectWires } from "./rows.ts";

type Fields = Record<string, unknown>;

/** A name has 500 characters at most, and normalising makes 18 of one at most (U+FDFA). */
const searchableMax = 500 * 18;

/** Business API, "Products". */
export function productRoutes({ shop, gate }: Deps): Routes {
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

	async function read(businessId: string, id: string): Promise<Fields> {
		const [found] = await shop.store.read((tx) =>
			selectWires(tx, product, businessId, "AND id = ?", id),
		);
		if (!found) throw new HttpError(404, "Product not found");
		return found;
	}

	return {
		"/api/products": {
			async GET(request, response) {
				const { businessId } = await gate.caller(request);
				const conditions = ["AND is_active = 1"];
				const params: Value[] = [];
				const search = queryText(request, "search");
				if (search !== undefined) {
					// `instr` is written otherwise in PostgreSQL; LIKE with its wildcards escaped is the same in both.
					conditions.push("AND search_name LIKE ? ESCAPE '!'");
					const part = searchable(search);
					if (isInNoName(part)) {
						response.json([]);
						return;
					}
					params.push(`%${part.replace(/[!%_]/g, "!$&")}%`);
				}
				const categoryId = queryText(request, "categoryId");
				if (categoryId !== undefined) {
					conditions.push("AND category_id = ?");
					params.push(categoryId);
				}
				const rows = await shop.store.read((tx) =>
					selectWires(
						tx,
						product,
						businessId,
						`${conditions.join(" ")} ORDER BY search_name, name, id`,
						...params,
					),
				);
				response.json(rows);
			},

			async POST(request, response) {
				const caller = await gate.caller(request);
				const body = await readJson(request);
				const id = newId(shop.env);
				await shop.mutate(caller, productCreate, {
					id,
					name: toName(body.name),
					sku: orNull(body.sku),
					buyingPrice: toPrice(body.buyingPrice, "buyingPrice"),
					sellingPrice: toPrice(body.sellingPrice, "sellingPrice"),
					quantity: orAbsent(body.quantity) as number | undefined,
					lowStock: orAbsent(body.lowStock) as number | undefined,
					isService: orAbsent(body.isService) as boolean | undefined,
					categoryId: orNull(body.categoryId),
					imageUrl: orNull(body.imageUrl),
					thumbnailUrl: orNull(body.thumbnailUrl),
				});
				response.status(201).json(await read(caller.businessId, id));
			},
		},

		"/api/products/:id": {
			async GET(request, response) {
				const callers = await gate.memberships(request);
				const id = request.params.id as string;
				const { businessId } = await ownerOf(callers, id);
				response.json(await read(businessId, id));
			},

			async PATCH(request, response) {
				const callers = await gate.memberships(request);
				const body = await readJson(request);
				const id = request.params.id as string;
				const owner = await ownerOf(callers, id);
				await shop.mutate(owner, productUpdate, { id, set: toSet(body) });
				response.json(await read(owner.businessId, id));
			},

			async DELETE(request, response) {
				const callers = await gate.memberships(request);
				const id = request.params.id as string;
				await shop.mutate(await ownerOf(callers, id), productDelete, { id });
				response.json({ ok: true });
			},
		},
	};
}

/** A pattern ends at a NUL, so that it would match all; one that is too long is a fault to the database. */
function isInNoName(part: string): boolean {
	return part.includes("\0") || part.length > searchableMax;
}

/** How each updatable field of a body is read; what is not here is ignored. */
const readers: Record<string, (value: unknown, field: string) => unknown> = {
	name: toName,
	sku: orNull,
	buyingPrice: toPrice,
	sellingPrice: toPrice,
	quantity: asIs,
	lowStock: asIs,
	isService: asIs,
	categoryId: orNull,
	isActive: asIs,
	imageUrl: orNull,
	thumbnailUrl: orNull,
};

function toSet(body: Fields): Fields {
	const set: Fields = {};
	for (const [field, read] of Object.entries(readers))
		if (Object.hasOwn(body, field)) set[field] = read(body[field], field);
	return set;
}

/** Read as the contract's float parse does; what is no number is a price that was never given. */
function toPrice(value: unknown, field: string): number | null {
	const price =
		typeof value === "number" ? value : Number.parseFloat(toText(value, field));
	if (Number.isNaN(price)) return null;
	if (!Number.isFinite(price))
		throw new HttpError(400, `${field} must be a finite number`);
	return price;
}

/** @throws HttpError 400 for an object whose own fields stand in the way of its text */
function toText(value: unknown, field: string): string {
	try {
		return String(value);
	} catch (cause) {
		throw new HttpError(400, `${field} must be a number`, { cause });
	}
}

/** Falsy is null; the core refuses what is then no text. */
function orNull(value: unknown): string | null {
	return (value || null) as string | null;
}

function orAbsent(value: unknown): unknown {
	return value ?? undefined;
}

function asIs(value: unknown): unknown {
	return value;
}
