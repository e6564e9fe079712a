import { backUp } from "./till-backup.ts";

/*
 * One backup in a process of its own: a copy of years of sales takes seconds, and neither the window nor the shop waits
 * for it. It is started with the database's file and the folder, says how it went, and ends.
 */

/** What it says. */
export type BackupReport =
	| { kind: "done"; file: string }
	/** In a line for a person. */
	| { kind: "failed"; message: string };

const { parentPort } = process as {
	parentPort?: { postMessage(message: unknown): void };
};
const [databaseFile = "", folder = ""] = process.argv.slice(2);
const report = await run();
// It ends by itself once this has been said.
if (parentPort) parentPort.postMessage(report);
else process.send?.(report, () => process.disconnect());

async function run(): Promise<BackupReport> {
	try {
		const file = await backUp(databaseFile, folder, Date.now());
		return { kind: "done", file };
	} catch (error) {
		return { kind: "failed", message: (error as Error).message };
	}
}
