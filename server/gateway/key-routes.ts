import * as z from "zod";
import { day, requiredText, timestamp } from "../../sync/entities/fields.ts";
import { businessToday } from "../../sync/queries/business.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Connection } from "../../sync/store/store.ts";
import { type ApiKey, apiKeys } from "../accounts/api-keys.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import {
	aiAccess,
	appAccount,
	appLimits,
	type BusinessAccess,
	businessAccount,
	ceilingInDollars,
} from "./access.ts";
import { toDollars, toNanos } from "./prices.ts";
import { readSpent, readUsage, usageReport } from "./usage.ts";

const keyFields = {
	name: z.string().trim().pipe(requiredText(100)),
	/** USD for each month by the shop's calendar; null is no limit. */
	monthlyBudget: z.number().min(0).max(1_000_000).nullable().default(null),
	requestsPerMinute: z.int().min(1).max(100_000).nullable().default(null),
};
const createBody = z.object(keyFields);

const key = z
	.object({
		id: z.string(),
		name: z.string(),
		/** The key's first characters. */
		hint: z.string(),
		monthlyBudget: z.number().nullable(),
		requestsPerMinute: z.int().nullable(),
		/** USD this month, and the most that running calls may add. */
		spent: z.number(),
		reserved: z.number(),
		createdAt: timestamp,
		lastUsedAt: timestamp.nullable(),
		revokedAt: timestamp.nullable(),
	})
	.meta({ id: "ApiKey" });

const limits = appLimits
	.extend({
		/** Whether the operator of the server lets this business use AI. */
		allowed: z.boolean(),
		/** The operator's limit for everything, in USD a month; null is no limit. */
		ceiling: z.number().nullable(),
		/** USD this month, with app tokens and by the whole business; each with the most that running calls may add. */
		spent: z.number(),
		reserved: z.number(),
		businessSpent: z.number(),
		businessReserved: z.number(),
	})
	.meta({ id: "AiLimits" });

/** The owner's routes for AI spending, limits and API keys. */
export function aiRoutes({ shop, gateway, keys }: Deps): Routes {
	const { store, env } = shop;

	async function listKeys(caller: Caller) {
		const { businessId } = caller;
		const { day } = await shop.ask(caller, businessToday, {});
		return store.read(async (tx) => {
			const month = day.slice(0, 7);
			const spent = await readSpent(tx, businessId, month);
			const all = await apiKeys(tx).list(businessId);
			return all.map((it) => toWire(it, spent.get(it.id)));
		});
	}

	async function showLimits(caller: Caller): Promise<z.input<typeof limits>> {
		const { businessId } = caller;
		const { day } = await shop.ask(caller, businessToday, {});
		return store.read(async (tx) => {
			const access = await accessOf(tx, businessId);
			const month = day.slice(0, 7);
			const spent = await readSpent(tx, businessId, month);
			const app = spent.get(appAccount);
			const all = spent.get(businessAccount);
			return {
				allowed: access.isAllowed,
				ceiling: ceilingInDollars(access),
				monthlyBudget: toDollars(access.appBudget),
				requestsPerMinute: access.requestsPerMinute,
				leastRole: access.leastRole,
				spent: app?.spent ?? 0,
				reserved: app?.reserved ?? 0,
				businessSpent: all?.spent ?? 0,
				businessReserved: all?.reserved ?? 0,
			};
		});
	}

	return {
		"/api/ai/limits": {
			GET: operation({
				summary: "Get the limits for AI in the app, with this month's spending",
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
				body: appLimits.partial(),
				answers: { 200: limits },
				async handle({ caller, body, response }) {
					await store.write(async (tx) => {
						const { monthlyBudget = 0, ...others } = body;
						const ceiling = ceilingInDollars(
							await accessOf(tx, caller.businessId),
						);
						if (ceiling !== null && monthlyBudget > ceiling)
							throw new HttpError(
								400,
								`The operator of this server allows at most ${ceiling} USD a month`,
								{ code: "budget_too_high" },
							);
						await aiAccess(tx).change(caller.businessId, {
							...others,
							appBudget: body.monthlyBudget && toNanos(body.monthlyBudget),
						});
					});
					await gateway.flush();
					response.json(await showLimits(caller));
				},
			}),
		},

		"/api/usage": {
			GET: operation({
				summary: "Get the AI gateway's usage and cost, by day, model and key",
				access: "member",
				roles: ["OWNER"],
				query: z.object({ from: day.optional(), to: day.optional() }),
				answers: { 200: usageReport },
				async handle({ caller, query, response }) {
					await gateway.flush();
					const { day } = await shop.ask(caller, businessToday, {});
					const { to = day } = query;
					const { from = `${to.slice(0, 7)}-01` } = query;
					const report = await store.read((tx) =>
						readUsage(tx, caller.businessId, from, to),
					);
					response.json(report);
				},
			}),
		},

		"/api/keys": {
			GET: operation({
				summary: "List the AI gateway's keys, with this month's spending",
				access: "member",
				roles: ["OWNER"],
				answers: { 200: z.object({ keys: z.array(key) }) },
				async handle({ caller, response }) {
					await gateway.flush();
					response.json({ keys: await listKeys(caller) });
				},
			}),

			POST: operation({
				summary: "Create a key; the answer shows it this once",
				access: "member",
				roles: ["OWNER"],
				body: createBody,
				answers: { 201: key.extend({ key: z.string() }) },
				async handle({ caller, body, response }) {
					const { businessId, userId } = caller;
					const made = await store.write((tx) =>
						apiKeys(tx).create(env, {
							businessId,
							userId,
							name: body.name,
							requestsPerMinute: body.requestsPerMinute,
							monthlyBudget:
								body.monthlyBudget === null
									? null
									: toNanos(body.monthlyBudget),
						}),
					);
					const listed = (await listKeys(caller)).find(
						({ id }) => id === made.id,
					);
					response.status(201).json({ ...listed, key: made.key });
				},
			}),
		},

		"/api/keys/:id": {
			DELETE: operation({
				summary: "Revoke a key permanently",
				access: "member",
				roles: ["OWNER"],
				answers: { 200: z.object({ ok: z.literal(true) }) },
				async handle({ caller, id, response }) {
					const revoked = await store.write((tx) =>
						apiKeys(tx).revoke(caller.businessId, id, env.now()),
					);
					keys.forget(id);
					if (!revoked) throw new HttpError(404, "Key not found");
					response.json({ ok: true });
				},
			}),
		},
	};
}

async function accessOf(
	tx: Connection,
	businessId: string,
): Promise<BusinessAccess> {
	const access = await aiAccess(tx).find(businessId);
	if (!access) throw new Error(`No business ${businessId}`);
	return access;
}

function toWire(
	{ businessId: _, monthlyBudget, ...it }: ApiKey,
	{ spent, reserved } = { spent: 0, reserved: 0 },
): z.input<typeof key> {
	return {
		...it,
		monthlyBudget: monthlyBudget === null ? null : toDollars(monthlyBudget),
		spent,
		reserved,
	};
}
