import * as z from "zod";
import {
	businessRow,
	businessUpdate,
	businessUpdateArgs,
} from "../../sync/entities/business.ts";
import { businessGet } from "../../sync/queries/business.ts";
import type { Deps } from "../deps.ts";
import { onWire } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";

const { cashUnit, limits } = businessRow.shape;
const updateBody = z.object({
	...businessUpdateArgs.shape.set.shape,
	cashUnit: onWire(cashUnit).optional(),
	limits: onWire(limits),
});

/** Routes of the caller's business: reading needs a session cookie, changing needs the owner. */
export function businessRoutes({ shop }: Deps): Routes {
	return {
		"/api/business": {
			GET: queryOperation(shop, businessGet, { access: "memberSession" }),

			PATCH: operation({
				summary:
					"Change the business's settings, as its owner; omitted fields stay as they are",
				access: "member",
				roles: businessUpdate.roles,
				body: updateBody,
				answers: { 200: businessRow },
				async handle({ caller, body: set, response }) {
					await shop.mutate(caller, businessUpdate, { set });
					response.json(await shop.ask(caller, businessGet, {}));
				},
			}),
		},
	};
}
