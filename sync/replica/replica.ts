import { readBlockDigest, readSettled } from "../feed/digest-blocks.ts";
import { feedForm } from "../feed/feed-form.ts";
import { noKeyring, type ProofKeyring } from "../log/proof.ts";
import {
	batchRange,
	type LimitRange,
	openAdaptiveLimit,
	pageRange,
} from "../protocol/adaptive-limit.ts";
import {
	type PauseCode,
	pauseAdvice,
	ShopError,
	toPauseCode,
} from "../protocol/errors.ts";
import { type Env, newId, systemEnv } from "../protocol/ids.ts";
import { openAsk } from "../queries/ask.ts";
import type { Shop } from "../shop.ts";
import type { Connection, Store } from "../store/store.ts";
import type { Compared, CompareOptions, DifferenceReport } from "./compare.ts";
import { fillFromSnapshot } from "./join-by-snapshot.ts";
import { openLocalWrites } from "./local-writes.ts";
import * as outbox from "./outbox.ts";
import { noPace, type Pace } from "./pace.ts";
import { PageFetcher } from "./page-fetcher.ts";
import { batchBytesMax } from "./push-outbox.ts";
import { type RowKey, restartFeed } from "./rebase.ts";
import { cursorOf, readState, setState } from "./replica-state.ts";
import { type RowListener, RowNotifier } from "./row-notifier.ts";
import { runSyncRound } from "./sync-round.ts";
import type { Transport } from "./transport.ts";
import { upkeepLater } from "./upkeep-later.ts";

/** Rows stored per rebase: enough for few rebases of a long outbox, and few enough that a cashier does not wait long. */
export const rowsPerWriteMax = 5_000;
const roundsMax = 4;

/** A shop on a local database that works without a server for any time, and syncs with it whenever possible. */
export interface Replica extends Shop {
	readonly businessId: string;
	/**
	 * Calls back with the rows that a commit touched, possibly with duplicates.
	 *
	 * @returns a function that unsubscribes
	 */
	onRows(listener: RowListener): () => void;
	/**
	 * Pushes pending mutations and pulls new rows. A failure loses nothing, and repeating is safe because ids stay the
	 * same.
	 *
	 * @param options.leavesHistory true to leave what `bringHistory` does to the caller
	 * @param options.mayGoOn asked before more pages are pulled; the next sync goes on from there
	 * @throws ShopError `unreachable`, `storage_*`; `unauthorized`, `wrong_business`, which pause it until a sync
	 * succeeds
	 */
	sync(options?: {
		leavesHistory?: boolean;
		mayGoOn?(): boolean;
	}): Promise<void>;
	/**
	 * Brings the history behind a snapshot that this till has joined by. What is stored stays, however often it is
	 * interrupted. Does nothing where all of it is here.
	 *
	 * @param mayGoOn asked before each block of it
	 * @throws like `sync`
	 */
	bringHistory(mayGoOn?: () => boolean): Promise<void>;
	/**
	 * Compares this till's rows with its server's, below what is pending, and puts right what differs.
	 *
	 * @throws ShopError as the transport or the store does
	 */
	compare(options?: CompareOptions): Promise<Compared>;
	status(): Promise<ReplicaStatus>;
	/** Returns true if it has the feed up to a cursor, at the end of a sync that is under way. */
	hasReached(cursor: string): Promise<boolean>;
	/** Ends the pause, after a new sign-in. */
	resume(): Promise<void>;
	/** Returns mutations that wait on this till for a member with permission to sign in. */
	waiting(): Promise<outbox.UnacceptedMutation[]>;
	/** Returns the rejected mutations. */
	rejected(): Promise<outbox.UnacceptedMutation[]>;
	/** Offers a rejected mutation again, as a new one with the same content. */
	retry(mutationId: string): Promise<void>;
	discard(mutationId: string): Promise<void>;
	/**
	 * Makes a discarded mutation rejected again.
	 *
	 * @throws ShopError `not_found`
	 */
	restore(mutationId: string): Promise<void>;
	/** Returns the state of one of this till's mutations, or undefined if the outbox does not have it. */
	stateOf(mutationId: string): Promise<outbox.OutboxState | undefined>;
	digest(): Promise<string>;
}

interface ReplicaStatus {
	deviceId: string;
	/** The prefix of receipt numbers. */
	prefix: string;
	/** How many mutations this device has made. */
	lastNumber: number;
	pending: number;
	rejected: number;
	/** Why the sync is paused. Null if it is not. */
	paused: PauseCode | null;
	lastSyncAt: string | null;
	/** False while a till that sells already still gets the shop's older sales. */
	hasHistory: boolean;
	/** When rows that differed from the server's were last put right, and how many. Null if none ever differed. */
	healed: { at: string; rows: number } | null;
	/** Milliseconds to add to this device's clock to get the server's. */
	clockOffsetMs: number;
}

interface ReplicaOptions {
	store: Store;
	businessId: string;
	transport: Transport;
	/** Its version, which the server shows to the shop's owner. */
	program?: string;
	env?: Env;
	/** Without one, its mutations carry no proofs. */
	keyring?: ProofKeyring;
	/** It holds the sales of so many days before today; older ones stay on the server. Default: everything. */
	windowDays?: number | undefined;
	/** Rows per page. */
	pages?: LimitRange;
	/** Rows stored per transaction. A simulation stores few. */
	rowsPerWrite?: number;
	/** Default: none of its work waits. */
	pace?: Pace;
	/** Maximum bytes of a batch. A simulation sends few. */
	batchBytes?: number;
	onFault?(error: unknown): void;
	/** Receives what a comparison found, to log it. */
	onDifference?(report: DifferenceReport): void;
}

export async function openReplica({
	store,
	businessId,
	transport,
	program,
	env = systemEnv,
	keyring = noKeyring,
	windowDays,
	pages = pageRange,
	rowsPerWrite = rowsPerWriteMax,
	pace = noPace,
	batchBytes = batchBytesMax,
	onFault = () => {},
	onDifference = () => {},
}: ReplicaOptions): Promise<Replica> {
	const notifier = new RowNotifier(businessId);
	const round = {
		store,
		businessId,
		transport,
		program,
		env,
		keyring,
		windowDays,
		batchSize: openAdaptiveLimit(batchRange),
		batchBytes,
		fetcher: new PageFetcher(transport, businessId, pages, rowsPerWrite),
		rowsPerWrite,
		pace,
		onFault,
		notify: (rows: readonly RowKey[]) => notifier.notify(rows),
	};
	let syncing: Promise<void> | undefined;
	let bringing: Promise<void> | undefined;
	const ask = openAsk({ store, env }, { isReplica: true });
	const upkeep = upkeepLater({ ...round, ask, onDifference });

	await store.write((tx) => initialize(tx, businessId, env, onFault));

	async function syncRounds(mayGoOn: () => boolean): Promise<void> {
		await fillFromSnapshot(round);
		for (let i = 0; i < roundsMax; i += 1)
			if (await runSyncRound({ ...round, mayGoOn })) return;
		throw new ShopError("unreachable", "The server's history keeps changing");
	}

	/** Notes an error that pauses the sync. */
	async function pausing(work: Promise<void>): Promise<void> {
		try {
			await work;
		} catch (error) {
			const code = error instanceof ShopError && toPauseCode(error.code);
			if (!code) throw error;
			await store.write((tx) => setState(tx, businessId, "paused", code));
			throw new ShopError(code, pauseAdvice[code], undefined, { cause: error });
		}
	}

	function bringHistory(mayGoOn = () => true): Promise<void> {
		bringing ??= pausing(upkeep.fill(mayGoOn)).finally(() => {
			bringing = undefined;
		});
		return bringing;
	}

	return {
		env,
		store,
		businessId,
		...openLocalWrites({ store, businessId, env, keyring, notifier }),
		ask: upkeep.ask,
		onHead: notifier.onHead,
		onRows: notifier.onRows,

		async sync({ leavesHistory = false, mayGoOn = () => true } = {}) {
			syncing ??= pausing(syncRounds(mayGoOn)).finally(() => {
				syncing = undefined;
			});
			await syncing;
			if (!leavesHistory) await bringHistory();
		},
		bringHistory,
		compare: upkeep.compare,
		status: () => store.read((tx) => readStatus(tx, businessId)),
		async hasReached(cursor) {
			await syncing?.catch(() => {});
			const { position } = await store.read((tx) => readState(tx, businessId));
			return cursorOf(position) === cursor;
		},
		resume: () => store.write((tx) => setState(tx, businessId, "paused", null)),

		waiting: () => store.read((tx) => outbox.readWaiting(tx, businessId)),
		rejected: () => store.read((tx) => outbox.readRejected(tx, businessId)),
		stateOf: (mutationId) =>
			store.read((tx) => outbox.readEntryState(tx, businessId, mutationId)),
		digest: () =>
			readSettled(store, businessId, (tx, kept) =>
				readBlockDigest(tx, businessId, kept),
			),
	};
}

/** Makes the database a replica of the business, and restarts the feed if this program can read more of it. */
async function initialize(
	tx: Connection,
	businessId: string,
	env: Env,
	onFault: (error: unknown) => void,
): Promise<void> {
	await tx.run(
		"INSERT INTO replica (business_id, device_id, feed_form) VALUES (?, ?, ?) ON CONFLICT (business_id) DO NOTHING",
		businessId,
		newId(env),
		feedForm(),
	);
	const state = await readState(tx, businessId);
	if (state.feedForm !== feedForm()) await restartFeed(tx, businessId, onFault);
}

async function readStatus(
	tx: Connection,
	businessId: string,
): Promise<ReplicaStatus> {
	const state = await readState(tx, businessId);
	const { deviceId, prefix, lastNumber } = state;
	const { paused, lastSyncAt, clockOffsetMs, historyVersion, healed } = state;
	const counts = await outbox.countStates(tx, businessId);
	return {
		...{ deviceId, prefix, lastNumber, ...counts },
		...{ paused, lastSyncAt, clockOffsetMs },
		hasHistory: historyVersion === null,
		healed,
	};
}
