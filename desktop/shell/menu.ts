import type { MenuItemConstructorOptions } from "electron";
import type { Update } from "../ui/till-shell.ts";

export interface MenuActions {
	toggleFullScreen(): void;
	backUp(): void;
	checkForUpdate(): void;
	openUpdate(update: Update): void;
	showLog(): void;
	showAbout(): void;
}

export interface MenuOptions {
	isMac: boolean;
	/** From a checkout, and not from a package. */
	isDevelopment: boolean;
	update: Update | undefined;
}

/** The menu and its shortcuts; it is made anew when there is something new to tell. */
export function tillMenu(
	actions: MenuActions,
	{ isMac, isDevelopment, update }: MenuOptions,
): MenuItemConstructorOptions[] {
	const news: MenuItemConstructorOptions[] = update
		? [
				{
					label: `Version ${update.version} is there`,
					enabled: update.url !== null,
					click: () => actions.openUpdate(update),
				},
			]
		: [];
	return [
		{
			label: "&Till",
			submenu: [
				{
					label: "&Full screen",
					accelerator: isMac ? "Ctrl+Cmd+F" : "F11",
					click: actions.toggleFullScreen,
				},
				{ type: "separator" },
				{
					label: "&Back up…",
					accelerator: "CmdOrCtrl+Shift+B",
					click: actions.backUp,
				},
				{ type: "separator" },
				{ role: "quit" },
			],
		},
		{ role: "editMenu" },
		{
			label: "&View",
			submenu: [
				{ role: "reload" },
				{ type: "separator" },
				{ role: "resetZoom" },
				{ role: "zoomIn" },
				{ role: "zoomOut" },
				...(isDevelopment ? [{ role: "toggleDevTools" } as const] : []),
			],
		},
		{
			label: update ? "&Help (1)" : "&Help",
			submenu: [
				...news,
				{ label: "Look for a new &version", click: actions.checkForUpdate },
				{ label: "Show the &log", click: actions.showLog },
				{ type: "separator" },
				{ label: "&About Counterfoil", click: actions.showAbout },
			],
		},
	];
}
