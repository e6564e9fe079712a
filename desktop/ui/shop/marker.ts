import type { Standing } from "../../../sync/till/calls.ts";
import { localValues } from "../kept-values.ts";

/** What this browser said of itself last. */
interface Marked {
	deviceId: string;
	unsent: number;
}

/**
 * Notes beside the browser's files which device they hold and how much of it is unsent: a browser that has cleared them, or
 * lost them, does not begin anew in silence.
 */
export function openMarker(businessId: string) {
	const key = `counterfoil-kept-${businessId}`;

	function read(): Marked | undefined {
		const text = localValues.read(key);
		return text === null ? undefined : (JSON.parse(text) as Marked);
	}
	/** Found when the shop was opened: what is lost stays so until somebody has seen it. */
	let lost: number | undefined;

	return {
		/** How much was unsent on a device that was here and is gone. */
		lostOf({ deviceId, keeps }: Standing): number {
			if (deviceId === null || keeps !== "disk") return 0;
			if (lost === undefined) {
				const before = read();
				const isGone = before !== undefined && before.deviceId !== deviceId;
				lost = isGone ? before.unsent : 0;
			}
			return lost;
		},
		keep({ deviceId, keeps, pending, rejected }: Standing): void {
			if (deviceId === null || keeps !== "disk") return;
			const unsent = pending + rejected.length;
			localValues.write(key, JSON.stringify({ deviceId, unsent }));
		},
		forget: () => localValues.remove(key),
	};
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
