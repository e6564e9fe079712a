import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { beginNewHistory } from "../../../sync/log/history.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import type { Env } from "../../../sync/protocol/ids.ts";
import {
	checkDatabase,
	copyDatabase,
	isInUse,
	settleFile,
	syncNames,
} from "../../../sync/store/copy.ts";
import { newestVersion } from "../../../sync/store/migrate.ts";
import { lookInto, openSqlite } from "../../../sync/store/sqlite.ts";
import type { Store } from "../../../sync/store/store.ts";
import { copyPictures } from "../../products/pictures/copy.ts";
import { databaseFile } from "../database.ts";
import { BackupError } from "./backup-error.ts";
import {
	type Contents,
	forgetContents,
	notedContents,
	readContents,
} from "./contents.ts";
import { assertDiskSpace, databaseSize } from "./disk-space.ts";
import { giveToOwner, makeOwnedDirectory } from "./owner.ts";
import { keepReplaced, type Replaced, readReplaced } from "./replaced.ts";
import { removeAbandoned, withWorkingFile } from "./working-file.ts";

interface Installed {
	/** The new path of the replaced database, or null. */
	replaced: string | null;
	pictures: number;
}

/** What every kind of restore needs. */
export interface RestoreOptions {
	file: string;
	dataDir: string;
	env: Env;
	/** Renames an existing database instead of refusing. */
	force: boolean;
	onStep?: (step: RestoreStep) => void;
	/** Called before anything is written if the backup has an older schema. */
	onOlderSchema?: (from: number, to: number) => void;
}

type RestoreStep = "copying" | "checking" | "comparing" | "pictures";

/**
 * Restores a backup as an installation's database, with a new epoch by which tills notice and resend what it lacks.
 *
 * @throws as `installCopy`
 */
export function restoreBackup(options: RestoreOptions): Promise<Restored> {
	const { file, env, dataDir } = options;
	return installCopy(options, async (unfinished) => {
		const kept = await readReplaced(databaseFile({ dataDir }));
		return prepare(unfinished, file, env, kept);
	});
}

interface Restored extends Contents, Installed, Prepared {}

interface Prepared {
	/** The emails of people who can't sign in until they get a password: a backup holds none. */
	withoutPassword: string[];
}

/**
 * Makes a copy of a database file the installation's database. The file stays unchanged, and an existing database is kept
 * under another name.
 *
 * @param prepare turns the copy, checked and not yet in its place, into a server's database
 * @throws BackupError, ShopError `not_a_database`, `newer_database`, `storage_*`, all without having changed anything
 */
export async function installCopy<Held extends object>(
	{
		file,
		dataDir,
		env,
		force,
		onStep = () => {},
		onOlderSchema = () => {},
	}: RestoreOptions,
	prepare: (unfinished: string) => Promise<Held>,
): Promise<Held & Installed> {
	const target = databaseFile({ dataDir });
	if (!existsSync(file)) throw new BackupError(`There is no file ${file}`);
	if (resolve(file) === resolve(target))
		throw new BackupError(
			`${file} is this installation's own database; name a backup`,
		);
	assertMayRestore(target, dataDir, force);
	const version = await lookInto(file, async (_tx, version) => version);
	// What a disk without room or power has left of a copy.
	if (version === undefined)
		throw new BackupError(`${file} is empty; use another backup`);
	const newest = newestVersion();
	if (version < newest) onOlderSchema(version, newest);
	await makeOwnedDirectory(dataDir);
	await assertDiskSpace(
		dataDir,
		roomFor(file, version),
		"the restored database",
	);
	const unfinished = join(dataDir, ".restoring.db");
	await removeAbandoned(unfinished, env.now());
	const restored = await withWorkingFile(unfinished, "restore", async () => {
		onStep("copying");
		await copyDatabase(file, unfinished);
		onStep("checking");
		await checkDatabase(unfinished);
		onStep("comparing");
		const held = await prepare(unfinished);
		settleFile(unfinished);
		onStep("pictures");
		const pictures = await copyPictures(dirname(file), dataDir);
		await giveToOwner(dataDir, unfinished, join(dataDir, "pictures"));
		// Another restore or a server may have created the database meanwhile.
		assertMayRestore(target, dataDir, force);
		const replaced = await putAside(target, env);
		await rename(unfinished, target);
		return { ...held, replaced, pictures };
	});
	syncNames(dataDir);
	return restored;
}

/** A migration writes the database once more. */
function roomFor(file: string, version: number): number {
	return databaseSize(file) * (version === newestVersion() ? 1 : 2);
}

function assertMayRestore(
	target: string,
	dataDir: string,
	force: boolean,
): void {
	if (!force && existsSync(target))
		throw new BackupError(
			`There is already a shop in ${dataDir} (DATA_DIR); use --force to replace it (its database is kept under another name)`,
		);
	assertUnused(target);
}

/** Detects other programs by the lock that every open connection holds. */
function assertUnused(target: string): void {
	if (existsSync(target) && isInUse(target))
		throw new BackupError(
			`A server or another program is using ${target}; stop it first`,
		);
}

async function prepare(
	unfinished: string,
	file: string,
	env: Env,
	kept: Replaced,
): Promise<Contents & Prepared> {
	const store = await openSqlite(unfinished);
	try {
		const held = await compareWithNote(store, file, env);
		const withoutPassword = await store.write(async (tx) => {
			await forgetContents(tx);
			await beginNewHistory(tx, env);
			return keepReplaced(tx, kept);
		});
		return { ...held, withoutPassword };
	} finally {
		await store.close();
	}
}

/** Compares every row with the contents that the backup noted when it was made. */
async function compareWithNote(
	store: Store,
	file: string,
	env: Env,
): Promise<Contents> {
	return store.read(async (tx) => {
		if (await tx.get("SELECT 1 AS till FROM replica LIMIT 1"))
			throw new BackupError(
				`${file} is a till's database, not a server's; a till fetches its shop from its server`,
			);
		const held = await readContents(tx, toIso(env.now()));
		const noted = await notedContents(tx);
		if (!noted) return held;
		// A migration may have changed rows, and with them the digest.
		if (noted.schemaVersion !== held.schemaVersion)
			return { ...held, at: noted.at };
		const same =
			JSON.stringify(noted.businesses) === JSON.stringify(held.businesses);
		if (!same)
			throw new BackupError(
				`${file} has changed since it was made; use another backup`,
			);
		return noted;
	});
}

/** Renames the database together with its write-ahead log. @returns its new name, or null if there was none */
async function putAside(target: string, env: Env): Promise<string | null> {
	const stamp = toIso(env.now()).replaceAll(/[-:.]/g, "");
	const aside = target.replace(/\.db$/, `-replaced-${stamp}.db`);
	let moved: string | null = null;
	for (const suffix of ["-wal", "-shm", ""])
		if (existsSync(target + suffix)) {
			await rename(target + suffix, aside + suffix);
			moved = aside;
		}
	return moved;
}
