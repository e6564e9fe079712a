import type { Request } from "express";
import * as z from "zod";
import { day } from "../../sync/entities/fields.ts";
import { plus } from "../../sync/entities/money.ts";
import { statementImport } from "../../sync/entities/statement.ts";
import { localTimes } from "../../sync/protocol/clock.ts";
import { businessGet } from "../../sync/queries/business.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import {
	statementMatch,
	statementTotals,
} from "../../sync/queries/statement-match.ts";
import type { Caller } from "../../sync/shop.ts";
import { matchStates } from "../../sync/statements/match.ts";
import { statementRefusal } from "../../sync/statements/statement.ts";
import type { Deps } from "../deps.ts";
import { readable, toCsv } from "../http/csv.ts";
import { dryRun } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";
import { sendPages } from "../http/stream-list.ts";
import { startCsv } from "../sales/history-routes.ts";
import { importStatement, readShopStatement } from "./import-statement.ts";
import { matchColumns, toMatchRow } from "./match-rows.ts";
import { readStatementPdf } from "./statement-pdf.ts";

const maxBytes = 2_000_000;
const pdf = "application/pdf";
const upload = { types: ["text/csv", "text/plain", pdf], maxBytes };
const days = z.object({
	/** Business days, both inclusive. */
	from: day,
	to: day,
});
const filter = days.extend({ state: z.enum(matchStates).optional() });

/** Reads a file's password: a header is in no log, and may hold only ASCII. */
function passwordOf(request: Request): string {
	const encoded = request.get("x-file-password") ?? "";
	try {
		return decodeURIComponent(encoded);
	} catch {
		return encoded;
	}
}

/** Routes of what the operator of M-PESA says was received. */
export function statementLineRoutes({ shop }: Deps): Routes {
	/** Yields the file page by page. */
	async function* toFile(
		caller: Caller,
		asked: z.output<typeof filter>,
	): AsyncGenerator<string> {
		const { timeZone } = await shop.ask(caller, businessGet, {});
		const localTime = localTimes(timeZone);
		yield toCsv([matchColumns]);
		for await (const page of pagesOf(shop, caller, statementMatch, asked))
			yield toCsv(
				page.map((match) => Object.values(toMatchRow(match, localTime))),
			);
	}

	return {
		"/api/statements/pdf": {
			POST: operation({
				summary:
					"Read the table of an M-PESA statement in PDF as CSV, without recording anything; its password is in the header X-File-Password, percent-encoded",
				access: "member",
				roles: statementImport.roles,
				upload: { types: [pdf], maxBytes },
				answers: { 200: z.object({ csv: z.string() }) },
				async handle({ bytes, request, response }) {
					const csv = await readable(() =>
						readStatementPdf(bytes, passwordOf(request)),
					);
					response.json({ csv });
				},
			}),
		},

		"/api/imports/statement": {
			POST: operation({
				summary:
					"Record what an M-PESA statement in CSV or PDF, or messages, say was received; with dryRun=1, only read it. A PDF's password is in the header X-File-Password, percent-encoded",
				access: "member",
				roles: statementImport.roles,
				query: z.object({ dryRun }),
				upload,
				answers: {
					200: z.object({
						/** How many payments it has; those that are known already change nothing. */
						payments: z.int(),
						amount: z.number(),
						/** Lines that are no received payments, such as charges. */
						passedOver: z.int(),
						refused: z.array(statementRefusal),
					}),
				},
				async handle({ caller, query, bytes, request, response }) {
					const statement = await readable(() =>
						readShopStatement(shop, caller, bytes, passwordOf(request)),
					);
					if (!query.dryRun) await importStatement(shop, caller, statement);
					const { payments, passedOver, refused } = statement;
					response.json({
						...{ payments: payments.length, passedOver, refused },
						amount: payments.reduce((sum, { amount }) => plus(sum, amount), 0),
					});
				},
			}),
		},

		"/api/statements/totals": {
			GET: queryOperation(shop, statementTotals, {
				params: days,
				toArgs: ({ params }) => params,
			}),
		},

		"/api/statements/match": {
			GET: listOperation(shop, statementMatch, {
				params: filter,
				toArgs: ({ params }) => params,
			}),
		},

		"/api/statements/match.csv": {
			GET: operation({
				summary: "Export the codes of a period as CSV",
				access: "member",
				roles: statementMatch.roles,
				query: filter,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, query, response }) {
					// A refused period still gets a status.
					await shop.ask(caller, statementMatch, { ...query, limit: 1 });
					startCsv(response, "statement.csv");
					await sendPages(response, toFile(caller, query));
				},
			}),
		},
	};
}
