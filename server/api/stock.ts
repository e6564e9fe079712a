import * as z from "zod";
import {
	adjustReasons,
	type StockMovement,
	stockAdjust,
	stockMovement,
	stockMovementRow,
} from "../../sync/entities/stock.ts";
import { text } from "../../sync/fields.ts";
import { newId } from "../../sync/ids.ts";
import {
	computed,
	signedQuantity,
	toDecimal,
	toMicros,
} from "../../sync/money.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Connection } from "../../sync/store/store.ts";
import { HttpError } from "../errors.ts";
import { onWire, queryCount, queryText } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

const pageMax = 200;

const movement = stockMovementRow.meta({ id: "StockMovement" });
const listedMovement = movement.extend({
	/** Who moved it. */
	userName: z.string().nullable(),
	/** What there was after it, by the time of the movements: a late till's are fitted in where they belong. */
	quantityAfter: computed,
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
				query: z.object({ limit: queryCount(50), cursor: queryText }),
				answers: {
					200: z.object({
						movements: z.array(listedMovement),
						/** Of the next page; null after the last. */
						nextCursor: z.string().nullable(),
					}),
				},
				async handle({ caller, id, query: { limit, cursor }, response }) {
					await assertProduct(caller, id);
					response.json(
						await shop.store.read((tx) =>
							readPage(
								tx,
								caller.businessId,
								id,
								cursor,
								Math.min(limit, pageMax),
							),
						),
					);
				},
			}),

			POST: operation({
				summary: "Move a product's stock by hand, for a reason",
				access: "member",
				roles: stockAdjust.roles,
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

async function readPage(
	tx: Connection,
	businessId: string,
	productId: string,
	cursor: string | undefined,
	limit: number,
) {
	// An id may hold anything, also what parts it from the moment.
	const [, at, id] = /^([^_]+)_(.+)$/s.exec(cursor ?? "") ?? [];
	const before = at && id ? "AND (created_at, id) < (?, ?)" : "";
	const place = at && id ? [at, id] : [];
	const found = (await selectWires(
		tx,
		stockMovement,
		businessId,
		`AND product_id = ? ${before} ORDER BY created_at DESC, id DESC LIMIT ?`,
		productId,
		...place,
		limit + 1,
	)) as unknown as StockMovement[];
	const page = found.slice(0, limit);
	const sum = await tx.get(
		`SELECT sum(delta) AS quantity FROM stock_movements WHERE business_id = ? AND deleted = 0 AND product_id = ? ${before}`,
		businessId,
		productId,
		...place,
	);
	const names = await readNames(tx, businessId);
	let quantity = Number(sum?.quantity);
	const movements = page.map((one) => {
		const quantityAfter = toDecimal(quantity);
		quantity -= toMicros(one.delta);
		return {
			...one,
			userName: names.get(one.userId) ?? null,
			quantityAfter,
		};
	});
	const last = page.at(-1);
	return {
		movements,
		nextCursor:
			found.length > limit && last ? `${last.createdAt}_${last.id}` : null,
	};
}

/** The names of those who work here, by id. */
async function readNames(tx: Connection, businessId: string) {
	const users = await tx.all(
		"SELECT users.id, users.name FROM users JOIN memberships ON memberships.user_id = users.id WHERE memberships.business_id = ?",
		businessId,
	);
	return new Map(users.map(({ id, name }) => [id, name as string]));
}
