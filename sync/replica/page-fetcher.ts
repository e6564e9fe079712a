import {
	type LimitRange,
	openAdaptiveLimit,
} from "../protocol/adaptive-limit.ts";
import { ShopError } from "../protocol/errors.ts";
import { assertSameBusiness, type Page } from "../protocol/protocol.ts";
import type { Transport } from "./transport.ts";

/** Fewer rows than this share of a transaction's are not worth a rebase, even where nothing else is to be done meanwhile. */
const worthwhileShare = 0.4;

/** Pages that follow each other, for one transaction. */
export interface FetchedPages {
	pages: Page[];
	/** The last of them, or the one before where none came. */
	last: Page;
	backedUpTo?: number;
	/** Why no more came, where the line broke: the pages before it can be stored. */
	failure?: { reason: unknown };
}

/**
 * Whether one more page is to be fetched before those at hand are stored.
 *
 * @param rows fetched so far
 * @param rowsPerWrite that one transaction stores
 * @param isStoring while the pages before are stored, there is time to fetch as many as one transaction stores
 */
export function shouldFetchMore(
	rows: number,
	rowsPerWrite: number,
	isStoring: boolean,
): boolean {
	return rows < (isStoring ? rowsPerWrite : rowsPerWrite * worthwhileShare);
}

/** Pulls pages, as many rows at once as the line bears. */
export class PageFetcher {
	readonly #transport: Pick<Transport, "pull">;
	readonly #businessId: string;
	readonly #pageRows;
	readonly #rowsPerWrite: number;

	/** @param rowsPerWrite that one transaction stores */
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
	 * Sends a request for a page of as many rows as the line bears.
	 *
	 * @param isStoring whether pages that came before are still being stored: then more at once would not be sooner there
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

	/** Pulls the pages after one, as long as others are being stored and no more than one transaction stores. */
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
