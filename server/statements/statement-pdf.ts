import {
	type CsvFileCode,
	CsvFileError,
} from "../../sync/protocol/csv-records.ts";
import { runBounded } from "../products/import/bounded-thread.ts";
import { oneAtATime } from "../products/import/import-queue.ts";

export interface PdfJob {
	bytes: Uint8Array;
	password: string;
}

/** The table as CSV, or why there is none. */
export type PdfAnswer = { csv: string } | keyof typeof problems;

export const pagesMax = 500;
const bounds = { timeMs: 20_000, heapMb: 256, growthBytes: 400_000_000 };
const program = new URL("./pdf-worker.ts", import.meta.url);

const unreadable = "pdf_unreadable";
const problems = {
	unreadable: [unreadable, "This PDF can't be read"],
	no_table: [
		unreadable,
		"This PDF has no table with Receipt No., Completion Time and Paid In: it is no M-PESA statement, or a picture of one",
	],
	password: ["file_password", "The PDF needs a password, or another one"],
	too_long: [
		unreadable,
		`The PDF has more than ${pagesMax} pages, or takes too much time or memory; download a shorter period`,
	],
} as const satisfies Record<string, readonly [CsvFileCode, string]>;

export const isPdfFile = (bytes: Uint8Array) =>
	new TextDecoder("latin1").decode(bytes.subarray(0, 4)) === "%PDF";

/**
 * Reads the table of a statement in PDF as CSV. A file can take any time and memory, so a thread with limits of both reads it.
 *
 * @throws CsvFileError if it can't be read
 */
export function readStatementPdf(
	bytes: Uint8Array,
	password = "",
): Promise<string> {
	return oneAtATime(async () => {
		const answer = await readInThread({ bytes, password });
		if (typeof answer === "object") return answer.csv;
		const [code, message] = problems[answer];
		throw new CsvFileError(message, code);
	});
}

async function readInThread(job: PdfJob): Promise<PdfAnswer> {
	let answer: PdfAnswer = "unreadable";
	const ending = await runBounded<PdfAnswer>(program, job, bounds, (given) => {
		answer = given;
		return true;
	});
	return ending === "beyond" ? "too_long" : answer;
}
