import * as z from "zod";
import {
	packCreate,
	packDelete,
	packUpdate,
} from "../../sync/entities/pack.ts";
import { packRow } from "../../sync/entities/pack-row.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { packGet, packList } from "../../sync/queries/pack.ts";
import { productGet } from "../../sync/queries/product.ts";
import type { Deps } from "../deps.ts";
import { onWire, requiredField } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";

const { name, size, sellingPrice, isActive } = packRow.shape;
const createBody = z.object({
	name: requiredField("name required").pipe(name),
	size: onWire(size),
	sellingPrice: onWire(sellingPrice).optional(),
});

/** Routes of products' packs. */
export function packRoutes({ shop }: Deps): Routes {
	return {
		"/api/products/:id/packs": {
			GET: listOperation(shop, packList, {
				summary: "List a product's packs",
				toArgs: ({ id }) => ({ productId: id }),
			}),

			POST: operation({
				summary: "Give a product a pack, such as a carton of 24",
				access: "member",
				roles: packCreate.roles,
				body: createBody,
				answers: { 201: packRow },
				async handle({ caller, id: productId, body, response }) {
					await shop.ask(caller, productGet, { id: productId });
					const id = newId(shop.env);
					await shop.mutate(caller, packCreate, { id, productId, ...body });
					response.status(201).json(await shop.ask(caller, packGet, { id }));
				},
			}),
		},

		"/api/product-packs": {
			GET: listOperation(shop, packList, {
				summary: "List the packs of all products",
			}),
		},

		"/api/product-packs/:id": {
			GET: queryOperation(shop, packGet, { toArgs: ({ id }) => ({ id }) }),

			PATCH: operation({
				summary:
					"Change a pack; omitted fields stay as they are, and so does what was sold in it",
				access: "member",
				roles: packUpdate.roles,
				body: createBody.extend({ isActive }).partial(),
				answers: { 200: packRow },
				async handle({ caller, id, body: set, response }) {
					await shop.ask(caller, packGet, { id });
					await shop.mutate(caller, packUpdate, { id, set });
					response.json(await shop.ask(caller, packGet, { id }));
				},
			}),

			DELETE: operation({
				summary: "Delete a pack; what was sold in it stays",
				access: "member",
				roles: packDelete.roles,
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					await shop.ask(caller, packGet, { id });
					await shop.mutate(caller, packDelete, { id });
					response.json({ ok: true });
				},
			}),
		},
	};
}
