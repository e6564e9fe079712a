import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Store } from "../../../sync/store/store.ts";
import { namesIn } from "./folder.ts";
import { picturesInUse } from "./in-use.ts";

const everyMs = 3_600_000;

interface PictureSweep {
	/** Deletes unused pictures. @returns how many */
	sweep(): Promise<number>;
	stop(): Promise<void>;
}

/**
 * Deletes pictures that no product uses and partial files left by a crash, but only if a sweep an hour earlier found them
 * unused, too. That leaves time for an upload to be assigned, an undo to restore a picture, and tills to resend mutations to
 * a restored server.
 */
export function openPictureSweep(
	dataDir: string,
	store: Store,
	log: Logger,
): PictureSweep {
	const root = join(dataDir, "pictures");
	let unused = new Set<string>();
	let running: Promise<void>;

	async function sweep(): Promise<number> {
		const found = new Set<string>();
		let deleted = 0;
		for (const businessId of await namesIn(root)) {
			const files = await namesIn(join(root, businessId));
			const inUse = await store.read((tx) => picturesInUse(tx, businessId));
			// The business belongs to another database, so its pictures may be in use there.
			if (!inUse) continue;
			for (const name of files) {
				if (inUse.has(name)) continue;
				const file = join(root, businessId, name);
				if (unused.has(file)) {
					await rm(file, { force: true });
					deleted += 1;
				} else found.add(file);
			}
		}
		unused = found;
		return deleted;
	}

	function run(): Promise<void> {
		return sweep().then(
			(deleted) => {
				if (deleted > 0) log.info({ deleted }, "Deleted unused pictures");
			},
			(err) => log.warn({ err }, "Can't delete unused pictures"),
		);
	}

	running = run();
	const timer = setInterval(() => {
		running = run();
	}, everyMs);
	timer.unref();
	return {
		sweep,
		async stop() {
			clearInterval(timer);
			await running;
		},
	};
}
