import {
	app,
	BrowserWindow,
	dialog,
	ipcMain,
	Menu,
	safeStorage,
	screen,
	session,
	shell,
	utilityProcess,
} from "electron";
import { runShell } from "./shell/shell.ts";

// The only file that Electron itself is imported by. Nothing is waited for here: Electron is not ready before this ends.
runShell({
	app,
	BrowserWindow,
	dialog,
	ipcMain,
	Menu,
	safeStorage,
	screen,
	session,
	shell,
	utilityProcess,
});
