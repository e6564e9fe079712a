import * as z from "zod";
import { inboxItemList } from "../../sync/queries/inbox.ts";
import type { Deps } from "../deps.ts";
import { queryCount } from "../http/input.ts";
import type { Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";

const pageMax = 200;

/** Routes of the inbox: problems with sales that were accepted anyway. */
export function inboxRoutes({ shop }: Deps): Routes {
	return {
		"/api/inbox": {
			GET: queryOperation(shop, inboxItemList, {
				params: z.object({ limit: queryCount(50), offset: queryCount(0) }),
				toArgs: ({ params: { limit, offset } }) => ({
					limit: Math.min(limit, pageMax),
					offset,
				}),
			}),
		},
	};
}
