import { readDigest } from "../feed/feed.ts";
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
import { openLocalWrites } from "./local-writes.ts";
import * as outbox from "./outbox.ts";
import { PageFetcher } from "./page-fetcher.ts";
import { batchBytesMax } from "./push-outbox.ts";
import { type RowKey, restartFeed } from "./rebase.ts";
import { readState, setState } from "./replica-state.ts";
import { type RowListener, RowNotifier } from "./row-notifier.ts";
import { runSyncRound } from "./sync-round.ts";
import type { Transport } from "./transport.ts";

/** Rows that are stored with one rebase: fewer rebases over a long outbox, and yet no long wait for who sells meanwhile. */
export const rowsPerWriteMax = 5_000;
const roundsMax = 4;

/** A shop on a local database that works for ever by itself, and is in step with a server whenever it can be. */
export interface Replica extends Shop {
	readonly businessId: string;
	/** Calls back with the rows that a commit touched, some perhaps twice. @returns a function that ends it */
	onRows(listener: RowListener): () => void;
	/**
	 * Sends what is unsent and fetches what is new. Any failure keeps everything; the same ids make a repeat safe.
	 *
	 * @throws ShopError `unreachable`, `storage_*`; `unauthorized`, `wrong_business` (then it is paused until a sync succeeds)
	 */
	sync(): Promise<void>;
	status(): Promise<ReplicaStatus>;
	/** Forgets why it is paused, after a new sign-in. */
	resume(): Promise<void>;
	/** Mutations that the server leaves with this till until a member who may bring them signs in. */
	waiting(): Promise<outbox.UnacceptedMutation[]>;
	/** The mutations that the server refused. */
	rejected(): Promise<outbox.UnacceptedMutation[]>;
	/** Offers a refused mutation again, as a new one with the same content. */
	retry(mutationId: string): Promise<void>;
	discard(mutationId: string): Promise<void>;
	/** Takes a discarded mutation back among the refused ones. @throws ShopError `not_found` */
	restore(mutationId: string): Promise<void>;
	/** Where a mutation of this till's stands; undefined for one that is not, or no longer, in its outbox. */
	stateOf(mutationId: string): Promise<outbox.OutboxState | undefined>;
	digest(): Promise<string>;
}

interface ReplicaStatus {
	deviceId: string;
	/** What receipts begin with. */
	prefix: string;
	/** How many mutations this device has made. */
	lastNumber: number;
	pending: number;
	rejected: number;
	/** Why it does not sync, where it does not. */
	paused: PauseCode | null;
	lastSyncAt: string | null;
	/** How far the server's clock is ahead of this device's. */
	clockOffsetMs: number;
}

interface ReplicaOptions {
	store: Store;
	businessId: string;
	transport: Transport;
	env?: Env;
	/** Without one its mutations carry no proofs. */
	keyring?: ProofKeyring;
	/** How many rows are asked for at once. */
	pages?: LimitRange;
	/** How many rows are stored in one transaction; a simulation stores few. */
	rowsPerWrite?: number;
	/** How many bytes are sent at once; a simulation sends few. */
	batchBytes?: number;
	onFault?(error: unknown): void;
}

export async function openReplica({
	store,
	businessId,
	transport,
	env = systemEnv,
	keyring = noKeyring,
	pages = pageRange,
	rowsPerWrite = rowsPerWriteMax,
	batchBytes = batchBytesMax,
	onFault = () => {},
}: ReplicaOptions): Promise<Replica> {
	const notifier = new RowNotifier(businessId);
	const round = {
		store,
		businessId,
		transport,
		env,
		keyring,
		batchSize: openAdaptiveLimit(batchRange),
		batchBytes,
		fetcher: new PageFetcher(transport, businessId, pages, rowsPerWrite),
		rowsPerWrite,
		onFault,
		notify: (rows: readonly RowKey[]) => notifier.notify(rows),
	};
	let syncing: Promise<void> | undefined;

	await store.write((tx) => initialize(tx, businessId, env, onFault));

	async function syncRounds(): Promise<void> {
		try {
			for (let i = 0; i < roundsMax; i += 1)
				if (await runSyncRound(round)) return;
		} catch (error) {
			const code = error instanceof ShopError && toPauseCode(error.code);
			if (!code) throw error;
			await store.write((tx) => setState(tx, businessId, "paused", code));
			throw new ShopError(code, pauseAdvice[code], undefined, { cause: error });
		}
		throw new ShopError("unreachable", "The server's history keeps changing");
	}

	return {
		env,
		store,
		businessId,
		...openLocalWrites({ store, businessId, env, keyring, notifier }),
		ask: openAsk({ store, env }, { isReplica: true }),
		onHead: notifier.onHead,
		onRows: notifier.onRows,

		sync() {
			syncing ??= syncRounds().finally(() => {
				syncing = undefined;
			});
			return syncing;
		},
		status: () => store.read((tx) => readStatus(tx, businessId)),
		resume: () => store.write((tx) => setState(tx, businessId, "paused", null)),

		waiting: () => store.read((tx) => outbox.readWaiting(tx, businessId)),
		rejected: () => store.read((tx) => outbox.readRejected(tx, businessId)),
		stateOf: (mutationId) =>
			store.read((tx) => outbox.readEntryState(tx, businessId, mutationId)),
		digest: () => store.read((tx) => readDigest(tx, businessId)),
	};
}

/** Makes the database a replica of the business, and reads the feed again where this program knows more of it. */
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
	const { paused, lastSyncAt, clockOffsetMs } = state;
	const counts = await outbox.countStates(tx, businessId);
	return {
		...{ deviceId, prefix, lastNumber, ...counts },
		...{ paused, lastSyncAt, clockOffsetMs },
	};
}
