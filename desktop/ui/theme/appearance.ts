import { useSyncExternalStore } from "react";
import { localValues } from "../stored-values.ts";

/** How this device's screen looks. */
export interface Appearance {
	/** `auto` follows the system. */
	scheme: "auto" | "light" | "dark";
	/** `high` for a till in the sun. */
	contrast: "usual" | "high";
	/** `off` shows every change at once. */
	motion: "on" | "off";
}

const stored = "counterfoil-appearance";
const listeners = new Set<() => void>();
let now: Appearance = read();

function read(): Appearance {
	const [contrast, motion, scheme] = (localValues.read(stored) ?? "").split(
		" ",
	);
	return {
		scheme: scheme === "light" || scheme === "dark" ? scheme : "auto",
		contrast: contrast === "high" ? "high" : "usual",
		motion: motion === "off" ? "off" : "on",
	};
}

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
systemIsDark.addEventListener("change", showAppearance);

export function shownScheme({ scheme }: Appearance): "light" | "dark" {
	if (scheme !== "auto") return scheme;
	return systemIsDark.matches ? "dark" : "light";
}

/** Call it before the first render; tokens.css reads the attributes. */
export function showAppearance(): void {
	const { dataset } = document.documentElement;
	dataset.scheme = shownScheme(now);
	dataset.contrast = now.contrast;
	dataset.motion = now.motion;
}

function set(next: Appearance): void {
	now = next;
	localValues.write(stored, `${next.contrast} ${next.motion} ${next.scheme}`);
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
