import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { ShopError } from "../errors.ts";
import type { Done, Job } from "./copy.ts";
import { toStorageError } from "./storage-error.ts";

/** Errors travel between threads without their class, so they go as what they say. */
function work(job: Job): Done {
	try {
		if ("check" in job) check(job.check);
		else copy(job.from, job.to);
		return null;
	} catch (error) {
		const known = toStorageError(error);
		if (!(known instanceof ShopError)) throw error;
		return { code: known.code, message: known.message };
	}
}

function copy(from: string, to: string): void {
	const db = open(from);
	try {
		db.prepare("VACUUM INTO ?").run(to);
	} finally {
		db.close();
	}
}

function check(file: string): void {
	const db = open(file);
	try {
		const [first] = db.prepare("PRAGMA integrity_check(1)").pluck().all();
		if (first !== "ok")
			throw new ShopError(
				"storage_failed",
				`The database file is damaged: ${String(first).replaceAll(/\s+/g, " ")}`,
			);
	} finally {
		db.close();
	}
}

function open(file: string): Database.Database {
	return new Database(file, { readonly: true, fileMustExist: true });
}

parentPort?.postMessage(work(workerData as Job));
