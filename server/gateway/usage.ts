import * as z from "zod";
import type { Connection, DbRow } from "../../sync/store/store.ts";
import { toDollars } from "./prices.ts";

const figures = {
	calls: z.int(),
	/** Calls answered from the cache or together with an equal call. */
	saved: z.int(),
	failed: z.int(),
	promptTokens: z.int(),
	completionTokens: z.int(),
	/** USD. */
	cost: z.number(),
};

export const usageReport = z
	.object({
		/** First and last day by the shop's calendar, inclusive. */
		from: z.iso.date(),
		to: z.iso.date(),
		totals: z.object(figures),
		days: z.array(z.object({ day: z.iso.date(), ...figures })),
		models: z.array(
			z.object({
				model: z.string().nullable(),
				...figures,
				/** Average milliseconds to the first content; null if no call was answered. */
				firstTokenMs: z.number().nullable(),
			}),
		),
		keys: z.array(
			z.object({
				/** null for calls with an app token. */
				keyId: z.string().nullable(),
				name: z.string().nullable(),
				...figures,
			}),
		),
		/** Calls with app tokens. */
		members: z.array(
			z.object({
				userId: z.string().nullable(),
				name: z.string().nullable(),
				...figures,
			}),
		),
	})
	.meta({ id: "Usage" });

const sums = `count(*) AS calls, sum(CASE WHEN cache IN ('hit', 'shared') THEN 1 ELSE 0 END) AS saved,
  sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS failed, sum(prompt_tokens) AS prompt_tokens,
  sum(completion_tokens) AS completion_tokens, sum(cost) AS cost`;

/** Reads a business's AI usage in a range of days, grouped by day, model, key and member. */
export async function readUsage(
	tx: Connection,
	businessId: string,
	from: string,
	to: string,
): Promise<z.input<typeof usageReport>> {
	const where =
		"ai_calls.business_id = ? AND day >= ? AND day <= ? AND status <> 'running'";
	const by = (columns: string, group: string, join = "") =>
		tx.all(
			`SELECT ${columns}${sums} FROM ai_calls ${join} WHERE ${where} ${group}`,
			businessId,
			from,
			to,
		);
	const [total] = await by("", "");
	const days = await by("day, ", "GROUP BY day ORDER BY day");
	const models = await by(
		"model, avg(first_token_ms) AS first_token_ms, ",
		"GROUP BY model ORDER BY cost DESC, model",
	);
	const keys = await by(
		"key_id, name, ",
		"GROUP BY key_id, name ORDER BY cost DESC, key_id",
		"LEFT JOIN api_keys ON api_keys.business_id = ai_calls.business_id AND api_keys.id = key_id",
	);
	const members = await by(
		"ai_calls.user_id, users.name, ",
		"AND key_id IS NULL GROUP BY ai_calls.user_id, users.name ORDER BY cost DESC, ai_calls.user_id",
		"LEFT JOIN users ON users.id = ai_calls.user_id",
	);
	return {
		from,
		to,
		totals: toFigures(total ?? {}),
		days: days.map((row) => ({ day: row.day as string, ...toFigures(row) })),
		models: models.map((row) => ({
			model: row.model as string | null,
			...toFigures(row),
			firstTokenMs:
				row.first_token_ms === null
					? null
					: Math.round(Number(row.first_token_ms)),
		})),
		keys: keys.map((row) => ({
			keyId: row.key_id as string | null,
			name: row.name as string | null,
			...toFigures(row),
		})),
		members: members.map((row) => ({
			userId: row.user_id as string | null,
			name: row.name as string | null,
			...toFigures(row),
		})),
	};
}

function toFigures(row: DbRow) {
	return {
		calls: Number(row.calls ?? 0),
		saved: Number(row.saved ?? 0),
		failed: Number(row.failed ?? 0),
		promptTokens: Number(row.prompt_tokens ?? 0),
		completionTokens: Number(row.completion_tokens ?? 0),
		cost: toDollars(Number(row.cost ?? 0)),
	};
}

/** Reads this month's spending and the most that running calls may add, in USD, by account. */
export async function readSpent(
	tx: Connection,
	businessId: string,
	month: string,
): Promise<Map<string, { spent: number; reserved: number }>> {
	const rows = await tx.all(
		"SELECT account, spent, reserved FROM ai_months WHERE business_id = ? AND month = ?",
		businessId,
		month,
	);
	return new Map(
		rows.map((row) => [
			row.account as string,
			{
				spent: toDollars(row.spent as number),
				reserved: toDollars(row.reserved as number),
			},
		]),
	);
}
