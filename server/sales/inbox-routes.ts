import * as z from "zod";
import { inboxDismiss, inboxReopen } from "../../sync/entities/inbox.ts";
import { inboxItemList } from "../../sync/queries/inbox.ts";
import {
	inboxCount,
	inboxDismissed,
	inboxGroups,
} from "../../sync/queries/inbox-groups.ts";
import type { Deps } from "../deps.ts";
import { queryCount } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";

const pageMax = 200;

const { ids, reason } = inboxDismiss.args.shape;

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

		"/api/inbox/groups": { GET: listOperation(shop, inboxGroups) },

		"/api/inbox/dismissed": { GET: listOperation(shop, inboxDismissed) },

		"/api/inbox/dismiss": {
			POST: operation({
				summary: "Dismiss items of the inbox",
				access: "member",
				roles: inboxDismiss.roles,
				body: z.object({ ids, reason }),
				answers: { 200: inboxCount.answer },
				async handle({ caller, body, response }) {
					await shop.mutate(caller, inboxDismiss, body);
					response.json(await shop.ask(caller, inboxCount, {}));
				},
			}),
		},

		"/api/inbox/reopen": {
			POST: operation({
				summary: "Open dismissed items of the inbox again",
				access: "member",
				roles: inboxReopen.roles,
				body: z.object({ ids }),
				answers: { 200: inboxCount.answer },
				async handle({ caller, body, response }) {
					await shop.mutate(caller, inboxReopen, body);
					response.json(await shop.ask(caller, inboxCount, {}));
				},
			}),
		},
	};
}
