import * as z from "zod";
import { requiredText, timestamp } from "../../sync/entities/fields.ts";
import { businessToday } from "../../sync/queries/business.ts";
import type { Caller } from "../../sync/shop.ts";
import { type ApiKey, apiKeys } from "../accounts/api-keys.ts";
import type { Deps } from "../deps.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import {
	aiLimits,
	budgetInDollars,
	budgetInNanos,
	type Limits,
	limitFields,
	noLimits,
} from "./limits.ts";
import { readSpent } from "./usage.ts";

const createBody = z.object({
	name: z.string().trim().pipe(requiredText(100)),
	monthlyBudget: limitFields.monthlyBudget.default(null),
	requestsPerMinute: limitFields.requestsPerMinute.default(null),
});

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

/** The owner's routes for API keys. */
export function keyRoutes({ shop, gateway, keyPayers }: Deps): Routes {
	const { store, env } = shop;

	async function listKeys(caller: Caller) {
		const { businessId } = caller;
		const { day } = await shop.ask(caller, businessToday, {});
		return store.read(async (tx) => {
			const month = day.slice(0, 7);
			const spent = await readSpent(tx, businessId, month);
			const limits = await aiLimits(tx, businessId).find();
			const all = await apiKeys(tx).list(businessId);
			return all.map((it) => toWire(it, limits.get(it.id), spent.get(it.id)));
		});
	}

	return {
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
							monthlyBudget: budgetInNanos(body.monthlyBudget),
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
					keyPayers.forget(caller.businessId);
					if (!revoked) throw new HttpError(404, "Key not found");
					response.json({ ok: true });
				},
			}),
		},
	};
}

function toWire(
	{ businessId: _, ...it }: ApiKey,
	limits: Limits = noLimits,
	{ spent, reserved } = { spent: 0, reserved: 0 },
): z.input<typeof key> {
	return {
		...it,
		monthlyBudget: budgetInDollars(limits),
		requestsPerMinute: limits.requestsPerMinute,
		spent,
		reserved,
	};
}
