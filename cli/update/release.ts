import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** A release in a folder. */
export interface Release {
	version: string;
	dir: string;
}

const mostOutput = 2 ** 29;
const mostPrinted = 2_000;
const stopMs = 15_000;

/** The environment is not passed on: settings are the shop's, and a trial may spend nobody's money. */
const envOf = (dataDir: string) => ({
	...{ PATH: process.env.PATH, TZ: process.env.TZ, DATA_DIR: dataDir },
});

const programOf = ({ dir }: Release) => ({
	node: join(dir, "node"),
	main: join(dir, "cli/main.js"),
});

/** Runs a command of a release. @returns its standard output */
export async function runRelease(
	release: Release,
	args: string[],
	dataDir: string,
): Promise<string> {
	const { node, main } = programOf(release);
	const { stdout } = await promisify(execFile)(node, [main, ...args], {
		env: envOf(dataDir),
		maxBuffer: mostOutput,
	});
	return stdout;
}

/**
 * Starts a release's server on a spare port, which only this machine reaches, while `work` runs.
 *
 * @throws Error with what it printed, if it ends or isn't up in time
 */
export async function whileServing<T>(
	release: Release,
	{ dataDir, withinMs }: { dataDir: string; withinMs: number },
	work: (url: string) => Promise<T>,
): Promise<T> {
	const { node, main } = programOf(release);
	const settings = {
		...{ PORT: "0", HOST: "127.0.0.1" },
		...{ LOG_LEVEL: "error", BACKUP_HOURS: "none" },
	};
	const child = spawn(node, [main, "serve"], {
		env: { ...envOf(dataDir), ...settings },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const ended = once(child, "exit");
	let printed = "";
	child.stderr.on("data", (text) => {
		printed = `${printed}${text}`.slice(0, mostPrinted);
	});
	const late = AbortSignal.timeout(withinMs);
	try {
		const line = await Promise.race([
			once(createInterface(child.stdout), "line", { signal: late }),
			ended,
		]);
		const url = /http:\/\/\S+/.exec(String(line[0]))?.[0];
		if (url === undefined) throw new Error(firstLine(printed) || "it ended");
		return await work(url);
	} catch (error) {
		if (!late.aborted) throw error;
		throw new Error(`it was not up within ${Math.round(withinMs / 1000)} s`);
	} finally {
		child.kill("SIGTERM");
		const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
		if (child.exitCode === null && child.signalCode === null) await ended;
		clearTimeout(timer);
	}
}

const firstLine = (text: string) => text.trim().split("\n")[0];

/** Whether a server can take sales, and is of this version. */
export async function isReady(url: string, version: string): Promise<boolean> {
	try {
		const response = await fetch(`${url}/readyz`, {
			signal: AbortSignal.timeout(2_000),
		});
		const state = await response.json();
		return response.ok && state.version === version;
	} catch {
		return false;
	}
}
