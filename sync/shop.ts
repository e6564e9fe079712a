import * as z from "zod";
import { argsVersionOf } from "./entities/args-version.ts";
import type { Mutation, ReceiptCounter } from "./entities/entity.ts";
import { assertAllowed } from "./entities/permission.ts";
import { decompress, type MaybeCompressed } from "./feed/compressed-rows.ts";
import { readDigest, readHead } from "./feed/feed.ts";
import { type FeedCacheSize, openFeedCache } from "./feed/feed-cache.ts";
import { openHeadNotifier } from "./feed/head-notifier.ts";
import { openPullQueue } from "./feed/pull-queue.ts";
import { openSingleFlight } from "./feed/single-flight.ts";
import { headCursor } from "./log/chain.ts";
import {
	isForked,
	type KnownDevice,
	registerDevice,
	saveProgress,
	serverDevice,
} from "./log/devices.ts";
import { readHistory, recordHistoryLoss } from "./log/history.ts";
import {
	type Caller,
	findRecorded,
	lockHead,
	PartialWriteError,
	parseArgs,
	progressEvery,
	type RecordOptions,
	recordMutations,
} from "./log/log.ts";
import { showsHistoryLoss } from "./log/lost-history.ts";
import { issueProofKey, type ProofKeyOf } from "./log/proof.ts";
import { toIso } from "./protocol/clock.ts";
import { isStorageError, ShopError } from "./protocol/errors.ts";
import { derivedId, type Env, newId, systemEnv } from "./protocol/ids.ts";
import {
	assertSameBusiness,
	batchMax,
	type DigestResponse,
	formatCursor,
	type MutationMessage,
	type MutationResult,
	type PullResponse,
	type PushRequest,
	type PushResponse,
	parseCursor,
} from "./protocol/protocol.ts";
import { type AskQuery, openAsk } from "./queries/ask.ts";
import { openContext } from "./rows/context.ts";
import type { Connection, Store } from "./store/store.ts";

export type { Caller } from "./log/log.ts";

/** A till that is in step sends no more at once. */
const shortBatchMax = 10;

/** The door to the shops of one database: what everything above the core is given. */
export interface Shop {
	readonly env: Env;
	/** For tables that do not travel; business data is written by mutations and read by queries. */
	readonly store: Store;
	/**
	 * Makes a mutation here and applies it, durably, before it resolves. One whose id is known was made before, and is not
	 * made again.
	 *
	 * @returns it as it was made
	 * @throws ShopError why it was refused; any other error is a fault, and nothing of the mutation holds
	 */
	mutate<Args extends z.ZodType>(
		caller: Caller,
		mutation: Mutation<Args>,
		args: z.input<Args>,
		making?: MutateOptions,
	): Promise<MadeMutation<Args>>;
	/**
	 * Makes many mutations in one transaction: all of them, or none.
	 *
	 * @param onProgress told how many are done, now and then
	 * @throws like `mutate`, for the first that is refused
	 */
	mutateAll(
		caller: Caller,
		batch: MutationBatch,
		onProgress?: (done: number) => void,
	): Promise<void>;
	/**
	 * Takes mutations that were made on this device before, each with its own id, maker and time; each is done once, however
	 * often it is offered.
	 */
	take(
		caller: Caller,
		messages: readonly MutationMessage[],
	): Promise<MutationResult[]>;
	/** Answers a question about the caller's business; `sync/queries` has all of them. */
	readonly ask: AskQuery;
	/**
	 * Calls back after each commit that moved a business's head, and perhaps once more: whoever must know for certain
	 * looks. @returns a function that ends it
	 */
	onHead(businessId: string, listener: (head: number) => void): () => void;
}

/** Options of `mutate`. */
export interface MutateOptions {
	/** From whoever may have to ask again, as it may not hear the answer: a new one where absent. */
	id?: string | undefined;
	/** What else is done in the same transaction, once; where it throws, nothing is made. */
	alongside?: ((tx: Connection) => Promise<void>) | undefined;
}

/** A mutation that was made, its arguments as `prepare` fixed them. */
export interface MadeMutation<Args extends z.ZodType = z.ZodType> {
	id: string;
	at: string;
	args: z.input<Args>;
}

/** A mutation to be made, with its arguments as the caller gives them. */
export interface MutationInput {
	mutation: Mutation;
	args: unknown;
}

/** Mutations for one transaction; or a function that chooses them by what the shop holds then, perhaps called twice. */
type MutationBatch =
	| readonly MutationInput[]
	| ((tx: Connection) => Promise<readonly MutationInput[]>);

interface PullRequest {
	/** The caller's where absent. */
	businessId?: string | undefined;
	cursor?: string | undefined;
	limit?: number | undefined;
}

/** A shop that others sync with. */
export interface SyncServer extends Shop {
	/** The same two for those who send the answer on: rows that many ask for are as they travel. */
	readonly wire: {
		push(
			caller: Caller,
			request: PushRequest,
		): Promise<MaybeCompressed<PushResponse>>;
		pull(
			caller: Caller,
			request: PullRequest,
		): Promise<MaybeCompressed<PullResponse>>;
	};
	/** @throws ShopError `wrong_business`, `too_large`, `storage_*`: nothing of the batch holds */
	push(caller: Caller, request: PushRequest): Promise<PushResponse>;
	pull(caller: Caller, request: PullRequest): Promise<PullResponse>;
	digest(caller: Caller): Promise<DigestResponse>;
	/** The cursor at the head, for one who only wants to hear of what comes next. */
	head(businessId: string): Promise<string>;
}

interface ShopOptions {
	store: Store;
	env?: Env;
	/** Told of each product that a sale takes to its threshold; what it writes holds if the sale does. */
	onLowStock?: RecordOptions["onLowStock"];
	/** Derives the keys with which members prove what they made; without it nobody can. */
	proofKeyOf?: ProofKeyOf;
	/** Told of faults of this program; a mutation that meets one is deferred. */
	onFault?(error: unknown): void;
	/** How much of the feed is kept in memory; a simulation keeps little. */
	feedCacheSize?: FeedCacheSize;
}

export function openShop({
	store,
	env = systemEnv,
	onLowStock,
	proofKeyOf,
	onFault = () => {},
	feedCacheSize,
}: ShopOptions): SyncServer {
	/**
	 * With the epoch it is the device of the server's own receipts. A database that was put back to an older copy has forgotten
	 * how far it had counted: each run of the program counts from 1, under its own prefix.
	 */
	const run = newId(env);
	const heads = openHeadNotifier();
	const tail = openFeedCache(feedCacheSize);
	const pullQueue = openPullQueue();
	const sharedDigest = openSingleFlight<DigestResponse>();
	let isListening = false;

	/** From the first who wants to know on, what other processes announce is heard too. */
	function listen(
		businessId: string,
		listener: (head: number) => void,
	): () => void {
		if (!isListening) store.onAnnounced(hear);
		isListening = true;
		return heads.listen(businessId, listener);
	}

	function hear(note: string | undefined): void {
		try {
			if (note !== undefined) heads.notify(...readNote(note));
			else void tellAll().catch(onFault);
		} catch (error) {
			// Anybody may speak there.
			onFault(error);
		}
	}

	/** Its listeners here, and other processes. */
	function moved(businessId: string, head: number): void {
		if (heads.notify(businessId, head))
			store.announce(JSON.stringify([businessId, head]));
	}

	/** After moves of other processes may have gone unheard. */
	async function tellAll(): Promise<void> {
		for (const businessId of heads.listenedTo())
			heads.notify(
				businessId,
				await store.read((tx) => readHead(tx, businessId)),
			);
	}

	/** What a push writes, in one transaction. */
	async function recordPush(
		tx: Connection,
		caller: Caller,
		request: PushRequest,
		isolate: boolean,
	) {
		const { mutations, deviceId, lastNumber, prefix } = request;
		const now = env.now();
		const { businessId } = caller;
		// A pure pull writes nothing, and so waits for no disk and for nobody.
		const isPull = mutations.length === 0;
		const locked = isPull ? undefined : await lockHead(tx, businessId);
		const { healing, epoch } = await readHistory(tx, now);
		let device: KnownDevice | undefined;
		if (deviceId !== undefined)
			device = await registerDevice(tx, businessId, deviceId, env, prefix);
		const isLost = await showsHistoryLoss(
			tx,
			businessId,
			epoch,
			device,
			request,
		);
		if (isLost) await recordHistoryLoss(tx, env);
		if (
			device &&
			(await isForked(tx, businessId, device, mutations, lastNumber))
		)
			return { forked: true as const };
		if (isLost)
			return { lost: true as const, lastNumber: device?.lastNumber ?? 0 };
		if (locked === undefined) {
			if (device) await saveProgress(tx, businessId, device, request, [], now);
			const head = await readHead(tx, businessId);
			return { results: [], head, prefix: device?.prefix };
		}
		const by = { ...caller, deviceId: deviceId ?? caller.deviceId };
		const recording = {
			caller: by,
			now,
			healing,
			device: { counted: device?.counted },
			isolate,
			onLowStock,
			proofKeyOf,
			onFault,
		};
		const { results, head } = await recordMutations(
			tx,
			locked,
			mutations,
			recording,
		);
		if (device)
			await saveProgress(tx, businessId, device, request, results, now);
		return { results, head, prefix: device?.prefix };
	}

	/** One transaction of mutations that are made here. @param make from the head on, to the head that it returns */
	async function writeOwn<T>(
		caller: Caller,
		make: (
			tx: Connection,
			head: number,
			device: ReceiptCounter,
		) => Promise<{ head: number; result: T }>,
	): Promise<T> {
		const write = store.write(async (tx) => {
			const head = await lockHead(tx, caller.businessId);
			const { epoch } = await readHistory(tx, env.now());
			const deviceId = derivedId(epoch, run);
			const device = serverDevice(tx, caller.businessId, deviceId, env);
			return make(tx, head, device);
		});
		const { head, result } = await write.catch((error) => {
			throw error instanceof PartialWriteError ? error.cause : error;
		});
		moved(caller.businessId, head);
		return result;
	}

	const mutateAll: SyncServer["mutateAll"] = (
		caller,
		made,
		onProgress = () => {},
	) =>
		writeOwn(caller, async (tx, before, device) => {
			let head = before;
			const all = typeof made === "function" ? await made(tx) : made;
			for (const [i, one] of all.entries()) {
				({ head } = await makeMutation(tx, head, caller, one, device));
				if ((i + 1) % progressEvery === 0) onProgress(i + 1);
			}
			return { head, result: undefined };
		});

	function mutate<Args extends z.ZodType>(
		caller: Caller,
		mutation: Mutation<Args>,
		args: z.input<Args>,
		{ id, alongside }: MutateOptions = {},
	): Promise<MadeMutation<Args>> {
		return writeOwn<MadeMutation<Args>>(caller, async (tx, head, device) => {
			const { businessId } = caller;
			const known =
				id !== undefined &&
				(await findRecorded(tx, businessId, id, mutation.name));
			if (known) return { head, result: known as MadeMutation<Args> };
			await alongside?.(tx);
			return makeMutation(tx, head, caller, { mutation, args }, device, id);
		});
	}

	/** @returns the head that it made */
	async function makeMutation(
		tx: Connection,
		before: number,
		caller: Caller,
		{ mutation, args }: MutationInput,
		device: ReceiptCounter,
		id = newId(env),
	): Promise<{ head: number; result: MadeMutation }> {
		assertAllowed(mutation, caller.role);
		parseArgs(mutation, args);
		const at = toIso(env.now());
		const context = openContext(tx, { ...caller, mutationId: id, at });
		const prepared = mutation.prepare
			? await mutation.prepare(context, args, device)
			: args;
		const argsVersion = argsVersionOf(mutation, prepared);
		const message = {
			id,
			name: mutation.name,
			args: prepared,
			argsVersion,
			at,
		};
		const { results, head } = await recordMutations(tx, before, [message], {
			caller,
			now: env.now(),
			healing: false,
			isolate: false,
			onLowStock,
			onFault,
		});
		const error = results[0]?.error;
		if (error) throw new ShopError(error.code, error.message, error.field);
		return { head, result: { id, at, args: prepared } };
	}

	async function readPage(
		caller: Caller,
		cursor: string | undefined,
		limit: number | undefined,
	): Promise<MaybeCompressed<PullResponse>> {
		const from = cursor === undefined ? undefined : parseCursor(cursor);
		const { businessId } = caller;
		const read = () =>
			store.read(async (tx) => {
				const { epoch } = await readHistory(tx, env.now());
				const page = await tail.read(tx, businessId, epoch, from, limit);
				// A first pull asks for the start: that is no reset.
				if (cursor === undefined || cursor === "") delete page.reset;
				const rest = await envelope(tx, caller, epoch);
				return { ...page, cursor: formatCursor(page.cursor), ...rest };
			});
		return tail.isNear(businessId, from) ? read() : pullQueue.read(read);
	}

	/** False for a first pull, and for what is no cursor. */
	function isFarBehind({ businessId }: Caller, cursor = ""): boolean {
		const from = parseCursor(cursor);
		return from !== undefined && !tail.isNear(businessId, from);
	}

	async function envelope(tx: Connection, caller: Caller, epoch: string) {
		const row = await tx.get(
			"SELECT backed_up_to FROM businesses WHERE business_id = ?",
			caller.businessId,
		);
		return {
			businessId: caller.businessId,
			epoch,
			serverNow: toIso(env.now()),
			backedUpTo: Number(row?.backed_up_to ?? 0),
		};
	}

	const wire: SyncServer["wire"] = {
		async push(caller, request) {
			const { mutations, deviceId, cursor, limit } = request;
			assertSameBusiness(caller.businessId, request.businessId);
			if (mutations.length > batchMax)
				throw new ShopError(
					"too_large",
					`At most ${batchMax} mutations at once`,
					"mutations",
				);
			if (mutations.length === 0 && deviceId === undefined)
				return { results: [], ...(await pageAfter(cursor, limit)) };
			const isLong = mutations.length > shortBatchMax;
			const write = (isolate: boolean) =>
				store.write((tx) => recordPush(tx, caller, request, isolate), {
					isLong,
				});
			const record = () =>
				write(false).catch((error) => {
					if (error instanceof PartialWriteError) return write(true);
					// Who brings nothing may look where nothing can be written, not even that it was here.
					if (mutations.length === 0 && isStorageError(error)) return undefined;
					throw error;
				});
			const answer = await (isLong ? pullQueue.push(record) : record());
			if (!answer) return { results: [], ...(await pageAfter(cursor, limit)) };
			if (answer.lost) {
				const { lastNumber } = answer;
				const page = await readPage(caller, undefined, limit || undefined);
				const results = mutations.map((item) => toUndone(item, "history_lost"));
				return { results, lastNumber, ...page, reset: true };
			}
			if (answer.forked)
				return {
					results: mutations.map((item) => toUndone(item, "forked")),
					forked: true,
					...(await pageAfter(undefined, undefined)),
				};
			moved(caller.businessId, answer.head);
			const { results, prefix } = answer;
			return {
				results,
				...(await issueProofKey(store, proofKeyOf, caller, request)),
				...(await pageAfter(cursor, limit)),
				...(prefix === undefined ? {} : { prefix }),
			};

			/** The first page after the cursor where there is one; the envelope always. */
			async function pageAfter(
				from: string | undefined,
				rows: number | undefined,
			) {
				const isLater =
					mutations.length > 0 &&
					pullQueue.isBusy() &&
					isFarBehind(caller, from);
				if (from !== undefined && rows !== 0 && !isLater)
					return readPage(caller, from, rows);
				const rest = await store.read(async (tx) => {
					const { epoch } = await readHistory(tx, env.now());
					return envelope(tx, caller, epoch);
				});
				// What was brought is acknowledged now; what is new is asked for when it is this till's turn.
				return isLater
					? { changes: [], cursor: from, hasMore: true, ...rest }
					: rest;
			}
		},

		async pull(caller, { businessId, cursor, limit }) {
			assertSameBusiness(caller.businessId, businessId);
			return readPage(caller, cursor, limit);
		},
	};

	return {
		env,
		store,
		onHead: listen,
		ask: openAsk({ store, env }),

		mutate,
		mutateAll,
		take: async (caller, messages) => {
			const { results } = await wire.push(caller, { mutations: [...messages] });
			return results;
		},

		wire,
		push: async (caller, request) =>
			decompress(await wire.push(caller, request)),
		pull: async (caller, request) =>
			decompress(await wire.pull(caller, request)),

		digest: ({ businessId }) =>
			sharedDigest(businessId, () =>
				store.read(async (tx) => {
					const { epoch } = await readHistory(tx, env.now());
					const cursor = await headCursor(tx, businessId, epoch);
					return {
						businessId,
						digest: await readDigest(tx, businessId),
						cursor: formatCursor(cursor),
						epoch,
					};
				}),
			),

		async head(businessId) {
			return store.read(async (tx) => {
				const { epoch } = await readHistory(tx, env.now());
				return formatCursor(await headCursor(tx, businessId, epoch));
			});
		},
	};
}

const undoneMessages = {
	forked: "This device's past is not the one that the server knows",
	history_lost: "The server has lost some of what it answered to this device",
};

/** The result of a mutation in a push of which nothing was applied. */
function toUndone(
	mutation: unknown,
	code: keyof typeof undoneMessages,
): MutationResult {
	const { id } = (mutation ?? {}) as Record<string, unknown>;
	return {
		id: typeof id === "string" ? id : null,
		status: "deferred",
		error: { code, message: undoneMessages[code] },
	};
}

/** What one process announces to the others: a business, and its head. */
function readNote(note: string): [string, number] {
	return announced.parse(JSON.parse(note));
}

const announced = z.tuple([z.string(), z.int()]);
