import type { Response } from "express";
import * as z from "zod";
import type { Query } from "../../sync/queries/query.ts";
import type { Receipt } from "../../sync/queries/receipt.ts";
import type { ReceiptDocument } from "../../sync/receipts/receipt-document.ts";
import { papers, toPage } from "../../sync/receipts/receipt-page.ts";
import { columnsByWidth, toText } from "../../sync/receipts/receipt-text.ts";
import {
	type ReceiptLanguage,
	receiptLanguages,
} from "../../sync/receipts/words/index.ts";
import type { Deps } from "../deps.ts";
import { styleNonce } from "../http/headers.ts";
import { requirement } from "../http/input.ts";
import { type Operation, operation } from "../http/operation.ts";
import { openReceiptLogos } from "./receipt-logo.ts";
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

/**
 * Makes the GET operation of a query whose answer is also read as a document, by the id in its address.
 *
 * @param toDocument gets the answer with the shop's logo in it
 */
export function documentOperation<
	Found extends Pick<Receipt, "business">,
	Answer extends z.ZodType<unknown, Found>,
>(
	{ shop, dataDir }: Pick<Deps, "shop" | "dataDir">,
	query: Query<z.ZodType<{ id: string }, { id: string }>, Answer>,
	toDocument: (
		found: Found,
		language: ReceiptLanguage | undefined,
	) => ReceiptDocument,
): Operation {
	const withLogo = openReceiptLogos(dataDir);
	return operation({
		summary: query.summary,
		access: "member",
		roles: query.roles,
		query: documentQuery,
		answers: { 200: documentAnswers(query.answer) },
		async handle({ caller, id, query: asked, response }) {
			const { format, width, language } = asked;
			const found: Found = await shop.ask(caller, query, { id });
			if (format === "json") {
				response.json(found);
				return;
			}
			const shown = await withLogo(caller.businessId, found);
			const document = toDocument(shown, language);
			await sendDocument(response, document, { format, width });
		},
	});
}
