import * as z from "zod";
import type { Connection, DbRow } from "../../sync/store/store.ts";
import { toDollars, toNanos } from "./prices.ts";

/** The ledger's accounts besides one for each member and key, which have their ids. */
export const businessAccount = "business";
export const appAccount = "app";

/** What an account may spend and how often it may ask; null is no limit. */
export interface Limits {
	/** Nanodollars in a month by the shop's calendar. */
	monthlyBudget: number | null;
	requestsPerMinute: number | null;
}

/** An account that a call counts against. */
export interface Account extends Limits {
	id: string;
	/** Shown in error messages. */
	name: string;
}

export const noLimits: Limits = {
	monthlyBudget: null,
	requestsPerMinute: null,
};

/** Limits on the wire. */
export const limitFields = {
	/** USD for each month by the shop's calendar; null is no limit. */
	monthlyBudget: z.number().min(0).max(1_000_000).nullable(),
	requestsPerMinute: z.int().min(1).max(100_000).nullable(),
};

/** The limits of a business's accounts. */
export function aiLimits(tx: Connection, businessId: string) {
	return {
		/** @returns the limits by account, without those that were never set */
		async find(accounts?: readonly string[]): Promise<Map<string, Limits>> {
			const which = accounts
				? `AND account IN (${accounts.map(() => "?").join(", ")})`
				: "";
			const rows = await tx.all(
				`SELECT account, monthly_budget, requests_per_minute FROM ai_limits WHERE business_id = ? ${which}`,
				businessId,
				...(accounts ?? []),
			);
			return new Map(rows.map((row) => [row.account as string, toLimits(row)]));
		},

		/** Changes only the limits that are defined. */
		async change(account: string, change: Partial<Limits>): Promise<void> {
			const before = (await this.find([account])).get(account) ?? noLimits;
			const { monthlyBudget, requestsPerMinute } = change;
			await tx.run(
				`INSERT INTO ai_limits (business_id, account, monthly_budget, requests_per_minute) VALUES (?, ?, ?, ?)
         ON CONFLICT (business_id, account) DO UPDATE
         SET monthly_budget = excluded.monthly_budget, requests_per_minute = excluded.requests_per_minute`,
				businessId,
				account,
				monthlyBudget === undefined ? before.monthlyBudget : monthlyBudget,
				requestsPerMinute === undefined
					? before.requestsPerMinute
					: requestsPerMinute,
			);
		},
	};
}

export function toLimits(row: DbRow): Limits {
	return {
		monthlyBudget: row.monthly_budget as number | null,
		requestsPerMinute: row.requests_per_minute as number | null,
	};
}

/** @param usd null is no limit; undefined stays undefined */
export function budgetInNanos<T extends number | null | undefined>(
	usd: T,
): T | number {
	return typeof usd === "number" ? toNanos(usd) : usd;
}

/** @returns USD; null is no limit */
export function budgetInDollars({
	monthlyBudget,
}: Pick<Limits, "monthlyBudget">): number | null {
	return monthlyBudget === null ? null : toDollars(monthlyBudget);
}
