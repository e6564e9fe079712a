import * as z from "zod";
import { product } from "../entities/product.ts";
import {
	type StockMovement,
	stockMovement,
	stockMovementRow,
} from "../entities/stock.ts";
import { ShopError } from "../errors.ts";
import { computed, toDecimal, toMicros } from "../money.ts";
import { type Asking, defineList } from "../query.ts";
import { findWire, selectWires } from "../rows.ts";
import { placeOf, readPlace } from "./place.ts";
import { anyId, recordQuery } from "./record.ts";

export const movement = stockMovementRow.meta({ id: "StockMovement" });

export const stockMovementGet = recordQuery(stockMovement, movement, {
	summary: "A movement of a product's stock",
	missing: "Movement not found",
});

export const productMovements = defineList({
	name: "product.movements",
	summary: "How a product's stock came to be, the latest first",
	args: { id: anyId },
	row: movement.extend({
		/** Who moved it; null for an account that is not known here. */
		userName: z.string().nullable(),
		/** What there was after it, by the time of the movements: a late till's are fitted in where they belong. */
		quantityAfter: computed,
	}),
	placeOf,
	async read(asking, { id }, { after, limit }) {
		const { tx, businessId } = asking;
		if (!(await findWire(tx, product, businessId, id)))
			throw new ShopError("not_found", "Product not found");
		const place = readPlace(after);
		const before = place ? "AND (created_at, id) < (?, ?)" : "";
		const params = [id, ...(place ? [place.at, place.id] : [])];
		const found = await selectWires<StockMovement>(
			tx,
			stockMovement,
			businessId,
			`AND product_id = ? ${before} ORDER BY created_at DESC, id DESC LIMIT ?`,
			...params,
			limit,
		);
		const sum = await tx.get(
			`SELECT sum(delta) AS quantity FROM stock_movements WHERE business_id = ? AND deleted = 0 AND product_id = ? ${before}`,
			businessId,
			...params,
		);
		const names = await readNames(asking);
		let quantity = Number(sum?.quantity);
		const rows = found.map((one) => {
			const quantityAfter = toDecimal(quantity);
			quantity -= toMicros(one.delta);
			const userName = names.get(one.userId) ?? null;
			return { ...one, userName, quantityAfter };
		});
		return { rows };
	},
});

/** The names of those who work here, by id. */
async function readNames({ tx, businessId }: Asking) {
	const users = await tx.all(
		"SELECT users.id, users.name FROM users JOIN memberships ON memberships.user_id = users.id WHERE memberships.business_id = ?",
		businessId,
	);
	return new Map(users.map(({ id, name }) => [id, name as string]));
}
