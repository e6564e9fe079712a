import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

const main = join(import.meta.dirname, "../main.js");

/** A command in a process of its own, with nothing of this one's environment. */
export function startCommand(
	args: readonly string[],
	env: NodeJS.ProcessEnv = {},
) {
	const child = spawn(process.execPath, [main, ...args], {
		env: { PATH: process.env.PATH, ...env },
	});
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	return child;
}

/** What a command says and how it ends; a server in this process goes on meanwhile. */
export async function runCommand(
	args: readonly string[],
	env: NodeJS.ProcessEnv = {},
	input = "",
) {
	const child = startCommand(args, env);
	child.stdin.end(input);
	const [out, err] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "exit"),
	]);
	return { status: child.exitCode, out, err };
}
