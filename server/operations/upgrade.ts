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
import { newestVersion } from "../../sync/store/migrate.ts";
import { lookInto } from "../../sync/store/sqlite.ts";
import type { Connection } from "../../sync/store/store.ts";
import { unfinishedName } from "./backup/backup.ts";
import { assertRoom, databaseSize } from "./backup/disk-room.ts";
import { removeDatabase, withWorkingFile } from "./backup/working-file.ts";
import { type DatabasePlace, databaseFile } from "./database.ts";

/** A start that fails is tried again by its supervisor; each try would copy the same database. */
const recentMs = 3_600_000;
const inUseWaitMs = 10_000;
const inUseCheckMs = 250;

/**
 * Says that an older database will be brought up to date, and keeps a checked copy of it first. For a database in a file
 * the copy is `counterfoil-before-schema-N.db` beside it; PostgreSQL's own `pg_dump` makes them there.
 *
 * @throws BackupError without room for the copy; ShopError `storage_busy` while another program has the file open
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
				`Bringing the database from schema ${from} to ${to}; the only way back is a pg_dump from before`,
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
		`Bringing the database from schema ${before.version} to ${to}`,
	);
}

/** The old server may still be stopping, and a command of its program may be at work. */
async function waitUntilUnused(file: string): Promise<void> {
	const giveUpAt = performance.now() + inUseWaitMs;
	while (isInUse(file)) {
		if (performance.now() > giveUpAt)
			throw new ShopError(
				"storage_busy",
				"The database must be brought up to date, and another program is using it; stop that program first",
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
	// The migration may write as much again.
	await assertRoom(
		dir,
		2 * databaseSize(file),
		"a copy of the database before it is brought up to date",
	);
	const unfinished = join(dir, unfinishedName(basename(copy)));
	// Left by a start that was killed: no other server has this database.
	await removeDatabase(unfinished);
	await withWorkingFile(unfinished, "backup", async () => {
		await copyDatabase(file, unfinished);
		await checkDatabase(unfinished);
		const copied = await lookInto(unfinished, readState);
		if (JSON.stringify(copied) !== JSON.stringify(before))
			throw new ShopError(
				"storage_failed",
				"The copy of the database differs from it; check the disk",
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

/** What says, in every schema there has been, how far a database has come. */
async function readState(
	tx: Connection,
	version: number | undefined,
): Promise<State> {
	if (version === undefined) return { version, epoch: undefined, heads: [] };
	const meta = await tx.get("SELECT value FROM meta WHERE key = 'epoch'");
	const heads = await tx.all(
		"SELECT business_id, head FROM businesses ORDER BY business_id",
	);
	return { version, epoch: meta?.value, heads };
}
