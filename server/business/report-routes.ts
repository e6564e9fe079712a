import * as z from "zod";
import { day } from "../../sync/entities/fields.ts";
import { pageOf } from "../../sync/queries/list-pages.ts";
import {
	reportCategories,
	reportProducts,
} from "../../sync/queries/report-goods.ts";
import { reportLetter } from "../../sync/queries/report-letter.ts";
import { reportPeriod } from "../../sync/queries/report-period.ts";
import type { Deps } from "../deps.ts";
import { queryCount, queryText } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";

const pageMax = 200;

const days = z.object({
	/** Business days, both inclusive. */
	from: day,
	to: day,
});
const { by } = reportPeriod.args.shape;
const { sort, order } = reportProducts.args.shape;

/** Routes of reports on any period. */
export function reportRoutes({ shop }: Deps): Routes {
	const goods = (list: typeof reportProducts | typeof reportCategories) =>
		operation({
			summary: list.summary,
			access: "member",
			query: days.extend({
				sort,
				order,
				limit: queryCount(50),
				cursor: queryText,
			}),
			answers: {
				200: z.object({
					rows: z.array(list.row as z.ZodType),
					/** The cursor of the next page; null after the last. */
					nextCursor: z.string().nullable(),
				}),
			},
			async handle({ caller, query, response }) {
				const { limit, cursor, ...args } = query;
				const { rows, next } = await pageOf(
					shop,
					caller,
					list as typeof reportProducts,
					args,
					{ after: cursor, limit: Math.min(Math.max(limit, 1), pageMax) },
					() => !response.destroyed,
				);
				response.json({ rows, nextCursor: next });
			},
		});

	return {
		"/api/reports/period": {
			GET: queryOperation(shop, reportPeriod, {
				params: days.extend({ by }),
				toArgs: ({ params }) => params,
			}),
		},
		"/api/reports/products": { GET: goods(reportProducts) },
		"/api/reports/categories": { GET: goods(reportCategories) },
		"/api/reports/letter": { GET: queryOperation(shop, reportLetter) },
	};
}
