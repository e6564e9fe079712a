import type { TillStatus } from "../../../sync/protocol/till-api.ts";
import { localValues } from "../stored-values.ts";

interface StoredNote {
	storageId: string;
	deviceId: string | null;
	/** How many mutations this device has made, and how many in this storage are unsent. */
	lastNumber: number;
	unsent: number;
}

/** What this browser last noted about its storage. */
interface StorageNotes {
	/** By kind of storage: the browser's files, or the journal of unsent mutations. */
	kept: Partial<Record<TillStatus["storage"], StoredNote>>;
	/** How many unsent mutations were lost. */
	lost: number;
}

/**
 * Notes, outside a browser's storage, which storage it has and how many mutations in it are unsent. A browser that loses
 * its storage can then report the loss instead of starting again silently.
 */
export function openStorageNote(businessId: string) {
	const key = `counterfoil-kept-${businessId}`;

	function read(): StorageNotes {
		const text = localValues.read(key);
		return text === null
			? { kept: {}, lost: 0 }
			: (JSON.parse(text) as StorageNotes);
	}
	const write = (marked: StorageNotes) =>
		localValues.write(key, JSON.stringify(marked));

	return {
		/** @returns how many unsent mutations were lost without anyone having seen the notice yet */
		keep(standing: TillStatus): number {
			const marked = read();
			const { storageId, deviceId, storage, lastNumber } = standing;
			if (storageId === null) return marked.lost;
			const unsent = standing.pending + standing.rejected.length;
			const now = { storageId, deviceId, lastNumber, unsent };
			const lost = marked.lost + lostBetween(marked.kept[storage], now);
			// If the files can be opened, the journal is empty.
			const others = storage === "disk" ? {} : marked.kept;
			write({ kept: { ...others, [storage]: now }, lost });
			return lost;
		},
		/** Call it when someone has seen the notice. */
		forgetLost: () => write({ ...read(), lost: 0 }),
		/** Call it when the shop was removed on purpose; an earlier loss stays to be seen. */
		forget(): void {
			const { lost } = read();
			if (lost > 0) write({ kept: {}, lost });
			else localValues.remove(key);
		},
	};
}

function lostBetween(before: StoredNote | undefined, now: StoredNote): number {
	if (!before) return 0;
	if (before.storageId !== now.storageId) return before.unsent;
	// A disk that hadn't really written what it confirmed has an older state when it is read again.
	const isOlder =
		before.deviceId === now.deviceId && before.lastNumber > now.lastNumber;
	return isOlder
		? Math.min(before.unsent, before.lastNumber - now.lastNumber)
		: 0;
}

/**
 * What the owner has chosen for this browser: `till`, that the shop stays in it after a sign-out; `all`, that it keeps all
 * sales.
 */
export type BrowserChoice = "till" | "all";

export function choiceOf(choice: BrowserChoice, businessId: string) {
	const key = `counterfoil-${choice}-${businessId}`;
	return {
		isSet: () => localValues.read(key) !== null,
		set(isOn: boolean): void {
			if (isOn) localValues.write(key, "1");
			else localValues.remove(key);
		},
	};
}
