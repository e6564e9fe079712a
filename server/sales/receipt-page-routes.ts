import type { Request } from "express";
import * as z from "zod";
import { ShopError } from "../../sync/protocol/errors.ts";
import { type Receipt, receiptGet } from "../../sync/queries/receipt.ts";
import { escapeHtml } from "../../sync/receipts/html.ts";
import { toDocument } from "../../sync/receipts/receipt-document.ts";
import { readReceiptCode } from "../../sync/receipts/receipt-link.ts";
import { toPage } from "../../sync/receipts/receipt-page.ts";
import {
	type ReceiptLanguage,
	receiptLanguageOf,
	receiptLanguages,
	receiptWords,
} from "../../sync/receipts/words/index.ts";
import { limitsOf, openAttemptCounter } from "../accounts/attempt-counter.ts";
import type { Deps } from "../deps.ts";
import { styleNonce } from "../http/headers.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { openReceiptLogos } from "./receipt-logo.ts";

/** Wrong links allowed per address in a quarter of an hour. */
const wrongMax = 100;

/** The page that a receipt's QR code opens: the code is a secret that opens one receipt, and nothing else of the shop. */
export function receiptPageRoutes({ shop, dataDir }: Deps): Routes {
	const withLogo = openReceiptLogos(dataDir);
	const wrong = openAttemptCounter(() => performance.now());

	async function find(code: string): Promise<Receipt | undefined> {
		const address = readReceiptCode(code);
		if (!address) return undefined;
		const { businessId, saleId } = address;
		const reader = { businessId, role: "CASHIER" } as const;
		try {
			const found = await shop.ask(reader, receiptGet, { id: saleId });
			// The link may be passed on: it says what was bought, and not by whom, nor what they owe today.
			return await withLogo(businessId, { ...found, customer: undefined });
		} catch (error) {
			if (error instanceof ShopError && error.code === "not_found")
				return undefined;
			throw error;
		}
	}

	return {
		"/r/:id": {
			GET: operation({
				summary: "A receipt's page for its customer, by the code in its QR",
				access: "anyone",
				query: z.object({ language: z.enum(receiptLanguages).optional() }),
				failures: [429],
				answers: {
					200: { "text/html": z.string() },
					404: {
						"text/html": z.string(),
						"application/json": z.object({ error: z.string() }),
					},
				},
				async handle({ id, query, request, response }) {
					const limits = limitsOf(request.ip ?? "", wrongMax);
					wrong.assertBelow(limits, "Too many wrong links, try again later");
					const receipt = await find(id);
					if (!receipt) {
						wrong.add(limits, 1);
						const { missing } = receiptWords[languageOf(request)];
						// A program gets JSON, as everywhere.
						if (request.accepts(["json", "html"]) === "json")
							throw new HttpError(404, missing);
						response.status(404).type("html").send(missingPage(missing));
						return;
					}
					const language =
						query.language ?? languageOf(request, receipt.business.language);
					const document = toDocument(receipt, { language, isCopy: true });
					const nonce = styleNonce(response);
					const aside = languageLinks(language);
					response
						.type("html")
						.send(toPage(document, { paper: "80", nonce, aside }));
				},
			}),
		},
	};
}

/** The shop's language if it has chosen one, otherwise the customer's browser's. */
function languageOf(request: Request, shops?: string): ReceiptLanguage {
	return receiptLanguageOf(shops, ...request.acceptsLanguages());
}

function languageLinks(shown: ReceiptLanguage): string {
	const links = receiptLanguages
		.filter((language) => language !== shown)
		.map((language) => {
			const name = escapeHtml(receiptWords[language].name);
			return `<a href="?language=${language}" lang="${language}">${name}</a>`;
		});
	return `<nav>${links.join(" ")}</nav>`;
}

function missingPage(missing: string): string {
	return `<!doctype html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Counterfoil</title>
<p>${escapeHtml(missing)}</p>
`;
}
