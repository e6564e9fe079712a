import { Worker } from "node:worker_threads";
import { CsvFileError, type ProductCsv } from "./product-csv.ts";
import { inTurn } from "./turns.ts";

/** Lines that come back in one message: reading a message holds up everything else. */
export const linesAtOnce = 1_000;

export interface CsvJob {
	bytes: Uint8Array;
	linesMax: number;
}

type Lists = Pick<ProductCsv, "lines" | "refused">;
export type CsvPart =
	| Lists
	| { rest: Omit<ProductCsv, keyof Lists> }
	| { unreadable: string };

/**
 * Reads products from a CSV file in a thread of its own: 20 MB take seconds, in which shops must be able to sell.
 *
 * @throws CsvFileError as `readProductCsv` does
 */
export function readProductCsvInThread(
	bytes: Uint8Array,
	linesMax: number,
): Promise<ProductCsv> {
	return inTurn(() => read({ bytes, linesMax }));
}

function read(workerData: CsvJob): Promise<ProductCsv> {
	return new Promise((resolve, reject) => {
		const worker = new Worker(new URL("./csv-worker.ts", import.meta.url), {
			workerData,
		});
		const lists: Lists = { lines: [], refused: [] };
		worker.on("message", (part: CsvPart) => {
			if ("unreadable" in part) reject(new CsvFileError(part.unreadable));
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
