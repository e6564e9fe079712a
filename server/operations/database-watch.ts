import type { Logger } from "pino";
import { ShopError } from "../../sync/protocol/errors.ts";
import { checkDatabase } from "../../sync/store/copy.ts";
import { readMeta } from "../../sync/store/meta.ts";
import type { Store } from "../../sync/store/store.ts";
import { type DatabasePlace, databaseFile } from "./database.ts";

const lookEveryMs = 60_000;
const firstCheckMs = 600_000;
const checkEveryMs = 24 * 3_600_000;

interface DatabaseWatch {
	/** Checks that the database file is in place and whether a backup was made. */
	look(): Promise<void>;
	/** Reads every page of a database file in a low-priority thread. */
	check(): Promise<void>;
	close(): void;
}

/** Watches the database while the server runs, and logs when a problem begins and when it ends. */
export function watchDatabase(
	store: Store,
	place: DatabasePlace,
	log: Logger,
): DatabaseWatch {
	const closing = new AbortController();
	let isLost = false;
	let lastBackup: string | undefined;
	let lastDisk: string | undefined;

	function lookAtPlace(): void {
		try {
			store.assertInPlace();
			if (isLost) log.info("The database file is back in place");
			isLost = false;
		} catch (err) {
			if (!isLost)
				log.error(
					{ err },
					"The database file is gone: the server refuses all writes",
				);
			isLost = true;
		}
	}

	async function lookAtBackups(): Promise<void> {
		const { at, disk } = await store.read(async (tx) => ({
			at: await readMeta(tx, "backed_up_at"),
			disk: await readMeta(tx, "backup_disk"),
		}));
		if (at === undefined || at === lastBackup) return;
		const isNew = lastBackup !== undefined;
		lastBackup = at;
		const isOtherDisk = disk !== lastDisk;
		lastDisk = disk;
		if (disk === "same" && isOtherDisk)
			log.warn(
				{ at },
				"The last backup is on the same disk as the shop: losing that disk loses both",
			);
		else if (isNew) log.info({ at }, "A backup was made");
	}

	async function look(): Promise<void> {
		lookAtPlace();
		if (isLost) return;
		try {
			await lookAtBackups();
		} catch (err) {
			log.error({ err }, "The database can't be read");
		}
	}

	async function check(): Promise<void> {
		if (place.databaseUrl !== undefined) return;
		try {
			await checkDatabase(databaseFile(place), {
				givesWay: true,
				signal: closing.signal,
			});
			log.info("Checked the database: every page is intact");
		} catch (err) {
			if (closing.signal.aborted) return;
			if (!(err instanceof ShopError)) throw err;
			log.error(
				{ err },
				"The database is damaged: restore a backup soon. The shop can keep selling",
			);
		}
	}

	const onFailure = (err: unknown) => log.error({ err });
	const timers = [
		setInterval(() => void look().catch(onFailure), lookEveryMs),
		setInterval(() => void check().catch(onFailure), checkEveryMs),
		setTimeout(() => void check().catch(onFailure), firstCheckMs),
	];
	for (const timer of timers) timer.unref();
	void look().catch(onFailure);
	return {
		look,
		check,
		close() {
			closing.abort();
			for (const timer of timers) clearTimeout(timer);
		},
	};
}
