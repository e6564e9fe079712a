import * as z from "zod";
import { receiptGet } from "../../sync/queries/receipt.ts";
import { toPage } from "../../sync/receipts/receipt-page.ts";
import { toText } from "../../sync/receipts/receipt-paper.ts";
import type { Deps } from "../deps.ts";
import { styleNonce } from "../http/headers.ts";
import { requirement } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";

const query = z.object({
	format: z
		.enum(
			["json", "html", "text"],
			requirement("format must be json, html or text"),
		)
		.default("json"),
	width: z
		.enum(["58", "80"], requirement("width must be 58 or 80"))
		.default("80"),
});

/** Routes of receipts as JSON, HTML or text, for paper of 58 or 80 mm. */
export function receiptRoutes({ shop }: Deps): Routes {
	return {
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
					},
				},
				async handle({ caller, id, query: { format, width }, response }) {
					const found = await shop.ask(caller, receiptGet, { id });
					const paper = width === "58" ? 58 : 80;
					if (format === "json") response.json(found);
					else if (format === "html")
						response
							.type("html")
							.send(toPage(found, paper, styleNonce(response)));
					else response.type("text/plain").send(toText(found, paper));
				},
			}),
		},
	};
}
