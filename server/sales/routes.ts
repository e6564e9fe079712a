import * as z from "zod";
import { paymentCode } from "../../sync/entities/payment.ts";
import {
	refundItemRow,
	refundRow,
	saleRefund,
	saleVoid,
} from "../../sync/entities/refund.ts";
import { saleCreate, saleRow, saleWire } from "../../sync/entities/sale.ts";
import { linesMax } from "../../sync/entities/sale-limits.ts";
import { derivedId, newId } from "../../sync/protocol/ids.ts";
import { customerGet } from "../../sync/queries/customer.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import { refundGet } from "../../sync/queries/refund.ts";
import { saleCount, saleGet, saleList } from "../../sync/queries/sale.ts";
import type { Caller, MutationInput } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { newRecordId, onWire, orAbsent, queryCount } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { queryOperation } from "../http/query-operations.ts";
import { sendList } from "../http/stream-list.ts";
import { asSold, itemsBody } from "./items-body.ts";
import { tendersBody } from "./tenders-body.ts";

const saleBody = z.object({
	items: itemsBody,
	paid: z
		.preprocess(
			(paid) => paid || null,
			onWire(saleCreate.args.shape.paid.unwrap()),
		)
		.optional(),
	rounding: orAbsent(saleRow.shape.rounding.unwrap()),
	paymentMethod: z
		.preprocess(
			(method) => method || undefined,
			saleRow.shape.paymentMethod.optional(),
		)
		.optional(),
	notes: orAbsent(saleRow.shape.notes),
	paymentCode: orAbsent(paymentCode),
	tenders: orAbsent(tendersBody),
	customerId: orAbsent(saleRow.shape.id),
});

const { id, reason, restock } = refundRow.shape;
const voidBody = z.object({
	id: newRecordId(id),
	reason,
	restock: restock.optional(),
	tenders: tendersBody.optional(),
});
const refundBody = voidBody.extend({
	items: z
		.array(
			z.object({
				itemId: refundItemRow.shape.itemId,
				quantity: onWire(refundItemRow.shape.quantity),
			}),
		)
		.min(1)
		.max(linesMax),
});

/** Routes of sales, voids and refunds. */
export function saleRoutes({ shop }: Deps): Routes {
	/** Records a void or refund of a sale. @returns it */
	async function takeBack(
		caller: Caller,
		mutation: MutationInput["mutation"],
		args: { id: string; saleId: string } & Record<string, unknown>,
	) {
		const { id, saleId } = args;
		await shop.ask(caller, saleGet, { id: saleId });
		await shop.mutate(caller, mutation, args);
		return shop.ask(caller, refundGet, { id });
	}

	return {
		"/api/sales": {
			GET: operation({
				summary: "List sales, newest first, with the total count",
				access: "member",
				query: z.object({ limit: queryCount(50), offset: queryCount(0) }),
				answers: {
					200: z.object({ sales: z.array(saleWire), total: z.int() }),
				},
				async handle({ caller, query: { limit, offset }, response }) {
					const { total } = await shop.ask(caller, saleCount, {});
					const pages = pagesOf(shop, caller, saleList, { offset }, { limit });
					await sendList(response, pages, '{"sales":', `,"total":${total}}`);
				},
			}),

			POST: operation({
				summary:
					"Create a sale; the server assigns the id, computes the totals and updates stock",
				access: "member",
				body: saleBody,
				failures: [404, 409],
				answers: { 201: saleWire },
				async handle({ caller, body: { items, ...body }, response }) {
					const id = newId(shop.env);
					if (body.customerId !== undefined)
						await shop.ask(caller, customerGet, { id: body.customerId });
					await shop.mutate(caller, saleCreate, {
						...{ id, ...body },
						items: await asSold(shop, caller, items, () => newId(shop.env)),
					});
					response.status(201).json(await shop.ask(caller, saleGet, { id }));
				},
			}),
		},

		"/api/sales/:id": {
			GET: queryOperation(shop, saleGet, { toArgs: ({ id }) => ({ id }) }),
		},

		"/api/sales/:id/void": {
			POST: operation({
				summary:
					"Void a sale; its goods return to stock unless restock is false",
				access: "member",
				body: voidBody,
				failures: [409],
				answers: { 201: refundRow },
				async handle({ caller, id: saleId, body, response }) {
					const made = await takeBack(caller, saleVoid, {
						...body,
						id: body.id ?? newId(shop.env),
						saleId,
					});
					response.status(201).json(made);
				},
			}),
		},

		"/api/sales/:id/refunds": {
			POST: operation({
				summary:
					"Refund lines of a sale; their goods return to stock if restock is true",
				access: "member",
				body: refundBody,
				failures: [409],
				answers: { 201: refundRow },
				async handle({
					caller,
					id: saleId,
					body: { items, ...body },
					response,
				}) {
					const id = body.id ?? newId(shop.env);
					const made = await takeBack(caller, saleRefund, {
						...body,
						id,
						saleId,
						// Derive line ids from the request, so that a repeated request has the same ones.
						items: items.map((item, i) => ({ ...item, id: derivedId(id, i) })),
					});
					response.status(201).json(made);
				},
			}),
		},
	};
}
