import { business } from "../entities/business.ts";
import type { Entity, RowOf } from "../entities/entity.ts";
import { entities, entitiesByName } from "../entities/index.ts";
import { product } from "../entities/product.ts";
import { readStock } from "../entities/stock-movement.ts";
import { forgetBlocks } from "../feed/digest-blocks.ts";
import { fromFeed } from "../feed/feed-row.ts";
import { isStorageError } from "../protocol/errors.ts";
import type { Change } from "../protocol/protocol.ts";
import { forgetTallies } from "../queries/tallies.ts";
import {
	addToRow,
	eraseRow,
	insertRow,
	readRow,
	type StoredRow,
	storageOf,
	updateRow,
	writeRow,
} from "../rows/rows.ts";
import { readerOf } from "../rows/wire.ts";
import type { Connection, Value } from "../store/store.ts";

/*
 * What a replica holds of its server: the rows of the feed, and the stock that they add up to.
 */

/** The version of rows that the server has not sent again since a reset began. */
export const unconfirmed = -1;

/** Writes the server's rows, and moves stock by its facts. It skips rows like `writeReadable`. */
export function writeChanges(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	onFault: (error: unknown) => void,
): Promise<void> {
	return writeReadable(tx, changes, onFault, (changes) =>
		writePage(tx, businessId, changes),
	);
}

/** Writes a snapshot's rows as they are, with their sums. It skips rows like `writeReadable`. */
export function writeSnapshot(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	onFault: (error: unknown) => void,
): Promise<void> {
	return writeReadable(tx, changes, onFault, async (changes) => {
		for (const { entity: name, id, version, deleted, row } of changes) {
			const entity = entitiesByName.get(name);
			if (!entity) continue;
			if (deleted) await eraseRow(tx, entity, businessId, id);
			else
				await writeRow(tx, entity, businessId, {
					row: readerOf(entity.row)(row) as RowOf<Entity>,
					...{ version, deleted },
				});
		}
	});
}

/**
 * Writes facts that the stock of this database already counts. One that is here is as new or newer. It skips rows like
 * `writeReadable`.
 */
export function writeOlderFacts(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	onFault: (error: unknown) => void,
): Promise<void> {
	return writeReadable(tx, changes, onFault, async (changes) => {
		for (const { entity: name, version, deleted, row } of changes) {
			const entity = entitiesByName.get(name);
			if (entity && !deleted)
				await insertRow(tx, entity, businessId, {
					row: fromFeed(entity, row),
					...{ version, deleted },
				});
		}
	});
}

/** Removes all rows but the business's own, which others refer to. The outbox's must have been undone. */
export async function clearRows(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const { table, lines, storage } of entities)
		if (storage)
			await storage.erase(tx, businessId, "version >= ?", unconfirmed);
		else if (table !== business.table)
			for (const one of lines ? [lines.table, table] : [table])
				await tx.run(`DELETE FROM ${one} WHERE business_id = ?`, businessId);
}

/** Sets the stock of products that changed after a version, or wait to be sent, to the sum of their ledger. */
export async function sumStockAfter(
	tx: Connection,
	businessId: string,
	version: number,
): Promise<void> {
	await sumStock(tx, businessId, "(version > ? OR version < 1)", version);
}

/** Sets the stock of some products to the sum of their ledger. @param which a condition on products */
export async function sumStock(
	tx: Connection,
	businessId: string,
	which: string,
	...params: Value[]
): Promise<void> {
	await tx.run(`${sumStockSql} AND ${which}`, businessId, ...params);
}

/** Sets the stock of products to the sum of their ledger where it is another. */
export async function sumWrongStock(
	tx: Connection,
	businessId: string,
): Promise<void> {
	await sumStock(tx, businessId, `id IN (${wrongStockSql})`, businessId);
}

/** The sum of a product's ledger: of the facts here, and of what a till's window leaves out. */
const ledgerSumSql = `(SELECT CAST(coalesce(sum(delta), 0) AS BIGINT) FROM stock_ledger
     WHERE stock_ledger.business_id = products.business_id AND stock_ledger.product_id = products.id)
   + coalesce((SELECT delta FROM older_stock
     WHERE older_stock.business_id = products.business_id AND older_stock.product_id = products.id), 0)`;

/** The ids of products whose stock is not the sum of their ledger. */
export const wrongStockSql = `SELECT id FROM products WHERE business_id = ? AND deleted = 0 AND quantity <> ${ledgerSumSql}`;

const sumStockSql = `UPDATE products SET quantity = ${ledgerSumSql} WHERE business_id = ?`;

/**
 * Writes rows, and skips those that this program is too old to read, so that they never block those after them. A
 * program that can read them pulls the feed again (`restartFeed`).
 *
 * @param onFault receives a row of a known entity that could not be read or written
 */
async function writeReadable(
	tx: Connection,
	changes: readonly Change[],
	onFault: (error: unknown) => void,
	writeAll: (changes: readonly Change[]) => Promise<void>,
): Promise<void> {
	const write = (changes: readonly Change[]) =>
		tx.savepoint(() => writeAll(changes));
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

/**
 * Writes the server's rows over those here, whatever these are, and moves no stock: `sumWrongStock` does. It skips rows
 * like `writeReadable`.
 */
export function overwrite(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	onFault: (error: unknown) => void,
): Promise<void> {
	return writeReadable(tx, changes, onFault, async (changes) => {
		for (const { entity: name, id, version, deleted, row } of changes) {
			const entity = entitiesByName.get(name);
			if (!entity) continue;
			if (deleted) {
				await updateRow(tx, entity, businessId, id, { deleted: 1, version });
				continue;
			}
			const stock =
				entity.name === product.name
					? { quantity: await readStockHere(tx, businessId, id) }
					: {};
			await writeRow(tx, entity, businessId, {
				row: { ...fromFeed(entity, row), ...stock },
				...{ version, deleted },
			});
		}
	});
}

async function readStockHere(
	tx: Connection,
	businessId: string,
	productId: string,
): Promise<number> {
	const here = await readRow(tx, product, businessId, productId);
	return here?.row.quantity ?? readStock(tx, businessId, productId);
}

/** What the facts of a page have moved of a product. */
interface Moved {
	delta: number;
	/** The newest moment of the facts after the product's last edit: its row says whether earlier ones count. */
	at: string;
}
type Moves = Map<string, Moved>;

const none: Moved = { delta: 0, at: "" };
const later = (a: string, b: string) => (a > b ? a : b);

/** Writes products after the facts of their page, because one that is new here starts from its ledger. */
async function writePage(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
): Promise<void> {
	const moves: Moves = new Map();
	const isProduct = ({ entity, deleted }: Change) =>
		entity === product.name && !deleted;
	const products = changes.filter(isProduct);
	const editedAt = new Map(products.map(({ id, version }) => [id, version]));
	for (const change of changes)
		if (!isProduct(change))
			await writeOther(tx, businessId, change, moves, editedAt);
	for (const change of products)
		await writeProduct(tx, businessId, change, moves);
	// A reset brings what the stock counts without having it: older sales of a window, or a history that was arriving.
	// It is summed when all are here.
	const isCounted = await isBringingOlder(tx, businessId);
	for (const [id, { delta, at }] of moves)
		await addToRow(tx, product, businessId, id, {
			...{ field: "quantity", delta: isCounted ? 0 : delta, at },
		});
}

async function isBringingOlder(
	tx: Connection,
	businessId: string,
): Promise<boolean> {
	const found = await tx.get(
		"SELECT 1 AS older FROM replica WHERE business_id = ? AND resetting = 1 AND EXISTS (SELECT 1 FROM older_stock WHERE older_stock.business_id = replica.business_id)",
		businessId,
	);
	return found !== undefined;
}

async function writeOther(
	tx: Connection,
	businessId: string,
	{ entity: name, id, version, deleted, row }: Change,
	moves: Moves,
	/** The versions of the page's products. */
	editedAt: ReadonlyMap<string, number>,
): Promise<void> {
	const entity = entitiesByName.get(name);
	if (!entity) return;
	if (deleted) {
		await updateRow(tx, entity, businessId, id, { deleted: 1, version });
		return;
	}
	const stored: StoredRow = {
		...{ row: fromFeed(entity, row), version, deleted: false },
	};
	const isNew =
		entity.movesStock && (await insertRow(tx, entity, businessId, stored));
	if (!isNew) await writeRow(tx, entity, businessId, stored);
	for (const move of entity.movesStock?.(stored.row) ?? []) {
		const { productId } = move;
		const { delta, at } = moves.get(productId) ?? none;
		const isLater = version > (editedAt.get(productId) ?? 0);
		moves.set(productId, {
			// After a reset the server sends what has moved the stock before.
			delta: isNew ? delta + move.delta : delta,
			at: isLater ? later(move.at, at) : at,
		});
	}
}

/** Adds to a product what this database knows of it: its stock, and the moment of the newest fact that moved it. */
async function writeProduct(
	tx: Connection,
	businessId: string,
	{ id, version, row }: Change,
	moves: Moves,
): Promise<void> {
	const received = fromFeed(product, row);
	const write = (known: Partial<RowOf<typeof product>>) =>
		writeRow(tx, product, businessId, {
			row: { ...received, ...known } as RowOf<typeof product>,
			version,
			deleted: false,
		});
	const before = await tx.get(
		"SELECT quantity, updated_at, version FROM products WHERE business_id = ? AND id = ?",
		businessId,
		id,
	);
	const { updatedAt = "" } = received;
	if (!before) {
		const { at } = moves.get(id) ?? none;
		await write({
			quantity: await readStock(tx, businessId, id),
			updatedAt: later(updatedAt, at),
		});
		moves.delete(id);
		return;
	}
	const isConfirmed = before.version !== unconfirmed;
	await write({
		quantity: before.quantity as number,
		updatedAt: isConfirmed
			? later(before.updated_at as string, updatedAt)
			: updatedAt,
	});
}

/** Begins a new snapshot: all rows stay visible until the server has sent everything again. */
export async function markUnconfirmed(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const entity of entities) {
		const { table, scope } = storageOf(entity);
		await tx.run(
			`UPDATE ${table} SET version = ? WHERE ${scope}`,
			unconfirmed,
			businessId,
		);
	}
	await forgetTallies(tx, businessId);
	await forgetBlocks(tx, businessId);
}

/** Ends a new snapshot by deleting the rows that the server no longer has. */
export async function sweepUnconfirmed(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const { table, lines, storage } of entities) {
		if (storage) {
			await storage.erase(tx, businessId, "version = ?", unconfirmed);
			continue;
		}
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
	await tx.run("DELETE FROM older_stock WHERE business_id = ?", businessId);
	// Deleted facts had moved stock.
	await tx.run(sumStockSql, businessId);
}
