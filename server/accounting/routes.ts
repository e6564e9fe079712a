import * as z from "zod";
import { day } from "../../sync/entities/fields.ts";
import { journalColumns, journalEntry } from "../../sync/queries/journal.ts";
import {
	assertPeriod,
	daysOf,
	periodDaysMax,
} from "../../sync/queries/period.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { toCsv } from "../http/csv.ts";
import { operation, type Routes } from "../http/operation.ts";
import { sendPages } from "../http/stream-list.ts";
import { startCsv } from "../sales/history-routes.ts";

const days = z.object({
	/** Business days, both inclusive. */
	from: day,
	to: day,
});

/** The journal for the program in which the shop's books are kept. */
export function accountingRoutes({ shop }: Deps): Routes {
	/** Yields the file day by day. */
	async function* toFile(
		caller: Caller,
		period: z.output<typeof days>,
	): AsyncGenerator<string> {
		yield toCsv([journalColumns]);
		for (const day of daysOf(period)) {
			const { lines } = await shop.ask(caller, journalEntry, { day });
			if (lines.length > 0)
				yield toCsv(lines.map((line) => Object.values(line)));
		}
	}

	return {
		"/api/reports/accounting.csv": {
			GET: operation({
				summary:
					"Export a journal in double entry as CSV: one entry for each business day",
				access: "member",
				roles: journalEntry.roles,
				query: days,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, query, response }) {
					assertPeriod(query, periodDaysMax);
					startCsv(response, "accounting.csv");
					await sendPages(response, toFile(caller, query));
				},
			}),
		},
	};
}
