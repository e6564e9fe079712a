import { useSyncExternalStore } from "react";

/** The open sheets, the topmost last. */
let sheets: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function set(next: readonly HTMLElement[]): void {
	sheets = next;
	for (const listener of listeners) listener();
}

/** @returns a function that takes the sheet away again */
export function putOnTop(sheet: HTMLElement): () => void {
	set([...sheets, sheet]);
	return () => set(sheets.filter((one) => one !== sheet));
}

/** The topmost sheet: nothing outside it can be pressed. */
export function useTopSheet(): HTMLElement | undefined {
	return useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => sheets.at(-1),
	);
}
