import { openInOpfs } from "../store/sqlite-wasm.ts";
import { type Disk, isWhole } from "./disk.ts";
import type { PoolImage } from "./opfs.ts";
import type { Random } from "./random.ts";
import type { SimulatedBrowser } from "./wasm-sqlite.ts";

const codes = {
	full: "SQLITE_FULL",
	failed: "SQLITE_IOERR",
	// No other program has its files, and no connection to them can be lost.
	busy: "SQLITE_BUSY",
	lost: "SQLITE_IOERR",
	gone: "SQLITE_IOERR",
} as const;

interface OpfsDiskOptions {
	browser: SimulatedBrowser;
	name: string;
	/** The initial content. Default: empty. */
	from?: PoolImage;
	/** The images of all such disks of a run, by unique names. */
	images: Map<string, PoolImage>;
	/** Decides which unflushed writes survive a power failure. */
	random: Random;
	onLost(writes: number): void;
}

/** A directory in a browser's file system, for successive machines of this name. */
export function openOpfsDisk({
	browser: { sqlite, opfs },
	name,
	from = new Map(),
	images,
	random,
	onLost,
}: OpfsDiskOptions): Disk {
	/** The content after the next opening; until then, a program that has died goes on with the old one. */
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
