import * as z from "zod";
import { computed, day } from "../entities/fields.ts";
import { toDecimal, toMicros } from "../entities/money.ts";
import { product } from "../entities/product.ts";
import {
	type StockMovement,
	stockMovement,
	stockMovementRow,
} from "../entities/stock-movement.ts";
import { addDays, businessDay } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { columnsOfEntity, toRow } from "../rows/columns.ts";
import { findWire, selectWires, toWire } from "../rows/rows.ts";
import type { Connection, Value } from "../store/store.ts";
import { businessGet } from "./business.ts";
import { placeOf, placesBy, readPlace } from "./place.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";

export const movement = stockMovementRow
	// A sale's movement is named by its line.
	.extend({ id: z.string() })
	.meta({ id: "StockMovement" });

/** All movements, with those that are a sale's lines. */
const ledger = { ...stockMovement, table: "stock_ledger" };

export const stockMovementGet = defineQuery({
	name: "stockMovement.get",
	summary: "A movement of a product's stock",
	args: z.strictObject({ id: anyId }),
	answer: movement,
	older: "rather",
	async run({ tx, businessId }, { id }) {
		const found =
			(await findWire<StockMovement>(tx, stockMovement, businessId, id)) ??
			(await findSaleMovement(tx, businessId, id));
		if (!found) throw new ShopError("not_found", "Movement not found");
		return found;
	},
});

/** A sale's movement is named `sale:position`. */
async function findSaleMovement(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<StockMovement | undefined> {
	const saleId = id.slice(0, id.lastIndexOf(":"));
	const [found] = await selectWires<StockMovement>(
		tx,
		ledger,
		businessId,
		"AND sale_id = ? AND id = ?",
		saleId,
		id,
	);
	return found;
}

export const productMovements = defineList({
	name: "product.movements",
	summary: "A product's stock movements, the latest first",
	args: { id: anyId },
	older: { since: () => "" },
	row: movement.extend({
		/** The member who moved it. Null if this database does not know the account. */
		userName: z.string().nullable(),
		/** The stock after this movement, in order of time: movements of a till that syncs late are sorted in. */
		quantityAfter: computed,
	}),
	placeOf,
	async read(context, { id }, { after, limit }) {
		const { tx, businessId } = context;
		if (!(await findWire(tx, product, businessId, id)))
			throw new ShopError("not_found", "Product not found");
		const place = readPlace(after);
		const before = place ? "AND (created_at, id) < (?, ?)" : "";
		const params = [id, ...(place ? [place.at, place.id] : [])];
		const found = await selectWires<StockMovement>(
			tx,
			ledger,
			businessId,
			`AND product_id = ? ${before} ORDER BY created_at DESC, id DESC LIMIT ?`,
			...params,
			limit,
		);
		const sum = await tx.get(
			`SELECT sum(delta) AS quantity FROM stock_ledger WHERE business_id = ? AND deleted = 0 AND product_id = ? ${before}`,
			businessId,
			...params,
		);
		const names = await readNames(context);
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

interface LedgerKey {
	version: number;
	id: string;
}
const inLedger = placesBy<LedgerKey>(
	["integer", "string"],
	({ version, id }) => [version, id],
);

export const stockMovementList = defineList({
	name: "stockMovement.list",
	summary: "The stock ledger of all products, in the order of its versions",
	older: { since: ({ from = "" }) => from },
	args: {
		/** Business days, both inclusive. */
		from: day.optional(),
		to: day.optional(),
	},
	row: movement.extend({
		/** 0 for a till's pending movement. */
		version: z.int(),
		businessDay: day,
		/** The product's name. */
		name: z.string().nullable(),
		sku: z.string().nullable(),
	}),
	placeOf: inLedger.placeOf,
	async read(context, days, { after, limit }) {
		const { timeZone, cutOffHour } = await businessGet.run(context, {});
		const { from = "", to = "9999-12-31" } = days;
		for (let start = after; ; ) {
			const { found, next } = await readLedger(context, days, start, limit);
			const rows = found
				.map(({ factDay, ...row }) => ({
					...row,
					businessDay:
						factDay ?? businessDay(row.createdAt, timeZone, cutOffHour),
				}))
				.filter(({ businessDay: day }) => day >= from && day <= to);
			if (rows.length > 0 || next === undefined)
				return { rows, stoppedAt: next };
			start = next;
		}
	},
});

/**
 * Reads a part of the ledger, which may have no movement of these days. A movement of a sale or refund counts on that fact's business day, and is found by the version that
 * they share. Any other movement counts on the day of its moment.
 */
async function readLedger(
	{ tx, businessId }: QueryContext,
	{ from, to }: { from?: string | undefined; to?: string | undefined },
	after: string | undefined,
	limit: number,
) {
	// Time zones and the cut-off hour keep a business day within two days of its moments.
	const earliest = from ? `${addDays(from, -2)}T00:00:00.000Z` : "";
	const latest = to && addDays(to, 3) > to ? addDays(to, 3) : "9999-12-31T24";
	// Pending movements have version 0.
	const [version = -1, id = ""] = inLedger.read(after) ?? [];
	const upTo = await lastVersion(tx, businessId, version, limit);
	// Moments and days are expressions, so that the facts are found by their versions, and a refund by its sale.
	const stored = await tx.all(
		`SELECT moved.*, products.name, products.sku,
       CASE moved.reason
         WHEN 'sale' THEN (SELECT business_day FROM sales WHERE sales.business_id = moved.business_id AND sales.id = moved.sale_id)
         ELSE (SELECT max(coalesce(business_day, '')) FROM refunds WHERE refunds.business_id = moved.business_id
           AND refunds.sale_id = moved.sale_id AND refunds.version = moved.version AND refunds.created_at = moved.created_at)
       END AS fact_day
     FROM (
       SELECT * FROM stock_ledger WHERE business_id = ? AND deleted = 0
         AND version >= ? AND version <= ? AND (version > ? OR id > ?)
         AND coalesce(created_at, '') BETWEEN ? AND ? ORDER BY version, id LIMIT ?) AS moved
     LEFT JOIN products ON products.business_id = moved.business_id AND products.id = moved.product_id
     ORDER BY moved.version, moved.id`,
		businessId,
		...[version, upTo ?? Number.MAX_SAFE_INTEGER, version, id],
		earliest,
		latest,
		limit,
	);
	const columns = columnsOfEntity(stockMovement);
	const found = stored.map((values) => ({
		...(toWire(stockMovement, toRow(columns, values)) as StockMovement),
		version: values.version as number,
		factDay: values.fact_day as string | null,
		name: values.name as string | null,
		sku: values.sku as string | null,
	}));
	const last = found.length === limit ? found.at(-1) : undefined;
	if (last) return { found, next: inLedger.placeOf(last) };
	const next =
		upTo === undefined
			? undefined
			: inLedger.placeOf({ version: upTo + 1, id: "" });
	return { found, next };
}

/**
 * The version of the last of so many facts that may have moved stock: a page reads no further. Undefined if there are
 * fewer.
 */
async function lastVersion(
	tx: Connection,
	businessId: string,
	from: Value,
	limit: number,
): Promise<number | undefined> {
	const facts = ["sales", "stock_movements"].map(
		(table) =>
			`SELECT * FROM (SELECT version FROM ${table} WHERE business_id = ? AND version >= ? ORDER BY version LIMIT ?) AS ${table}_next`,
	);
	const last = await tx.get(
		`SELECT version FROM (${facts.join(" UNION ALL ")}) AS following ORDER BY version LIMIT 1 OFFSET ?`,
		...facts.flatMap(() => [businessId, from, limit]),
		limit - 1,
	);
	return last?.version as number | undefined;
}

/** The members' names, by id. */
async function readNames({ tx, businessId }: QueryContext) {
	const users = await tx.all(
		"SELECT users.id, users.name FROM users JOIN memberships ON memberships.user_id = users.id WHERE memberships.business_id = ?",
		businessId,
	);
	return new Map(users.map(({ id, name }) => [id, name as string]));
}
