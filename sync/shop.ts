import type * as z from "zod";
import type { Mutation } from "./entities/entity.ts";
import { decompress, type MaybeCompressed } from "./feed/compressed-rows.ts";
import { readDigest } from "./feed/feed.ts";
import type { FeedCacheSize } from "./feed/feed-cache.ts";
import { HeadAnnouncer } from "./feed/head-announcer.ts";
import { PageReader } from "./feed/page-reader.ts";
import { openSingleFlight } from "./feed/single-flight.ts";
import { headCursor } from "./log/chain.ts";
import { readHistory } from "./log/history.ts";
import {
	type Caller,
	PartialWriteError,
	type RecordOptions,
} from "./log/log.ts";
import { issueProofKey, type ProofKeyOf } from "./log/proof.ts";
import { recordPush, toUndone } from "./log/record-push.ts";
import { openServerWrites } from "./log/server-writes.ts";
import { isStorageError, ShopError } from "./protocol/errors.ts";
import { type Env, systemEnv } from "./protocol/ids.ts";
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
} from "./protocol/protocol.ts";
import { type AskQuery, openAsk } from "./queries/ask.ts";
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
	/** Like `push` and `pull`, for a server that sends the answer on: rows that many tills ask for may come compressed. */
	readonly compressed: {
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
	const heads = new HeadAnnouncer(store, onFault);
	const pages = new PageReader(store, env, feedCacheSize);
	const digests = openSingleFlight<DigestResponse>();

	/** @returns undefined where nothing could be written, and nothing had to be */
	function record(caller: Caller, request: PushRequest, isLong: boolean) {
		const write = (isolate: boolean) =>
			store.write(
				(tx) =>
					recordPush(tx, env, caller, request, {
						...{ isolate, onLowStock, proofKeyOf, onFault },
					}),
				{ isLong },
			);
		return write(false).catch((error) => {
			if (error instanceof PartialWriteError) return write(true);
			// An empty push is a read: a full disk serves it without noting that the device was here.
			if (request.mutations.length === 0 && isStorageError(error))
				return undefined;
			throw error;
		});
	}

	const compressed: SyncServer["compressed"] = {
		async push(caller, request) {
			const { mutations, deviceId, cursor, limit } = request;
			assertSameBusiness(caller.businessId, request.businessId);
			if (mutations.length > batchMax)
				throw new ShopError(
					"too_large",
					`At most ${batchMax} mutations at once`,
					"mutations",
				);
			const hasPushed = mutations.length > 0;
			const pageAfter = (from: string | undefined) =>
				pages.readPageAfterPush(caller, from, limit, hasPushed);
			if (!hasPushed && deviceId === undefined)
				return { results: [], ...(await pageAfter(cursor)) };
			const isLong = mutations.length > shortBatchMax;
			const outcome = await (isLong
				? pages.afterPush(() => record(caller, request, isLong))
				: record(caller, request, isLong));
			if (!outcome) return { results: [], ...(await pageAfter(cursor)) };
			if (outcome.status === "history_lost") {
				const { status, lastNumber } = outcome;
				const page = await pages.readPage(
					caller,
					undefined,
					limit || undefined,
				);
				const results = mutations.map((item) => toUndone(item, status));
				return { results, lastNumber, ...page, reset: true };
			}
			if (outcome.status === "forked") {
				const results = mutations.map((item) => toUndone(item, "forked"));
				return { results, forked: true, ...(await pageAfter(undefined)) };
			}
			const { results, head, prefix } = outcome;
			heads.announce(caller.businessId, head);
			return {
				results,
				...(await issueProofKey(store, proofKeyOf, caller, request)),
				...(await pageAfter(cursor)),
				...(prefix === undefined ? {} : { prefix }),
			};
		},

		async pull(caller, { businessId, cursor, limit }) {
			assertSameBusiness(caller.businessId, businessId);
			return pages.readPage(caller, cursor, limit);
		},
	};

	return {
		env,
		store,
		onHead: heads.listen,
		ask: openAsk({ store, env }),
		...openServerWrites({
			...{ store, env, onLowStock, onFault },
			announce: (businessId, head) => heads.announce(businessId, head),
		}),
		take: async (caller, messages) => {
			const mutations = [...messages];
			const { results } = await compressed.push(caller, { mutations });
			return results;
		},

		compressed,
		push: async (caller, request) =>
			decompress(await compressed.push(caller, request)),
		pull: async (caller, request) =>
			decompress(await compressed.pull(caller, request)),

		digest: ({ businessId }) =>
			digests(businessId, () =>
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

		head: (businessId) =>
			store.read(async (tx) => {
				const { epoch } = await readHistory(tx, env.now());
				return formatCursor(await headCursor(tx, businessId, epoch));
			}),
	};
}
