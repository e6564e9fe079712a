import {
	type LimitRange,
	openAdaptiveLimit,
} from "../protocol/adaptive-limit.ts";
import { ShopError } from "../protocol/errors.ts";
import {
	assertSameBusiness,
	assertSameFeed,
	type Page,
} from "../protocol/protocol.ts";
import type { Transport } from "./transport.ts";

/** Fewer rows than this fraction of a transaction's are not worth a rebase, even if there is nothing else to wait for. */
const worthwhileShare = 0.4;

/** Consecutive pages for one transaction. */
export interface FetchedPages {
	pages: Page[];
	/** The last of them, or the page before them if none came. */
	last: Page;
	backedUpTo?: number;
	/** Why no more came, if the connection broke. The pages before can be stored. */
	failure?: { reason: unknown };
}

/**
 * Decides whether to fetch one more page before the ones at hand are stored.
 *
 * @param rows fetched so far
 * @param rowsPerWrite rows that one transaction stores
 * @param isStoring whether earlier pages are being stored, which leaves time to fetch a full transaction's rows
 */
export function shouldFetchMore(
	rows: number,
	rowsPerWrite: number,
	isStoring: boolean,
): boolean {
	return rows < (isStoring ? rowsPerWrite : rowsPerWrite * worthwhileShare);
}

/** Pulls pages with as many rows as the connection can carry. */
export class PageFetcher {
	readonly #transport: Pick<Transport, "pull">;
	readonly #businessId: string;
	readonly #pageRows;
	readonly #rowsPerWrite: number;

	/** @param rowsPerWrite rows that one transaction stores */
	constructor(
		transport: Pick<Transport, "pull">,
		businessId: string,
		pageRange: LimitRange,
		rowsPerWrite: number,
	) {
		this.#transport = transport;
		this.#businessId = businessId;
		this.#pageRows = openAdaptiveLimit(pageRange);
		this.#rowsPerWrite = rowsPerWrite;
	}

	/**
	 * Requests a page with as many rows as the connection can carry.
	 *
	 * @param isStoring whether earlier pages are still being stored, so that a longer page would not be stored sooner
	 */
	async request<T extends Partial<Page>>(
		send: (rows: number) => Promise<T>,
		isStoring = () => false,
	): Promise<T> {
		const rows = this.#pageRows.count;
		try {
			const response = await send(rows);
			const hasWaited = !isStoring();
			if (hasWaited && response.hasMore && response.changes?.length)
				this.#pageRows.grow();
			return response;
		} catch (error) {
			if (error instanceof ShopError && error.code === "unreachable")
				this.#pageRows.shrink(rows);
			throw error;
		}
	}

	/** Pulls the pages after one while others are being stored, up to one transaction's rows. */
	async fetchAfter(
		page: Page,
		isStoring: () => boolean,
	): Promise<FetchedPages> {
		const fetched: FetchedPages = { pages: [], last: page };
		let rows = 0;
		try {
			do {
				const { cursor } = fetched.last;
				const pulled = await this.request(
					(rows) => this.#transport.pull(cursor, rows),
					isStoring,
				);
				assertSameBusiness(this.#businessId, pulled.businessId);
				assertSameFeed(pulled.feed);
				fetched.backedUpTo = pulled.backedUpTo;
				fetched.last = pulled;
				fetched.pages.push(pulled);
				rows += pulled.changes.length;
			} while (
				fetched.last.hasMore &&
				shouldFetchMore(rows, this.#rowsPerWrite, isStoring())
			);
		} catch (reason) {
			fetched.failure = { reason };
		}
		return fetched;
	}
}
