import * as z from "zod";
import { receiptGet } from "../../sync/queries/receipt.ts";
import { saleByReceipt } from "../../sync/queries/sale.ts";
import { toDocument } from "../../sync/receipts/receipt-document.ts";
import { receiptLink } from "../../sync/receipts/receipt-link.ts";
import { papers, toPage } from "../../sync/receipts/receipt-page.ts";
import { columnsByWidth, toText } from "../../sync/receipts/receipt-text.ts";
import { receiptLanguages } from "../../sync/receipts/words/index.ts";
import type { Deps } from "../deps.ts";
import { styleNonce } from "../http/headers.ts";
import { requirement } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";
import { openReceiptLogos } from "./receipt-logo.ts";
import { toPdf } from "./receipt-pdf.ts";

const languagesInWords = receiptLanguages.join(" or ");

const query = z.object({
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
	/** Whether to mark it as a copy, as each print but the first should be. */
	copy: z
		.enum(["true", "false"], requirement("copy must be true or false"))
		.default("false"),
});

/** Routes of receipts: a sale by its number, and a receipt as JSON, HTML, text or PDF, for rolls of 58 or 80 mm and for A4. */
export function receiptRoutes({ shop, dataDir }: Deps): Routes {
	const withLogo = openReceiptLogos(dataDir);
	return {
		"/api/receipts": {
			GET: queryOperation(shop, saleByReceipt, {
				params: z.object({ number: saleByReceipt.args.shape.number }),
				toArgs: ({ params }) => params,
			}),
		},

		"/api/receipts/:id": {
			GET: operation({
				summary: receiptGet.summary,
				access: "member",
				query,
				answers: {
					200: {
						"application/json": receiptGet.answer,
						"text/html": z.string(),
						"text/plain": z.string(),
						"application/pdf": z.string(),
					},
				},
				async handle({ caller, id, query, request, response }) {
					const receipt = await shop.ask(caller, receiptGet, { id });
					const { format, width, language, copy } = query;
					if (format === "json") {
						response.json(receipt);
						return;
					}
					const { businessId } = caller;
					const document = toDocument(await withLogo(businessId, receipt), {
						language,
						isCopy: copy === "true",
						link: receiptLink(`${request.protocol}://${request.host}`, {
							...{ businessId, saleId: receipt.id },
						}),
					});
					if (format === "html")
						response.type("html").send(
							toPage(document, {
								paper: width,
								nonce: styleNonce(response),
							}),
						);
					else if (format === "pdf")
						response.type("pdf").send(await toPdf(document, width));
					else {
						const columns = columnsByWidth[width === "58" ? 58 : 80];
						response.type("text/plain").send(toText(document, columns));
					}
				},
			}),
		},
	};
}
