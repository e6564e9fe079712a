import { basename } from "node:path";
import type { UtilityProcess } from "electron";
import type { BackupReport } from "../shop/backup-process.ts";

interface BackUpOptions {
	/** Starts `backup-process` with its arguments. */
	fork(args: string[]): UtilityProcess;
	databaseFile: string;
}

/**
 * Backs up the database into a folder while selling goes on.
 *
 * @returns the backup's file name
 * @throws Error with a message for a person
 */
export async function backUpTo(
	folder: string,
	{ fork, databaseFile }: BackUpOptions,
): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<BackupReport>();
	const child = fork([databaseFile, folder]);
	child.on("message", (message) => resolve(message as BackupReport));
	child.once("exit", (code) =>
		reject(new Error(`The backup ended with status ${code}`)),
	);
	const report = await promise;
	child.kill();
	if (report.kind === "failed")
		throw new Error(`The backup failed: ${report.message}`);
	return basename(report.file);
}
