import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { testDir } from "../sync/test-shop.ts";

const main = join(import.meta.dirname, "main.js");

export interface Ended {
	status: number | null;
	out: string;
	err: string;
}

/** Runs `counterfoil` on data of its own, or on a server's. */
export function testCommand({
	dataDir = join(testDir(), "data"),
	env = {} as NodeJS.ProcessEnv,
} = {}) {
	return async (args: string[], input = ""): Promise<Ended> => {
		const child = spawn(process.execPath, [main, ...args], {
			env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env },
		});
		child.stdin.end(input);
		const [out, err] = await Promise.all([
			text(child.stdout),
			text(child.stderr),
			once(child, "close"),
		]);
		return { status: child.exitCode, out, err };
	};
}
