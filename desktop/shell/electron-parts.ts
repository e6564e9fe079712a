/** The parts of Electron that the shell uses, injected so that tests can replace them. */
export type ElectronParts = Pick<
	typeof import("electron"),
	| "app"
	| "BrowserWindow"
	| "dialog"
	| "ipcMain"
	| "Menu"
	| "nativeImage"
	| "safeStorage"
	| "screen"
	| "session"
	| "shell"
	| "utilityProcess"
>;
