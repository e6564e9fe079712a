import * as z from "zod";
import type { Connection } from "../../sync/store/store.ts";
import { toDollars } from "./prices.ts";

/** A call as an owner sees it: never what was asked or answered, nor an error's text, which may quote it. */
const call = z.object({
	id: z.string(),
	at: z.iso.datetime(),
	/** Who made it: a key, or else a member with an app token. */
	keyId: z.string().nullable(),
	userId: z.string().nullable(),
	/** The key's or the member's name. */
	name: z.string().nullable(),
	askedModel: z.string(),
	/** The model that answered, and why it was chosen. */
	model: z.string().nullable(),
	route: z.string(),
	cache: z.enum(["hit", "miss", "shared", "off"]),
	/** `interrupted` is what a server that died had reserved for calls. */
	status: z.enum(["ok", "failed", "cancelled", "interrupted"]),
	attempts: z.int(),
	promptTokens: z.int(),
	cachedTokens: z.int(),
	completionTokens: z.int(),
	/** USD. */
	cost: z.number(),
	firstTokenMs: z.int().nullable(),
	durationMs: z.int(),
});

export const callPage = z
	.object({
		calls: z.array(call),
		/** Passed as `before`, gives the next page; null on the last one. */
		next: z.string().nullable(),
	})
	.meta({ id: "AiCalls" });

/** Reads a business's calls of a range of days, from the newest on. */
export async function readCalls(
	tx: Connection,
	businessId: string,
	{
		from,
		to,
		by,
		before,
		limit,
	}: {
		from: string;
		to: string;
		by?: string | undefined;
		before?: string | undefined;
		limit: number;
	},
): Promise<z.input<typeof callPage>> {
	const [day = "", id = ""] = before?.split("_") ?? ["9999-12-31", ""];
	const rows = await tx.all(
		`SELECT ai_calls.*, coalesce(api_keys.name, users.name) AS name FROM ai_calls
     LEFT JOIN api_keys ON api_keys.business_id = ai_calls.business_id AND api_keys.id = key_id
     LEFT JOIN users ON key_id IS NULL AND users.id = ai_calls.user_id
     WHERE ai_calls.business_id = ? AND day >= ? AND day <= ? AND (day, ai_calls.id) < (?, ?) AND status <> 'running'
     ${by === undefined ? "" : "AND coalesce(key_id, ai_calls.user_id) = ?"}
     ORDER BY day DESC, ai_calls.id DESC LIMIT ?`,
		...[businessId, from, to, day, id],
		...(by === undefined ? [] : [by]),
		limit + 1,
	);
	const last = rows[limit - 1];
	return {
		calls: rows.slice(0, limit).map((row) => ({
			id: row.id as string,
			at: row.at as string,
			keyId: row.key_id as string | null,
			userId: row.user_id as string | null,
			name: row.name as string | null,
			askedModel: row.asked_model as string,
			model: row.model as string | null,
			route: row.route as string,
			cache: row.cache as z.input<typeof call>["cache"],
			status: row.status as z.input<typeof call>["status"],
			attempts: row.attempts as number,
			promptTokens: row.prompt_tokens as number,
			cachedTokens: row.cached_tokens as number,
			completionTokens: row.completion_tokens as number,
			cost: toDollars(row.cost as number),
			firstTokenMs: row.first_token_ms as number | null,
			durationMs: row.duration_ms as number,
		})),
		next: last && rows.length > limit ? `${last.day}_${last.id}` : null,
	};
}
