import type { Entity, RowOf } from "../entities/entity.ts";
import { entities, entitiesByName } from "../entities/index.ts";
import { product } from "../entities/product.ts";
import { readStock } from "../entities/stock-movement.ts";
import { fromFeed } from "../feed/feed-row.ts";
import { isStorageError } from "../protocol/errors.ts";
import type { Change } from "../protocol/protocol.ts";
import { forgetTallies } from "../queries/tallies.ts";
import {
	type BufferedIncrements,
	openBufferedIncrements,
} from "../rows/buffered-increments.ts";
import { readRow, type StoredRow, updateRow, writeRow } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";

/*
 * What a replica holds of its server: the rows of the feed, and the stock that they add up to.
 */

/** The version of rows that the server has not sent again since a reset began. */
export const unconfirmed = -1;

/**
 * Writes the server's rows, and moves stock by its facts. It skips rows that this program is too old to read, so that
 * they never block those after them. A program that can read them pulls the feed again (`restartFeed`).
 *
 * @param onFault receives a row of a known entity that could not be read or written
 */
export async function writeChanges(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	onFault: (error: unknown) => void,
): Promise<void> {
	const write = (changes: readonly Change[]) =>
		tx.savepoint(async () => {
			const stock = openBufferedIncrements(tx, businessId);
			for (const change of changes)
				await writeChange(tx, businessId, change, stock);
			await stock.write();
		});
	try {
		// One savepoint for a whole page, because hardly any page has such a row.
		await write(changes);
	} catch (error) {
		if (isStorageError(error)) throw error;
		for (const change of changes)
			try {
				await write([change]);
			} catch (unreadable) {
				if (isStorageError(unreadable)) throw unreadable;
				onFault(unreadable);
			}
	}
}

async function writeChange(
	tx: Connection,
	businessId: string,
	{ entity: name, id, version, deleted, row }: Change,
	stock: BufferedIncrements,
): Promise<void> {
	const entity = entitiesByName.get(name);
	if (!entity) return;
	if (deleted) {
		await updateRow(tx, entity, businessId, id, { deleted: 1, version });
		return;
	}
	const received = fromFeed(entity, row);
	const stored = { row: received, version, deleted: false };
	if (entity.name === product.name) {
		await stock.write(product);
		stored.row = await completeProduct(tx, businessId, received);
	}
	const isNew =
		entity.movesStock && !(await isHere(tx, entity, businessId, id));
	await writeRow(tx, entity, businessId, stored as StoredRow);
	for (const { productId, delta, at } of entity.movesStock?.(received) ?? [])
		await stock.add(product, productId, {
			field: "quantity",
			// After a reset the server sends what has moved the stock before.
			delta: isNew ? delta : 0,
			at,
		});
}

/** Adds what this database knows of a product: its stock, and the moment of the newest fact that moved it. */
async function completeProduct(
	tx: Connection,
	businessId: string,
	received: Partial<RowOf<typeof product>> & { id: string },
): Promise<Partial<RowOf<typeof product>> & { id: string }> {
	const { id, updatedAt = "" } = received;
	const before = await readRow(tx, product, businessId, id);
	if (!before) {
		const quantity = await readStock(tx, businessId, id);
		return { ...received, quantity };
	}
	const { quantity, updatedAt: movedAt } = before.row;
	const isMoved = before.version !== unconfirmed && movedAt > updatedAt;
	return { ...received, quantity, updatedAt: isMoved ? movedAt : updatedAt };
}

async function isHere(
	tx: Connection,
	{ table }: Entity,
	businessId: string,
	id: string,
): Promise<boolean> {
	const found = await tx.get(
		`SELECT 1 AS here FROM ${table} WHERE business_id = ? AND id = ?`,
		businessId,
		id,
	);
	return found !== undefined;
}

/** Begins a new snapshot: all rows stay visible until the server has sent everything again. */
export async function markUnconfirmed(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const { table } of entities)
		await tx.run(
			`UPDATE ${table} SET version = ? WHERE business_id = ?`,
			unconfirmed,
			businessId,
		);
	await forgetTallies(tx, businessId);
}

/** Ends a new snapshot by deleting the rows that the server no longer has. */
export async function sweepUnconfirmed(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const { table, lines } of entities) {
		if (lines)
			await tx.run(
				`DELETE FROM ${lines.table} WHERE business_id = ?
         AND ${lines.parent} IN (SELECT id FROM ${table} WHERE business_id = ? AND version = ?)`,
				businessId,
				businessId,
				unconfirmed,
			);
		await tx.run(
			`DELETE FROM ${table} WHERE business_id = ? AND version = ?`,
			businessId,
			unconfirmed,
		);
	}
	// Deleted facts had moved stock.
	await tx.run(
		`UPDATE products SET quantity = (SELECT CAST(coalesce(sum(delta), 0) AS BIGINT) FROM stock_ledger
       WHERE stock_ledger.business_id = products.business_id AND stock_ledger.product_id = products.id)
     WHERE business_id = ?`,
		businessId,
	);
}
