import { readDigest, readHead } from "../../../sync/feed/feed.ts";
import type { Shop } from "../../../sync/shop.ts";
import { newestVersion } from "../../../sync/store/migrate.ts";
import { lookIntoPostgres } from "../../../sync/store/postgres.ts";
import type { Connection } from "../../../sync/store/store.ts";
import { raiseBackedUpTo } from "./backup.ts";
import { BackupError } from "./backup-error.ts";
import { type Contents, readContents, readMeta } from "./contents.ts";

/**
 * Looks whether a backup of the shop's PostgreSQL, brought back into a database of its own, is the shop as it was: every
 * row of every business is read. Tills then know that they need not keep what it holds.
 *
 * @param url of that database, which is not changed
 * @throws BackupError for what is no backup of this shop, or not whole; ShopError `not_a_database`, `storage_*`
 */
export async function checkRestored(
	shop: Shop,
	url: string,
): Promise<Contents> {
	const own = await shop.store.read(placeOf);
	const held = await lookIntoPostgres(url, async (tx, { schemaVersion }) => {
		const place = await placeOf(tx);
		if (place.name === own.name)
			throw new BackupError(
				"That is the shop's own database: bring its backup back into another one",
			);
		if (place.isStandby)
			throw new BackupError(
				"That is a standby, which loses what its primary loses: a backup is a copy of another day",
			);
		if (schemaVersion !== newestVersion())
			throw new BackupError(
				`That database has schema ${schemaVersion ?? "none"}, and this program's is ${newestVersion()}: it can't be compared`,
			);
		const contents = await readContents(tx, await lastChange(tx));
		await compareWithOwn(shop, tx, contents);
		return contents;
	});
	await raiseBackedUpTo(shop, held, "other");
	return held;
}

/** A server's start, to the microsecond, and a database on it: what two connections have in common in one place only. */
async function placeOf(
	tx: Connection,
): Promise<{ name: string; isStandby: boolean }> {
	const row = await tx.get(
		`SELECT extract(epoch FROM pg_postmaster_start_time()) || ' ' || current_database() AS name,
       pg_is_in_recovery() AS standby`,
	);
	return { name: String(row?.name), isStandby: row?.standby === 1 };
}

/** When the backup was made is nowhere in it: the last thing that it knows was before. */
async function lastChange(tx: Connection): Promise<string> {
	const row = await tx.get(
		"SELECT coalesce(max(received_at), (SELECT min(created_at) FROM businesses), '') AS at FROM mutations",
	);
	return String(row?.at);
}

async function compareWithOwn(
	{ store }: Shop,
	there: Connection,
	{ businesses, epoch }: Contents,
): Promise<void> {
	if ((await store.read((tx) => readMeta(tx, "epoch"))) !== epoch)
		throw new BackupError(
			"That is no backup of this shop as it is: it is another one, or was restored since",
		);
	for (const { businessId, head, digest } of businesses) {
		const logged = await countLog(there, businessId, head);
		const own = await store.read(async (tx) => ({
			logged: await countLog(tx, businessId, head),
			// What has changed since can't be compared row by row.
			digest:
				(await readHead(tx, businessId)) === head
					? await readDigest(tx, businessId)
					: undefined,
		}));
		if (own.logged !== logged || (own.digest ?? digest) !== digest)
			throw new BackupError(
				`The backup of business ${businessId} is not what the shop was at its version ${head}: make another one`,
			);
	}
}

/** How many mutations made a business what it was at a version. */
async function countLog(
	tx: Connection,
	businessId: string,
	head: number,
): Promise<number> {
	const row = await tx.get(
		"SELECT count(*) AS count FROM mutations WHERE business_id = ? AND version <= ?",
		businessId,
		head,
	);
	return Number(row?.count);
}
