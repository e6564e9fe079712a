import type * as z from "zod";
import type { Mutation } from "../entities/entity.ts";
import { assertAllowed } from "../entities/permission.ts";
import { readDigest } from "../feed/feed.ts";
import { feedForm } from "../feed/feed-form.ts";
import { openHeadNotifier } from "../feed/head-notifier.ts";
import {
	type Caller,
	findRecorded,
	parseArgs,
	progressEvery,
} from "../log/log.ts";
import { resubmitLostFacts } from "../log/lost-facts.ts";
import { makeProof, noKeyring, type ProofKeyring } from "../log/proof.ts";
import {
	batchRange,
	type LimitRange,
	openAdaptiveLimit,
	pageRange,
} from "../protocol/adaptive-limit.ts";
import { toIso } from "../protocol/clock.ts";
import {
	type PauseCode,
	pauseAdvice,
	ShopError,
	toPauseCode,
} from "../protocol/errors.ts";
import { type Env, newId, systemEnv } from "../protocol/ids.ts";
import {
	assertSameBusiness,
	type MutationResult,
	type Page,
	type PushResponse,
	parseCursor,
} from "../protocol/protocol.ts";
import { openAsk } from "../queries/ask.ts";
import type { MadeMutation, MutateOptions, Shop } from "../shop.ts";
import type { Connection, Store } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import { batchBytesMax, pushOutbox } from "./push-outbox.ts";
import {
	apply,
	markUnconfirmed,
	type RowKey,
	redo,
	restartFeed,
	sweepUnconfirmed,
	unconfirmed,
	undo,
	writeChanges,
} from "./rebase.ts";
import { readState, takeNewDevice } from "./replica-state.ts";
import { splitPages } from "./split-pages.ts";
import { openTillLog, type TillLog } from "./till-log.ts";
import type { Transport } from "./transport.ts";

/** Rows that are stored with one rebase: fewer rebases over a long outbox, and yet no long wait for who sells meanwhile. */
export const gatherMax = 5_000;
/** Of them: fewer are not worth a rebase, even where nothing else is to be done meanwhile. */
const worthwhileShare = 0.4;
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

type RowListener = (rows: readonly RowKey[]) => void;

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
	gatherRows?: number;
	/** How many bytes are sent at once; a simulation sends few. */
	batchBytes?: number;
	onFault?(error: unknown): void;
}

/** Pages that follow each other, for one transaction. */
interface Gathered {
	pages: Page[];
	/** The last of them, or the one before where none came. */
	last: Page;
	backedUpTo?: number;
	failure?: { reason: unknown };
}

export async function openReplica({
	store,
	businessId,
	transport,
	env = systemEnv,
	keyring = noKeyring,
	pages = pageRange,
	gatherRows = gatherMax,
	batchBytes = batchBytesMax,
	onFault = () => {},
}: ReplicaOptions): Promise<Replica> {
	const heads = openHeadNotifier();
	let syncing: Promise<void> | undefined;
	let changes = 0;
	const rowListeners = new Set<RowListener>();
	const pageRows = openAdaptiveLimit(pages);
	const batchSize = openAdaptiveLimit(batchRange);

	await store.write(async (tx) => {
		await tx.run(
			"INSERT INTO replica (business_id, device_id, feed_form) VALUES (?, ?, ?) ON CONFLICT (business_id) DO NOTHING",
			businessId,
			newId(env),
			feedForm(),
		);
		const state = await readState(tx, businessId);
		if (state.feedForm !== feedForm())
			await restartFeed(tx, businessId, onFault);
	});

	/** One transaction; whoever watches hears which rows it touched, where it changed anything. */
	async function writeTold<T>(
		write: (tx: Connection, touched: RowKey[]) => Promise<T>,
		isNews: (result: T) => boolean = () => true,
	): Promise<T> {
		const { result, touched } = await store.write(async (tx) => {
			// Each run has its own: what a run touched that was undone is as it was.
			const touched: RowKey[] = [];
			return { result: await write(tx, touched), touched };
		});
		if (isNews(result)) told(touched);
		return result;
	}

	/** One transaction of this till's own mutations. */
	function writeOwn<T>(
		write: (log: TillLog, tx: Connection) => Promise<T>,
		isNews?: (result: T) => boolean,
	): Promise<T> {
		return writeTold(async (tx, touched) => {
			const state = await readState(tx, businessId);
			const till = { ...state, proofKey: keyring.read() };
			return write(openTillLog(tx, env, businessId, till, touched), tx);
		}, isNews);
	}

	async function mutate<Args extends z.ZodType>(
		caller: Caller,
		mutation: Mutation<Args>,
		args: z.input<Args>,
		{ id, alongside }: MutateOptions = {},
	): Promise<MadeMutation<Args>> {
		assertAllowed(mutation, caller.role);
		parseArgs(mutation, args);
		return writeOwn(async (log, tx) => {
			const known =
				id !== undefined &&
				(await findRecorded(tx, businessId, id, mutation.name));
			if (known) return known as MadeMutation<Args>;
			await alongside?.(tx);
			return log.make(caller, mutation, args, id);
		});
	}

	async function syncRounds(): Promise<void> {
		try {
			for (let round = 0; round < roundsMax; round += 1)
				if (await syncRound()) return;
		} catch (error) {
			const code = error instanceof ShopError && toPauseCode(error.code);
			if (!code) throw error;
			await store.write((tx) => set(tx, "paused", code));
			throw new ShopError(code, pauseAdvice[code], undefined, { cause: error });
		}
		throw new ShopError("unreachable", "The server's history keeps changing");
	}

	/** @returns false where the server's history or this device's identity changed, so that there is more to send */
	async function syncRound(): Promise<boolean> {
		const answer = await inReach((rows) =>
			pushOutbox({
				store,
				businessId,
				transport,
				env,
				batchSize,
				batchBytes,
				rows,
				keyring,
			}),
		);
		if (answer.forked) {
			await beginAnew();
			return false;
		}
		const first = toPage(answer);
		let { backedUpTo } = answer;
		let isNews = answer.results.some(({ status }) => status !== "deferred");
		const touched: RowKey[] = [];
		let isWhole = true;
		let gathering: Promise<Gathered> | undefined = Promise.resolve({
			pages: [first],
			last: first,
		});
		try {
			while (gathering) {
				const gathered: Gathered = await gathering;
				const { pages, last, failure } = gathered;
				backedUpTo = gathered.backedUpTo ?? backedUpTo;
				if (pages.some(({ changes }) => changes.length > 0)) isNews = true;
				let isStoring = true;
				const storing = takeAll(pages, touched).finally(() => {
					isStoring = false;
				});
				// While these are stored, the next ones are on their way.
				gathering =
					!failure && last.hasMore ? gather(last, () => isStoring) : undefined;
				const [taken] = await Promise.allSettled([storing, gathering]);
				if (taken.status === "rejected") throw taken.reason;
				if (taken.value) isWhole = false;
				if (failure) throw failure.reason;
			}
			await store.write(async (tx) => {
				await outbox.prune(tx, businessId, backedUpTo, env.now());
				await set(tx, "last_sync_at", toIso(env.now()));
				await set(tx, "paused", null);
			});
			return isWhole;
		} finally {
			// What was stored before the line broke does not come again.
			if (isNews) told(touched);
		}
	}

	/** Asks for as much as the line bears; for no more than before where it comes sooner than it is stored. */
	async function inReach<T extends Partial<Page>>(
		ask: (rows: number) => Promise<T>,
		isStoring = () => false,
	): Promise<T> {
		const rows = pageRows.count;
		try {
			const answer = await ask(rows);
			const hasWaited = !isStoring();
			if (hasWaited && answer.hasMore && answer.changes?.length)
				pageRows.grow();
			return answer;
		} catch (error) {
			if (error instanceof ShopError && error.code === "unreachable")
				pageRows.shrink(rows);
			throw error;
		}
	}

	/**
	 * Pulls what follows a page, for as long as others are stored and not more than is stored at once; what came before the
	 * line broke is a step on the way.
	 */
	async function gather(
		after: Page,
		isStoring: () => boolean,
	): Promise<Gathered> {
		const gathered: Gathered = { pages: [], last: after };
		let rows = 0;
		try {
			do {
				const { cursor } = gathered.last;
				const pulled = await inReach(
					(rows) => transport.pull(cursor, rows),
					isStoring,
				);
				assertSameBusiness(businessId, pulled.businessId);
				gathered.backedUpTo = pulled.backedUpTo;
				gathered.last = pulled;
				gathered.pages.push(pulled);
				rows += pulled.changes.length;
			} while (
				gathered.last.hasMore &&
				rows < (isStoring() ? gatherRows : gatherRows * worthwhileShare)
			);
		} catch (reason) {
			gathered.failure = { reason };
		}
		return gathered;
	}

	/** @returns true where the server's history was another one */
	async function takeAll(
		pages: readonly Page[],
		touched: RowKey[],
	): Promise<boolean> {
		let wasReset = false;
		for (const group of splitPages(pages, gatherRows)) {
			const taken = await takePages(group);
			for (const key of taken.touched) touched.push(key);
			if (taken.wasReset) wasReset = true;
		}
		return wasReset;
	}

	/**
	 * Stores whole pages and rebases, in one transaction.
	 *
	 * @returns the rows that this touched, and whether the server's history was another one
	 */
	async function takePages(
		pages: readonly Page[],
	): Promise<{ touched: RowKey[]; wasReset: boolean }> {
		return store.write(async (tx) => {
			const touched: RowKey[] = [];
			const state = await readState(tx, businessId);
			let { epoch, resetting } = state;
			let wasReset = false;
			await undo(tx, businessId, touched);
			let version = state.cursorVersion;
			let proof = state.cursorProof;
			for (const page of pages) {
				const cursor = parseCursor(page.cursor);
				if (!cursor)
					throw new ShopError(
						"unreachable",
						"The server's cursor makes no sense",
					);
				if (page.reset) {
					await markUnconfirmed(tx, businessId);
					await outbox.reoffer(tx, businessId);
					resetting = true;
					wasReset = true;
				}
				await writeChanges(tx, businessId, page.changes, onFault);
				touched.push(...page.changes.map(({ entity, id }) => ({ entity, id })));
				epoch = cursor.epoch;
				version = cursor.version;
				proof = cursor.proof;
				if (resetting && !page.hasMore) {
					await resubmitLostFacts(tx, businessId, unconfirmed, onFault);
					await sweepUnconfirmed(tx, businessId);
					resetting = false;
				}
			}
			await redo(tx, businessId, version, onFault, touched);
			await tx.run(
				"UPDATE replica SET epoch = ?, cursor_version = ?, cursor_proof = ?, resetting = ? WHERE business_id = ?",
				epoch,
				version,
				proof,
				Number(resetting),
				businessId,
			);
			return { touched, wasReset };
		});
	}

	/** This till was restored from an old copy, or cloned: it goes on as a new device, and fetches everything again. */
	async function beginAnew(): Promise<void> {
		await store.write(async (tx) => {
			await takeNewDevice(tx, businessId, newId(env));
			await restartFeed(tx, businessId, onFault);
		});
	}

	async function set(
		tx: Connection,
		column: "paused" | "last_sync_at",
		value: string | null,
	): Promise<void> {
		await tx.run(
			`UPDATE replica SET ${column} = ? WHERE business_id = ?`,
			value,
			businessId,
		);
	}

	/** Listeners hear a count of changes: a replica has no head of its own. */
	function told(rows: readonly RowKey[]): void {
		changes += 1;
		for (const listener of rowListeners) listener(rows);
		heads.notify(businessId, changes);
	}

	return {
		env,
		store,
		businessId,
		mutate,
		ask: openAsk({ store, env }, { isReplica: true }),
		mutateAll: async (caller, made, onProgress) => {
			await writeOwn(async (log, tx) => {
				const all = typeof made === "function" ? await made(tx) : made;
				for (const { mutation, args } of all) {
					assertAllowed(mutation, caller.role);
					parseArgs(mutation, args);
				}
				for (const [i, { mutation, args }] of all.entries()) {
					await log.make(caller, mutation, args);
					if ((i + 1) % progressEvery === 0) onProgress?.(i + 1);
				}
			});
		},
		take: (caller, messages) =>
			writeOwn(async (log) => {
				const results: MutationResult[] = [];
				for (const message of messages)
					results.push(await log.take(caller, message));
				return results;
			}, hasNew),
		onHead: heads.listen,
		onRows(listener) {
			rowListeners.add(listener);
			return () => rowListeners.delete(listener);
		},

		sync() {
			syncing ??= syncRounds().finally(() => {
				syncing = undefined;
			});
			return syncing;
		},

		status: () =>
			store.read(async (tx) => {
				const state = await readState(tx, businessId);
				const { deviceId, prefix, lastNumber } = state;
				const { paused, lastSyncAt, clockOffsetMs } = state;
				const counts = await outbox.countStates(tx, businessId);
				return {
					...{ deviceId, prefix, lastNumber, ...counts },
					...{ paused, lastSyncAt, clockOffsetMs },
				};
			}),

		resume: () => store.write((tx) => set(tx, "paused", null)),

		waiting: () => store.read((tx) => outbox.readWaiting(tx, businessId)),
		rejected: () => store.read((tx) => outbox.readRejected(tx, businessId)),

		retry: (mutationId) =>
			writeTold(async (tx, touched) => {
				const entry = await outbox.discard(
					tx,
					businessId,
					mutationId,
					env.now(),
				);
				const { deviceId } = await readState(tx, businessId);
				const made = { ...entry, id: newId(env), deviceId };
				// Its maker may prove it anew.
				const key = keyring.read();
				const proof =
					key?.userId === made.userId ? makeProof(key, made) : undefined;
				await tx.savepoint(() => apply(tx, businessId, made, touched));
				await outbox.append(tx, businessId, made, proof, {
					isNew: false,
				});
			}),

		restore: (mutationId) =>
			writeTold((tx) => outbox.restore(tx, businessId, mutationId)),
		stateOf: (mutationId) =>
			store.read((tx) => outbox.readEntryState(tx, businessId, mutationId)),

		async discard(mutationId) {
			await store.write((tx) =>
				outbox.discard(tx, businessId, mutationId, env.now()),
			);
		},

		digest: () => store.read((tx) => readDigest(tx, businessId)),
	};
}

/** Whether any was taken that was not here. */
const hasNew = (results: readonly MutationResult[]) =>
	results.some(({ status, duplicate }) => status === "applied" && !duplicate);

function toPage({ changes, cursor, hasMore, reset }: PushResponse): Page {
	if (!changes || cursor === undefined || hasMore === undefined)
		throw new ShopError("unreachable", "The server sent no page");
	return { changes, cursor, hasMore, reset };
}
