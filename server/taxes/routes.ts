import * as z from "zod";
import { day, percent } from "../../sync/entities/fields.ts";
import { rateByMethod, taxRow, taxSet } from "../../sync/entities/tax.ts";
import { reportTax } from "../../sync/queries/report-tax.ts";
import { taxGet, taxList } from "../../sync/queries/tax.ts";
import type { Deps } from "../deps.ts";
import { toCsv } from "../http/csv.ts";
import { onWire } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";
import { startCsv } from "../sales/history-routes.ts";

const { id, name, kind } = taxRow.shape;
const classBody = z.object({
	id,
	name,
	kind,
	rates: z.array(
		z.object({
			...{ from: day, rate: onWire(percent) },
			paidBy: z
				.object({ ...rateByMethod.shape, rate: onWire(percent) })
				.optional(),
		}),
	),
});
const days = z.object({
	/** Business days, both inclusive. */
	from: day,
	to: day,
});

const columns = [
	...["class", "name", "rate", "sold net", "sold tax", "sold gross"],
	...["refunded net", "refunded tax", "refunded gross"],
];

/** Routes of tax classes and of the tax report. */
export function taxRoutes({ shop }: Deps): Routes {
	return {
		"/api/taxes": {
			GET: listOperation(shop, taxList),

			POST: operation({
				summary:
					"Add a tax class, or change the one with this code; sold lines keep their rate",
				access: "member",
				roles: taxSet.roles,
				body: classBody,
				answers: { 201: taxRow },
				async handle({ caller, body, response }) {
					await shop.mutate(caller, taxSet, body);
					const { id } = body;
					response.status(201).json(await shop.ask(caller, taxGet, { id }));
				},
			}),
		},

		"/api/taxes/:id": {
			GET: queryOperation(shop, taxGet, { toArgs: ({ id }) => ({ id }) }),
		},

		"/api/reports/tax": {
			GET: queryOperation(shop, reportTax, {
				params: days,
				toArgs: ({ params }) => params,
			}),
		},

		"/api/reports/tax.csv": {
			GET: operation({
				summary: "Export the tax report as CSV, one row per class and rate",
				access: "member",
				query: days,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, query, response }) {
					const { rows } = await shop.ask(caller, reportTax, query);
					startCsv(response, "tax.csv");
					response.send(
						toCsv([
							columns,
							...rows.map(({ taxClass, name, taxRate, sold, refunded }) => [
								...[taxClass, name, taxRate],
								...[sold.net, sold.tax, sold.gross],
								...[refunded.net, refunded.tax, refunded.gross],
							]),
						]),
					);
				},
			}),
		},
	};
}
