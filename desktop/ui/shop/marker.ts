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
	/** As it was when this page was opened: what is lost stays so until somebody has seen it. */
	const before = read();

	return {
		/** How much was unsent on a device that was here and is gone. */
		lostOf({ deviceId, keeps }: Standing): number {
			const isGone =
				keeps === "disk" &&
				deviceId !== null &&
				before !== undefined &&
				before.deviceId !== deviceId;
			return isGone ? before.unsent : 0;
		},
		keep({ deviceId, keeps, pending, rejected }: Standing): void {
			if (deviceId === null || keeps !== "disk") return;
			const unsent = pending + rejected.length;
			localValues.write(key, JSON.stringify({ deviceId, unsent }));
		},
		forget: () => localValues.remove(key),
	};
}
