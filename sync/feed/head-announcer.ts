import * as z from "zod";
import type { Store } from "../store/store.ts";
import { readHead } from "./feed.ts";
import { openHeadNotifier } from "./head-notifier.ts";

/** A process's announcement to the others over the same database: a business and its head. */
const announcement = z.tuple([z.string(), z.int()]);

/** Notifies listeners of new heads, including those that other processes over the same database commit. */
export class HeadAnnouncer {
	readonly #store: Store;
	readonly #onFault: (error: unknown) => void;
	readonly #heads = openHeadNotifier();
	#isListening = false;

	/** @param onFault receives the error of each unreadable announcement */
	constructor(store: Store, onFault: (error: unknown) => void) {
		this.#store = store;
		this.#onFault = onFault;
	}

	/** Calls back after each new head of a business. The first call subscribes to other processes. */
	readonly listen = (
		businessId: string,
		listener: (head: number) => void,
	): (() => void) => {
		if (!this.#isListening)
			this.#store.onAnnounced((note) => this.#receive(note));
		this.#isListening = true;
		return this.#heads.listen(businessId, listener);
	};

	/** Notifies listeners in this process and the other processes. */
	announce(businessId: string, head: number): void {
		if (this.#heads.notify(businessId, head))
			this.#store.announce(JSON.stringify([businessId, head]));
	}

	/** @param note undefined if announcements may have been lost */
	#receive(note: string | undefined): void {
		try {
			if (note === undefined) void this.#reread().catch(this.#onFault);
			else this.#heads.notify(...announcement.parse(JSON.parse(note)));
		} catch (error) {
			// Any client of the database can announce something on this channel.
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
