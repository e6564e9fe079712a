import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
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

export interface OpfsDiskOptions {
	browser: SimulatedBrowser;
	/** Where its images are. */
	dir: string;
	name: string;
	/** The image that it begins with; nothing by default. */
	from?: string;
	/** Decides what of the writes that were not flushed a cut spares. */
	random: Random;
	onLost(writes: number): void;
}

/** A directory of a browser's own file system, for one machine after the other that has this name. */
export function openOpfsDisk({
	browser: { sqlite, opfs },
	dir,
	name,
	from,
	random,
	onLost,
}: OpfsDiskOptions): Disk {
	let images = 0;
	opfs.load(name, from === undefined ? new Map() : readImage(from));

	return {
		open: (onStatement) => openInOpfs(sqlite, name, { onStatement }),

		async copy() {
			const to = join(dir, `${name}-${images}.opfs`);
			images += 1;
			writeFileSync(to, serialize(opfs.copy(name)));
			return to;
		},

		async load(image) {
			opfs.load(name, readImage(image));
		},

		cut() {
			const share = random.pick([0, 0.5, 1]);
			const { image, lost } = opfs.cut(name, () => random.chance(share));
			opfs.load(name, image);
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

function readImage(file: string): PoolImage {
	return deserialize(readFileSync(file));
}
