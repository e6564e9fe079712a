import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Where strace is: what a process has written below a folder, and how much of it no sync has made safe yet. */
export interface DiskTrace {
	/** The command that a process is started under. */
	under: string[];
	/** So far, in bytes. */
	read(dir: string): Written;
}

export interface Written {
	written: number;
	/** What a power cut may take. */
	unsynced: number;
	syncs: number;
}

/** @returns undefined where this machine has no strace, or doesn't allow it */
export function openDiskTrace(file: string): DiskTrace | undefined {
	if (spawnSync("strace", ["-o", file, "true"]).status !== 0) return undefined;
	const calls = "write,pwrite64,writev,pwritev,fsync,fdatasync";
	return {
		// -D: the traced process is the one that was started, and can be killed by its id.
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

/** Lines such as `812 pwrite64(23</data/shop.db>, ""..., 4096, 0) = 4096`, some in two parts where threads met. */
function sum(text: string, dir: string): Written {
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
