import * as z from "zod";
import {
	customerErase,
	customerMerge,
	customerRow,
	customerWire,
} from "../../sync/entities/customer.ts";
import { customerGet } from "../../sync/queries/customer.ts";
import { customerData } from "../../sync/queries/customer-data.ts";
import type { Deps } from "../deps.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";

/** Routes of who a customer is: one who was written down twice, and what the shop keeps of a person. */
export function identityRoutes({ shop }: Deps): Routes {
	return {
		"/api/customers/:id/merge": {
			POST: operation({
				summary:
					"Merge a customer into another, who remains: what names this one counts for that one",
				access: "member",
				roles: customerMerge.roles,
				body: z.object({ intoId: customerRow.shape.id }),
				answers: { 200: customerWire },
				async handle({ caller, id: fromId, body: { intoId }, response }) {
					await shop.ask(caller, customerGet, { id: fromId });
					await shop.mutate(caller, customerMerge, { fromId, intoId });
					response.json(await shop.ask(caller, customerGet, { id: intoId }));
				},
			}),
		},

		"/api/customers/:id/data": {
			GET: queryOperation(shop, customerData, {
				toArgs: ({ id }) => ({ id }),
			}),

			DELETE: operation({
				summary:
					"Erase a customer's name, phone number and note; what they bought and owe stays",
				access: "member",
				roles: customerErase.roles,
				answers: { 200: customerWire },
				async handle({ caller, id, response }) {
					await shop.ask(caller, customerGet, { id });
					await shop.mutate(caller, customerErase, { id });
					response.json(await shop.ask(caller, customerGet, { id }));
				},
			}),
		},
	};
}
