import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ServerProcess {
	url: string;
	pid: number;
	stop(): Promise<void>;
}

/** A server in a process of its own, on a free port. */
export async function startServerProcess(
	dataDir: string,
	env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
	const main = join(import.meta.dirname, "../../server/main.js");
	return startProcess([main], {
		PORT: "0",
		DATA_DIR: dataDir,
		LOG_LEVEL: "error",
		...env,
	});
}

/** Any program that says on its first line where it listens. */
export async function startProcess(
	args: string[],
	env: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
	const child = spawn(process.execPath, args, {
		env: { ...process.env, ...env },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const lines = createInterface(child.stdout);
	const [line] = (await once(lines, "line")) as [string];
	const url = /http:\/\/\S+/.exec(line)?.[0];
	if (!url) throw new Error(`The server did not say where it is: ${line}`);
	return {
		url,
		pid: child.pid as number,
		async stop() {
			child.kill("SIGTERM");
			await once(child, "exit");
		},
	};
}
