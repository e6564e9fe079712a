import { ShopError } from "../protocol/errors.ts";
import {
	assertSameBusiness,
	assertSameFeed,
	type Change,
	parseCursor,
	type SnapshotResponse,
} from "../protocol/protocol.ts";
import type { Connection, Store } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import { type Pace, storingRestMs } from "./pace.ts";
import { type RowKey, redo, undo } from "./rebase.ts";
import {
	cursorOf,
	notJoining,
	type ReplicaState,
	readState,
	saveFeedPosition,
	saveJoining,
	saveProof,
} from "./replica-state.ts";
import { clearRows, writeOlderFacts, writeSnapshot } from "./server-rows.ts";
import type { Transport } from "./transport.ts";
import { endHistory, knowProducts } from "./window-stock.ts";

/** Each part is stored under the outbox. A shop that brings a long one with it pulls the feed. */
const pendingMax = 1_000;

/** Servers that share a database, asked in turn, could begin with another snapshot for ever. */
const beginningsMax = 3;

/** What joining needs of a replica. */
export interface Joining {
	store: Store;
	businessId: string;
	transport: Pick<Transport, "snapshot" | "olderFacts" | "olderSales">;
	/** Facts stored per transaction: on a till with one thread a cashier waits for each. */
	rowsPerWrite: number;
	pace: Pace;
	onFault(error: unknown): void;
	/** Called with the rows that a commit touched. */
	notify(rows: readonly RowKey[]): void;
}

/**
 * Fills a new till from a snapshot, so that it can sell: products with their stock, without the facts that led to it. A
 * part that is stored is not asked for again, unless the server has let the snapshot go. Does nothing on a till that has
 * pulled before, and with a server that has no snapshots.
 *
 * @throws ShopError `unreachable`, `storage_*`
 */
export async function fillFromSnapshot(joining: Joining): Promise<void> {
	const { store, businessId, transport } = joining;
	if (!transport.snapshot) return;
	const state = await store.read((tx) => readState(tx, businessId));
	if (!isNew(state)) return;
	const mayJoin = await store.read((tx) =>
		outbox.isUnanswered(tx, businessId, pendingMax),
	);
	let answer = mayJoin
		? await transport.snapshot(state.snapshot ?? "", state.snapshotParts)
		: undefined;
	if (!answer && state.snapshot !== null) await giveUp(joining);
	let beginnings = 0;
	while (answer) {
		assertSameBusiness(businessId, answer.businessId);
		assertSameFeed(answer.feed);
		const { cursor, part, parts } = answer;
		const isLast = part + 1 >= parts;
		if (part === 0) beginnings += 1;
		const goesOn = !isLast && beginnings <= beginningsMax;
		// Fetched while this part is stored.
		const [stored, next] = await Promise.allSettled([
			storePart(joining, answer),
			goesOn ? transport.snapshot(cursor, part + 1) : undefined,
		]);
		if (stored.status === "rejected") throw stored.reason;
		if (next.status === "rejected") throw next.reason;
		answer = next.value;
		// The server of the next part knows no snapshots, or each has another one.
		if (!answer && !isLast) await giveUp(joining);
	}
}

/** Forgets the parts that are stored: the feed sums stock by itself. */
async function giveUp({ store, businessId, onFault }: Joining): Promise<void> {
	await store.write(async (tx) => {
		const state = await readState(tx, businessId);
		if (!isNew(state)) return;
		await undo(tx, businessId);
		await clearRows(tx, businessId);
		await saveJoining(tx, businessId, notJoining);
		await redo(tx, businessId, state.position.version, onFault);
	});
}

/** A till that has never pulled. */
function isNew({ position }: ReplicaState): boolean {
	const { epoch, version, resetting } = position;
	return epoch === null && version === 0 && !resetting;
}

async function storePart(
	{ store, businessId, onFault, notify }: Joining,
	{ changes, cursor, part, parts }: SnapshotResponse,
): Promise<void> {
	const at = parseCursor(cursor);
	if (!at)
		throw new ShopError("unreachable", "The server's cursor makes no sense");
	const touched: RowKey[] = [];
	await store.write(
		async (tx) => {
			touched.length = 0;
			const state = await readState(tx, businessId);
			const isNext = part === 0 || isPartAfter(state, cursor, part);
			if (!isNew(state) || !isNext) return;
			await undo(tx, businessId, touched);
			// Rows of another snapshot may be those of a history that the server has lost.
			if (state.snapshot !== cursor) await clearRows(tx, businessId);
			await writeSnapshot(tx, businessId, changes, onFault);
			touched.push(...changes.map(({ entity, id }) => ({ entity, id })));
			const isLast = part + 1 >= parts;
			if (isLast) await knowProducts(tx, businessId);
			await saveJoining(tx, businessId, {
				snapshot: cursor,
				snapshotParts: part + 1,
				historyVersion: isLast ? at.version : null,
			});
			const position = isLast ? { ...at, resetting: false } : state.position;
			await redo(tx, businessId, position.version, onFault, touched);
			await saveFeedPosition(tx, businessId, position);
		},
		{ isLong: true },
	);
	notify(touched);
}

function isPartAfter(
	{ snapshot, snapshotParts }: ReplicaState,
	cursor: string,
	part: number,
): boolean {
	return snapshot === cursor && snapshotParts === part;
}

/**
 * Brings the facts from before the snapshot, newest first, while the till sells. The next ones are fetched while the
 * last ones are stored. Does nothing on a till that has them.
 *
 * @param mayGoOn asked before each block: what the till sells meanwhile goes first
 * @throws ShopError `unreachable`, `storage_*`
 */
export async function bringOlderFacts(
	joining: Joining,
	mayGoOn: () => boolean,
): Promise<void> {
	const { store, businessId, transport, rowsPerWrite, pace } = joining;
	const { olderFacts: fetchFacts } = transport;
	if (!fetchFacts) return;
	const fetchBlock = async (
		asked: string,
		upTo: number,
		{ window }: ReplicaState,
	) => {
		const answer = await fetchFacts(asked, upTo, window.version);
		assertSameBusiness(businessId, answer.businessId);
		assertSameFeed(answer.feed);
		if (!(answer.from < upTo) && !answer.reset)
			throw new ShopError("unreachable", "The server's history doesn't go on");
		return { cursor: asked, ...answer, asked, upTo };
	};
	let fetching: ReturnType<typeof fetchBlock> | undefined;
	while (mayGoOn()) {
		const state = await store.read((tx) => readState(tx, businessId));
		const { historyVersion, position } = state;
		if (historyVersion === null) return;
		const block = await (fetching ??
			fetchBlock(cursorOf(position), historyVersion, state));
		// The next push hears of the new history, and brings all of it.
		if (block.reset) return;
		const { from, changes } = block;
		fetching = from > 0 ? fetchBlock(block.cursor, from, state) : undefined;
		// A failure is thrown once what came before it is stored.
		fetching?.catch(() => {});
		const slices = slicesOf(changes, { from, upTo: block.upTo }, rowsPerWrite);
		for (const slice of slices) {
			await pace.rest(storingRestMs);
			if (await storeSlice(joining, slice, block)) continue;
			fetching = undefined;
			break;
		}
	}
}

/** Facts of the versions after one and up to another. */
interface Slice {
	from: number;
	upTo: number;
	changes: Change[];
}

/** Splits facts into few rows each, the newest first, so that what is stored is whole down to a version. */
export function slicesOf(
	changes: readonly Change[],
	{ from, upTo }: Omit<Slice, "changes">,
	rows: number,
): Slice[] {
	const slices: Slice[] = [];
	let slice: Slice = { from, upTo, changes: [] };
	let last = upTo;
	for (const change of changes.toSorted((a, b) => b.version - a.version)) {
		if (slice.changes.length >= rows && change.version < last) {
			slices.push({ ...slice, from: change.version });
			slice = { from, upTo: change.version, changes: [] };
		}
		slice.changes.push(change);
		last = change.version;
	}
	return [...slices, slice];
}

/**
 * @param answer that the facts are from: its history must be the till's, which keeps the proof of it
 * @returns false if the till has moved on
 */
async function storeSlice(
	{ store, businessId, onFault, notify }: Joining,
	{ from, upTo, changes }: Slice,
	{ asked, cursor }: { asked: string; cursor: string },
): Promise<boolean> {
	const touched: RowKey[] = [];
	const isStored = await store.write(
		async (tx) => {
			touched.length = 0;
			const now = await readState(tx, businessId);
			const isThere = [asked, cursor].includes(cursorOf(now.position));
			if (now.historyVersion !== upTo || !isThere) return false;
			await undo(tx, businessId, touched);
			await writeOlderFacts(tx, businessId, changes, onFault);
			await noteHistory(tx, businessId, now, from);
			await saveProof(tx, businessId, now, cursor);
			const { version } = now.position;
			await redo(tx, businessId, version, onFault, touched);
			touched.push(...changes.map(({ entity, id }) => ({ entity, id })));
			return true;
		},
		{ isLong: true },
	);
	notify(touched);
	return isStored;
}

/** Notes how far back the history goes. With the last facts, sums that lacked some of them are made again. */
async function noteHistory(
	tx: Connection,
	businessId: string,
	state: ReplicaState,
	from: number,
): Promise<void> {
	const { snapshot, snapshotParts } = state;
	if (from > 0) {
		const left = { snapshot, snapshotParts, historyVersion: from };
		await saveJoining(tx, businessId, left);
		return;
	}
	await saveJoining(tx, businessId, notJoining);
	await endHistory(tx, businessId, state);
}
