import { openHeadNotifier } from "../feed/head-notifier.ts";
import type { RowKey } from "./rebase.ts";

export type RowListener = (rows: readonly RowKey[]) => void;

/** Notifies listeners of the rows that a commit touched. */
export class RowNotifier {
	readonly #businessId: string;
	readonly #heads = openHeadNotifier();
	readonly #listeners = new Set<RowListener>();
	/** Head listeners get a count of changes, because a replica has no head. */
	#changes = 0;

	constructor(businessId: string) {
		this.#businessId = businessId;
	}

	readonly onHead = this.#heads.listen;

	readonly onRows = (listener: RowListener): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	notify(rows: readonly RowKey[]): void {
		this.#changes += 1;
		for (const listener of this.#listeners) listener(rows);
		this.#heads.notify(this.#businessId, this.#changes);
	}
}
