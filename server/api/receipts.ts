import { HttpError } from "../errors.ts";
import { toPage } from "../receipts/page.ts";
import { type PaperWidth, toText } from "../receipts/paper.ts";
import { readReceipt } from "../receipts/receipt.ts";
import { type Deps, queryText, type Routes } from "../routes.ts";

/** Business API, "Other paths": a sale's receipt, as data, as a page or as text, for paper of 58 or 80 mm. */
export function receiptRoutes({ shop, gate }: Deps): Routes {
	return {
		"/api/receipts/:id": {
			async GET(request, response) {
				const { businessId } = await gate.caller(request);
				const receipt = await shop.store.read((tx) =>
					readReceipt(tx, businessId, request.params.id as string),
				);
				if (!receipt) throw new HttpError(404, "Receipt not found");
				const width = toWidth(queryText(request, "width") ?? "80");
				const format = queryText(request, "format") ?? "json";
				if (format === "json") response.json(receipt);
				else if (format === "html")
					response.type("html").send(toPage(receipt, width));
				else if (format === "text")
					response.type("text/plain").send(toText(receipt, width));
				else throw new HttpError(400, "format must be json, html or text");
			},
		},
	};
}

function toWidth(value: string): PaperWidth {
	if (value === "58") return 58;
	if (value === "80") return 80;
	throw new HttpError(400, "width must be 58 or 80");
}
