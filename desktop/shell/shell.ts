import type { ElectronParts } from "./electron-parts.ts";
import { openTillApp, type RunningTill } from "./till-app.ts";

/** Runs the till until its window closes; a second start brings the first one's window to the front. */
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
		// First let the shop finish requests in flight and close its database.
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
