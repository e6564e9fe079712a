import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";

const main = join(import.meta.dirname, "../main.js");

interface Ended {
	status: number | null;
	out: string;
	err: string;
}

/** Starts `counterfoil` in a child process, with only `env` and PATH as its environment. */
export function startCommand(args: string[], env: NodeJS.ProcessEnv) {
	const child = spawn(process.execPath, [main, ...args], {
		env: { PATH: process.env.PATH, ...env },
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	return child;
}

/** Runs `counterfoil` to its end, asynchronously, so that a server in this process can answer it. */
export async function runCommand(
	args: string[],
	env: NodeJS.ProcessEnv,
	input = "",
): Promise<Ended> {
	const child = startCommand(args, env);
	child.stdin.end(input);
	const [out, err] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "close"),
	]);
	return { status: child.exitCode, out, err };
}

/** @returns a function that runs `counterfoil` on a new data directory, or on `dataDir` */
export function testCommand({
	dataDir = join(testDir(), "data"),
	env = {} as NodeJS.ProcessEnv,
} = {}) {
	return (args: string[], input = ""): Promise<Ended> =>
		runCommand(args, { DATA_DIR: dataDir, ...env }, input);
}
