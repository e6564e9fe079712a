import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { replaceFile } from "./atomic-file.ts";

/** What sysexits calls a temporary failure: the launcher of a release starts the server again, from the release that is current then. */
export const restartStatus = 75;

const running = z.object({
	pid: z.int(),
	version: z.string(),
	/** The folder of its launcher. */
	home: z.string(),
	/** Its address; absent while it starts. */
	url: z.string().optional(),
});
type Running = z.infer<typeof running>;

const fileIn = (dataDir: string) => join(dataDir, "running.json");

/** Notes which server runs on `DATA_DIR`, for an update to find. */
export function noteRunning(dataDir: string, note: Running): void {
	try {
		replaceFile(fileIn(dataDir), JSON.stringify(note));
	} catch {
		// On a full disk the server answers reads; only an update would miss the note.
	}
}

export function forgetRunning(dataDir: string): void {
	rmSync(fileIn(dataDir), { force: true });
}

/** @returns undefined if no server of a release runs on `DATA_DIR` */
export function readRunning(dataDir: string): Running | undefined {
	try {
		const note = running.parse(
			JSON.parse(readFileSync(fileIn(dataDir), "utf8")),
		);
		// A server that was killed leaves its note.
		return isAlive(note.pid) ? note : undefined;
	} catch {
		return undefined;
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
