import * as z from "zod";
import { day } from "../../sync/entities/fields.ts";
import {
	assertPeriod,
	type Period,
	periodDaysMax,
} from "../../sync/queries/period.ts";
import { shiftDay } from "../../sync/queries/shift-day.ts";
import { toDayDocument } from "../../sync/receipts/shift-document.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { toCsv } from "../http/csv.ts";
import { queryText } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { sendPages } from "../http/stream-list.ts";
import { startCsv } from "../sales/history-routes.ts";
import { openReceiptLogos } from "../sales/receipt-logo.ts";
import {
	documentAnswers,
	documentQuery,
	sendDocument,
} from "../sales/send-document.ts";
import { dayColumns, dayRows } from "./day-rows.ts";

const days = z.object({
	/** Business days, both inclusive. */
	from: day,
	to: day,
});

/** Routes of days' reports over the shifts of all tills, or of one. */
export function shiftDayRoutes({ shop, dataDir }: Deps): Routes {
	const withLogo = openReceiptLogos(dataDir);
	/** Yields the file day by day. */
	async function* toFile(
		caller: Caller,
		period: Period,
	): AsyncGenerator<string> {
		yield toCsv([dayColumns]);
		for await (const rows of dayRows(shop, caller, period))
			yield toCsv(rows.map((row) => Object.values(row)));
	}

	return {
		"/api/shift-days/:id": {
			GET: operation({
				summary: shiftDay.summary,
				access: "member",
				roles: shiftDay.roles,
				query: documentQuery.extend({ drawerId: queryText }),
				answers: { 200: documentAnswers(shiftDay.answer) },
				async handle({ caller, id, query, response }) {
					const { format, width, language, drawerId } = query;
					const found = await shop.ask(caller, shiftDay, { id, drawerId });
					if (format === "json") {
						response.json(found);
						return;
					}
					const shown = await withLogo(caller.businessId, found);
					const document = toDayDocument(shown, language);
					await sendDocument(response, document, { format, width });
				},
			}),
		},

		"/api/shift-days.csv": {
			GET: operation({
				summary:
					"Export days' reports over their shifts as CSV, one row per method: of all tills, and of each",
				access: "member",
				roles: shiftDay.roles,
				query: days,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, query, response }) {
					assertPeriod(query, periodDaysMax);
					startCsv(response, "shift-days.csv");
					await sendPages(response, toFile(caller, query));
				},
			}),
		},
	};
}
