import type { TillStatus } from "../../../sync/protocol/till-api.ts";
import { localValues } from "../kept-values.ts";

interface Kept {
	storageId: string;
	deviceId: string | null;
	/** How many mutations this device has made, and how many of all here were not sent. */
	lastNumber: number;
	unsent: number;
}

/** What this browser said of itself last. */
interface Marked {
	/** By what keeps it: the browser's files, or the journal of what is unsent. */
	kept: Partial<Record<TillStatus["keeps"], Kept>>;
	/** How much was unsent in what is gone. */
	lost: number;
}

/**
 * Notes beside what a browser keeps which storage that is and how much in it is unsent: a browser that has cleared it, or lost
 * it, does not begin again in silence.
 */
export function openMarker(businessId: string) {
	const key = `counterfoil-kept-${businessId}`;

	function read(): Marked {
		const text = localValues.read(key);
		return text === null ? { kept: {}, lost: 0 } : (JSON.parse(text) as Marked);
	}
	const write = (marked: Marked) =>
		localValues.write(key, JSON.stringify(marked));

	return {
		/** @returns how much was lost that nobody has seen yet */
		keep(standing: TillStatus): number {
			const marked = read();
			const { storageId, deviceId, keeps, lastNumber } = standing;
			if (storageId === null) return marked.lost;
			const unsent = standing.pending + standing.rejected.length;
			const now = { storageId, deviceId, lastNumber, unsent };
			const lost = marked.lost + lostBetween(marked.kept[keeps], now);
			// With files that can be opened the journal is empty.
			const others = keeps === "disk" ? {} : marked.kept;
			write({ kept: { ...others, [keeps]: now }, lost });
			return lost;
		},
		/** Somebody has seen what was lost. */
		forgetLost: () => write({ ...read(), lost: 0 }),
		/** The shop was removed on purpose; what was lost before is still to be seen. */
		forget(): void {
			const { lost } = read();
			if (lost > 0) write({ kept: {}, lost });
			else localValues.remove(key);
		},
	};
}

function lostBetween(before: Kept | undefined, now: Kept): number {
	if (!before) return 0;
	if (before.storageId !== now.storageId) return before.unsent;
	// A disk that had not written what it said has an older state when it is read again.
	const isOlder =
		before.deviceId === now.deviceId && before.lastNumber > now.lastNumber;
	return isOlder
		? Math.min(before.unsent, before.lastNumber - now.lastNumber)
		: 0;
}

/** Whether this browser is a till of the shop, as its owner says: then the shop stays in it, whoever signs out. */
export function tillMarkOf(businessId: string) {
	const key = `counterfoil-till-${businessId}`;
	return {
		isSet: () => localValues.read(key) !== null,
		set(isTill: boolean): void {
			if (isTill) localValues.write(key, "1");
			else localValues.remove(key);
		},
	};
}
