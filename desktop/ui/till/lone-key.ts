import { useEffect, useRef } from "react";

/** A scanner's next key would have come by now. */
const alonePressMs = 250;

/** Acts on a letter pressed alone, wherever the focus is; the same letter at the beginning of a code does nothing. */
export function useLoneKey(letter: string, act: () => void): void {
	const latest = useRef(act);
	latest.current = act;
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		function onKey(event: KeyboardEvent): void {
			clearTimeout(timer);
			const isLone = !event.ctrlKey && !event.altKey && !event.metaKey;
			if (isLone && !event.repeat && event.key.toLowerCase() === letter)
				timer = setTimeout(() => latest.current(), alonePressMs);
		}
		addEventListener("keydown", onKey, { capture: true });
		return () => {
			clearTimeout(timer);
			removeEventListener("keydown", onKey, { capture: true });
		};
	}, [letter]);
}
