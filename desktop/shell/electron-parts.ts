/** What the shell uses of Electron, given to it so that a test can give something else. */
export type ElectronParts = Pick<
	typeof import("electron"),
	| "app"
	| "BrowserWindow"
	| "dialog"
	| "ipcMain"
	| "Menu"
	| "safeStorage"
	| "screen"
	| "session"
	| "shell"
	| "utilityProcess"
>;
