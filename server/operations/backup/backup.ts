import { existsSync } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readDigest, readHead } from "../../../sync/feed/feed.ts";
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
import { copyPictures } from "../../products/pictures/copy.ts";
import { databaseFile } from "../database.ts";
import { BackupError } from "./backup-error.ts";
import { type Contents, noteContents, readContents } from "./contents.ts";
import { removePasswords } from "./password-hashes.ts";
import { withWorkingFile } from "./working-file.ts";

export interface Backup extends Contents {
	file: string;
	bytes: number;
	/** The number of pictures added to the folder `pictures` beside the file. */
	pictures: number;
	/** True if losing the shop's disk would also lose the backup. */
	isOnSameDisk: boolean;
	/** Damage found in the shop's database although the copy is intact, or null. */
	damage: string | null;
}

type BackupStep = "copying" | "checking" | "pictures" | "checking the shop";

/**
 * Writes a checked copy of an installation's database while it is in use, and its pictures into the folder `pictures`
 * beside it, without password hashes unless they are asked for. The file gets its final name when it is complete, checked and on disk. Tills may then delete the mutations
 * that it covers.
 *
 * @throws BackupError if the file exists or the copy differs from the database; ShopError `storage_*`
 */
export async function backUp(
	shop: Shop,
	{
		dataDir,
		file,
		withPasswords = false,
		onStep = () => {},
	}: {
		dataDir: string;
		file: string;
		withPasswords?: boolean;
		onStep?: (step: BackupStep) => void;
	},
): Promise<Backup> {
	const at = toIso(shop.env.now());
	const dir = dirname(file);
	if (existsSync(file))
		throw new BackupError(`${file} already exists; choose another name`);
	await mkdir(dir, { recursive: true, mode: 0o700 });
	const unfinished = join(dir, unfinishedName(basename(file)));
	const held = await withWorkingFile(unfinished, "backup", async () => {
		onStep("copying");
		await copyDatabase(databaseFile({ dataDir }), unfinished);
		onStep("checking");
		const held = await checkCopy(unfinished, at, withPasswords);
		await compareWithSource(shop, held);
		settleFile(unfinished);
		await rename(unfinished, file);
		return held;
	});
	syncNames(dir);
	onStep("pictures");
	const pictures = await copyPictures(dataDir, dir);
	const { dev, size: bytes } = await stat(file);
	const isOnSameDisk = dev === (await stat(dataDir)).dev;
	await raiseBackedUpTo(shop, held, isOnSameDisk ? "same" : "other");
	onStep("checking the shop");
	const damage = await findDamage(databaseFile({ dataDir }));
	return { ...held, file, bytes, pictures, isOnSameDisk, damage };
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

/** Checks the file's structure, reads every row of every business, and notes the contents in the file. */
async function checkCopy(
	file: string,
	at: string,
	withPasswords: boolean,
): Promise<Contents> {
	const store = await openSqlite(file);
	try {
		if (!withPasswords) await store.write(removePasswords);
		const [held] = await Promise.all([
			store.read((tx) => readContents(tx, at)),
			checkDatabase(file),
		]);
		await store.write((tx) => noteContents(tx, held));
		return held;
	} finally {
		await store.close();
	}
}

/** Compares the digests of businesses that have not changed since the copy. */
async function compareWithSource(
	{ store }: Shop,
	{ businesses, epoch }: Contents,
): Promise<void> {
	for (const { businessId, head, digest } of businesses) {
		const own = await store.read(async (tx) => {
			const isSame =
				(await readMeta(tx, "epoch")) === epoch &&
				(await readHead(tx, businessId)) === head;
			return isSame ? readDigest(tx, businessId) : undefined;
		});
		if (own !== undefined && own !== digest)
			throw new BackupError(
				`The copy of business ${businessId} differs from the original: check the disk ("counterfoil doctor"), then try again`,
			);
	}
}

/** Records how far a backup covers each business; the mark never decreases. */
export async function raiseBackedUpTo(
	{ store }: Shop,
	{ businesses, epoch, at }: Contents,
	disk: "same" | "other",
): Promise<void> {
	await store.write(async (tx) => {
		// After a restore in the meantime, the versions belong to another history.
		if ((await readMeta(tx, "epoch")) !== epoch) return;
		for (const { businessId, head } of businesses)
			await tx.run(
				"UPDATE businesses SET backed_up_to = ? WHERE business_id = ? AND backed_up_to < ?",
				head,
				businessId,
				head,
			);
		await setMeta(tx, "backed_up_at", at);
		await setMeta(tx, "backup_disk", disk);
	});
}
