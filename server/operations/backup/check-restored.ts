import { readDigest, readHead } from "../../../sync/feed/feed.ts";
import type { Shop } from "../../../sync/shop.ts";
import { readMeta } from "../../../sync/store/meta.ts";
import { newestVersion } from "../../../sync/store/migrate.ts";
import { lookIntoPostgres } from "../../../sync/store/postgres.ts";
import type { Connection } from "../../../sync/store/store.ts";
import { raiseBackedUpTo } from "./backup.ts";
import { BackupError } from "./backup-error.ts";
import { type Contents, readContents } from "./contents.ts";

/**
 * Checks that a backup of the shop's PostgreSQL database, restored into a separate database, matches the shop, by reading
 * every row of every business. Tills may then delete the mutations that it covers.
 *
 * @param url the restored database, which is only read
 * @throws BackupError if it is not an intact backup of this shop; ShopError `not_a_database`, `storage_*`
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
				"This is the shop's own database; restore the backup into another one",
			);
		if (place.isStandby)
			throw new BackupError(
				"This is a standby, which repeats its primary's losses; restore a backup from pg_dump instead",
			);
		if (schemaVersion !== newestVersion())
			throw new BackupError(
				`This database has schema ${schemaVersion ?? "none"}, but the shop has ${newestVersion()}; use a backup made since the last update`,
			);
		const contents = await readContents(tx, await lastChange(tx));
		await compareWithOwn(shop, tx, contents);
		return contents;
	});
	await raiseBackedUpTo(shop, held, "other");
	return held;
}

/** Identifies a database by its server's start time, to the microsecond, and its name. */
async function placeOf(
	tx: Connection,
): Promise<{ name: string; isStandby: boolean }> {
	const row = await tx.get(
		`SELECT extract(epoch FROM pg_postmaster_start_time()) || ' ' || current_database() AS name,
       pg_is_in_recovery() AS standby`,
	);
	return { name: String(row?.name), isStandby: row?.standby === 1 };
}

/** A dump doesn't record when it was made, so take the time of its last mutation. */
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
			"This is not a backup of this shop, or the shop was restored after it was made; use another backup",
		);
	for (const { businessId, head, digest } of businesses) {
		const logged = await countLog(there, businessId, head);
		const own = await store.read(async (tx) => ({
			logged: await countLog(tx, businessId, head),
			// Rows can only be compared if the shop hasn't changed since.
			digest:
				(await readHead(tx, businessId)) === head
					? await readDigest(tx, businessId)
					: undefined,
		}));
		if (own.logged !== logged || (own.digest ?? digest) !== digest)
			throw new BackupError(
				`The backup of business ${businessId} differs from the shop at version ${head}; make another one`,
			);
	}
}

/** Counts a business's mutations up to a version. */
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
