import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { CsvFileError } from "../../../sync/protocol/csv-records.ts";
import { type FileJob, type FilePart, linesAtOnce } from "./file-thread.ts";
import { readProductFile, sampleProductFile } from "./product-file.ts";

const { bytes, options, sampleRows } = workerData as FileJob;

if (!parentPort) throw new Error("This program runs in a thread");
const reader = parentPort;

function post(part: FilePart): void {
	reader.postMessage(part);
}

async function read(): Promise<void> {
	if (sampleRows !== undefined) {
		const { linesMax } = options;
		post({ sample: await sampleProductFile(bytes, sampleRows, linesMax) });
		return;
	}
	const { lines, refused, ...rest } = await readProductFile(bytes, options);
	for (
		let at = 0;
		at < Math.max(lines.length, refused.length);
		at += linesAtOnce
	) {
		post({
			lines: lines.slice(at, at + linesAtOnce),
			refused: refused.slice(at, at + linesAtOnce),
		});
		await once(reader, "message");
	}
	post({ rest });
}

try {
	await read();
} catch (error) {
	// Structured clone drops an error's class.
	if (!(error instanceof CsvFileError)) throw error;
	post({ unreadable: error.message, code: error.code });
}
