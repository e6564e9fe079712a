import type { BrowserWindow } from "electron";
import type { ElectronParts } from "./electron-parts.ts";
import { versions } from "./versions.ts";

interface DialogsOptions {
	dataDir: string;
	logs: string;
	isTokenSealed(): boolean;
}

export interface Dialogs {
	/** @returns undefined if none was chosen */
	askFolder(): Promise<string | undefined>;
	/** Shows the result of a menu action; shows nothing without a message. */
	tell<T>(done: Promise<T>, toLine: (value: T) => string | null): void;
	showAbout(): void;
}

/** The system dialogs of the shell, opened only at a person's request. */
export function openDialogs(
	{ app, dialog }: Pick<ElectronParts, "app" | "dialog">,
	window: BrowserWindow,
	{ dataDir, logs, isTokenSealed }: DialogsOptions,
): Dialogs {
	return {
		async askFolder() {
			const { canceled, filePaths } = await dialog.showOpenDialog(window, {
				title: "Back up to a folder",
				buttonLabel: "Back up here",
				defaultPath: app.getPath("documents"),
				properties: ["openDirectory", "createDirectory"],
			});
			return canceled ? undefined : filePaths[0];
		},
		tell(done, toLine) {
			void done
				.then((value) => ({ type: "info", message: toLine(value) }) as const)
				.catch(
					(error: Error) =>
						({ type: "error", message: error.message }) as const,
				)
				.then(({ type, message }) =>
					message
						? dialog.showMessageBox(window, { type, message })
						: undefined,
				);
		},
		showAbout() {
			const { counterfoil, electron, chromium, node } = versions();
			void dialog.showMessageBox(window, {
				type: "info",
				title: "About Counterfoil",
				message: `Counterfoil ${counterfoil}`,
				detail: [
					"A point of sale that keeps selling when the internet doesn't. MIT license.",
					"",
					`Data: ${dataDir}`,
					`Logs: ${logs}`,
					`The server's token is kept by ${isTokenSealed() ? "the OS keychain" : "a file that only this user can read"}.`,
					`Electron ${electron}, Chromium ${chromium}, Node ${node}`,
				].join("\n"),
			});
		},
	};
}
