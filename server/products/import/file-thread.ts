import {
	type CsvFileCode,
	CsvFileError,
} from "../../../sync/protocol/csv-records.ts";
import { runBounded } from "./bounded-thread.ts";
import { oneAtATime } from "./import-queue.ts";
import type { FileSample, ProductFile, ReadOptions } from "./product-file.ts";

/** Lines per message from the thread: deserializing a message blocks the event loop. */
export const linesAtOnce = 1_000;
const bounds = { timeMs: 30_000, heapMb: 512, growthBytes: 600_000_000 };
const program = new URL("./file-worker.ts", import.meta.url);

export interface FileJob {
	bytes: Uint8Array;
	options: ReadOptions;
	/** Reads only the header and so many rows. */
	sampleRows?: number;
}

type Lists = Pick<ProductFile, "lines" | "refused">;
export type FilePart =
	| Lists
	| { rest: Omit<ProductFile, keyof Lists> }
	| { sample: FileSample }
	| { unreadable: string; code: CsvFileCode };

/**
 * Reads products from a file in a worker thread: 20 MB take seconds, in which shops must be able to sell.
 *
 * @throws CsvFileError like `readProductFile`, or if it takes too much time or memory
 */
export async function readFileInThread(
	bytes: Uint8Array,
	options: ReadOptions,
): Promise<ProductFile> {
	const lists: Lists = { lines: [], refused: [] };
	let rest: Omit<ProductFile, keyof Lists> | undefined;
	await run({ bytes, options }, (part) => {
		if ("rest" in part) ({ rest } = part);
		if (!("lines" in part)) return;
		lists.lines.push(...part.lines);
		lists.refused.push(...part.refused);
	});
	if (!rest) throw new Error("The thread has ended");
	return { ...rest, ...lists };
}

/** Reads a file's header and first rows in a worker thread. @throws CsvFileError as above */
export async function sampleFileInThread(
	bytes: Uint8Array,
	options: ReadOptions,
	sampleRows: number,
): Promise<FileSample> {
	let sample: FileSample | undefined;
	await run({ bytes, options, sampleRows }, (part) => {
		if ("sample" in part) ({ sample } = part);
	});
	if (!sample) throw new Error("The thread has ended");
	return sample;
}

async function run(
	job: FileJob,
	onPart: (part: FilePart) => void,
): Promise<void> {
	let problem: CsvFileError | undefined;
	const ending = await oneAtATime(() =>
		runBounded<FilePart>(program, job, bounds, (part) => {
			if ("unreadable" in part)
				problem = new CsvFileError(part.unreadable, part.code);
			else onPart(part);
			return !("lines" in part);
		}),
	);
	if (ending === "beyond")
		problem = new CsvFileError(
			"The file takes too much time or memory. Split it and import the parts one by one.",
		);
	if (problem) throw problem;
}
