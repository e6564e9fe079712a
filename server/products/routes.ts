import * as z from "zod";
import { signedQuantity } from "../../sync/entities/fields.ts";
import {
	productCreate,
	productDelete,
	productRow,
	productUpdate,
	productWire,
} from "../../sync/entities/product.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { productGet, productList } from "../../sync/queries/product.ts";
import type { Deps } from "../deps.ts";
import {
	onWire,
	orAbsent,
	orNull,
	queryText,
	requiredField,
} from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { askEachBusiness, listOperation } from "../http/query-operations.ts";

const fields = productRow.shape;

/** Parses prices like JavaScript's parseFloat; a value that isn't a number counts as no price. */
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

/** @returns undefined for an object that can't be converted to a string */
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
	taxClass: fields.taxClass,
	unit: fields.unit,
});

const updateBody = createBody
	.extend({
		quantity: onWire(signedQuantity),
		lowStock: onWire(fields.lowStock),
		isService: fields.isService,
		isActive: fields.isActive,
	})
	.partial();

export function productRoutes({ shop }: Deps): Routes {
	return {
		"/api/products": {
			GET: listOperation(shop, productList, {
				summary: "List active products by name, of all categories or one",
				params: z.object({ search: queryText, categoryId: queryText }),
				toArgs: ({ params }) => params,
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
					response.status(201).json(await shop.ask(caller, productGet, { id }));
				},
			}),
		},

		"/api/inactive-products": {
			GET: listOperation(shop, productList, {
				summary: "List inactive products by name",
				toArgs: () => ({ show: "inactive" as const }),
			}),
		},

		"/api/products/:id": {
			GET: operation({
				summary: "Get a product of any of the caller's businesses",
				access: "member",
				answers: { 200: productWire },
				async handle({ callers, id, response }) {
					response.json(
						(await askEachBusiness(shop, callers, productGet, { id })).found,
					);
				},
			}),

			PATCH: operation({
				summary: "Change a product's fields; omitted fields stay as they are",
				access: "member",
				body: updateBody,
				answers: { 200: productWire },
				async handle({ callers, id, body: set, response }) {
					const { owner } = await askEachBusiness(shop, callers, productGet, {
						id,
					});
					await shop.mutate(owner, productUpdate, { id, set });
					response.json(await shop.ask(owner, productGet, { id }));
				},
			}),

			DELETE: operation({
				summary: "Deactivate a product; its sales stay",
				access: "member",
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ callers, id, response }) {
					const { owner } = await askEachBusiness(shop, callers, productGet, {
						id,
					});
					await shop.mutate(owner, productDelete, { id });
					response.json({ ok: true });
				},
			}),
		},
	};
}
