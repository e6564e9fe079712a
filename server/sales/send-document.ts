import type { Response } from "express";
import * as z from "zod";
import type { ReceiptDocument } from "../../sync/receipts/receipt-document.ts";
import { papers, toPage } from "../../sync/receipts/receipt-page.ts";
import { columnsByWidth, toText } from "../../sync/receipts/receipt-text.ts";
import { receiptLanguages } from "../../sync/receipts/words/index.ts";
import { styleNonce } from "../http/headers.ts";
import { requirement } from "../http/input.ts";
import { toPdf } from "./receipt-pdf.ts";

const languagesInWords = receiptLanguages.join(" or ");

/** How a receipt or a statement is asked for. */
export const documentQuery = z.object({
	format: z
		.enum(
			["json", "html", "text", "pdf"],
			requirement("format must be json, html, text or pdf"),
		)
		.default("json"),
	width: z
		.enum(papers, requirement("width must be 58, 80 or A4"))
		.default("80"),
	language: z
		.enum(receiptLanguages, requirement(`language must be ${languagesInWords}`))
		.optional(),
});
type DocumentQuery = z.output<typeof documentQuery>;

/** The answers of a document, by content type. */
export const documentAnswers = (json: z.ZodType) => ({
	"application/json": json,
	"text/html": z.string(),
	"text/plain": z.string(),
	"application/pdf": z.string(),
});

/** Sends a document for a roll of 58 or 80 mm or for A4. */
export async function sendDocument(
	response: Response,
	document: ReceiptDocument,
	{
		format,
		width,
	}: { format: Exclude<DocumentQuery["format"], "json"> } & Pick<
		DocumentQuery,
		"width"
	>,
): Promise<void> {
	if (format === "html")
		response
			.type("html")
			.send(toPage(document, { paper: width, nonce: styleNonce(response) }));
	else if (format === "pdf")
		response.type("pdf").send(await toPdf(document, width));
	else {
		const columns = columnsByWidth[width === "58" ? 58 : 80];
		response.type("text/plain").send(toText(document, columns));
	}
}
