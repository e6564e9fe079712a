import {
	app,
	BrowserWindow,
	dialog,
	ipcMain,
	Menu,
	nativeImage,
	safeStorage,
	screen,
	session,
	shell,
	utilityProcess,
} from "electron";
import { runShell } from "./shell/shell.ts";

// The only file that imports Electron. No top-level await: Electron isn't ready before this module ends.
runShell({
	app,
	BrowserWindow,
	dialog,
	ipcMain,
	Menu,
	nativeImage,
	safeStorage,
	screen,
	session,
	shell,
	utilityProcess,
});
