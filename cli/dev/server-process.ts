import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ServerProcess {
	url: string;
	pid: number;
	stop(): Promise<void>;
	/** Sends SIGKILL, as the kernel's out-of-memory killer does. */
	kill(): Promise<void>;
}

/** Starts a server in a child process, on a free port. */
export async function startServerProcess(
	dataDir: string,
	env: NodeJS.ProcessEnv = {},
	under: string[] = [],
): Promise<ServerProcess> {
	const main = join(import.meta.dirname, "../../server/main.js");
	const settings = { PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "error" };
	return startProcess([main], { ...settings, ...env }, under);
}

/**
 * Starts a program that prints its address on its first line. It ends with this process at the latest.
 *
 * @param under a command to run it under, such as a tracer that makes it the direct child
 * @throws Error if it exits before it prints its address
 */
export async function startProcess(
	args: string[],
	env: NodeJS.ProcessEnv = {},
	under: string[] = [],
): Promise<ServerProcess> {
	const [command = process.execPath, ...rest] = [
		...under,
		process.execPath,
		...args,
	];
	const child = spawn(command, rest, {
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const endToo = () => child.kill("SIGKILL");
	process.once("exit", endToo);
	child.once("exit", () => process.off("exit", endToo));
	const lines = createInterface(child.stdout);
	const line = await Promise.race([
		once(lines, "line").then(([line]) => line as string),
		once(child, "exit").then(([code, signal]) => {
			throw new Error(
				`${args[0]} ended (${code ?? signal}) before it printed its address`,
			);
		}),
	]);
	const url = /http:\/\/\S+/.exec(line)?.[0];
	if (!url) throw new Error(`The first line has no address: ${line}`);

	async function end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill(signal);
		await once(child, "exit");
	}

	return {
		url,
		pid: child.pid as number,
		stop: () => end("SIGTERM"),
		kill: () => end("SIGKILL"),
	};
}

/** A process's resident memory. */
export function residentMb(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
