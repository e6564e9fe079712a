import { ShopError } from "../sync/errors.ts";
import { readSettings, SettingsError } from "./settings.ts";
import { type RunningServer, startServer } from "./start.ts";

/** sysexits: what is wrong is the configuration. */
const badSettings = 78;

/** Serves until a signal ends it; a second signal does not wait. */
export async function serve(): Promise<void> {
	let running: RunningServer;
	try {
		running = await startServer(readSettings(process.env));
	} catch (error) {
		console.error(`Counterfoil can't start: ${reasonOf(error)}`);
		process.exitCode = error instanceof SettingsError ? badSettings : 1;
		return;
	}
	console.log(`Counterfoil is at ${running.url}`);
	let stopping = false;
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.on(signal, async () => {
			if (stopping) process.exit(1);
			stopping = true;
			await running.close();
			process.exit(0);
		});
}

function reasonOf(error: unknown): string {
	if (error instanceof SettingsError || error instanceof ShopError)
		return error.message;
	const { code } = error as NodeJS.ErrnoException;
	if (code === "EADDRINUSE")
		return "the port is taken; set PORT to another, or stop what uses it";
	if (code === "EACCES") return "this user may not listen on that port";
	return (error as Error).stack ?? String(error);
}
