import { openInOpfs } from "../store/sqlite-wasm.ts";
import { type Disk, isWhole } from "./disk.ts";
import type { PoolImage } from "./opfs.ts";
import type { Random } from "./random.ts";
import type { SimulatedBrowser } from "./wasm-sqlite.ts";

const codes = {
	full: "SQLITE_FULL",
	failed: "SQLITE_IOERR",
	// Nobody else has its files, and there is no way to them that could be lost.
	busy: "SQLITE_BUSY",
	lost: "SQLITE_IOERR",
	gone: "SQLITE_IOERR",
} as const;

interface OpfsDiskOptions {
	browser: SimulatedBrowser;
	name: string;
	/** What it begins with; nothing by default. */
	from?: PoolImage;
	/** Those of all such disks of a run, each under a name of its own. */
	images: Map<string, PoolImage>;
	/** Decides what of the writes that were not flushed a cut spares. */
	random: Random;
	onLost(writes: number): void;
}

/** A directory of a browser's own file system, for one machine after the other that has this name. */
export function openOpfsDisk({
	browser: { sqlite, opfs },
	name,
	from = new Map(),
	images,
	random,
	onLost,
}: OpfsDiskOptions): Disk {
	/** What it will have when it is opened again: until then a program that is no more goes on with what was there. */
	let next: PoolImage | undefined = from;

	return {
		open(onStatement) {
			if (next) opfs.load(name, next);
			next = undefined;
			return openInOpfs(sqlite, name, { onStatement });
		},

		async copy() {
			const image = `${name}-${images.size}`;
			images.set(image, next ?? opfs.copy(name));
			return image;
		},

		async load(image) {
			next = imageIn(images, image);
		},

		cut() {
			const share = random.pick([0, 0.5, 1]);
			const { image, lost } = opfs.cut(name, () => random.chance(share));
			next = image;
			if (lost > 0) onLost(lost);
		},

		faults: ["full", "failed"],

		toError: (fault) =>
			Object.assign(new Error(`simulated ${codes[fault]}`), {
				code: codes[fault],
			}),

		isWhole,
	};
}

export function imageIn(
	images: ReadonlyMap<string, PoolImage>,
	name: string,
): PoolImage {
	const image = images.get(name);
	if (!image) throw new Error(`There is no image ${name}`);
	return image;
}
