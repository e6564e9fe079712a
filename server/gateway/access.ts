import * as z from "zod";
import { type Role, roles } from "../../sync/entities/entity.ts";
import type { Connection, DbRow } from "../../sync/store/store.ts";
import { GatewayError } from "./errors.ts";
import {
	type Account,
	aiLimits,
	appAccount,
	businessAccount,
	type Limits,
	noLimits,
	toLimits,
} from "./limits.ts";
import type { Payer } from "./meter.ts";
import { toNanos } from "./prices.ts";

/** What one business may do with the AI gateway. */
export interface Access {
	/** Set by the server's operator. */
	isAllowed: boolean;
	/** The lowest role that may call with app tokens. */
	leastRole: Role;
	/** Responses outlive the server's process. */
	keepsResponses: boolean;
	/** The operator's limits on all of the business's calls. */
	limits: Limits;
}

export interface BusinessAccess extends Access {
	businessId: string;
	name: string;
}

/** The owner's limits on all calls with app tokens, and on each member's requests, until an owner changes them. */
const appDefaults = { monthlyBudget: toNanos(5), requestsPerMinute: 60 };
const leastRoleDefault: Role = "MANAGER";

/** The settings that an owner may change. */
export const appLimits = z.object({
	/** USD a month. */
	monthlyBudget: z.number().min(0).max(1_000_000),
	requestsPerMinute: z.int().min(1).max(100_000),
	leastRole: z.enum(roles),
	/** Whether responses that later requests may refer to are kept in the database, for a day. */
	keepsResponses: z.boolean(),
});

const selected = `SELECT businesses.business_id, businesses.name, allowed, least_role, keeps_responses, monthly_budget, requests_per_minute
  FROM businesses LEFT JOIN ai_access ON ai_access.business_id = businesses.business_id
  LEFT JOIN ai_limits ON ai_limits.business_id = businesses.business_id AND account = '${businessAccount}'`;

export function aiAccess(tx: Connection) {
	return {
		async find(businessId: string): Promise<BusinessAccess | undefined> {
			const row = await tx.get(
				`${selected} WHERE businesses.business_id = ?`,
				businessId,
			);
			if (!row) return undefined;
			return toAccess(row, row.allowed === null && (await isAlone()));
		},

		async list(): Promise<BusinessAccess[]> {
			const rows = await tx.all(
				`${selected} WHERE businesses.deleted = 0 ORDER BY businesses.created_at, businesses.business_id`,
			);
			const isOnly = await isAlone();
			return rows.map((row) => toAccess(row, isOnly));
		},

		/** Changes only the fields that are defined. */
		async change(
			businessId: string,
			{ isAllowed, leastRole, keepsResponses }: Partial<Omit<Access, "limits">>,
		): Promise<void> {
			const asNumber = (is: boolean | undefined) =>
				is === undefined ? null : Number(is);
			await tx.run(
				`INSERT INTO ai_access (business_id, allowed, least_role, keeps_responses) VALUES (?, ?, ?, ?)
         ON CONFLICT (business_id) DO UPDATE
         SET allowed = coalesce(excluded.allowed, ai_access.allowed), least_role = coalesce(excluded.least_role, ai_access.least_role),
           keeps_responses = coalesce(excluded.keeps_responses, ai_access.keeps_responses)`,
				businessId,
				asNumber(isAllowed),
				leastRole ?? null,
				asNumber(keepsResponses),
			);
		},

		/** Decides for a new business: the first on a server may use AI, since its owner runs the server. */
		async admit(businessId: string): Promise<() => Promise<void>> {
			const first = await tx.get("SELECT business_id FROM businesses LIMIT 1");
			// A business imported from another server was the only one until now.
			if (first && (await isAlone()))
				await tx.run(
					`INSERT INTO ai_access (business_id, allowed) VALUES (?, 1)
           ON CONFLICT (business_id) DO UPDATE SET allowed = coalesce(ai_access.allowed, 1)`,
					first.business_id as string,
				);
			// Of two businesses created at once, only one is the first.
			const claimed =
				!first &&
				(await tx.get(
					"INSERT INTO meta (key, value) VALUES ('first_business', ?) ON CONFLICT (key) DO NOTHING RETURNING value",
					businessId,
				));
			return () => this.change(businessId, { isAllowed: Boolean(claimed) });
		},
	};

	async function isAlone(): Promise<boolean> {
		const some = await tx.all("SELECT business_id FROM businesses LIMIT 2");
		return some.length === 1;
	}
}

/** @param isOnly the server has no other business, so no operator needs to allow it */
function toAccess(row: DbRow, isOnly: boolean): BusinessAccess {
	return {
		businessId: row.business_id as string,
		name: row.name as string,
		isAllowed: row.allowed === null ? isOnly : row.allowed === 1,
		leastRole: (row.least_role as Role | null) ?? leastRoleDefault,
		keepsResponses: row.keeps_responses === 1,
		limits: toLimits(row),
	};
}

/** The limits of calls with app tokens: a budget for all of them together, and a rate for each member. */
export function appLimitsIn(
	limits: ReadonlyMap<string, Limits>,
): Record<keyof Limits, number> {
	const set = limits.get(appAccount);
	return {
		monthlyBudget: set?.monthlyBudget ?? appDefaults.monthlyBudget,
		requestsPerMinute: set?.requestsPerMinute ?? appDefaults.requestsPerMinute,
	};
}

/** Reads who pays as they are now. @returns undefined for an unknown business */
export async function payerOf(
	tx: Connection,
	{
		businessId,
		userId = null,
		role = null,
		key = null,
	}: Pick<Payer, "businessId"> & Partial<Payer>,
): Promise<Payer | undefined> {
	const access = await aiAccess(tx).find(businessId);
	if (!access) return undefined;
	const payer = { businessId, userId, role, key, access };
	return { ...payer, accounts: await accountsOf(tx, payer) };
}

/** Reads the accounts that a call counts against: the business's first, last that of the key or the member. */
export async function accountsOf(
	tx: Connection,
	{ businessId, userId, key, access }: Omit<Payer, "accounts" | "role">,
): Promise<Account[]> {
	const own = key?.id ?? userId ?? "";
	const limits = await aiLimits(tx, businessId).find([appAccount, own]);
	const business = {
		...{ id: businessAccount, name: "This business" },
		...access.limits,
	};
	const set = limits.get(own) ?? noLimits;
	if (key)
		return [business, { id: own, name: `The key "${key.name}"`, ...set }];
	const { monthlyBudget, requestsPerMinute } = appLimitsIn(limits);
	return [
		business,
		{
			...{ id: appAccount, name: "The app", monthlyBudget },
			requestsPerMinute: null,
		},
		{
			...{ id: own, name: "A member of this business", ...set },
			requestsPerMinute: set.requestsPerMinute ?? requestsPerMinute,
		},
	];
}

/** @throws GatewayError 403 saying who can allow it */
export function assertAllowed({
	businessId,
	access: { isAllowed, leastRole },
	role,
}: Payer): void {
	if (!isAllowed)
		throw new GatewayError(
			403,
			`This business may not use AI on this server yet: ask its operator to run "counterfoil ai allow ${businessId}"`,
			{ code: "ai_not_allowed" },
		);
	if (role !== null && roles.indexOf(role) > roles.indexOf(leastRole))
		throw new GatewayError(
			403,
			"Your role may not use AI in this business: ask its owner",
			{ code: "role_not_allowed" },
		);
}
