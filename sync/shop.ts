import type * as z from "zod";
import type { Mutation } from "./entities/entity.ts";
import { decompress, type MaybeCompressed } from "./feed/compressed-rows.ts";
import {
	lastBlock,
	readBlockDigest,
	readBlocks,
	readSettled,
	readStockSum,
	versionsOf,
} from "./feed/digest-blocks.ts";
import { readChanges } from "./feed/feed.ts";
import type { FeedCacheSize } from "./feed/feed-cache.ts";
import { HeadAnnouncer } from "./feed/head-announcer.ts";
import { PageReader } from "./feed/page-reader.ts";
import { openSingleFlight } from "./feed/single-flight.ts";
import type { SnapshotSize } from "./feed/snapshots.ts";
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
	type BlockRowsResponse,
	type BlocksResponse,
	batchMax,
	type DigestResponse,
	feedVersion,
	formatCursor,
	type MutationMessage,
	type MutationResult,
	type OlderFactsRequest,
	type OlderFactsResponse,
	type OlderSalesRequest,
	type OlderSalesResponse,
	type PullResponse,
	type PushRequest,
	type PushResponse,
	type SnapshotRequest,
	type SnapshotResponse,
} from "./protocol/protocol.ts";
import { type AskQuery, openAsk } from "./queries/ask.ts";
import type { Connection, Store } from "./store/store.ts";

export type { Caller } from "./log/log.ts";

/** A till in sync sends no more mutations than this at once. */
const shortBatchMax = 10;

/** The interface of the shops in one database, for everything above the core. */
export interface Shop {
	readonly env: Env;
	/** For tables that do not sync. Business data is written by mutations and read by queries. */
	readonly store: Store;
	/**
	 * Makes a mutation here and applies it durably before it resolves. A mutation whose id is known is not made again.
	 *
	 * @returns the mutation as it was made
	 * @throws ShopError why it was refused; any other error is a bug, and everything was rolled back
	 */
	mutate<Args extends z.ZodType>(
		caller: Caller,
		mutation: Mutation<Args>,
		args: z.input<Args>,
		making?: MutateOptions,
	): Promise<MadeMutation<Args>>;
	/**
	 * Makes many mutations in one transaction: all or none.
	 *
	 * @param onProgress receives the number of mutations made, now and then
	 * @throws like `mutate`, for the first that is refused
	 */
	mutateAll(
		caller: Caller,
		batch: MutationBatch,
		onProgress?: (done: number) => void,
	): Promise<void>;
	/**
	 * Takes over mutations that this device made earlier, each with its own id, maker and time. Each is done once,
	 * however often it is offered.
	 */
	take(
		caller: Caller,
		messages: readonly MutationMessage[],
	): Promise<MutationResult[]>;
	/** Answers a query about the caller's business; `sync/queries` has all of them. */
	readonly ask: AskQuery;
	/**
	 * Calls back after each commit that moved a business's head, and possibly once more.
	 *
	 * @returns a function that unsubscribes
	 */
	onHead(businessId: string, listener: (head: number) => void): () => void;
}

/** Options of `mutate`. */
export interface MutateOptions {
	/** The mutation's id, so that a caller who got no answer can repeat the call. Default: a new one. */
	id?: string | undefined;
	/** The member who makes it, if another session carries it. The server ignores an id of no member. Default: the caller. */
	by?: string | undefined;
	/** True if a person is there to approve what goes beyond the maker's limits. */
	asksApproval?: boolean | undefined;
	/** Runs once in the same transaction. If it throws, nothing is made. */
	alongside?: ((tx: Connection) => Promise<void>) | undefined;
}

/** A mutation that was made, with the arguments that `prepare` completed. */
export interface MadeMutation<Args extends z.ZodType = z.ZodType> {
	id: string;
	at: string;
	args: z.input<Args>;
}

/** A mutation to make, with its arguments in wire form. */
export interface MutationInput {
	mutation: Mutation;
	args: unknown;
}

/** Mutations for one transaction, or a function that chooses them by the shop's content; it may be called twice. */
type MutationBatch =
	| readonly MutationInput[]
	| ((tx: Connection) => Promise<readonly MutationInput[]>);

interface PullRequest {
	/** Default: the caller's business. */
	businessId?: string | undefined;
	cursor?: string | undefined;
	limit?: number | undefined;
}

/** A shop that tills sync with. */
export interface SyncServer extends Shop {
	/** Like `push` and `pull`, but rows that many tills pull may come compressed, ready to send. */
	readonly compressed: {
		push(
			caller: Caller,
			request: PushRequest,
		): Promise<MaybeCompressed<PushResponse>>;
		pull(
			caller: Caller,
			request: PullRequest,
		): Promise<MaybeCompressed<PullResponse>>;
		/** Returns a part of a snapshot, for a till that joins. */
		snapshot(
			caller: Caller,
			request: SnapshotRequest,
		): Promise<MaybeCompressed<SnapshotResponse>>;
		/** Returns the facts before those that a till has, newest first. */
		olderFacts(
			caller: Caller,
			request: OlderFactsRequest,
		): Promise<MaybeCompressed<OlderFactsResponse>>;
		/** Returns where a till's window begins, with the older sales that are needed; or one sale. */
		olderSales(
			caller: Caller,
			request: OlderSalesRequest,
		): Promise<OlderSalesResponse>;
	};
	/** @throws ShopError `wrong_business`, `too_large`, `storage_*`: everything was rolled back */
	push(caller: Caller, request: PushRequest): Promise<PushResponse>;
	pull(caller: Caller, request: PullRequest): Promise<PullResponse>;
	/** @param window facts up to this version don't count */
	digest(caller: Caller, window?: number): Promise<DigestResponse>;
	/** Returns the digest with the sum of each block of versions. */
	blocks(caller: Caller, window?: number): Promise<BlocksResponse>;
	/** Returns the rows that last changed in a block of versions. */
	blockRows(caller: Caller, block: number): Promise<BlockRowsResponse>;
	/** Returns the cursor at the head, for a client that only wants later rows. */
	head(businessId: string): Promise<string>;
}

interface ShopOptions {
	store: Store;
	env?: Env;
	/** Called in a mutation's transaction with everything that members may be notified of. */
	onNotice?: RecordOptions["onNotice"];
	/** Derives the keys with which members sign proofs. Without it, no proof is valid. */
	proofKeyOf?: ProofKeyOf;
	/** Receives bugs of this program; a mutation that hits one is deferred. */
	onFault?(error: unknown): void;
	/** Memory of the feed cache. A simulation uses little. */
	feedCacheSize?: FeedCacheSize;
	/** A simulation's parts and blocks are small. */
	snapshotSize?: SnapshotSize;
}

export function openShop({
	store,
	env = systemEnv,
	onNotice,
	proofKeyOf,
	onFault = () => {},
	feedCacheSize,
	snapshotSize,
}: ShopOptions): SyncServer {
	const heads = new HeadAnnouncer(store, onFault);
	const pages = new PageReader(store, env, feedCacheSize, snapshotSize);
	const digests = openSingleFlight<DigestResponse>();
	const blocksOf = openSingleFlight<BlocksResponse>();

	const blocks: SyncServer["blocks"] = ({ businessId }, window = 0) =>
		blocksOf(`${window} ${businessId}`, () =>
			readSettled(store, businessId, async (tx) => {
				const sums = await readBlocks(tx, businessId, window);
				const { digest, blocks } = sums;
				const stock = await readStockSum(tx, businessId);
				const head = await headOf(tx, businessId);
				const asked = window > 0 ? { window } : {};
				return { businessId, digest, blocks, stock, ...head, ...asked };
			}),
		);

	/** @returns undefined if nothing could be written, for a push that only reads */
	function record(caller: Caller, request: PushRequest, isLong: boolean) {
		const write = (isolate: boolean) =>
			store.write(
				(tx) =>
					recordPush(tx, env, caller, request, {
						...{ isolate, onNotice, proofKeyOf, onFault },
					}),
				{ isLong },
			);
		return write(false).catch((error) => {
			if (error instanceof PartialWriteError) return write(true);
			// An empty push is a read: on a full disk, it is served without updating the device's last sync.
			if (request.mutations.length === 0 && isStorageError(error))
				return undefined;
			throw error;
		});
	}

	async function headOf(tx: Connection, businessId: string) {
		const { epoch } = await readHistory(tx, env.now());
		const cursor = formatCursor(await headCursor(tx, businessId, epoch));
		return { cursor, epoch };
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

		snapshot: (caller, request) => pages.readSnapshot(caller, request),
		olderFacts: (caller, request) => pages.readOlderFacts(caller, request),
		olderSales: (caller, request) => pages.readOlderSales(caller, request),
	};

	return {
		env,
		store,
		onHead: heads.listen,
		ask: openAsk({ store, env }),
		...openServerWrites({
			...{ store, env, onNotice, onFault },
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

		async digest(caller, window = 0) {
			const { businessId } = caller;
			if (window > 0) {
				const { blocks: _, ...digest } = await blocks(caller, window);
				return digest;
			}
			return digests(businessId, () =>
				readSettled(store, businessId, async (tx, kept) => ({
					businessId,
					digest: await readBlockDigest(tx, businessId, kept),
					stock: await readStockSum(tx, businessId),
					...(await headOf(tx, businessId)),
				})),
			);
		},
		blocks,

		blockRows: ({ businessId }, block) =>
			store.read(async (tx) => ({
				businessId,
				changes: await readChanges(
					tx,
					businessId,
					...versionsOf(Math.min(block, lastBlock)),
				),
				...(await headOf(tx, businessId)),
				feed: feedVersion,
			})),

		head: (businessId) =>
			store.read(async (tx) => (await headOf(tx, businessId)).cursor),
	};
}
