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

/** `counterfoil` in a process of its own, with nothing of this one's environment. */
export function startCommand(args: string[], env: NodeJS.ProcessEnv) {
	const child = spawn(process.execPath, [main, ...args], {
		env: { PATH: process.env.PATH, ...env },
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	return child;
}

/** What it says and how it ends; a server in this process goes on meanwhile. */
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

/** Runs `counterfoil` on data of its own, or on a server's. */
export function testCommand({
	dataDir = join(testDir(), "data"),
	env = {} as NodeJS.ProcessEnv,
} = {}) {
	return (args: string[], input = ""): Promise<Ended> =>
		runCommand(args, { DATA_DIR: dataDir, ...env }, input);
}
