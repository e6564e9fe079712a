import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Store } from "../../../sync/store/store.ts";
import { namesIn } from "./folder.ts";
import { picturesInUse } from "./in-use.ts";

const everyMs = 3_600_000;

interface PictureSweep {
	/** Looks through all pictures. @returns how many it deleted */
	sweep(): Promise<number>;
	stop(): Promise<void>;
}

/**
 * Deletes pictures that no product names, and what a crash left half-written: only what an earlier look, an hour before,
 * found unused as well. So an upload has the time to be named, an undo its picture, and a restored server the tills' word.
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
			// Another database's business: its pictures are not ours to judge.
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
			(err) => log.warn({ err }, "Unused pictures can't be deleted"),
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
