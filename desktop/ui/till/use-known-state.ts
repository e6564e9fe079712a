import { type RefObject, useCallback, useRef, useState } from "react";

/** A state that is also known before the page is drawn again: a key or a scan may come at once. */
export function useKnownState<T>(
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
