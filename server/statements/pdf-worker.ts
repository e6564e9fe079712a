import { parentPort, workerData } from "node:worker_threads";
import { stringify } from "csv-stringify/sync";
import { extractTextItems, getDocumentProxy } from "unpdf";
import { readPdfTable } from "./pdf-table.ts";
import { type PdfAnswer, type PdfJob, pagesMax } from "./statement-pdf.ts";

const { bytes, password } = workerData as PdfJob;

async function read(): Promise<PdfAnswer> {
	// An empty password opens what has none, and else is wrong.
	const pdf = await getDocumentProxy(bytes, { password });
	if (pdf.numPages > pagesMax) return "too_long";
	const { items } = await extractTextItems(pdf);
	const table = readPdfTable(items);
	return table ? { csv: stringify(table) } : "no_table";
}

parentPort?.postMessage(
	await read().catch(({ name }: Error) =>
		name === "PasswordException" ? "password" : "unreadable",
	),
);
