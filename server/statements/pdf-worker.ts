import { parentPort, workerData } from "node:worker_threads";
import { stringify } from "csv-stringify/sync";
import { extractTextItems, getDocumentProxy } from "unpdf";
import { readPdfTable } from "./pdf-table.ts";
import { type PdfAnswer, type PdfJob, pagesMax } from "./statement-pdf.ts";

const { bytes, password } = workerData as PdfJob;

/** An empty password opens what has none, and else is wrong. */
async function open() {
	const typed = password.normalize("NFKC");
	// Between RC4 and today's encryption, one takes UTF-8 and leaves it to the reader's caller.
	const inUtf8 = Buffer.from(typed).toString("latin1");
	try {
		// It takes the memory of what it reads.
		return await getDocumentProxy(bytes.slice(), { password: typed });
	} catch (error) {
		if (inUtf8 === typed || !isLocked(error as Error)) throw error;
		return getDocumentProxy(bytes, { password: inUtf8 });
	}
}

const isLocked = ({ name }: Error) => name === "PasswordException";

async function read(): Promise<PdfAnswer> {
	const pdf = await open();
	if (pdf.numPages > pagesMax) return "too_long";
	const { items } = await extractTextItems(pdf);
	const table = readPdfTable(items);
	return table ? { csv: stringify(table) } : "no_table";
}

parentPort?.postMessage(
	await read().catch((error) => (isLocked(error) ? "password" : "unreadable")),
);
