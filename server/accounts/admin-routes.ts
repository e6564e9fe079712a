import * as z from "zod";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Deps } from "../deps.ts";
import { aiAccess, type BusinessAccess } from "../gateway/access.ts";
import {
	aiLimits,
	budgetInDollars,
	budgetInNanos,
	businessAccount,
	limitFields,
} from "../gateway/limits.ts";
import { HttpError } from "../http/http-error.ts";
import { operation, type Routes } from "../http/operation.ts";
import { readFigures } from "../operations/installation/figures.ts";

const recentMs = 30 * 24 * 3_600_000;

const count = z.int().min(0);
const stats = z.object({
	users: count,
	usersLast30Days: count,
	businesses: count,
	products: count,
	sales: count,
	salesLast30Days: count,
	reviews: count,
	averageRating: z.number().nullable(),
});

const aiBusiness = z
	.object({
		businessId: z.string(),
		name: z.string(),
		allowed: z.boolean(),
		/** The monthly limit in USD; null for no limit. */
		ceiling: z.number().nullable(),
		requestsPerMinute: z.int().nullable(),
	})
	.meta({ id: "AiBusiness" });

/** Routes for administrators: statistics of the installation, and AI access of businesses. */
export function adminRoutes({ shop, keyPayers }: Deps): Routes {
	return {
		"/api/admin/stats": {
			GET: operation({
				summary: "Get statistics of the whole installation",
				access: "adminSession",
				answers: { 200: stats },
				async handle({ response }) {
					const since = toIso(shop.env.now() - recentMs);
					const { newUsers, newSales, ...all } = await shop.store.read((tx) =>
						readFigures(tx, since),
					);
					response.json({
						...all,
						usersLast30Days: newUsers,
						salesLast30Days: newSales,
					});
				},
			}),
		},

		"/api/admin/ai": {
			GET: operation({
				summary: "List which businesses may use AI, with their monthly limits",
				access: "adminSession",
				answers: { 200: z.object({ businesses: z.array(aiBusiness) }) },
				async handle({ response }) {
					const all = await shop.store.read((tx) => aiAccess(tx).list());
					response.json({ businesses: all.map(toAiBusiness) });
				},
			}),
		},

		"/api/admin/ai/:id": {
			PATCH: operation({
				summary: "Allow or deny a business the use of AI",
				access: "adminSession",
				body: z
					.object({
						allowed: z.boolean(),
						ceiling: limitFields.monthlyBudget,
						requestsPerMinute: limitFields.requestsPerMinute,
					})
					.partial(),
				answers: { 200: aiBusiness },
				async handle({ id, body, response }) {
					const found = await shop.store.write(async (tx) => {
						const access = aiAccess(tx);
						if (!(await access.find(id)))
							throw new HttpError(404, "Business not found");
						const { allowed, ceiling, requestsPerMinute } = body;
						await access.change(id, { isAllowed: allowed });
						await aiLimits(tx, id).change(businessAccount, {
							monthlyBudget: budgetInNanos(ceiling),
							requestsPerMinute,
						});
						return access.find(id);
					});
					keyPayers.forget(id);
					response.json(toAiBusiness(found as BusinessAccess));
				},
			}),
		},
	};
}

function toAiBusiness({
	businessId,
	name,
	isAllowed,
	limits,
}: BusinessAccess): z.input<typeof aiBusiness> {
	return {
		businessId,
		name,
		allowed: isAllowed,
		ceiling: budgetInDollars(limits),
		requestsPerMinute: limits.requestsPerMinute,
	};
}
