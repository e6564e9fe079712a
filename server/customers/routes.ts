import * as z from "zod";
import {
	customerCreate,
	customerDelete,
	customerRow,
	customerUpdate,
	customerWire,
} from "../../sync/entities/customer.ts";
import { newId } from "../../sync/protocol/ids.ts";
import {
	customerByPhone,
	customerGet,
	customerList,
	customerTotals,
} from "../../sync/queries/customer.ts";
import type { Deps } from "../deps.ts";
import { orNull, requiredField } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";

const { name, phone, note } = customerRow.shape;
const createBody = z.object({
	name: requiredField("name required").pipe(name),
	phone: orNull(phone),
	note: orNull(note),
});
/** Routes of customers. */
export function customerRoutes({ shop }: Deps): Routes {
	return {
		"/api/customers": {
			GET: listOperation(shop, customerList),

			POST: operation({
				summary: "Add a customer",
				access: "member",
				roles: customerCreate.roles,
				body: createBody,
				answers: { 201: customerWire },
				async handle({ caller, body, response }) {
					const id = newId(shop.env);
					await shop.mutate(caller, customerCreate, { id, ...body });
					response
						.status(201)
						.json(await shop.ask(caller, customerGet, { id }));
				},
			}),
		},

		"/api/customers/totals": {
			GET: queryOperation(shop, customerTotals),
		},

		"/api/customers/by-phone": {
			GET: queryOperation(shop, customerByPhone, {
				params: customerByPhone.args,
				toArgs: ({ params }) => params,
			}),
		},

		"/api/customers/:id": {
			GET: queryOperation(shop, customerGet, { toArgs: ({ id }) => ({ id }) }),

			PATCH: operation({
				summary: "Change a customer's fields; omitted fields stay as they are",
				access: "member",
				roles: customerUpdate.roles,
				body: createBody.partial(),
				answers: { 200: customerWire },
				async handle({ caller, id, body: set, response }) {
					await shop.ask(caller, customerGet, { id });
					await shop.mutate(caller, customerUpdate, { id, set });
					response.json(await shop.ask(caller, customerGet, { id }));
				},
			}),

			DELETE: operation({
				summary:
					"Remove a customer from the lists; what they bought and owe stays",
				access: "member",
				roles: customerDelete.roles,
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					await shop.ask(caller, customerGet, { id });
					await shop.mutate(caller, customerDelete, { id });
					response.json({ ok: true });
				},
			}),
		},
	};
}
