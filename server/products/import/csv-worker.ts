import { parentPort, workerData } from "node:worker_threads";
import { CsvFileError } from "../../../sync/protocol/csv-records.ts";
import { type CsvJob, type CsvPart, linesAtOnce } from "./csv-thread.ts";
import { readProductCsv } from "./product-csv.ts";

const { bytes, map, linesMax } = workerData as CsvJob;

function post(part: CsvPart): void {
	parentPort?.postMessage(part);
}

try {
	const { lines, refused, ...rest } = readProductCsv(bytes, map, linesMax);
	for (
		let at = 0;
		at < Math.max(lines.length, refused.length);
		at += linesAtOnce
	)
		post({
			lines: lines.slice(at, at + linesAtOnce),
			refused: refused.slice(at, at + linesAtOnce),
		});
	post({ rest });
} catch (error) {
	// Structured clone drops an error's class.
	if (!(error instanceof CsvFileError)) throw error;
	post({ unreadable: error.message, code: error.code });
}
