import { expect, test } from "vitest";
import { runBounded } from "./bounded-thread.ts";
import { type FilePart, linesAtOnce } from "./file-thread.ts";

test("the parts of a long file come in different turns of the event loop, so that sales run in between", async () => {
	const parts = 10;
	const lines = Array.from(
		{ length: parts * linesAtOnce },
		(_, i) => `Bread ${i},${i}\n`,
	);
	const job = {
		bytes: Buffer.from(["name,price\n", ...lines].join("")),
		options: {},
	};
	let turn = 0;
	let isRead = false;
	const count = () => {
		turn += 1;
		if (!isRead) setImmediate(count);
	};
	count();
	const turns = new Set<number>();
	let read = 0;
	await runBounded<FilePart>(
		new URL("./file-worker.ts", import.meta.url),
		job,
		{ timeMs: 30_000, heapMb: 256, growthBytes: 1e9 },
		(part) => {
			if (!("lines" in part)) return true;
			read += part.lines.length;
			turns.add(turn);
			// A part takes long to receive, so that the next ones have arrived meanwhile.
			const until = performance.now() + 10;
			while (performance.now() < until);
			return false;
		},
	);
	isRead = true;
	expect(read).toBe(lines.length);
	expect(turns.size).toBe(parts);
});
