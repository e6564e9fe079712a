import { refund } from "../entities/refund.ts";
import { sale } from "../entities/sale.ts";
import { dayNumber } from "../protocol/clock.ts";
import type { Change } from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import { blockOf, versionsOf } from "./digest-blocks.ts";
import { selectChanges } from "./feed.ts";

/*
 * A till with a window holds each sale of its days, and of the older ones those that something still needs:
 *
 *   version 1 ───────────────────────── window ───────────────── head
 *   payments, movements, records: all  │  all of everything
 *   sales with their refunds: some     │
 */

/** Days of sales that are read in a separate statement. */
const daysMax = 400;

/**
 * Finds the version up to which no sale or refund is of a day or a later one, at the end of a block of the digest.
 *
 * @param upTo the newest version that counts
 */
export async function windowVersion(
	tx: Connection,
	businessId: string,
	day: string,
	upTo: number,
): Promise<number> {
	const oldest = async (sql: string, ...params: (string | number)[]) => {
		const row = await tx.get(
			`SELECT min(version) AS version FROM ${sql} AND version >= 1`,
			businessId,
			...params,
		);
		return Number(row?.version ?? endless);
	};
	let found = await oldest(
		"refunds WHERE business_id = ? AND business_day >= ?",
		day,
	);
	// Each day is a statement, so that others get a turn.
	const first = dayNumber(day);
	const sold = "sales WHERE business_id = ? AND day_number";
	for (let number = first; number < first + daysMax; number += 1)
		found = Math.min(found, await oldest(`${sold} = ?`, number));
	found = Math.min(found, await oldest(`${sold} >= ?`, first + daysMax));
	const [after] = versionsOf(blockOf(Math.min(found, upTo + 1)));
	return after;
}

const endless = Number.MAX_SAFE_INTEGER;

const openShiftsSql =
	"SELECT id FROM shifts WHERE business_id = ? AND report_id IS NULL AND deleted = 0";

/**
 * The ids of sales that are needed whatever their age: what was taken back later, what waits to be sorted out, and what
 * belongs to an open shift. A product that was unknown when it was sold may come later, and its stock counts the sale.
 */
const neededSql = `SELECT sale_id FROM refunds WHERE business_id = ? AND (version > ? OR version < 1)
  UNION ALL SELECT sale_id FROM inbox_items WHERE business_id = ? AND sale_id IS NOT NULL AND deleted = 0
    AND (resolution IS NULL OR cause = 'unknown_product')
  UNION ALL SELECT sale_id FROM refunds WHERE business_id = ? AND shift_id IN (${openShiftsSql})
  UNION ALL SELECT id FROM sales WHERE business_id = ? AND shift IN (SELECT names.n FROM shops JOIN names ON names.shop = shops.n
    WHERE shops.business_id = ? AND names.text IN (${openShiftsSql}))`;

function neededParams(businessId: string, version: number) {
	const shop = businessId;
	return [shop, version, shop, shop, shop, shop, shop, shop];
}

/** Reads the sales up to a version that are needed whatever their age, with their refunds. */
export async function readNeededSales(
	tx: Connection,
	businessId: string,
	version: number,
): Promise<Change[]> {
	const needed = neededParams(businessId, version);
	const sales = await selectChanges(
		tx,
		sale,
		businessId,
		`AND version <= ? AND id IN (${neededSql})`,
		...[version, ...needed],
	);
	const refunds = await selectChanges(
		tx,
		refund,
		businessId,
		`AND sale_id IN (SELECT id FROM sales WHERE business_id = ? AND version <= ? AND id IN (${neededSql}))`,
		...[businessId, version, ...needed],
	);
	return [...sales, ...refunds];
}

/** Reads a sale with its refunds. */
export async function readSale(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<Change[]> {
	return [
		...(await selectChanges(tx, sale, businessId, "AND id = ?", id)),
		...(await selectChanges(tx, refund, businessId, "AND sale_id = ?", id)),
	];
}

/** Lists sales up to a version that nothing needs. */
export async function listUnneeded(
	tx: Connection,
	businessId: string,
	version: number,
	limit: number,
): Promise<string[]> {
	const rows = await tx.all(
		`SELECT id FROM sales WHERE business_id = ? AND version >= 1 AND version <= ? AND id NOT IN (${neededSql}) LIMIT ?`,
		...[businessId, version, ...neededParams(businessId, version), limit],
	);
	return rows.map(({ id }) => id as string);
}
