import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Measures with strace how much a process has written below a folder, and how much of it is not fsynced yet. */
export interface DiskTrace {
	/** The command to start the process under. */
	under: string[];
	/** Bytes so far. */
	read(dir: string): WrittenBytes;
}

export interface WrittenBytes {
	written: number;
	/** Bytes that a power cut could lose. */
	unsynced: number;
	syncs: number;
}

/** @returns undefined if strace is missing or not permitted */
export function openDiskTrace(file: string): DiskTrace | undefined {
	if (spawnSync("strace", ["-o", file, "true"]).status !== 0) return undefined;
	const calls = "write,pwrite64,writev,pwritev,fsync,fdatasync";
	return {
		// -D makes the traced program the direct child, so that its process id can be killed.
		under: [
			"strace",
			"-D",
			"-f",
			"-y",
			"-s",
			"0",
			"-e",
			`trace=${calls}`,
			"-o",
			file,
		],
		read: (dir) => sum(readFileSync(file, "utf8"), dir),
	};
}

/** Lines such as `812 pwrite64(23</data/shop.db>, ""..., 4096, 0) = 4096`, some split in two where threads interleave. */
function sum(text: string, dir: string): WrittenBytes {
	const unsyncedByFile = new Map<string, number>();
	const begunByThread = new Map<string, { call: string; path: string }>();
	let written = 0;
	let syncs = 0;
	for (const line of text.split("\n")) {
		const [, thread = "", rest = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
		const begun = /^(\w+)\(\d+<([^>]*)>/.exec(rest);
		if (begun)
			begunByThread.set(thread, { call: begun[1] ?? "", path: begun[2] ?? "" });
		const result = /\) += (\d+)$/.exec(rest);
		const done = begunByThread.get(thread);
		if (!result || !done?.path.startsWith(dir)) continue;
		begunByThread.delete(thread);
		if (done.call.endsWith("sync")) {
			syncs += 1;
			unsyncedByFile.set(done.path, 0);
		} else {
			const bytes = Number(result[1]);
			written += bytes;
			unsyncedByFile.set(
				done.path,
				(unsyncedByFile.get(done.path) ?? 0) + bytes,
			);
		}
	}
	const unsynced = [...unsyncedByFile.values()].reduce((a, b) => a + b, 0);
	return { written, unsynced, syncs };
}
