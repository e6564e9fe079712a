import { existsSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { ShopError } from "../../sync/protocol/errors.ts";
import {
	checkDatabase,
	copyDatabase,
	isInUse,
	settleFile,
	syncNames,
} from "../../sync/store/copy.ts";
import { readMeta } from "../../sync/store/meta.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { lookInto } from "../../sync/store/sqlite.ts";
import type { Connection } from "../../sync/store/store.ts";
import { unfinishedName } from "./backup/backup.ts";
import { assertDiskSpace, databaseSize } from "./backup/disk-space.ts";
import { removeDatabase, withWorkingFile } from "./backup/working-file.ts";
import { type DatabasePlace, databaseFile } from "./database.ts";

/** A copy younger than this is reused, because a supervisor retries a failed start and each retry would copy again. */
const recentMs = 3_600_000;
const inUseWaitMs = 10_000;
const inUseCheckMs = 250;

/**
 * Logs that an older database will be upgraded, and makes a checked copy of a database file first, as
 * `counterfoil-before-schema-N.db` beside it. A PostgreSQL database is not copied; pg_dump does that.
 *
 * @throws BackupError if there is no room for the copy; ShopError `storage_busy` while another program has the file open
 */
export async function prepareUpgrade(
	place: DatabasePlace,
	log: Logger,
): Promise<void> {
	const to = newestVersion();
	if (place.databaseUrl !== undefined) {
		const { lookIntoPostgres } = await import("../../sync/store/postgres.ts");
		const from = await lookIntoPostgres(
			place.databaseUrl,
			async (_tx, { schemaVersion }) => schemaVersion,
		);
		if (from !== undefined && from < to)
			log.warn(
				{ from, to },
				`Upgrading the database from schema ${from} to ${to}; only an earlier pg_dump can undo this`,
			);
		return;
	}
	const file = databaseFile(place);
	if (!existsSync(file)) return;
	const before = await lookInto(file, readState);
	if (before.version === undefined || before.version >= to) return;
	await waitUntilUnused(file);
	const copy = await keepCopy(file, to);
	log.info(
		{ from: before.version, to, copy: basename(copy) },
		`Upgrading the database from schema ${before.version} to ${to}`,
	);
}

/** Waits for an old server that is still stopping, or for a running command. */
async function waitUntilUnused(file: string): Promise<void> {
	const giveUpAt = performance.now() + inUseWaitMs;
	while (isInUse(file)) {
		if (performance.now() > giveUpAt)
			throw new ShopError(
				"storage_busy",
				"The database must be upgraded, but another program is using it; stop that program first",
			);
		await sleep(inUseCheckMs);
	}
}

/** @returns the copy's path */
async function keepCopy(file: string, to: number): Promise<string> {
	const dir = dirname(file);
	const copy = join(dir, `counterfoil-before-schema-${to}.db`);
	const before = await lookInto(file, readState);
	if (await isKept(copy, before)) return copy;
	// The migration may write the database once more.
	await assertDiskSpace(
		dir,
		2 * databaseSize(file),
		"a copy of the database before its upgrade",
	);
	const unfinished = join(dir, unfinishedName(basename(copy)));
	// A killed start left it; no other server can be using this database.
	await removeDatabase(unfinished);
	await withWorkingFile(unfinished, "backup", async () => {
		await copyDatabase(file, unfinished);
		await checkDatabase(unfinished);
		const copied = await lookInto(unfinished, readState);
		if (JSON.stringify(copied) !== JSON.stringify(before))
			throw new ShopError(
				"storage_failed",
				"The copy of the database differs from the original; check the disk",
			);
		settleFile(unfinished);
		await rename(unfinished, copy);
	});
	syncNames(dir);
	return copy;
}

async function isKept(copy: string, before: State): Promise<boolean> {
	const found = statSync(copy, { throwIfNoEntry: false });
	if (!found || Math.abs(Date.now() - found.mtimeMs) > recentMs) return false;
	const kept = await lookInto(copy, readState);
	return JSON.stringify(kept) === JSON.stringify(before);
}

interface State {
	version: number | undefined;
	epoch: unknown;
	heads: unknown[];
}

/** Reads the epoch and heads, which exist in every schema version, to compare a copy with its original. */
async function readState(
	tx: Connection,
	version: number | undefined,
): Promise<State> {
	if (version === undefined) return { version, epoch: undefined, heads: [] };
	const epoch = await readMeta(tx, "epoch");
	const heads = await tx.all(
		"SELECT business_id, head FROM businesses ORDER BY business_id",
	);
	return { version, epoch, heads };
}
