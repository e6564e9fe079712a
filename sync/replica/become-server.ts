import { entities } from "../entities/index.ts";
import {
	type StockMovement,
	stockMovement,
} from "../entities/stock-movement.ts";
import { forgetBlocks } from "../feed/digest-blocks.ts";
import { beginNewHistory } from "../log/history.ts";
import { resubmitLostFacts } from "../log/lost-facts.ts";
import { prefixOf } from "../log/prefix.ts";
import { addDays, toIso } from "../protocol/clock.ts";
import { derivedId, type Env } from "../protocol/ids.ts";
import type { MutationMessage } from "../protocol/protocol.ts";
import { forgetTallies } from "../queries/tallies.ts";
import { insertRow, storageOf } from "../rows/rows.ts";
import { setMeta } from "../store/meta.ts";
import type { Connection } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import { undo } from "./rebase.ts";
import { type ReplicaState, readState } from "./replica-state.ts";
import { sweepUnconfirmed, unconfirmed } from "./server-rows.ts";
import { balanceStock } from "./window-stock.ts";

/** What only a till has, and what its server never told it. */
const tillTables = [
	"outbox",
	"base_rows",
	"replica",
	"carts",
	"pin_attempts",
	"devices",
];
/** Rows of what was answered shortly before the till last synced may not have come any more. */
const slackMs = 60_000;

const endless = Number.MAX_SAFE_INTEGER;
const longAgo = "1970-01-01T00:00:00.000Z";

/** The till that a server was made from. */
export interface FormerTill {
	businessId: string;
	deviceId: string;
	/** Null if it has never fetched the whole shop. */
	lastSyncAt: string | null;
	/** The first day of its window: older sales are missing. Null if it held everything. */
	windowDay: string | null;
	/** The till's own mutations, in order: the server has yet to record them, as if the till had pushed them. */
	mutations: MutationMessage[];
}

/**
 * Turns a till's database into its server's, as of the till's cursor: the server's rows stay, with their versions. What the
 * till made itself is taken off them and returned, because a server knows a row and its mutation together: recorded under its
 * own id, each mutation of the till is answered as a duplicate when the till brings it again.
 *
 * The new epoch makes every till fetch the shop again and offer what it has kept.
 *
 * @param onFault receives a row that no mutation can make
 * @returns undefined if the database is not a till's that has begun to fetch its shop
 */
export async function becomeServer(
	tx: Connection,
	env: Env,
	onFault: (error: unknown) => void,
): Promise<FormerTill | undefined> {
	const found = await tx.get(
		"SELECT businesses.business_id FROM replica JOIN businesses ON businesses.business_id = replica.business_id",
	);
	if (!found) return undefined;
	const businessId = found.business_id as string;
	const state = await readState(tx, businessId);
	const { deviceId, lastSyncAt, clockOffsetMs } = state;
	await undo(tx, businessId);
	const { resetting } = state.position;
	if (resetting) await endReset(tx, businessId, onFault);
	const wholeAt = (!resetting && lastSyncAt) || longAgo;
	const syncedAt = Date.parse(wholeAt) + clockOffsetMs;
	const windowDay = await fixOlderStock(tx, businessId, state, syncedAt);
	const mutations = await takeMutations(tx, businessId, state);
	for (const table of tillTables)
		await tx.run(`DELETE FROM ${table} WHERE business_id = ?`, businessId);
	await tx.run(
		"UPDATE businesses SET head = ?, link = NULL, backed_up_to = 0 WHERE business_id = ?",
		await settleVersions(tx, businessId, state.position.version),
		businessId,
	);
	await forgetTallies(tx, businessId);
	// New rows change no kept sum.
	await forgetBlocks(tx, businessId);
	await registerTills(tx, businessId, state, toIso(env.now()));
	await tx.run(
		"DELETE FROM meta WHERE key IN ('backed_up_at', 'backup_disk', 'backed_up_heads', 'till_window_day')",
	);
	await setMeta(tx, "till_synced_at", toIso(Math.max(0, syncedAt - slackMs)));
	if (windowDay !== null) await setMeta(tx, "till_window_day", windowDay);
	await beginNewHistory(tx, env);
	return { businessId, deviceId, lastSyncAt, windowDay, mutations };
}

/**
 * Writes what the sales that the till's window left out had moved as a movement of each product, so that every till sums up to
 * the same stock. A till whose history was still arriving lacks facts of any day, and its stock counts all of them.
 *
 * @returns the first day of the window. Null for a till that held everything
 */
async function fixOlderStock(
	tx: Connection,
	businessId: string,
	{ window, historyVersion, position }: ReplicaState,
	syncedAt: number,
): Promise<string | null> {
	const isArriving = historyVersion !== null && !position.resetting;
	if (isArriving) await balanceStock(tx, businessId);
	const day = isArriving ? dayAfter(syncedAt) : window.day;
	const older = await tx.all(
		"SELECT product_id, delta FROM older_stock WHERE business_id = ?",
		businessId,
	);
	await tx.run("DELETE FROM older_stock WHERE business_id = ?", businessId);
	// A reset brings the whole shop.
	if (day === null || position.resetting) return null;
	const createdAt = isArriving ? toIso(syncedAt) : `${day}T00:00:00.000Z`;
	for (const { product_id, delta } of older) {
		const productId = product_id as string;
		const row = {
			...{ productId, delta: Number(delta), reason: "adjustment" as const },
			...{ note: `Sales before ${day}`, saleId: null, itemId: null },
			...{ userId: null, createdAt },
		};
		if (row.delta !== 0)
			await insertUnderNewId(tx, businessId, row, `before ${day}`);
	}
	return day;
}

/** Writes a movement, which may follow one of a server that was built on the same day and lost. */
async function insertUnderNewId(
	tx: Connection,
	businessId: string,
	movement: Omit<StockMovement, "id">,
	which: string,
): Promise<void> {
	for (let others = 0; ; others += 1) {
		const also = others === 0 ? "" : ` and ${others}`;
		const id = derivedId(movement.productId, which + also);
		const row = { ...movement, id };
		const stored = { row, version: 1, deleted: false };
		if (await insertRow(tx, stockMovement, businessId, stored)) return;
	}
}

/** The first day that had begun nowhere. */
const dayAfter = (ms: number) => addDays(toIso(ms).slice(0, 10), 2);

/**
 * Ends a reset that a till was in the middle of. Rows that its server had not sent again may be in no other place, so they
 * stay, but sales, refunds and deliveries are made again by mutations: the server may have sent some of them under other movements.
 */
async function endReset(
	tx: Connection,
	businessId: string,
	onFault: (error: unknown) => void,
): Promise<void> {
	await resubmitLostFacts(tx, businessId, unconfirmed, onFault);
	const kept = ["businesses", "categories", "products", "reviews"];
	for (const table of [...kept, "stock_movements"])
		await tx.run(
			`UPDATE ${table} SET version = 0 WHERE business_id = ? AND version = ?
        ${table === "stock_movements" ? "AND sale_id IS NULL AND delivery_id IS NULL" : ""}`,
			businessId,
			unconfirmed,
		);
	await sweepUnconfirmed(tx, businessId);
}

/**
 * Takes the till's mutations out of its log and its outbox. Those that the server rejected stay in the log, with the reason.
 *
 * @returns the others
 */
async function takeMutations(
	tx: Connection,
	businessId: string,
	{ clockOffsetMs }: ReplicaState,
): Promise<MutationMessage[]> {
	await outbox.reoffer(tx, businessId);
	const entries = await outbox.nextBatch(tx, businessId, 0, endless, endless);
	// The sender is the server's owner, who needs no proof.
	const messages = entries.map(
		(entry): MutationMessage =>
			JSON.parse(outbox.toJson({ ...entry, proof: null }, clockOffsetMs)),
	);
	await tx.run(
		`DELETE FROM stored_mutations WHERE business_id = ? AND id NOT IN
      (SELECT mutation_id FROM outbox WHERE business_id = ? AND state IN ('rejected', 'discarded') AND error IS NOT NULL)`,
		businessId,
		businessId,
	);
	await tx.run(
		`UPDATE stored_mutations SET status = 'rejected', version = NULL, link = NULL, error =
      (SELECT error FROM outbox WHERE outbox.business_id = stored_mutations.business_id AND mutation_id = stored_mutations.id)
      WHERE business_id = ?`,
		businessId,
	);
	return messages;
}

/** Gives rows that no server has confirmed a version. @returns the newest version */
async function settleVersions(
	tx: Connection,
	businessId: string,
	cursorVersion: number,
): Promise<number> {
	let newest = Math.max(cursorVersion, 1);
	for (const entity of entities) {
		const { table, scope } = storageOf(entity);
		await tx.run(
			`UPDATE ${table} SET version = 1 WHERE ${scope} AND version < 1`,
			businessId,
		);
		const row = await tx.get(
			`SELECT max(version) AS newest FROM ${table} WHERE ${scope}`,
			businessId,
		);
		newest = Math.max(newest, Number(row?.newest ?? 0));
	}
	return newest;
}

interface Printed {
	prefix: string;
	deviceId: string | null;
	since: string;
	until: string;
}

/**
 * Registers the tills whose receipts this one has seen, so that no other device gets their prefixes. How far their mutations
 * have come is forgotten, so that they offer all that they keep.
 */
async function registerTills(
	tx: Connection,
	businessId: string,
	{ deviceId, prefix }: ReplicaState,
	now: string,
): Promise<void> {
	const own = { prefix, deviceId, since: now, until: now };
	const printed = await readPrinted(tx, businessId);
	for (const { prefix, deviceId, since, until } of [own, ...printed])
		await tx.run(
			`INSERT INTO devices (business_id, id, prefix, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING`,
			businessId,
			// The device of the lost server's own receipts: nobody knows its id.
			deviceId ?? derivedId(businessId, prefix),
			prefix,
			since,
			until,
		);
}

/**
 * Reads which device printed which prefix. A sale that one till brought back for another names the first, and a device whose
 * prefix was another's has a longer one now: so the prefix must be its device's first candidate, and no other of them printed.
 */
async function readPrinted(
	tx: Connection,
	businessId: string,
): Promise<Printed[]> {
	const rows = await tx.all(
		`SELECT device_id, substr(receipt_number, 1, instr(receipt_number, '-') - 1) AS prefix,
        min(created_at) AS since, max(created_at) AS until
      FROM sales WHERE business_id = ? AND receipt_number IS NOT NULL GROUP BY 1, 2`,
		businessId,
	);
	const printed = rows
		.map((row) => ({
			prefix: row.prefix as string,
			deviceId: row.device_id as string | null,
			since: row.since as string,
			until: row.until as string,
		}))
		.filter(({ prefix }) => /^[A-Z]{1,8}$/.test(prefix));
	const isOf = (deviceId: string | null, prefix: string, tries: number) =>
		deviceId !== null && prefixOf(businessId, deviceId, tries) === prefix;
	const renamed = new Set(
		printed
			.filter(({ prefix, deviceId }) => isOf(deviceId, prefix, 1))
			.map(({ deviceId }) => deviceId),
	);
	return printed.filter(
		({ prefix, deviceId }) =>
			deviceId === null ||
			(isOf(deviceId, prefix, 0) && !renamed.has(deviceId)),
	);
}
