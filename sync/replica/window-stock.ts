import { forgetBlocks } from "../feed/digest-blocks.ts";
import { parseCursor } from "../protocol/protocol.ts";
import { forgetTallies } from "../queries/tallies.ts";
import type { Connection, Store } from "../store/store.ts";
import type { ReplicaState } from "./replica-state.ts";
import { sumStock, sumStockAfter } from "./server-rows.ts";

/*
 * The stock of a till with a window counts sales that it doesn't hold: a snapshot came with their sum, or the till let them
 * go. What they moved stands in a table, so that a product's quantity stays the sum of its ledger:
 *
 *   quantity = what the facts here moved + what the older sales moved (older_stock)
 */

/** Products whose ledger is summed in one transaction, which is as long as a sale may have to wait. */
const summedAtOnce = 20;

/** Notes which products a snapshot brought with their stock. Others start from the facts that are here. */
export async function knowProducts(
	tx: Connection,
	businessId: string,
): Promise<void> {
	await tx.run(
		`INSERT INTO older_stock (business_id, product_id, delta) SELECT business_id, id, 0 FROM products WHERE business_id = ?
     ON CONFLICT (business_id, product_id) DO NOTHING`,
		businessId,
	);
}

/** Ends the bringing of older facts, which moved no stock. The outbox's must have been undone. */
export async function endHistory(
	tx: Connection,
	businessId: string,
	{ snapshot, window }: ReplicaState,
): Promise<void> {
	if (window.version > 0) {
		await sumStock(
			tx,
			businessId,
			// `NOT IN` would read all of them for each product.
			"NOT EXISTS (SELECT 1 FROM older_stock WHERE older_stock.business_id = products.business_id AND older_stock.product_id = products.id)",
		);
		await balanceStock(tx, businessId);
	} else {
		await tx.run("DELETE FROM older_stock WHERE business_id = ?", businessId);
		// A product that came after the snapshot started from the facts that were here.
		const at = parseCursor(snapshot ?? "")?.version ?? 0;
		await sumStockAfter(tx, businessId, at);
	}
	await forgetTallies(tx, businessId);
	await forgetBlocks(tx, businessId);
}

/**
 * Makes the ledger of each product sum up to its quantity: what is missing is what older sales moved. The outbox's facts
 * must have been undone.
 */
export async function balanceStock(
	tx: Connection,
	businessId: string,
): Promise<void> {
	// One pass through the ledger, which a till's sale waits for.
	await tx.run(
		`INSERT INTO older_stock (business_id, product_id, delta)
     SELECT products.business_id, id, quantity - CAST(coalesce(here.delta, 0) AS BIGINT) FROM products
     LEFT JOIN (SELECT product_id, sum(delta) AS delta FROM stock_ledger WHERE business_id = ? GROUP BY product_id) AS here
       ON here.product_id = products.id
     WHERE products.business_id = ? AND (deleted = 0 OR EXISTS (SELECT 1 FROM older_stock
       WHERE older_stock.business_id = products.business_id AND older_stock.product_id = products.id))
     ON CONFLICT (business_id, product_id) DO UPDATE SET delta = excluded.delta`,
		businessId,
		businessId,
	);
	await tx.run(
		"DELETE FROM older_stock WHERE business_id = ? AND delta = 0",
		businessId,
	);
}

/**
 * Returns true if each product's quantity is the sum of its ledger, with what is pending.
 *
 * @param rest awaited before each transaction
 */
export async function isBalanced(
	store: Store,
	businessId: string,
	rest: () => Promise<void>,
): Promise<boolean> {
	for (let after = ""; ; ) {
		await rest();
		const from = after;
		const products = await store.read((tx) =>
			readBalances(tx, businessId, from),
		);
		if (products.some(({ isWrong }) => isWrong)) return false;
		const last = products[summedAtOnce - 1];
		if (!last) return true;
		after = last.id;
	}
}

/** Compares the quantities of the next products with their ledgers. */
async function readBalances(
	tx: Connection,
	businessId: string,
	after: string,
): Promise<{ id: string; isWrong: boolean }[]> {
	const products = await tx.all(
		`SELECT id, quantity - coalesce((SELECT delta FROM older_stock
       WHERE older_stock.business_id = products.business_id AND older_stock.product_id = products.id), 0) AS quantity
     FROM products WHERE business_id = ? AND deleted = 0 AND id > ? ORDER BY id LIMIT ?`,
		...[businessId, after, summedAtOnce],
	);
	const balances: { id: string; isWrong: boolean }[] = [];
	for (const product of products) {
		const id = product.id as string;
		// SQLite finds a product's facts by an id that is given, and reads all facts of the shop for ids from the same query.
		const ledger = await tx.get(
			"SELECT CAST(coalesce(sum(delta), 0) AS BIGINT) AS quantity FROM stock_ledger WHERE business_id = ? AND product_id = ?",
			businessId,
			id,
		);
		balances.push({ id, isWrong: ledger?.quantity !== product.quantity });
	}
	return balances;
}

/** Counts what sales moved that a till doesn't hold any more, or holds again: `sign` is 1 or -1. */
export async function moveOlder(
	tx: Connection,
	businessId: string,
	moves: Iterable<readonly [productId: string, delta: number]>,
	sign: 1 | -1,
): Promise<void> {
	for (const [productId, delta] of moves)
		await tx.run(
			`INSERT INTO older_stock (business_id, product_id, delta) VALUES (?, ?, ?)
       ON CONFLICT (business_id, product_id) DO UPDATE SET delta = older_stock.delta + excluded.delta`,
			...[businessId, productId, sign * delta],
		);
}
