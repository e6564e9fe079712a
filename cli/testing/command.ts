import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { isSample } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import type { Ended, Order } from "./warm-process.ts";

const main = join(import.meta.dirname, "../main.js");
const warm = join(import.meta.dirname, "warm-process.ts");

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

/** The environment of a program that runs some code before its own, to be stopped where no signal would be in time. */
export function runningFirst(code: string): NodeJS.ProcessEnv {
	const url = `data:text/javascript,${encodeURIComponent(code)}`;
	return { NODE_OPTIONS: `--import=${url}` };
}

/**
 * Runs `counterfoil` to its end, asynchronously, so that a server in this process can answer it. `npm test` runs it in a
 * process that has all commands loaded, and `npm run proof` in its own.
 */
export async function runCommand(
	args: string[],
	env: NodeJS.ProcessEnv,
	input = "",
): Promise<Ended> {
	if (isSample) return runWarm({ args, env, input });
	const child = startCommand(args, env);
	child.stdin.end(input);
	const [out, err] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "close"),
	]);
	return { status: child.exitCode, out, err };
}

/** Processes that have a command to wait for. */
const idle: ChildProcess[] = [];

async function runWarm({ args, env, input }: Order): Promise<Ended> {
	const child = idle.pop() ?? startWarm();
	child.ref();
	const order: Order = { args, env: { PATH: process.env.PATH, ...env }, input };
	child.send(order);
	const { promise, resolve, reject } = Promise.withResolvers<Ended>();
	child.once("message", resolve);
	child.once("exit", (status) =>
		reject(new Error(`counterfoil ${args.join(" ")} exited with ${status}`)),
	);
	const ended = await promise;
	child.removeAllListeners();
	child.unref();
	idle.push(child);
	return ended;
}

/** Ends with this process, when the channel between them closes. */
function startWarm(): ChildProcess {
	const { PATH, NODE_COMPILE_CACHE } = process.env;
	const child = fork(warm, { env: { PATH, NODE_COMPILE_CACHE } });
	child.channel?.unref();
	return child;
}

/** @returns a function that runs `counterfoil` on a new data directory, or on `dataDir` */
export function testCommand({
	dataDir = join(testDir(), "data"),
	env = {} as NodeJS.ProcessEnv,
} = {}) {
	return (args: string[], input = ""): Promise<Ended> =>
		runCommand(args, { DATA_DIR: dataDir, ...env }, input);
}
