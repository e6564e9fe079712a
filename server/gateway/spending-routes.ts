import * as z from "zod";
import { roles } from "../../sync/entities/entity.ts";
import { day, text } from "../../sync/entities/fields.ts";
import { businessToday } from "../../sync/queries/business.ts";
import type { Caller } from "../../sync/shop.ts";
import { apiKeys } from "../accounts/api-keys.ts";
import { members } from "../accounts/members.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { aiAccess, appLimits, appLimitsIn } from "./access.ts";
import { callPage, readCalls } from "./calls.ts";
import {
	aiLimits,
	appAccount,
	budgetInDollars,
	budgetInNanos,
	businessAccount,
	limitFields,
	noLimits,
} from "./limits.ts";
import { aiDelivery, deliverTo } from "./queue/delivery.ts";
import { queueRows } from "./queue/rows.ts";
import { forgetResponses } from "./responses-door/kept-responses.ts";
import { readSpent, readUsage, usageReport } from "./usage.ts";

const accountLimits = z.object({
	id: z.string(),
	monthlyBudget: z.number().nullable(),
	/** null is what applies to every member, or no limit for a key. */
	requestsPerMinute: z.int().nullable(),
});

const limits = appLimits
	.extend({
		/** Whether the operator of the server lets this business use AI. */
		allowed: z.boolean(),
		/** The operator's limits for everything; null is no limit. */
		ceiling: z.number().nullable(),
		businessRequestsPerMinute: z.int().nullable(),
		/** USD this month, with app tokens and by the whole business; each with the most that running calls may add. */
		spent: z.number(),
		reserved: z.number(),
		businessSpent: z.number(),
		businessReserved: z.number(),
		/** Where answers of queued requests may be delivered to, and what signs them; null while there was no address. */
		deliverTo,
		deliverySecret: z.string().nullable(),
		/** Queued requests without an answer. */
		waiting: z.int(),
		members: z.array(
			accountLimits.extend({
				name: z.string(),
				role: z.enum(roles),
				spent: z.number(),
				reserved: z.number(),
			}),
		),
	})
	.meta({ id: "AiLimits" });

const limitsChange = appLimits.partial().extend({
	deliverTo: deliverTo.optional(),
	newDeliverySecret: z.boolean().optional(),
});

const days = z.object({ from: day.optional(), to: day.optional() });

const pageOfCalls = days.extend({
	/** The id of a member or a key. */
	by: text(100).optional(),
	/** The `next` of the page before. */
	before: text(100).optional(),
	limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** The owner's routes for AI spending and its limits. */
export function spendingRoutes({
	shop,
	gateway,
	keyPayers,
	queue,
}: Deps): Routes {
	async function showLimits(caller: Caller): Promise<z.input<typeof limits>> {
		const { businessId } = caller;
		const { day } = await shop.ask(caller, businessToday, {});
		return shop.store.read(async (tx) => {
			const access = await aiAccess(tx).find(businessId);
			const spent = await readSpent(tx, businessId, day.slice(0, 7));
			const of = (id: string) => spent.get(id) ?? { spent: 0, reserved: 0 };
			const set = await aiLimits(tx, businessId).find();
			const app = appLimitsIn(set);
			const business = set.get(businessAccount) ?? noLimits;
			const all = await members(tx).list(businessId);
			const delivery = await aiDelivery(tx, businessId).find();
			return {
				deliverTo: delivery.to,
				deliverySecret: queue.courier.secretOf(businessId, delivery),
				waiting: await queueRows(tx).waitingOf(businessId),
				allowed: access?.isAllowed ?? false,
				ceiling: budgetInDollars(business),
				businessRequestsPerMinute: business.requestsPerMinute,
				monthlyBudget: budgetInDollars(app) ?? 0,
				requestsPerMinute: app.requestsPerMinute,
				leastRole: access?.leastRole ?? "OWNER",
				keepsResponses: access?.keepsResponses ?? false,
				...of(appAccount),
				businessSpent: of(businessAccount).spent,
				businessReserved: of(businessAccount).reserved,
				members: all.map(({ userId, name, role }) => {
					const own = set.get(userId) ?? noLimits;
					return {
						...{ id: userId, name, role },
						monthlyBudget: budgetInDollars(own),
						requestsPerMinute: own.requestsPerMinute,
						...of(userId),
					};
				}),
			};
		});
	}

	function assertDeliverable(addresses: readonly string[] = []): void {
		for (const address of addresses) {
			const objection = queue.courier.objectionTo(address);
			if (objection !== undefined)
				throw new HttpError(400, `deliverTo: ${address} ${objection}`, {
					code: "invalid_args",
					path: ["deliverTo"],
				});
		}
	}

	async function daysAsked(
		caller: Caller,
		{ from, to }: z.output<typeof days>,
	): Promise<[from: string, to: string]> {
		const last = to ?? (await shop.ask(caller, businessToday, {})).day;
		return [from ?? `${last.slice(0, 7)}-01`, last];
	}

	return {
		"/api/ai/limits": {
			GET: operation({
				summary:
					"Get the limits for AI in the app and of members, with this month's spending",
				access: "member",
				roles: ["OWNER"],
				answers: { 200: limits },
				async handle({ caller, response }) {
					await gateway.flush();
					response.json(await showLimits(caller));
				},
			}),

			PATCH: operation({
				summary: "Set the limits for AI in the app",
				access: "member",
				roles: ["OWNER"],
				body: limitsChange,
				answers: { 200: limits },
				async handle({ caller, body, response }) {
					const { businessId } = caller;
					const { leastRole, keepsResponses, ...appLimits } = body;
					const { monthlyBudget, requestsPerMinute } = appLimits;
					assertDeliverable(body.deliverTo);
					await shop.store.write(async (tx) => {
						const ledger = aiLimits(tx, businessId);
						const business = (await ledger.find([businessAccount])).get(
							businessAccount,
						);
						const ceiling = budgetInDollars(business ?? noLimits);
						if (ceiling !== null && (monthlyBudget ?? 0) > ceiling)
							throw new HttpError(
								400,
								`The operator of this server allows at most ${ceiling} USD a month`,
								{ code: "budget_too_high" },
							);
						await aiAccess(tx).change(businessId, {
							leastRole,
							keepsResponses,
						});
						if (keepsResponses === false) await forgetResponses(tx, businessId);
						await aiDelivery(tx, businessId).change(body.deliverTo, {
							hasNewSecret: body.newDeliverySecret,
						});
						await ledger.change(appAccount, {
							monthlyBudget: budgetInNanos(monthlyBudget),
							requestsPerMinute,
						});
					});
					keyPayers.forget(businessId);
					await gateway.flush();
					await queue.hurry(businessId);
					response.json(await showLimits(caller));
				},
			}),
		},

		"/api/ai/limits/:id": {
			PATCH: operation({
				summary: "Set the limits of a member in the app, or of a key",
				access: "member",
				roles: ["OWNER"],
				body: z.object(limitFields).partial(),
				answers: { 200: accountLimits },
				async handle({ caller, id, body, response }) {
					const { businessId } = caller;
					const set = await shop.store.write(async (tx) => {
						const all = await members(tx).list(businessId);
						const keys = await apiKeys(tx).list(businessId);
						if (
							!all.some(({ userId }) => userId === id) &&
							!keys.some((key) => key.id === id && key.revokedAt === null)
						)
							throw new HttpError(404, "Member or key not found");
						const ledger = aiLimits(tx, businessId);
						await ledger.change(id, {
							...body,
							monthlyBudget: budgetInNanos(body.monthlyBudget),
						});
						return (await ledger.find([id])).get(id) ?? noLimits;
					});
					keyPayers.forget(businessId);
					await queue.hurry(businessId);
					response.json({
						id,
						monthlyBudget: budgetInDollars(set),
						requestsPerMinute: set.requestsPerMinute,
					});
				},
			}),
		},

		"/api/usage": {
			GET: operation({
				summary:
					"Get the AI gateway's usage and cost, by day, model, key and member",
				access: "member",
				roles: ["OWNER"],
				query: days,
				answers: { 200: usageReport },
				async handle({ caller, query, response }) {
					await gateway.flush();
					const [from, to] = await daysAsked(caller, query);
					response.json(
						await shop.store.read((tx) =>
							readUsage(tx, caller.businessId, from, to),
						),
					);
				},
			}),
		},

		"/api/usage/calls": {
			GET: operation({
				summary:
					"List the AI gateway's calls from the newest on, with who made each and what it cost",
				access: "member",
				roles: ["OWNER"],
				query: pageOfCalls,
				answers: { 200: callPage },
				async handle({ caller, query, response }) {
					await gateway.flush();
					const [from, to] = await daysAsked(caller, query);
					response.json(
						await shop.store.read((tx) =>
							readCalls(tx, caller.businessId, { ...query, from, to }),
						),
					);
				},
			}),
		},
	};
}
