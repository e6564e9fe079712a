import { refund } from "../entities/refund.ts";
import { sale } from "../entities/sale.ts";
import { blockOf, forgetSums } from "../feed/digest-blocks.ts";
import { listUnneeded } from "../feed/older-sales.ts";
import { addDays } from "../protocol/clock.ts";
import type { Env } from "../protocol/ids.ts";
import {
	assertSameBusiness,
	assertSameFeed,
	type Change,
	type OlderSalesResponse,
} from "../protocol/protocol.ts";
import { businessToday } from "../queries/business.ts";
import { forgetTallies, windowDays } from "../queries/tallies.ts";
import { eraseRow, readRow, selectRows } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import type { Compared } from "./compare.ts";
import { bringOlderFacts, type Joining } from "./join-by-snapshot.ts";
import { storingRestMs } from "./pace.ts";
import { type RowKey, redo, undo } from "./rebase.ts";
import {
	cursorOf,
	noWindow,
	type ReplicaState,
	readState,
	saveJoining,
	saveProof,
	saveWindow,
	type Window,
} from "./replica-state.ts";
import { overwrite } from "./server-rows.ts";
import { compareRows, keyOf, openFound } from "./verify.ts";
import { moveOlder } from "./window-stock.ts";

/*
 * A till may hold a window: all records, all payments and movements of stock, and of the sales those of its last days.
 *
 *        older sales                             the till's days
 *   ──────────────────────────────────────┬───────────────────────────────
 *   on the server; here only those that   │  all here
 *   something needs, or somebody opened   │
 *                               window.version, at the end of a block
 *
 * The window moves once a day. Its border is a version, so that blocks of the digest are here whole or not at all.
 */

/** More than the days that are asked for: a moment and its business day may be two days apart. */
const slackDays = 3;
/** Sales that are stored or let go in one transaction, which is as long as a sale may have to wait. */
const salesAtOnce = 50;

export interface Windowed extends Joining {
	env: Env;
	/** The days of its window. Undefined for everything. */
	windowDays: number | undefined;
	/** Compares the till's rows with the server's. */
	compare(): Promise<Compared>;
}

/** The window of a till. */
export interface TillWindow {
	/**
	 * Moves the window to today, brings what belongs in it, and lets go of sales that have left it. Does nothing that it
	 * has done today.
	 *
	 * @param mayGoOn asked before each block, and before each transaction
	 * @throws ShopError `unreachable`, `storage_*`
	 */
	fill(mayGoOn: () => boolean): Promise<void>;
	/**
	 * Brings a sale from before the window, with its refunds.
	 *
	 * @returns false if the server has none, or one that the feed is still to bring
	 * @throws ShopError `unreachable`
	 */
	bring(saleId: string): Promise<boolean>;
}

export function openWindow(windowed: Windowed): TillWindow {
	const { store, businessId, transport, env, onFault, notify } = windowed;
	const { windowDays: days, pace, compare } = windowed;
	/** A day on which the till differed from its server. */
	let givenUp: string | undefined;
	let isLetGo = false;
	/** What refunds and open items up to this version name is here. */
	let whole = 0;

	const read = () => store.read((tx) => readState(tx, businessId));

	/** Moves the window, and brings the older sales that are needed. */
	async function move(mayGoOn: () => boolean): Promise<void> {
		const state = await read();
		const { position, window } = state;
		if (position.epoch === null || position.resetting) return;
		if (days === undefined) {
			if (window.version > 0) await widen(state);
			return;
		}
		const day = await store.read((tx) => firstDay(tx, state, days));
		const isMissing = await store.read((tx) =>
			lacksSales(tx, businessId, window, whole),
		);
		// Before it lets sales go, it asks whether the server's history is still the same.
		const isMoved = window.asked === day;
		if (givenUp === day) return;
		if (isMoved && !isMissing) {
			// While somebody sells none is let go, and this would be asked after each sale.
			if (isLetGo || !mayGoOn()) return;
			isLetGo = !(await store.read((tx) =>
				hasUnneeded(tx, businessId, window),
			));
			if (isLetGo) return;
		}
		const cursor = cursorOf(position);
		const answer = await ask({ cursor, since: day });
		if (!answer) return;
		// What leaves the window is compared no more. A till that begins to join has none of that yet.
		const isEmpty =
			window.day === null && answer.window <= (state.historyVersion ?? 0);
		const leaves = answer.window > window.version && !isEmpty;
		const found = leaves ? await compare() : "same";
		if (found === "different") givenUp = day;
		if (found !== "same") return;
		await keep({ version: answer.window, day, asked: day }, answer, state);
		isLetGo &&= isMoved;
		whole = position.version;
	}

	/** Everything is to be here again. */
	async function widen(state: ReplicaState): Promise<void> {
		await store.write(async (tx) => {
			await bringAgain(tx, businessId, state);
			await saveWindow(tx, businessId, noWindow);
		});
	}

	async function firstDay(
		tx: Connection,
		{ clockOffsetMs }: ReplicaState,
		days: number,
	): Promise<string> {
		const now = env.now() + clockOffsetMs;
		const today = await businessToday.run({ tx, businessId, now }, {});
		return addDays(today.day, -days - slackDays);
	}

	/** @returns undefined if the server knows no windows, or has another history */
	async function ask(
		request: Parameters<NonNullable<typeof transport.olderSales>>[0],
	): Promise<OlderSalesResponse | undefined> {
		const answer = await transport.olderSales?.(request);
		if (!answer || answer.reset) return undefined;
		assertSameBusiness(businessId, answer.businessId);
		assertSameFeed(answer.feed);
		return answer;
	}

	/**
	 * Stores older sales below what is pending, if the till is still in that history, and moves the window once all are
	 * here. What is newer than the till's place comes by the feed, which moves the stock by it.
	 *
	 * @param asked where the till was then
	 * @returns false if nothing was to be stored
	 */
	async function keep(
		window: Window | undefined,
		{ changes, cursor }: OlderSalesResponse,
		asked: ReplicaState,
	): Promise<boolean> {
		const { epoch, version } = asked.position;
		const older = changes.filter((change) => change.version <= version);
		const parts = partsOf(older);
		for (const [i, part] of parts.entries()) {
			const isLast = i === parts.length - 1;
			if (!isLast && (await store.read((tx) => areHere(tx, businessId, part))))
				continue;
			if (parts.length > 1) await pace.rest(storingRestMs);
			const touched: RowKey[] = [];
			const isStored = await store.write(async (tx) => {
				touched.length = 0;
				const state = await readState(tx, businessId);
				const { position } = state;
				if (position.epoch !== epoch || position.resetting) return false;
				await undo(tx, businessId, touched);
				if (window && isLast) await moveWindow(tx, businessId, state, window);
				if (cursor !== undefined && position.proof === asked.position.proof)
					await saveProof(tx, businessId, state, cursor);
				const border = (window ?? state.window).version;
				const added = await addSales(tx, businessId, part, border, onFault);
				touched.push(...added);
				await redo(tx, businessId, position.version, onFault, touched);
				return true;
			});
			if (!isStored) return false;
			notify(touched);
		}
		return older.length > 0;
	}

	async function letGo(mayGoOn: () => boolean): Promise<void> {
		while (!isLetGo && mayGoOn()) {
			const { window, historyVersion, position } = await read();
			if (historyVersion !== null || position.resetting) return;
			await pace.rest(storingRestMs);
			const gone = await store.write((tx) =>
				letSalesGo(tx, businessId, window),
			);
			isLetGo = gone === 0;
			if (isLetGo) notify([]);
		}
	}

	return {
		async fill(mayGoOn) {
			await move(mayGoOn);
			await bringOlderFacts(windowed, mayGoOn);
			await letGo(mayGoOn);
		},
		async bring(saleId) {
			const state = await read();
			const { position } = state;
			if (position.epoch === null) return false;
			const answer = await ask({ cursor: cursorOf(position), saleId });
			return answer !== undefined && keep(undefined, answer, state);
		},
	};
}

/**
 * Returns true if a refund after a version, or what waits to be sorted out since, names a sale that is not here, or if a
 * shift has come since that is open and may have begun before the window: the sales of a shift name it.
 */
async function lacksSales(
	tx: Connection,
	businessId: string,
	{ version, day }: Window,
	after: number,
): Promise<boolean> {
	const known = Math.max(version, after);
	const begun = day === null ? "" : addDays(day, slackDays);
	const found = await tx.get(
		`SELECT 1 AS missing FROM shifts WHERE business_id = ? AND version > ? AND report_id IS NULL AND deleted = 0
       AND business_day < ?
     UNION ALL SELECT 1 FROM (
       SELECT business_id, sale_id FROM refunds WHERE business_id = ? AND version > ? AND deleted = 0
       UNION ALL SELECT business_id, sale_id FROM inbox_items WHERE business_id = ? AND version > ? AND deleted = 0
         AND sale_id IS NOT NULL AND resolution IS NULL) AS naming
     WHERE NOT EXISTS (SELECT 1 FROM sales WHERE sales.business_id = naming.business_id AND sales.id = naming.sale_id) LIMIT 1`,
		...[businessId, known, begun],
		...[businessId, known, businessId, known],
	);
	return found !== undefined;
}

/** What has left the window before is brought again. */
async function bringAgain(
	tx: Connection,
	businessId: string,
	{ snapshot, snapshotParts, historyVersion, window }: ReplicaState,
): Promise<void> {
	await saveJoining(tx, businessId, {
		...{ snapshot, snapshotParts },
		historyVersion: Math.max(historyVersion ?? 0, window.version),
	});
}

async function moveWindow(
	tx: Connection,
	businessId: string,
	state: ReplicaState,
	window: Window,
): Promise<void> {
	const { window: before } = state;
	if (window.version < before.version) await bringAgain(tx, businessId, state);
	// With the same border, the days that were here before still are.
	else if (window.version === before.version && before.day !== null) {
		await saveWindow(tx, businessId, { ...before, asked: window.asked });
		return;
	}
	await saveWindow(tx, businessId, window);
	await eraseLoneRefunds(tx, businessId, window);
	const sums = await tx.get(
		"SELECT window_day FROM tallies WHERE business_id = ?",
		businessId,
	);
	// The window of products' sums moves by facts that are about to go.
	const first = sums && addDays(sums.window_day as string, -windowDays);
	if (first !== undefined && first < (window.day ?? ""))
		await forgetTallies(tx, businessId);
}

/** A refund of a sale that has been let go may leave the window before it could bring the sale along. */
async function eraseLoneRefunds(
	tx: Connection,
	businessId: string,
	{ version }: Window,
): Promise<void> {
	const lone = await tx.all(
		`SELECT id FROM refunds WHERE business_id = ? AND version >= 1 AND version <= ? AND NOT EXISTS (
       SELECT 1 FROM sales WHERE sales.business_id = refunds.business_id AND sales.id = refunds.sale_id)`,
		...[businessId, version],
	);
	for (const { id } of lone)
		await eraseRow(tx, refund, businessId, id as string);
}

/** Divides sales by transactions, each with its refunds. The last part may be empty. */
function partsOf(changes: readonly Change[]): Change[][] {
	const bySale = Map.groupBy(changes, ({ entity, id, row }) =>
		entity === sale.name ? id : row?.saleId,
	);
	const sales = [...bySale.values()];
	const parts = [sales.splice(0, salesAtOnce).flat()];
	while (sales.length > 0) parts.push(sales.splice(0, salesAtOnce).flat());
	return parts;
}

async function areHere(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
): Promise<boolean> {
	const found = openFound();
	await compareRows(tx, businessId, changes, found);
	return found.differences.size === 0;
}

/**
 * Writes the server's sales with their refunds where they are not here, or otherwise. Stock counts them already.
 *
 * @param border up to this version, the window leaves out what nothing needs
 */
async function addSales(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	border: number,
	onFault: (error: unknown) => void,
): Promise<RowKey[]> {
	const found = openFound();
	await compareRows(tx, businessId, changes, found);
	const added = changes.filter(({ entity, id }) =>
		found.differences.has(keyOf(entity, id)),
	);
	const { historyVersion } = await readState(tx, businessId);
	const count = async (sign: 1 | -1) => {
		for (const { entity, id } of added) {
			const isCounted = entity === sale.name && historyVersion === null;
			const here = isCounted && (await readRow(tx, sale, businessId, id));
			if (here) await moveOlder(tx, businessId, movesOf(here.row), sign);
		}
	};
	await count(1);
	await overwrite(tx, businessId, added, onFault);
	// Inserted rows change no kept sum.
	const blocks = added.map(({ version }) => blockOf(version));
	await forgetSums(tx, businessId, new Set(blocks));
	await count(-1);
	// A refund was summed without its sale.
	if (changes.some(({ version }) => version > border) && added.length > 0)
		await forgetTallies(tx, businessId);
	return added.map(({ entity, id }) => ({ entity, id }));
}

const movesOf = (row: Parameters<NonNullable<typeof sale.movesStock>>[0]) =>
	(sale.movesStock?.(row) ?? []).map(
		({ productId, delta }) => [productId, delta] as const,
	);

async function hasUnneeded(
	tx: Connection,
	businessId: string,
	{ version }: Window,
): Promise<boolean> {
	return (await listUnneeded(tx, businessId, version, 1)).length > 0;
}

/** @returns how many sales have gone */
async function letSalesGo(
	tx: Connection,
	businessId: string,
	{ version }: Window,
): Promise<number> {
	const ids = await listUnneeded(tx, businessId, version, salesAtOnce);
	if (ids.length === 0) return 0;
	const marks = ids.map(() => "?").join(", ");
	const sales = await selectRows(
		tx,
		sale,
		businessId,
		`AND id IN (${marks})`,
		...ids,
	);
	const moves = new Map<string, number>();
	for (const { row } of sales)
		for (const [productId, delta] of movesOf(row))
			moves.set(productId, (moves.get(productId) ?? 0) + delta);
	await moveOlder(tx, businessId, moves, 1);
	const refunds = await selectRows(
		tx,
		refund,
		businessId,
		`AND sale_id IN (${marks})`,
		...ids,
	);
	for (const { row } of refunds) await eraseRow(tx, refund, businessId, row.id);
	for (const id of ids) await eraseRow(tx, sale, businessId, id);
	return ids.length;
}
