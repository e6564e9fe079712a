import * as z from "zod";
import { paymentRow } from "../../sync/entities/payment.ts";
import {
	supplierCreate,
	supplierDelete,
	supplierRow,
	supplierUpdate,
	supplierWire,
} from "../../sync/entities/supplier.ts";
import { paymentRemit } from "../../sync/entities/supplier-payment.ts";
import { newId } from "../../sync/protocol/ids.ts";
import {
	supplierEntries,
	supplierGet,
	supplierList,
} from "../../sync/queries/supplier.ts";
import type { Deps } from "../deps.ts";
import { newRecordId, orNull, requiredField } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";
import { tendersBody } from "../sales/tenders-body.ts";

const { name, phone, note } = supplierRow.shape;
const createBody = z.object({
	name: requiredField("name required").pipe(name),
	phone: orNull(phone),
	note: orNull(note),
});

/** Routes of suppliers, and of what the shop owes them. */
export function supplierRoutes({ shop }: Deps): Routes {
	return {
		"/api/suppliers": {
			GET: listOperation(shop, supplierList),

			POST: operation({
				summary: "Add a supplier",
				access: "member",
				roles: supplierCreate.roles,
				body: createBody,
				answers: { 201: supplierWire },
				async handle({ caller, body, response }) {
					const id = newId(shop.env);
					await shop.mutate(caller, supplierCreate, { id, ...body });
					response
						.status(201)
						.json(await shop.ask(caller, supplierGet, { id }));
				},
			}),
		},

		"/api/suppliers/:id": {
			GET: queryOperation(shop, supplierGet, { toArgs: ({ id }) => ({ id }) }),

			PATCH: operation({
				summary: "Change a supplier's fields; omitted fields stay as they are",
				access: "member",
				roles: supplierUpdate.roles,
				body: createBody.partial(),
				answers: { 200: supplierWire },
				async handle({ caller, id, body: set, response }) {
					await shop.ask(caller, supplierGet, { id });
					await shop.mutate(caller, supplierUpdate, { id, set });
					response.json(await shop.ask(caller, supplierGet, { id }));
				},
			}),

			DELETE: operation({
				summary:
					"Remove a supplier from the list; deliveries and payments stay",
				access: "member",
				roles: supplierDelete.roles,
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					await shop.ask(caller, supplierGet, { id });
					await shop.mutate(caller, supplierDelete, { id });
					response.json({ ok: true });
				},
			}),
		},

		"/api/suppliers/:id/entries": {
			GET: listOperation(shop, supplierEntries, {
				toArgs: ({ id }) => ({ supplierId: id }),
			}),
		},

		"/api/suppliers/:id/payments": {
			POST: operation({
				summary: "Record what the shop paid of what it owes a supplier",
				access: "member",
				roles: paymentRemit.roles,
				body: z.object({
					id: newRecordId(paymentRow.shape.id),
					tenders: tendersBody,
					reason: orNull(paymentRow.shape.reason),
				}),
				failures: [409],
				answers: { 201: supplierWire },
				async handle({ caller, id: supplierId, body, response }) {
					const { id = newId(shop.env), ...paid } = body;
					await shop.ask(caller, supplierGet, { id: supplierId });
					await shop.mutate(caller, paymentRemit, { id, supplierId, ...paid });
					response
						.status(201)
						.json(await shop.ask(caller, supplierGet, { id: supplierId }));
				},
			}),
		},
	};
}
