import { cursorUpTo, isOwnCursor, readChainHead } from "../log/chain.ts";
import { readHistory } from "../log/history.ts";
import type { Caller } from "../log/log.ts";
import { toIso } from "../protocol/clock.ts";
import type { Env } from "../protocol/ids.ts";
import {
	feedVersion,
	formatCursor,
	type OlderFactsRequest,
	type OlderFactsResponse,
	type OlderSalesRequest,
	type OlderSalesResponse,
	type PullResponse,
	parseCursor,
	type SnapshotRequest,
	type SnapshotResponse,
} from "../protocol/protocol.ts";
import type { Connection, Store } from "../store/store.ts";
import type { MaybeCompressed } from "./compressed-rows.ts";
import { type FeedCacheSize, openFeedCache } from "./feed-cache.ts";
import { readNeededSales, readSale, windowVersion } from "./older-sales.ts";
import { openPullQueue } from "./pull-queue.ts";
import { type SnapshotSize, Snapshots } from "./snapshots.ts";

/** No sale is as late. */
const noDay = "9999-12-31";

type Envelope = Pick<
	PullResponse,
	"businessId" | "epoch" | "serverNow" | "backedUpTo" | "feed"
>;
/** The answer to a push without its results: a page, or only the envelope. */
type PageOrEnvelope = MaybeCompressed<PullResponse> | Envelope;

/** Reads pages of the feed for tills, from the cache if possible, and otherwise one at a time. */
export class PageReader {
	readonly #store: Store;
	readonly #env: Env;
	readonly #cache;
	readonly #queue = openPullQueue();
	readonly #snapshots;

	constructor(
		store: Store,
		env: Env,
		cacheSize: FeedCacheSize | undefined,
		snapshotSize: SnapshotSize | undefined,
	) {
		this.#store = store;
		this.#env = env;
		this.#cache = openFeedCache(cacheSize);
		this.#snapshots = new Snapshots(snapshotSize);
	}

	/** Runs a push of a long batch. Reads far behind the head wait for it. */
	afterPush<T>(push: () => Promise<T>): Promise<T> {
		return this.#queue.push(push);
	}

	/** @param cursor undefined or empty for a first pull */
	async readPage(
		caller: Caller,
		cursor: string | undefined,
		limit: number | undefined,
	): Promise<MaybeCompressed<PullResponse>> {
		const from = cursor === undefined ? undefined : parseCursor(cursor);
		const { businessId } = caller;
		const read = () =>
			this.#store.read(async (tx) => {
				const { epoch } = await readHistory(tx, this.#env.now());
				const page = await this.#cache.read(tx, businessId, epoch, from, limit);
				// A first pull asks for the start, so it is not a reset.
				if (cursor === undefined || cursor === "") delete page.reset;
				const envelope = await this.#readEnvelope(tx, caller, epoch);
				return { ...page, cursor: formatCursor(page.cursor), ...envelope };
			});
		return this.#cache.isNear(businessId, from)
			? read()
			: this.#queue.read(read);
	}

	/**
	 * Reads the page of the answer to a push.
	 *
	 * @param limit 0 for only the envelope
	 * @param hasPushed whether the push had mutations: it is then answered at once while long batches are pushed, and a
	 * page far behind the head is left to the till's next pull
	 */
	async readPageAfterPush(
		caller: Caller,
		cursor: string | undefined,
		limit: number | undefined,
		hasPushed: boolean,
	): Promise<PageOrEnvelope> {
		const isLater =
			hasPushed && this.#queue.isBusy() && this.#isFarBehind(caller, cursor);
		if (cursor !== undefined && limit !== 0 && !isLater)
			return this.readPage(caller, cursor, limit);
		const envelope = await this.#store.read(async (tx) => {
			const { epoch } = await readHistory(tx, this.#env.now());
			return this.#readEnvelope(tx, caller, epoch);
		});
		return cursor !== undefined && isLater
			? { changes: [], cursor, hasMore: true, ...envelope }
			: envelope;
	}

	/** Reads a part of a snapshot for a till that joins. */
	async readSnapshot(
		caller: Caller,
		{ cursor, part = 0 }: SnapshotRequest,
	): Promise<MaybeCompressed<SnapshotResponse>> {
		return this.#readBehind(async (tx, epoch, now) => ({
			...(await this.#snapshots.read(
				tx,
				...([caller.businessId, epoch, now, cursor, part] as const),
			)),
			...(await this.#readEnvelope(tx, caller, epoch)),
		}));
	}

	/** Reads the facts that came before those that a till has. */
	async readOlderFacts(
		caller: Caller,
		{ cursor, upTo, window }: OlderFactsRequest,
	): Promise<MaybeCompressed<OlderFactsResponse>> {
		const { businessId } = caller;
		const at = parseCursor(cursor);
		return this.#readBehind(async (tx, epoch) => {
			const envelope = await this.#readEnvelope(tx, caller, epoch);
			const block = await this.#snapshots.readFacts(
				tx,
				...([businessId, epoch, at, upTo, window] as const),
			);
			return block
				? { ...block, ...envelope }
				: { changes: [], from: upTo, reset: true as const, ...envelope };
		});
	}

	/** Reads where a till's window begins, and what is needed from before it; or one sale. */
	async readOlderSales(
		caller: Caller,
		{ cursor, since = noDay, saleId }: OlderSalesRequest,
	): Promise<OlderSalesResponse> {
		const { businessId } = caller;
		const at = parseCursor(cursor);
		return this.#readBehind(async (tx, epoch) => {
			const envelope = await this.#readEnvelope(tx, caller, epoch);
			const head = await readChainHead(tx, businessId);
			if (!at || !(await isOwnCursor(tx, businessId, epoch, head, at)))
				return { changes: [], window: 0, reset: true as const, ...envelope };
			if (saleId !== undefined) {
				const changes = await readSale(tx, businessId, saleId);
				return { changes, window: 0, ...envelope };
			}
			const window = await windowVersion(tx, businessId, since, at.version);
			const changes = await readNeededSales(tx, businessId, window);
			// What needs a sale may have been written again since the till's place.
			const proven = cursorUpTo(head, epoch, at.version);
			const cursor = formatCursor(proven);
			return { changes, window, cursor, ...envelope };
		});
	}

	/** Reads after the pushes in progress. */
	#readBehind<T>(
		read: (tx: Connection, epoch: string, now: number) => Promise<T>,
	): Promise<T> {
		const now = this.#env.now();
		return this.#queue.read(() =>
			this.#store.read(async (tx) => {
				const { epoch } = await readHistory(tx, now);
				return read(tx, epoch, now);
			}),
		);
	}

	/** Returns false for a first pull and for an unreadable cursor. */
	#isFarBehind({ businessId }: Caller, cursor = ""): boolean {
		const from = parseCursor(cursor);
		return from !== undefined && !this.#cache.isNear(businessId, from);
	}

	async #readEnvelope(
		tx: Connection,
		{ businessId }: Caller,
		epoch: string,
	): Promise<Envelope> {
		const row = await tx.get(
			"SELECT backed_up_to FROM businesses WHERE business_id = ?",
			businessId,
		);
		return {
			businessId,
			epoch,
			serverNow: toIso(this.#env.now()),
			backedUpTo: Number(row?.backed_up_to ?? 0),
			feed: feedVersion,
		};
	}
}
