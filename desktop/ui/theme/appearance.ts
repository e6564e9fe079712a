import { useSyncExternalStore } from "react";
import { localValues } from "../stored-values.ts";

/** How this device's screen looks, beside light and dark. */
export interface Appearance {
	/** `high` for a till in the sun. */
	contrast: "usual" | "high";
	/** `off` shows every change at once. */
	motion: "on" | "off";
}

const stored = "counterfoil-appearance";
const listeners = new Set<() => void>();
let now: Appearance = read();

function read(): Appearance {
	const [contrast, motion] = (localValues.read(stored) ?? "").split(" ");
	return {
		contrast: contrast === "high" ? "high" : "usual",
		motion: motion === "off" ? "off" : "on",
	};
}

/** Call it before the first render; tokens.css reads the attributes. */
export function showAppearance(): void {
	const { dataset } = document.documentElement;
	dataset.contrast = now.contrast;
	dataset.motion = now.motion;
}

function set(next: Appearance): void {
	now = next;
	localValues.write(stored, `${next.contrast} ${next.motion}`);
	showAppearance();
	for (const listener of listeners) listener();
}

export function useAppearance(): [Appearance, (next: Appearance) => void] {
	const appearance = useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => now,
	);
	return [appearance, set];
}
