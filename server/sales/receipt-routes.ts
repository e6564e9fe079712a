import * as z from "zod";
import { receiptGet } from "../../sync/queries/receipt.ts";
import { saleByReceipt } from "../../sync/queries/sale.ts";
import { toDocument } from "../../sync/receipts/receipt-document.ts";
import { receiptLink } from "../../sync/receipts/receipt-link.ts";
import type { Deps } from "../deps.ts";
import { requirement } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";
import { openReceiptLogos } from "./receipt-logo.ts";
import {
	documentAnswers,
	documentQuery,
	sendDocument,
} from "./send-document.ts";

const query = documentQuery.extend({
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
					200: documentAnswers(receiptGet.answer),
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
					await sendDocument(response, document, { format, width });
				},
			}),
		},
	};
}
