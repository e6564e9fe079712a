import { useEffect, useState } from "react";
import { sessionValues } from "../stored-values.ts";

const events = ["pointerdown", "keydown", "scroll"] as const;
const keyOf = (businessId: string) => `counterfoil-locked-${businessId}`;

/**
 * Whether this window is locked, after nobody has touched it for some minutes. A reload does not unlock it.
 *
 * @param minutes undefined if it is never locked
 * @returns whether it is, and what unlocks it
 */
export function useIdleLock(
	businessId: string,
	minutes: number | undefined,
): [boolean, () => void] {
	const key = keyOf(businessId);
	const [isLocked, setLocked] = useState(
		() => sessionValues.read(key) !== null,
	);
	useEffect(() => {
		if (minutes === undefined || isLocked) return;
		let timer: ReturnType<typeof setTimeout>;
		function lock(): void {
			sessionValues.write(key, "locked");
			setLocked(true);
		}
		function restart(): void {
			clearTimeout(timer);
			timer = setTimeout(lock, (minutes as number) * 60_000);
		}
		restart();
		for (const event of events)
			addEventListener(event, restart, { capture: true, passive: true });
		return () => {
			clearTimeout(timer);
			for (const event of events)
				removeEventListener(event, restart, { capture: true });
		};
	}, [key, minutes, isLocked]);

	function unlock(): void {
		sessionValues.remove(key);
		setLocked(false);
	}
	return [isLocked && minutes !== undefined, unlock];
}
