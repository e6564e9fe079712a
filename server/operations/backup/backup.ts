import { existsSync } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readDigest, readHead } from "../../../sync/feed/feed.ts";
import { proofAt } from "../../../sync/log/chain.ts";
import { toIso } from "../../../sync/protocol/clock.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import type { Shop } from "../../../sync/shop.ts";
import {
	checkDatabase,
	copyDatabase,
	settleFile,
	syncNames,
} from "../../../sync/store/copy.ts";
import { readMeta, setMeta } from "../../../sync/store/meta.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import type { Store } from "../../../sync/store/store.ts";
import { copyPictures } from "../../products/pictures/copy.ts";
import { databaseFile } from "../database.ts";
import { BackupError } from "./backup-error.ts";
import { type Contents, noteContents, readContents } from "./contents.ts";
import { removePasswords } from "./password-hashes.ts";
import { withWorkingFile } from "./working-file.ts";

/** A checked copy of an installation's database. */
export interface BackupCopy extends Contents {
	file: string;
	bytes: number;
	/** The number of pictures added to the folder `pictures` beside the file. */
	pictures: number;
	/** True if losing the shop's disk would also lose the backup. */
	isOnSameDisk: boolean;
}

export interface Backup extends BackupCopy {
	/** Damage found in the shop's database although the copy is intact, or null. */
	damage: string | null;
}

type BackupStep = "copying" | "checking" | "pictures" | "checking the shop";

interface BackupOptions {
	dataDir: string;
	file: string;
	withPasswords?: boolean;
	onStep?: (step: BackupStep) => void;
}

/**
 * Makes a backup of an installation that may be in use, after which tills may delete the mutations that it covers. Then
 * checks the original, too.
 *
 * @param isForTills false for a backup after which tills keep what they have
 * @throws like `writeBackup`
 */
export async function backUp(
	shop: Shop,
	{ isForTills = true, ...options }: BackupOptions & { isForTills?: boolean },
): Promise<Backup> {
	const { store, env } = shop;
	const made = await writeBackup(options, env.now(), (fn) => store.read(fn));
	const disk = made.isOnSameDisk ? "same" : "other";
	await raiseBackedUpTo(shop, made, disk, isForTills);
	options.onStep?.("checking the shop");
	const damage = await findDamage(databaseFile(options));
	return { ...made, damage };
}

/**
 * Writes a checked copy of an installation's database while it is in use, and its pictures into the folder `pictures`
 * beside it, without password hashes unless they are asked for. The file gets its final name when it is complete, checked and on disk.
 *
 * @param read reads the original
 * @param canLink lets pictures on the same disk share their bytes with the originals, which never change
 * @throws BackupError if the file exists or the copy differs from the database; ShopError `storage_*`
 */
export async function writeBackup(
	{
		dataDir,
		file,
		withPasswords = false,
		canLink = false,
		onStep = () => {},
	}: BackupOptions & { canLink?: boolean },
	now: number,
	read: Store["read"],
): Promise<BackupCopy> {
	const at = toIso(now);
	const dir = dirname(file);
	if (existsSync(file))
		throw new BackupError(`${file} already exists; choose another name`);
	await mkdir(dir, { recursive: true, mode: 0o700 });
	const unfinished = join(dir, unfinishedName(basename(file)));
	const held = await withWorkingFile(unfinished, "backup", async () => {
		onStep("copying");
		await copyDatabase(databaseFile({ dataDir }), unfinished);
		onStep("checking");
		const { held, proofs } = await checkCopy(unfinished, at, withPasswords);
		await compareWithSource(read, held, proofs);
		settleFile(unfinished);
		await rename(unfinished, file);
		return held;
	});
	syncNames(dir);
	onStep("pictures");
	const pictures = await copyPictures(dataDir, dir, canLink);
	const { dev, size: bytes } = await stat(file);
	const isOnSameDisk = dev === (await stat(dataDir)).dev;
	return { ...held, file, bytes, pictures, isOnSameDisk };
}

/** Checks the original, because a copy rebuilds indexes from rows and so hides a damaged index. */
async function findDamage(file: string): Promise<string | null> {
	try {
		await checkDatabase(file);
		return null;
	} catch (error) {
		if (error instanceof ShopError && error.code === "storage_failed")
			return error.message;
		throw error;
	}
}

/** The name of a backup while it is being written. */
export function unfinishedName(name: string): string {
	return `.${name}.partial`;
}

/** The proof of each business's head in a copy. */
type Proofs = ReadonlyMap<string, string>;

/** Checks the file's structure, reads every row of every business, and notes the contents in the file. */
async function checkCopy(
	file: string,
	at: string,
	withPasswords: boolean,
): Promise<{ held: Contents; proofs: Proofs }> {
	const store = await openSqlite(file);
	try {
		if (!withPasswords) await store.write(removePasswords);
		const proofs = new Map<string, string>();
		const [held] = await Promise.all([
			store.read(async (tx) => {
				const held = await readContents(tx, at);
				for (const { businessId, head } of held.businesses)
					proofs.set(businessId, await proofAt(tx, businessId, head));
				return held;
			}),
			checkDatabase(file),
		]);
		await store.write((tx) => noteContents(tx, held));
		return { held, proofs };
	} finally {
		await store.close();
	}
}

/** Compares the logs of all businesses up to the copy's heads, and the digests of those that have not changed since. */
async function compareWithSource(
	read: Store["read"],
	{ businesses, epoch }: Contents,
	proofs: Proofs,
): Promise<void> {
	for (const { businessId, head, digest } of businesses) {
		const own = await read(async (tx) => {
			if ((await readMeta(tx, "epoch")) !== epoch) return undefined;
			const isSame = (await readHead(tx, businessId)) === head;
			return {
				proof: await proofAt(tx, businessId, head),
				digest: isSame ? await readDigest(tx, businessId) : digest,
			};
		});
		if (!own) continue;
		if (own.digest !== digest || own.proof !== proofs.get(businessId))
			throw new BackupError(
				`The copy of business ${businessId} differs from the original: check the disk ("counterfoil doctor"), then try again`,
			);
	}
}

/**
 * Records a backup, and how far it covers each business; the mark never decreases.
 *
 * @param isForTills false for a backup after which tills keep what they have
 */
export async function raiseBackedUpTo(
	{ store }: Pick<Shop, "store">,
	{ businesses, epoch, at }: Contents,
	disk: "same" | "other",
	isForTills = true,
): Promise<void> {
	await store.write(async (tx) => {
		// After a restore in the meantime, the versions belong to another history.
		if ((await readMeta(tx, "epoch")) !== epoch) return;
		for (const { businessId, head } of isForTills ? businesses : [])
			await tx.run(
				"UPDATE businesses SET backed_up_to = ? WHERE business_id = ? AND backed_up_to < ?",
				head,
				businessId,
				head,
			);
		await setMeta(tx, "backed_up_at", at);
		await setMeta(tx, "backup_disk", disk);
		const heads = businesses.reduce((sum, { head }) => sum + head, 0);
		await setMeta(tx, "backed_up_heads", String(heads));
	});
}
