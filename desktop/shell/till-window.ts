import { join } from "node:path";
import type { BrowserWindow } from "electron";
import type { ElectronParts } from "./electron-parts.ts";
import { errorPage, openingPage } from "./error-page.ts";
import type { Home } from "./home.ts";
import { safePreferences } from "./lock-down.ts";
import type { ShopAddress } from "./shop-supervisor.ts";
import { placeWindow, rememberWindow, smallest } from "./window-state.ts";

/** Keeps a page that always crashes from reloading endlessly. */
const reviveMs = 2_000;

export interface TillWindow {
	window: BrowserWindow;
	/** Shows the shop's page, unless it is already open, so that its cart stays. */
	show(door: ShopAddress): void;
	showError(reason: string): void;
	focus(): void;
	/** Switches full screen if `on` is given. @returns whether it is on now */
	fullScreen(on?: boolean): boolean;
}

export function openTillWindow(
	{ BrowserWindow, screen }: Pick<ElectronParts, "BrowserWindow" | "screen">,
	{ window: kept, log }: Pick<Home, "window" | "log">,
): TillWindow {
	const last = kept.read();
	const window = new BrowserWindow({
		...placeWindow(last, screen.getAllDisplays()),
		minWidth: smallest.width,
		minHeight: smallest.height,
		fullscreen: last?.isFullScreen ?? false,
		title: "Counterfoil",
		webPreferences: {
			...safePreferences,
			preload: join(import.meta.dirname, "../preload.cjs"),
		},
	});
	if (last?.isMaximized) window.maximize();
	rememberWindow(window, kept);
	// Full screen hides everything but the till; its shortcut restores the rest.
	window.on("enter-full-screen", () => window.setMenuBarVisibility(false));
	window.on("leave-full-screen", () => window.setMenuBarVisibility(true));
	if (last?.isFullScreen) window.setMenuBarVisibility(false);

	let isOpen = true;
	window.once("closed", () => {
		isOpen = false;
	});
	let url = openingPage();
	const load = () => {
		if (!isOpen) return;
		// A load superseded by the next one isn't an error.
		window.loadURL(url).catch((err) => log.info({ err }, "A page didn't load"));
	};
	window.webContents.on("render-process-gone", (_event, { reason }) => {
		log.error({ reason }, "The page's process has ended");
		setTimeout(load, reviveMs);
	});
	load();

	return {
		window,
		show({ origin }) {
			if (url === origin) return;
			url = origin;
			load();
		},
		showError(reason) {
			url = errorPage(reason);
			load();
		},
		focus() {
			if (!isOpen) return;
			if (window.isMinimized()) window.restore();
			window.focus();
		},
		fullScreen(on) {
			if (on === undefined) return window.isFullScreen();
			window.setFullScreen(on);
			return on;
		},
	};
}
