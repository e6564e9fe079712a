import * as z from "zod";
import {
	customerLimit,
	customerRow,
	customerWire,
} from "../../sync/entities/customer.ts";
import {
	paymentAdjust,
	paymentCollect,
	paymentRow,
} from "../../sync/entities/payment.ts";
import { paymentPayout } from "../../sync/entities/payout.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { customerGet, customerPayments } from "../../sync/queries/customer.ts";
import { layawayGet } from "../../sync/queries/layaway.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { newRecordId, onWire, orAbsent, orNull } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { listOperation } from "../http/query-operations.ts";
import { tendersBody } from "../sales/tenders-body.ts";

const { creditLimit } = customerRow.shape;
const ownId = z.object({
	id: newRecordId(paymentRow.shape.id),
});
const moneyBody = ownId.extend({
	tenders: tendersBody,
	reason: orNull(paymentRow.shape.reason),
	layawayId: orAbsent(paymentRow.shape.layawayId.unwrap()),
});

/** Routes of what a customer owes. */
export function accountRoutes({ shop }: Deps): Routes {
	/** Both may name a record that was merged into the other's. @throws ShopError `invalid_args`, `not_found` */
	async function assertLayawayOf(
		caller: Caller,
		customerId: string,
		layawayId: string,
	): Promise<void> {
		const kept = await shop.ask(caller, layawayGet, { id: layawayId });
		const owner = await shop.ask(caller, customerGet, { id: kept.customerId });
		if (owner.id !== customerId)
			throw new ShopError(
				"invalid_args",
				"layawayId: Must be a layaway of the customer",
				"layawayId",
			);
	}

	const moveMoney = (
		mutation: typeof paymentCollect | typeof paymentPayout,
		summary: string,
	) =>
		operation({
			...{ summary, access: "member", roles: mutation.roles },
			body: moneyBody,
			failures: [409],
			answers: { 201: customerWire },
			async handle({ caller, id: customerId, body, response }) {
				const payer = await shop.ask(caller, customerGet, { id: customerId });
				const { id = newId(shop.env), ...moved } = body;
				if (moved.layawayId !== undefined)
					await assertLayawayOf(caller, payer.id, moved.layawayId);
				await shop.mutate(caller, mutation, { id, customerId, ...moved });
				response
					.status(201)
					.json(await shop.ask(caller, customerGet, { id: customerId }));
			},
		});

	return {
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

			POST: moveMoney(
				paymentCollect,
				"Record what a customer paid of what they owe, or deposited for a layaway",
			),
		},

		"/api/customers/:id/payouts": {
			POST: moveMoney(
				paymentPayout,
				"Give a customer back what is theirs, such as a deposit",
			),
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
