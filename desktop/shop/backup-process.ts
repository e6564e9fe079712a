import { backUp } from "./till-backup.ts";

/*
 * One backup in its own process: copying years of sales takes seconds, and neither the window nor the shop should wait.
 * Its arguments are the database's file and the folder; it reports the result and exits.
 */

/** The report. */
export type BackupReport =
	| { kind: "done"; file: string }
	/** A message for a person. */
	| { kind: "failed"; message: string };

const { parentPort } = process as {
	parentPort?: { postMessage(message: unknown): void };
};
const [databaseFile = "", folder = ""] = process.argv.slice(2);
const report = await run();
// The process exits once the report is sent.
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
