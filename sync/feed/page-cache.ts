import { type Head, proofAt } from "../log/chain.ts";
import type { Connection } from "../store/store.ts";
import type { CompressedRows } from "./compressed-rows.ts";
import type { FeedPage } from "./feed.ts";

/** A page that was read so many versions ago is read again. */
const pageAgeMax = 100_000;

type CompressedPage = Omit<FeedPage, "changes"> & {
	compressed: CompressedRows;
};

interface CachedPage {
	page: CompressedPage;
	/** Of the business when the page was read, with its proof. */
	head: number;
	proof: string;
}

/** Compressed pages by request, least recently used dropped first. */
export class PageCache {
	readonly #maxBytes: number;
	readonly #pages = new Map<string, CachedPage>();
	#bytes = 0;

	constructor(maxBytes: number) {
		this.#maxBytes = maxBytes;
	}

	/** @returns undefined where it is not here, or no longer what this transaction would read */
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
		// A transaction that began before the page was read must not see what came after it.
		const age = head.version - found.head;
		if (age < 0 || age > pageAgeMax) return undefined;
		// It may be of a history that the database has lost.
		const proof = await proofAt(tx, businessId, found.head, head);
		if (proof !== found.proof) return undefined;
		// What was all of it then may no longer be.
		const { page } = found;
		return { ...page, hasMore: page.cursor.version < head.version };
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
