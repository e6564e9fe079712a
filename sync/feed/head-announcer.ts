import * as z from "zod";
import type { Store } from "../store/store.ts";
import { readHead } from "./feed.ts";
import { openHeadNotifier } from "./head-notifier.ts";

/** What one process announces to the others over the same database: a business, and its head. */
const announcement = z.tuple([z.string(), z.int()]);

/** Notifies listeners of new heads, those that other processes over the same database commit included. */
export class HeadAnnouncer {
	readonly #store: Store;
	readonly #onFault: (error: unknown) => void;
	readonly #heads = openHeadNotifier();
	#isListening = false;

	/** @param onFault called with each announcement that could not be read */
	constructor(store: Store, onFault: (error: unknown) => void) {
		this.#store = store;
		this.#onFault = onFault;
	}

	/** Calls back after each new head of a business; other processes are heard from the first call on. */
	readonly listen = (
		businessId: string,
		listener: (head: number) => void,
	): (() => void) => {
		if (!this.#isListening)
			this.#store.onAnnounced((note) => this.#receive(note));
		this.#isListening = true;
		return this.#heads.listen(businessId, listener);
	};

	/** Notifies listeners here, and other processes. */
	announce(businessId: string, head: number): void {
		if (this.#heads.notify(businessId, head))
			this.#store.announce(JSON.stringify([businessId, head]));
	}

	/** @param note undefined where announcements may have been lost */
	#receive(note: string | undefined): void {
		try {
			if (note === undefined) void this.#reread().catch(this.#onFault);
			else this.#heads.notify(...announcement.parse(JSON.parse(note)));
		} catch (error) {
			// Every client of the database may announce something there.
			this.#onFault(error);
		}
	}

	async #reread(): Promise<void> {
		for (const businessId of this.#heads.listenedTo())
			this.#heads.notify(
				businessId,
				await this.#store.read((tx) => readHead(tx, businessId)),
			);
	}
}
