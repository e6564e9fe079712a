import counterfoil from "../package.json" with { type: "json" };
import { ShopError } from "../sync/protocol/errors.ts";
import { setupInvitation } from "./accounts/setup-invitation.ts";
import { SettingsError } from "./environment.ts";
import { anyHosts, lanAddresses } from "./http/lan-addresses.ts";
import { BackupError } from "./operations/backup/backup-error.ts";
import {
	forgetRunning,
	noteRunning,
	readRunning,
	restartStatus,
} from "./operations/running.ts";
import { readSettings, type Settings } from "./settings.ts";
import { type RunningServer, startServer } from "./start.ts";

/** EX_CONFIG of sysexits: a configuration error. */
const badSettings = 78;
const impatientMs = 1_000;
const orphanCheckMs = 250;
const parent = process.ppid;

/**
 * Runs the server until a signal stops it; a second signal stops it at once. Under the launcher of a release, SIGUSR2 makes
 * it stop so that the launcher starts the current release.
 */
export async function serve(): Promise<void> {
	const { COUNTERFOIL_HOME: home } = process.env;
	const own = { pid: process.pid, version: counterfoil.version };
	let running: RunningServer;
	let settings: Settings;
	try {
		settings = readSettings(process.env);
		// Another server may hold the port.
		if (home && !readRunning(settings.dataDir))
			noteRunning(settings.dataDir, { ...own, home });
		running = await startServer(settings);
	} catch (error) {
		console.error(`Counterfoil can't start: ${reasonOf(error)}`);
		process.exitCode = error instanceof SettingsError ? badSettings : 1;
		return;
	}
	const { dataDir, host } = settings;
	let stoppingSince: number | undefined;
	const stop = async (status: number) => {
		if (stoppingSince !== undefined) {
			// One Ctrl-C may arrive twice, from the terminal and from the parent process.
			if (performance.now() - stoppingSince > impatientMs) process.exit(1);
			return;
		}
		stoppingSince = performance.now();
		await running.close();
		if (home) forgetRunning(dataDir);
		process.exit(status);
	};
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.on(signal, () => stop(0));
	if (home) process.on("SIGUSR2", () => stop(restartStatus));
	onOrphaned(() => stop(0));
	// Printed last, since a reader of these lines may stop the server at once.
	const { url, port, setupCode: code } = running;
	if (home) noteRunning(dataDir, { ...own, home, url });
	const isTerminal = process.stdout.isTTY === true;
	const lines = [`Counterfoil is at ${url}`];
	if (anyHosts.has(host))
		for (const address of lanAddresses())
			lines.push(`Other tills reach it at http://${address}:${port}`);
	if (code !== undefined)
		lines.push(setupInvitation({ host, port, code }, { isTerminal }));
	console.log(lines.join("\n"));
}

/**
 * Stops when the parent is gone: npm signals only the shell that started this process, and the shell exits without passing
 * the signal on.
 */
function onOrphaned(stop: () => Promise<void>): void {
	if (process.env.npm_lifecycle_event === undefined) return;
	const timer = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(timer);
		void stop();
	}, orphanCheckMs);
	timer.unref();
}

function reasonOf(error: unknown): string {
	if (
		error instanceof SettingsError ||
		error instanceof ShopError ||
		error instanceof BackupError
	)
		return error.message;
	const { code } = error as NodeJS.ErrnoException;
	if (code === "EADDRINUSE")
		return "the port is taken; set PORT to another, or stop the program that uses it";
	if (code === "EACCES") return "this user may not listen on that port";
	return (error as Error).stack ?? String(error);
}
