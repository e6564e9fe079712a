import * as z from "zod";
import {
	businessRow,
	businessUpdate,
	businessUpdateArgs,
} from "../../sync/entities/business.ts";
import { businessGet } from "../../sync/queries/business.ts";
import type { Deps } from "../deps.ts";
import { operation, type Routes } from "../http/operation.ts";
import { answering } from "../http/queries.ts";

const updateBody = z.object(businessUpdateArgs.shape.set.shape);

/** The caller's business. Reading is for a session alone, changing for its owner. */
export function businessRoutes({ shop }: Deps): Routes {
	return {
		"/api/business": {
			GET: answering(shop, businessGet, { access: "memberSession" }),

			PATCH: operation({
				summary: "Change the fields that are sent, for the owner",
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
