import * as z from "zod";
import {
	adjustReasons,
	stockAdjust,
	stockMovement,
	stockMovementRow,
} from "../../sync/entities/stock.ts";
import { text } from "../../sync/fields.ts";
import { newId } from "../../sync/ids.ts";
import { signedQuantity } from "../../sync/money.ts";
import type { Caller } from "../../sync/shop.ts";
import { HttpError } from "../errors.ts";
import { onWire, queryCount } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

const movement = stockMovementRow.meta({ id: "StockMovement" });
const listedMovement = movement.extend({
	/** Who moved it. */
	userName: z.string().nullable(),
});

/** A product's stock: moved by hand for a reason, and the history of all its movements. */
export function stockRoutes({ shop }: Deps): Routes {
	async function assertProduct({ businessId }: Caller, id: string) {
		const known = await shop.store.read((tx) =>
			tx.get(
				"SELECT 1 AS known FROM products WHERE business_id = ? AND id = ? AND deleted = 0",
				businessId,
				id,
			),
		);
		if (!known) throw new HttpError(404, "Product not found");
	}

	return {
		"/api/products/:id/movements": {
			GET: operation({
				summary: "How a product's stock came to be, the latest first",
				access: "member",
				query: z.object({ limit: queryCount(50), offset: queryCount(0) }),
				answers: { 200: z.object({ movements: z.array(listedMovement) }) },
				async handle({ caller, id, query: { limit, offset }, response }) {
					await assertProduct(caller, id);
					const { businessId } = caller;
					const movements = await shop.store.read(async (tx) => {
						const rows = await selectWires(
							tx,
							stockMovement,
							businessId,
							"AND product_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
							id,
							limit,
							offset,
						);
						const users = await tx.all(
							"SELECT users.id, users.name FROM users JOIN memberships ON memberships.user_id = users.id WHERE memberships.business_id = ?",
							businessId,
						);
						const names = new Map(users.map((user) => [user.id, user.name]));
						return rows.map((row) => ({
							...row,
							userName: names.get(row.userId as string) ?? null,
						}));
					});
					response.json({ movements });
				},
			}),

			POST: operation({
				summary: "Move a product's stock by hand, for a reason",
				access: "member",
				body: z.object({
					delta: onWire(signedQuantity),
					reason: z.enum(adjustReasons),
					note: text(500).nullable().optional(),
				}),
				answers: { 201: movement },
				async handle({ caller, id: productId, body, response }) {
					await assertProduct(caller, productId);
					const id = newId(shop.env);
					await shop.mutate(caller, stockAdjust, { id, productId, ...body });
					const [made] = await shop.store.read((tx) =>
						selectWires(tx, stockMovement, caller.businessId, "AND id = ?", id),
					);
					response.status(201).json(made);
				},
			}),
		},
	};
}
