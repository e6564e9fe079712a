import type { BrowserWindow, Display, Rectangle } from "electron";
import * as z from "zod";
import type { SavedValue } from "./saved-value.ts";

const side = z.int().min(-100_000).max(100_000);
export const windowState = z.object({
	x: side,
	y: side,
	width: side.min(1),
	height: side.min(1),
	isMaximized: z.boolean(),
	isFullScreen: z.boolean(),
});
type WindowState = z.infer<typeof windowState>;

export const smallest = { width: 640, height: 480 };
const usual = { width: 1280, height: 800 };
/** How much of a title bar must be visible to drag it. */
const graspable = { width: 120, height: 40 };
const settleMs = 500;

/** The window's bounds: as saved, if a display still shows them. */
export function placeWindow(
	kept: WindowState | undefined,
	displays: Pick<Display, "workArea">[],
): Partial<Rectangle> & { width: number; height: number } {
	if (!kept) return usual;
	const seen = displays.find(({ workArea }) => isInSight(kept, workArea));
	if (!seen) return usual;
	const { workArea } = seen;
	return {
		x: Math.max(kept.x, workArea.x),
		y: Math.max(kept.y, workArea.y),
		width: between(smallest.width, kept.width, workArea.width),
		height: between(smallest.height, kept.height, workArea.height),
	};
}

function isInSight(window: Rectangle, area: Rectangle): boolean {
	const right = Math.min(window.x + window.width, area.x + area.width);
	const left = Math.max(window.x, area.x);
	return (
		right - left >= graspable.width &&
		// A window is dragged by its upper edge.
		window.y >= area.y - graspable.height &&
		window.y + graspable.height <= area.y + area.height
	);
}

function between(low: number, value: number, high: number): number {
	return Math.max(low, Math.min(value, high));
}

/** Saves the window's place once it has stopped moving. */
export function rememberWindow(
	window: BrowserWindow,
	kept: SavedValue<WindowState>,
): void {
	let timer: NodeJS.Timeout | undefined;
	const save = () => {
		clearTimeout(timer);
		kept.remember({
			...window.getNormalBounds(),
			isMaximized: window.isMaximized(),
			isFullScreen: window.isFullScreen(),
		});
	};
	const later = () => {
		clearTimeout(timer);
		timer = setTimeout(save, settleMs);
	};
	window.on("resize", later);
	window.on("move", later);
	window.on("close", save);
}
