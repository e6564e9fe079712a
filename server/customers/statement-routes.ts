import { customerStatement } from "../../sync/queries/statement.ts";
import { toStatement } from "../../sync/receipts/statement-document.ts";
import type { Deps } from "../deps.ts";
import { operation, type Routes } from "../http/operation.ts";
import { openReceiptLogos } from "../sales/receipt-logo.ts";
import {
	documentAnswers,
	documentQuery,
	sendDocument,
} from "../sales/send-document.ts";

/** The route of a statement of a customer's account, as JSON, HTML, text or PDF, for rolls of 58 or 80 mm and for A4. */
export function statementRoutes({ shop, dataDir }: Deps): Routes {
	const withLogo = openReceiptLogos(dataDir);
	return {
		"/api/customers/:id/statement": {
			GET: operation({
				summary: customerStatement.summary,
				access: "member",
				query: documentQuery,
				answers: { 200: documentAnswers(customerStatement.answer) },
				async handle({ caller, id, query, response }) {
					const { format, width, language } = query;
					const found = await shop.ask(caller, customerStatement, { id });
					if (format === "json") {
						response.json(found);
						return;
					}
					const shown = await withLogo(caller.businessId, found);
					const document = toStatement(shown, language);
					await sendDocument(response, document, { format, width });
				},
			}),
		},
	};
}
