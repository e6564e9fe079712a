import * as z from "zod";
import { day } from "../../sync/entities/fields.ts";
import { type ArgsOf, pageOf } from "../../sync/queries/list-pages.ts";
import type { List } from "../../sync/queries/query.ts";
import {
	reportCategories,
	reportProducts,
} from "../../sync/queries/report-goods.ts";
import { reportLetter } from "../../sync/queries/report-letter.ts";
import { reportMoney } from "../../sync/queries/report-money.ts";
import { reportPeriod } from "../../sync/queries/report-period.ts";
import type { Deps } from "../deps.ts";
import { toCsv } from "../http/csv.ts";
import { queryCount, queryText } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";
import { startCsv } from "../sales/history-routes.ts";
import { withPlaces } from "./hidden-costs.ts";
import { moneyColumns, toMoneyRows } from "./money-rows.ts";

const pageMax = 200;

const days = z.object({
	/** Business days, both inclusive. */
	from: day,
	to: day,
});
const { by } = reportPeriod.args.shape;
const { sort, order } = reportProducts.args.shape;

const page = days.extend({
	sort,
	order,
	limit: queryCount(50),
	cursor: queryText,
});

/** Routes of reports on any period. */
export function reportRoutes({ shop }: Deps): Routes {
	/** Makes the operation of a list that comes page by page. */
	function pages<
		Shape extends z.ZodRawShape,
		Row extends z.ZodType,
		Params extends typeof page,
	>(list: List<Shape, Row>, query: Params) {
		return operation<"member", Params>({
			summary: list.summary,
			access: "member",
			query,
			failures: [403],
			answers: {
				200: z.object({
					rows: z.array(list.row),
					/** The cursor of the next page; null after the last. */
					nextCursor: z.string().nullable(),
				}),
			},
			async handle({ caller, query, response }) {
				const { limit, cursor, ...args } = query as z.output<typeof page>;
				const { rows, next } = await pageOf(
					shop,
					caller,
					withPlaces(list),
					args as unknown as ArgsOf<Shape>,
					{ after: cursor, limit: Math.min(Math.max(limit, 1), pageMax) },
					() => !response.destroyed,
				);
				response.json({ rows, nextCursor: next });
			},
		});
	}

	return {
		"/api/reports/period": {
			GET: queryOperation(shop, reportPeriod, {
				params: days.extend({ by }),
				toArgs: ({ params }) => params,
			}),
		},
		"/api/reports/money": {
			GET: queryOperation(shop, reportMoney, {
				params: days,
				toArgs: ({ params }) => params,
			}),
		},
		"/api/reports/money.csv": {
			GET: operation({
				summary:
					"Export the report on money as CSV: a row for the total and one for each tender, cashier and shift",
				access: "member",
				roles: reportMoney.roles,
				query: days,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, query, response }) {
					const rows = toMoneyRows(await shop.ask(caller, reportMoney, query));
					startCsv(response, "money.csv");
					response.send(
						toCsv([moneyColumns, ...rows.map((row) => Object.values(row))]),
					);
				},
			}),
		},
		"/api/reports/products": {
			GET: pages(reportProducts, page.extend({ categoryId: queryText })),
		},
		"/api/reports/categories": { GET: pages(reportCategories, page) },
		"/api/reports/letter": { GET: queryOperation(shop, reportLetter) },
	};
}
