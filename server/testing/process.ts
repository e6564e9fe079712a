import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { authSecret } from "./server.ts";

const main = join(import.meta.dirname, "../main.js");

/** Starts a server in a separate process, on a free port. */
export function startProcess(env: NodeJS.ProcessEnv): ChildProcess {
	return spawn(process.execPath, [main], {
		env: {
			PATH: process.env.PATH,
			PORT: "0",
			AUTH_SECRET: authSecret,
			LOG_LEVEL: "silent",
			...env,
		},
		stdio: ["ignore", "pipe", "inherit"],
	});
}

/** Reads the server's address from its output. @returns undefined if it was killed before printing it */
export async function whereabouts(
	child: ChildProcess,
): Promise<string | undefined> {
	const lines = createInterface(child.stdout as NodeJS.ReadableStream);
	const [line] = await Promise.race([
		once(lines, "line"),
		once(lines, "close"),
	]);
	return /http:\/\/\S+/.exec(line ?? "")?.[0];
}

export async function end(
	child: ChildProcess,
	signal: "SIGKILL" | "SIGTERM",
): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill(signal);
	await once(child, "exit");
}
