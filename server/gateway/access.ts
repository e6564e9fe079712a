import * as z from "zod";
import { type Role, roles } from "../../sync/entities/entity.ts";
import type { Connection, DbRow } from "../../sync/store/store.ts";
import { GatewayError } from "./errors.ts";
import type { Budget, Payer } from "./meter.ts";
import { toDollars, toNanos } from "./prices.ts";

/** What one business may do with the AI gateway. */
export interface Access {
	/** Set by the server's operator. */
	isAllowed: boolean;
	/** The operator's limit on the business's total monthly spending, in nanodollars; null is no limit. */
	ceiling: number | null;
	/** The owner's monthly limit on calls with app tokens, in nanodollars. */
	appBudget: number;
	/** Limit for each member's calls with app tokens. */
	requestsPerMinute: number;
	/** The lowest role that may call with app tokens. */
	leastRole: Role;
}

export interface BusinessAccess extends Access {
	businessId: string;
	name: string;
}

const appBudgetDefault = toNanos(5);
const requestsPerMinuteDefault = 60;
const leastRoleDefault: Role = "MANAGER";

/** The settings that an owner may change. */
export const appLimits = z.object({
	/** USD a month. */
	monthlyBudget: z.number().min(0).max(1_000_000),
	requestsPerMinute: z.int().min(1).max(100_000),
	leastRole: z.enum(roles),
});

/** The monthly accounts besides one for each key. */
export const businessAccount = "business";
export const appAccount = "app";

const columns =
	"businesses.business_id, businesses.name, allowed, ceiling, app_budget, app_requests_per_minute, least_role";
const joined =
	"businesses LEFT JOIN ai_access ON ai_access.business_id = businesses.business_id";

export function aiAccess(tx: Connection) {
	return {
		async find(businessId: string): Promise<BusinessAccess | undefined> {
			const row = await tx.get(
				`SELECT ${columns} FROM ${joined} WHERE businesses.business_id = ?`,
				businessId,
			);
			if (!row) return undefined;
			return toAccess(row, row.allowed === null && (await isAlone()));
		},

		async list(): Promise<BusinessAccess[]> {
			const rows = await tx.all(
				`SELECT ${columns} FROM ${joined} WHERE businesses.deleted = 0 ORDER BY businesses.created_at, businesses.business_id`,
			);
			const isOnly = await isAlone();
			return rows.map((row) => toAccess(row, isOnly));
		},

		/** Changes only the fields that are defined. */
		async change(businessId: string, change: Partial<Access>): Promise<void> {
			const { isAllowed, ...others } = change;
			const values: Record<string, string | number | null | undefined> = {
				allowed: isAllowed === undefined ? undefined : Number(isAllowed),
				ceiling: others.ceiling,
				app_budget: others.appBudget,
				app_requests_per_minute: others.requestsPerMinute,
				least_role: others.leastRole,
			};
			await tx.run(
				"INSERT INTO ai_access (business_id) VALUES (?) ON CONFLICT (business_id) DO NOTHING",
				businessId,
			);
			for (const [column, value] of Object.entries(values))
				if (value !== undefined)
					await tx.run(
						`UPDATE ai_access SET ${column} = ? WHERE business_id = ?`,
						value,
						businessId,
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
		ceiling: row.ceiling as number | null,
		appBudget: (row.app_budget as number | null) ?? appBudgetDefault,
		requestsPerMinute:
			(row.app_requests_per_minute as number | null) ??
			requestsPerMinuteDefault,
		leastRole: (row.least_role as Role | null) ?? leastRoleDefault,
	};
}

/** The budgets that a call must fit in, the business's first. */
export function budgetsOf(
	access: Pick<Access, "ceiling" | "appBudget">,
	key: Payer["key"],
): Budget[] {
	return [
		{
			account: businessAccount,
			name: "This business",
			limit: access.ceiling,
		},
		key
			? {
					account: key.id,
					name: `The key "${key.name}"`,
					limit: key.monthlyBudget,
				}
			: { account: appAccount, name: "The app", limit: access.appBudget },
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

/** @returns USD; null is no limit */
export function ceilingInDollars({
	ceiling,
}: Pick<Access, "ceiling">): number | null {
	return ceiling === null ? null : toDollars(ceiling);
}
