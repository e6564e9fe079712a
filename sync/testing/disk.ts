import { execFileSync, spawnSync } from "node:child_process";
import {
	closeSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	rmSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A separate file system, small enough for a test to fill. */
interface SmallDisk {
	dir: string;
	/** Fills the disk, leaving no room or so many bytes. */
	fill(leaveBytes?: number): void;
	/** Makes room again. */
	clear(): void;
}

const chunkBytes = 4_096;

/** The reason why this machine can't mount a small disk, or undefined. */
export const noSmallDisk = whyNot();

function whyNot(): string | undefined {
	if (process.platform !== "linux") return "it needs Linux";
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-disk-"));
	const { status } = spawnSync("mount", mountArgs(dir, 1), { stdio: "ignore" });
	if (status === 0) execFileSync("umount", [dir]);
	rmSync(dir, { recursive: true });
	return status === 0 ? undefined : "this user may not mount file systems";
}

function mountArgs(dir: string, megabytes: number): string[] {
	return ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", dir];
}

/** Mounts a small disk until the end of the test, which must have ended its processes with open files by then. */
export function mountSmallDisk(megabytes: number): SmallDisk {
	const place = mkdtempSync(join(tmpdir(), "counterfoil-disk-"));
	execFileSync("mount", mountArgs(place, megabytes));
	onTestFinished(() => {
		// Lazy: files that a failed test left open are released with its process.
		execFileSync("umount", ["--lazy", place]);
		rmSync(place, { recursive: true });
	});
	const dir = join(place, "data");
	const ballast = join(place, "ballast");
	mkdirSync(dir);
	const clear = () => rmSync(ballast, { force: true });
	return {
		dir,
		clear,
		fill(leaveBytes = 0) {
			// Allocated first and freed once the disk is full.
			const reserve = join(place, "reserve");
			const file = openSync(reserve, "w");
			writeAll(file, leaveBytes);
			closeSync(file);
			const full = openSync(ballast, "a");
			writeAll(full, Number.POSITIVE_INFINITY);
			closeSync(full);
			rmSync(reserve);
		},
	};
}

/** Writes so many bytes, or as many as fit. */
function writeAll(file: number, bytes: number): void {
	const chunk = Buffer.alloc(chunkBytes, 1);
	for (let left = bytes; left > 0; ) {
		try {
			left -= writeSync(file, chunk, 0, Math.min(left, chunkBytes));
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOSPC") return;
			throw error;
		}
	}
}
