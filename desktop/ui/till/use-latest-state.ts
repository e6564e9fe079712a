import { type RefObject, useCallback, useRef, useState } from "react";

/** State with a ref to its newest value, for keys and scans that arrive before the next render. */
export function useLatestState<T>(
	first: T,
): [shown: T, show: (next: T) => void, now: Readonly<RefObject<T>>] {
	const [shown, setShown] = useState(first);
	const now = useRef(first);
	const show = useCallback((next: T) => {
		now.current = next;
		setShown(next);
	}, []);
	return [shown, show, now];
}
