import type { MenuItemConstructorOptions } from "electron";
import type { Update } from "../ui/till-shell.ts";
import type { ElectronParts } from "./electron-parts.ts";

interface MenuActions {
	toggleFullScreen(): void;
	backUp(): void;
	checkForUpdate(): void;
	showLog(): void;
	showAbout(): void;
}

/** Sets the menu with its shortcuts, again when an update is known. */
export function showMenu(
	{ app, Menu, shell }: Pick<ElectronParts, "app" | "Menu" | "shell">,
	actions: MenuActions,
	update?: Update,
): void {
	const news: MenuItemConstructorOptions[] = update
		? [
				{
					label: `Version ${update.version} is available`,
					enabled: update.url !== null,
					click: () => update.url && void shell.openExternal(update.url),
				},
			]
		: [];
	const template = tillMenu(actions, news, !app.isPackaged);
	Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function tillMenu(
	actions: MenuActions,
	news: MenuItemConstructorOptions[],
	isDevelopment: boolean,
): MenuItemConstructorOptions[] {
	const isMac = process.platform === "darwin";
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
			label: news.length > 0 ? "&Help (1)" : "&Help",
			submenu: [
				...news,
				{ label: "Check for &updates", click: actions.checkForUpdate },
				{ label: "Show the &log", click: actions.showLog },
				{ type: "separator" },
				{ label: "&About Counterfoil", click: actions.showAbout },
			],
		},
	];
}
