import type { ElectronParts } from "./electron-parts.ts";
import { openTillApp, type RunningTill } from "./till-app.ts";

/** Runs the till until its window is closed; a second start brings the first one's window to the front. */
export function runShell(electron: ElectronParts): void {
	const { app, dialog } = electron;
	let till: RunningTill | undefined;
	let state: "open" | "closing" | "closed" = "open";
	if (!app.requestSingleInstanceLock()) {
		app.quit();
		return;
	}
	app.enableSandbox();
	app.on("second-instance", () => till?.focus());
	app.on("window-all-closed", () => app.quit());
	app.on("will-quit", (event) => {
		if (state === "closed" || !till) return;
		// The shop answers what is in flight and closes its database first.
		event.preventDefault();
		if (state === "closing") return;
		state = "closing";
		void till.close().finally(() => {
			state = "closed";
			app.quit();
		});
	});
	app
		.whenReady()
		.then(() => {
			till = openTillApp(electron);
		})
		.catch((error: Error) => {
			dialog.showErrorBox("Counterfoil can't start", error.message);
			app.exit(1);
		});
}
