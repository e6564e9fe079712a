import { cursorUpTo, type Head, proofAt } from "../log/chain.ts";
import type { Connection } from "../store/store.ts";
import type { CompressedRows } from "./compressed-rows.ts";
import type { FeedPage } from "./feed.ts";

/** A page that was read more versions ago is read again. */
const pageAgeMax = 100_000;

type CompressedPage = Omit<FeedPage, "changes"> & {
	compressed: CompressedRows;
};

interface CachedPage {
	page: CompressedPage;
	/** The business's head when the page was read, with its proof. */
	head: number;
	proof: string;
}

/** Caches compressed pages by request; the least recently used are dropped first. */
export class PageCache {
	readonly #maxBytes: number;
	readonly #pages = new Map<string, CachedPage>();
	#bytes = 0;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** @returns undefined if the page is missing, or not what this transaction would read */
	async find(
		tx: Connection,
		businessId: string,
		key: string,
		head: Head,
	): Promise<CompressedPage | undefined> {
		const found = this.#pages.get(key);
		if (!found) return undefined;
		this.#pages.delete(key);
		this.#pages.set(key, found);
		// The page is newer than this transaction, which must not see it.
		const age = head.version - found.head;
		if (age < 0 || age > pageAgeMax) return undefined;
		// The page may belong to a history that the database has lost.
		const proof = await proofAt(tx, businessId, found.head, head);
		if (proof !== found.proof) return undefined;
		// A page that was the last one then may have others after it now.
		const { page } = found;
		const { epoch, version } = page.cursor;
		return {
			...page,
			cursor: cursorUpTo(head, epoch, version),
			hasMore: version < head.version,
		};
	}

	keep(key: string, page: CompressedPage, head: number, proof: string): void {
		this.#drop(key);
		this.#pages.set(key, { page, head, proof });
		this.#bytes += page.compressed.deflated.length;
		for (const oldest of this.#pages.keys()) {
			if (this.#bytes <= this.#maxBytes) break;
			this.#drop(oldest);
		}
	}

	#drop(key: string): void {
		this.#bytes -= this.#pages.get(key)?.page.compressed.deflated.length ?? 0;
		this.#pages.delete(key);
	}
}
