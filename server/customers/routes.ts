import * as z from "zod";
import {
	customerCreate,
	customerDelete,
	customerLimit,
	customerRow,
	customerUpdate,
	customerWire,
} from "../../sync/entities/customer.ts";
import {
	paymentAdjust,
	paymentCollect,
	paymentRow,
} from "../../sync/entities/payment.ts";
import { newId } from "../../sync/protocol/ids.ts";
import {
	customerGet,
	customerList,
	customerPayments,
	customerTotals,
} from "../../sync/queries/customer.ts";
import type { Deps } from "../deps.ts";
import { onWire, orNull, requiredField } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";
import { tendersBody } from "../sales/tenders-body.ts";

const { name, phone, note, creditLimit } = customerRow.shape;
const createBody = z.object({
	name: requiredField("name required").pipe(name),
	phone: orNull(phone),
	note: orNull(note),
});
const ownId = z.object({
	id: paymentRow.shape.id
		.describe(
			"The new record's id, chosen by the client so that it can repeat the request: the record is created only once",
		)
		.optional(),
});

/** Routes of customers, and of what they owe. */
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

		"/api/customers/:id/limit": {
			PATCH: operation({
				summary: "Set what a customer should owe at most",
				access: "member",
				roles: customerLimit.roles,
				body: z.object({ creditLimit: onWire(creditLimit) }),
				answers: { 200: customerWire },
				async handle({ caller, id, body: { creditLimit }, response }) {
					await shop.ask(caller, customerGet, { id });
					await shop.mutate(caller, customerLimit, { id, creditLimit });
					response.json(await shop.ask(caller, customerGet, { id }));
				},
			}),
		},

		"/api/customers/:id/payments": {
			GET: listOperation(shop, customerPayments, {
				toArgs: ({ id }) => ({ customerId: id }),
			}),

			POST: operation({
				summary: "Record what a customer paid of what they owe",
				access: "member",
				roles: paymentCollect.roles,
				body: ownId.extend({
					tenders: tendersBody,
					reason: orNull(paymentRow.shape.reason),
				}),
				failures: [409],
				answers: { 201: customerWire },
				async handle({ caller, id: customerId, body, response }) {
					await shop.ask(caller, customerGet, { id: customerId });
					const { id = newId(shop.env), ...paid } = body;
					await shop.mutate(caller, paymentCollect, {
						...{ id, customerId, ...paid },
					});
					response
						.status(201)
						.json(await shop.ask(caller, customerGet, { id: customerId }));
				},
			}),
		},

		"/api/customers/:id/adjustments": {
			POST: operation({
				summary:
					"Set right what a customer owes where no money moves: an old debt, or one that is forgiven",
				access: "member",
				roles: paymentAdjust.roles,
				body: ownId.extend({
					amount: onWire(paymentAdjust.args.shape.amount),
					reason: paymentAdjust.args.shape.reason,
				}),
				failures: [409],
				answers: { 201: customerWire },
				async handle({ caller, id: customerId, body, response }) {
					await shop.ask(caller, customerGet, { id: customerId });
					const { id = newId(shop.env), ...change } = body;
					await shop.mutate(caller, paymentAdjust, {
						...{ id, customerId, ...change },
					});
					response
						.status(201)
						.json(await shop.ask(caller, customerGet, { id: customerId }));
				},
			}),
		},
	};
}
