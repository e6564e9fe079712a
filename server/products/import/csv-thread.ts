import { Worker } from "node:worker_threads";
import {
	type CsvFileCode,
	CsvFileError,
} from "../../../sync/protocol/csv-records.ts";
import { oneAtATime } from "./import-queue.ts";
import type { ColumnMap, ProductCsv } from "./product-csv.ts";

/** Lines per message from the thread: deserializing a message blocks the event loop. */
export const linesAtOnce = 1_000;

export interface CsvJob {
	bytes: Uint8Array;
	map: ColumnMap;
	linesMax: number;
}

type Lists = Pick<ProductCsv, "lines" | "refused">;
export type CsvPart =
	| Lists
	| { rest: Omit<ProductCsv, keyof Lists> }
	| { unreadable: string; code: CsvFileCode };

/**
 * Reads products from a CSV file in a worker thread: 20 MB take seconds, in which shops must be able to sell.
 *
 * @throws CsvFileError like `readProductCsv`
 */
export function readProductCsvInThread(
	bytes: Uint8Array,
	map: ColumnMap,
	linesMax: number,
): Promise<ProductCsv> {
	return oneAtATime(() => read({ bytes, map, linesMax }));
}

function read(workerData: CsvJob): Promise<ProductCsv> {
	return new Promise((resolve, reject) => {
		const worker = new Worker(new URL("./csv-worker.ts", import.meta.url), {
			workerData,
		});
		const lists: Lists = { lines: [], refused: [] };
		worker.on("message", (part: CsvPart) => {
			if ("unreadable" in part)
				reject(new CsvFileError(part.unreadable, part.code));
			else if ("rest" in part) resolve({ ...part.rest, ...lists });
			else {
				lists.lines.push(...part.lines);
				lists.refused.push(...part.refused);
			}
		});
		worker.on("error", reject);
		worker.on("exit", () => reject(new Error("The thread has ended")));
	});
}
