import { parentPort, workerData } from "node:worker_threads";
import { giveWay } from "../../../sync/store/give-way.ts";
import { lookInto } from "../../../sync/store/sqlite.ts";
import { databaseFile } from "../database.ts";
import { type BackupPlace, keepBackup } from "./keep-backup.ts";

/*
 * A backup in a thread with low priority: reading all rows of a shop takes seconds, and a sale must not wait for it. It only
 * reads the shop's database, so that it holds no lock that a sale needs.
 */

/** What to do. */
export interface BackupJob {
	dataDir: string;
	now: number;
	place: BackupPlace;
	isDue: boolean;
}

const { dataDir, now, place, isDue } = workerData as BackupJob;
giveWay();
const report = await keepBackup(place, {
	...{ dataDir, now, isDue },
	read: (fn) => lookInto(databaseFile({ dataDir }), fn),
});
parentPort?.postMessage(report);
