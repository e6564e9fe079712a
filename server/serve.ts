import { ShopError } from "../sync/protocol/errors.ts";
import { setupInvitation } from "./accounts/setup-invitation.ts";
import { SettingsError } from "./environment.ts";
import { anyHosts, lanAddresses } from "./http/lan-addresses.ts";
import { BackupError } from "./operations/backup/backup-error.ts";
import { readSettings } from "./settings.ts";
import { type RunningServer, startServer } from "./start.ts";

/** EX_CONFIG of sysexits: a configuration error. */
const badSettings = 78;
const impatientMs = 1_000;
const orphanCheckMs = 250;
const parent = process.ppid;

/** Runs the server until a signal stops it; a second signal stops it at once. */
export async function serve(): Promise<void> {
	let running: RunningServer;
	let host: string;
	try {
		const settings = readSettings(process.env);
		host = settings.host;
		running = await startServer(settings);
	} catch (error) {
		console.error(`Counterfoil can't start: ${reasonOf(error)}`);
		process.exitCode = error instanceof SettingsError ? badSettings : 1;
		return;
	}
	let stoppingSince: number | undefined;
	const stop = async () => {
		if (stoppingSince !== undefined) {
			// One Ctrl-C may arrive twice, from the terminal and from the parent process.
			if (performance.now() - stoppingSince > impatientMs) process.exit(1);
			return;
		}
		stoppingSince = performance.now();
		await running.close();
		process.exit(0);
	};
	for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
	onOrphaned(stop);
	// Printed last, since a reader of these lines may stop the server at once.
	const { url, port, setupCode: code } = running;
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
