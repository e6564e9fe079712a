import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { ShopError } from "../protocol/errors.ts";
import type { Done, Job } from "./copy.ts";
import { giveWay } from "./give-way.ts";
import { toStorageError } from "./storage-error.ts";

/** Errors lose their class between threads, so their codes and messages are sent. */
function work(job: Job): Done {
	try {
		if ("check" in job) check(job.check, job.givesWay);
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

function check(file: string, givesWay = false): void {
	if (givesWay) giveWay();
	const db = open(file);
	try {
		// A long read keeps the write-ahead log growing; between the reads of single tables it can shrink.
		const targets = givesWay
			? db
					.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
					.pluck()
					.all()
			: [1];
		for (const target of targets) {
			const [first] = db
				.prepare(`PRAGMA integrity_check(${target})`)
				.pluck()
				.all();
			if (first !== "ok")
				throw new ShopError(
					"storage_failed",
					`The database file is damaged: ${String(first).replaceAll(/\s+/g, " ")}`,
				);
		}
	} finally {
		db.close();
	}
}

function open(file: string): Database.Database {
	return new Database(file, { readonly: true, fileMustExist: true });
}

parentPort?.postMessage(work(workerData as Job));
