import * as z from "zod";
import { signedQuantity, text } from "../../sync/entities/fields.ts";
import { stockAdjust } from "../../sync/entities/stock.ts";
import { adjustReasons } from "../../sync/entities/stock-movement.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { pageOf } from "../../sync/queries/list-pages.ts";
import { productGet } from "../../sync/queries/product.ts";
import {
	movement,
	productMovements,
	stockMovementGet,
} from "../../sync/queries/stock.ts";
import type { Deps } from "../deps.ts";
import { onWire, queryCount, queryText } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";

const pageMax = 200;

/** Routes of a product's stock: manual changes with a reason, and the history of movements. */
export function stockRoutes({ shop }: Deps): Routes {
	return {
		"/api/products/:id/movements": {
			GET: operation({
				summary: productMovements.summary,
				access: "member",
				query: z.object({ limit: queryCount(50), cursor: queryText }),
				answers: {
					200: z.object({
						movements: z.array(productMovements.row),
						/** The cursor of the next page; null after the last. */
						nextCursor: z.string().nullable(),
					}),
				},
				async handle({ caller, id, query, response }) {
					const { rows, next } = await pageOf(
						shop,
						caller,
						productMovements,
						{ id },
						{ after: query.cursor, limit: Math.min(query.limit, pageMax) },
					);
					response.json({ movements: rows, nextCursor: next });
				},
			}),

			POST: operation({
				summary: "Change a product's stock manually, with a reason",
				access: "member",
				roles: stockAdjust.roles,
				body: z.object({
					delta: onWire(signedQuantity),
					reason: z.enum(adjustReasons),
					note: text(500).nullable().optional(),
				}),
				answers: { 201: movement },
				async handle({ caller, id: productId, body, response }) {
					await shop.ask(caller, productGet, { id: productId });
					const id = newId(shop.env);
					await shop.mutate(caller, stockAdjust, { id, productId, ...body });
					const made = await shop.ask(caller, stockMovementGet, { id });
					response.status(201).json(made);
				},
			}),
		},
	};
}
