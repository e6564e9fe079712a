import * as z from "zod";
import {
	layawayCancel,
	layawayCreate,
	layawayRow,
	layawayWire,
} from "../../sync/entities/layaway.ts";
import { saleCreate, saleRow, saleWire } from "../../sync/entities/sale.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { customerGet } from "../../sync/queries/customer.ts";
import {
	layawayGet,
	layawayList,
	layawaySlip,
} from "../../sync/queries/layaway.ts";
import { layawayKept } from "../../sync/queries/layaway-kept.ts";
import { saleGet } from "../../sync/queries/sale.ts";
import { toDepositSlip } from "../../sync/receipts/deposit-document.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { newRecordId, orAbsent, orNull } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation, queryOperation } from "../http/query-operations.ts";
import { asSold, itemsBody } from "../sales/items-body.ts";
import { documentOperation } from "../sales/send-document.ts";
import { tendersBody } from "../sales/tenders-body.ts";

const { id, customerId, dueDay } = layawayRow.shape;
const listParams = z.object({
	show: layawayList.args.shape.show,
	customerId: customerId.optional(),
});

/** Routes of goods that are kept for customers who pay in parts. */
export function layawayRoutes(deps: Deps): Routes {
	const { shop } = deps;
	return {
		"/api/layaways": {
			GET: listOperation(shop, layawayList, {
				params: listParams,
				toArgs: ({ params }) => params,
			}),

			POST: operation({
				summary: "Keep goods for a customer, who pays in parts",
				access: "member",
				roles: layawayCreate.roles,
				body: z.object({
					id: newRecordId(id),
					customerId,
					items: itemsBody,
					dueDay: orNull(dueDay),
				}),
				failures: [404, 409],
				answers: { 201: layawayWire },
				async handle({ caller, body, response }) {
					const { id = newId(shop.env), items, ...kept } = body;
					await shop.ask(caller, customerGet, { id: kept.customerId });
					await shop.mutate(caller, layawayCreate, {
						...{ ...kept, id },
						// A repeated request names the same lines.
						items: await asSold(shop, caller, items, (i) => String(i + 1)),
					});
					response.status(201).json(await shop.ask(caller, layawayGet, { id }));
				},
			}),
		},

		"/api/layaways/kept": { GET: queryOperation(shop, layawayKept) },

		"/api/layaways/:id": {
			GET: queryOperation(shop, layawayGet, {
				toArgs: ({ id }) => ({ id }),
			}),
		},

		"/api/layaways/:id/receipt": {
			GET: documentOperation(deps, layawaySlip, toDepositSlip),
		},

		"/api/layaways/:id/complete": {
			POST: operation({
				summary:
					"Sell what was kept for a customer; what the tenders leave is paid from their deposits, or owed",
				access: "member",
				roles: saleCreate.roles,
				body: z.object({
					id: newRecordId(saleRow.shape.id),
					tenders: orAbsent(tendersBody),
					rounding: orAbsent(saleRow.shape.rounding.unwrap()),
				}),
				failures: [409],
				answers: { 201: saleWire },
				async handle({ caller, id: layawayId, body, response }) {
					const { id = newId(shop.env), ...paid } = body;
					// With the costs, which the caller may not see.
					const { businessId } = caller;
					const owner = { businessId, role: "OWNER" } as const;
					const { items, customerId } = await shop.ask(owner, layawayGet, {
						id: layawayId,
					});
					const sold = {
						...{ id, items, customerId, layawayId, ...paid },
						...(!paid.tenders && { paymentMethod: "CREDIT" }),
					};
					await shop.mutate(caller, saleCreate, sold, {
						// In the sale's transaction, as another request may hand the same goods over.
						async alongside(tx) {
							const context = { tx, businessId, now: shop.env.now() };
							const kept = await layawayGet.run(context, { id: layawayId });
							if (kept.state !== "open" && kept.saleId !== id)
								throw new HttpError(409, "The layaway has ended");
						},
					});
					response.status(201).json(await shop.ask(caller, saleGet, { id }));
				},
			}),
		},

		"/api/layaways/:id/cancel": {
			POST: operation({
				summary:
					"Cancel a layaway; what was paid for it stays the customer's until it is paid out",
				access: "member",
				roles: layawayCancel.roles,
				body: z.object({ reason: layawayCancel.args.shape.reason }),
				answers: { 200: layawayWire },
				async handle({ caller, id, body: { reason }, response }) {
					await shop.mutate(caller, layawayCancel, { id, reason });
					response.json(await shop.ask(caller, layawayGet, { id }));
				},
			}),
		},
	};
}
