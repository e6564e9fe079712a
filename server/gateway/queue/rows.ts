import { toIso } from "../../../sync/protocol/clock.ts";
import type { Connection, DbRow, Value } from "../../../sync/store/store.ts";
import { parseJsonExactly } from "../exact-json.ts";
import type { QueuedRequest, WaitsFor } from "./queued-request.ts";

/** A request of the queue as the database stores it. */
export interface QueuedRow {
	businessId: string;
	id: string;
	/** The id of the key or the member that asked and pays. */
	account: string;
	path: string;
	requestHash: string;
	/** The request's own headers for the gateway, as JSON. */
	options: string;
	createdAt: string;
	expiresAt: string;
	/** When it is run or delivered next, or when the claim of the server that does it ends; null if nothing is left to do. */
	dueAt: string | null;
	claim: string | null;
	/** Runs or deliveries that were begun and didn't end well. */
	tries: number;
	waitsFor: WaitsFor | null;
	error: string | null;
	deliverTo: string | null;
	deliveredAt: string | null;
	/** JSON; null once it is answered. */
	body: string | null;
	answeredAt: string | null;
	/** JSON with `status`, `headers` and `body`. */
	answer: string | null;
}

/** The columns that the end of a run or a delivery changes. */
export type Outcome = Partial<
	Record<
		| "due_at"
		| "tries"
		| "waits_for"
		| "error"
		| "delivered_at"
		| "body"
		| "bytes"
		| "answered_at"
		| "answer"
		| "expires_at",
		Value
	>
>;

type Key = Pick<QueuedRow, "businessId" | "id">;

/** The stored queue. A row is held by one server at a time, which has written its claim into it. */
export function queueRows(tx: Connection) {
	return {
		/** @returns false if the payer sent it before, with the same key for repetitions */
		async add(
			row: Pick<QueuedRow, "businessId" | "id" | "account" | "path"> &
				Pick<QueuedRow, "requestHash" | "options" | "deliverTo"> &
				Pick<QueuedRow, "createdAt" | "expiresAt"> & {
					body: string;
					repeatKey: string | null;
				},
		): Promise<boolean> {
			const added = await tx.run(
				`INSERT INTO ai_queue (business_id, id, account, path, request_hash, repeat_key, options, bytes, created_at, expires_at,
           due_at, tries, deliver_to, body)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (business_id, account, repeat_key) DO NOTHING`,
				row.businessId,
				row.id,
				row.account,
				row.path,
				row.requestHash,
				row.repeatKey,
				row.options,
				Buffer.byteLength(row.body),
				row.createdAt,
				row.expiresAt,
				row.createdAt,
				row.deliverTo,
				row.body,
			);
			return added > 0;
		},

		async find({ businessId, id }: Key): Promise<QueuedRow | undefined> {
			const row = await tx.get(
				"SELECT * FROM ai_queue WHERE business_id = ? AND id = ?",
				businessId,
				id,
			);
			return row && toQueuedRow(row);
		},

		async findRepeated(
			businessId: string,
			account: string,
			repeatKey: string,
		): Promise<QueuedRow | undefined> {
			const row = await tx.get(
				"SELECT * FROM ai_queue WHERE business_id = ? AND account = ? AND repeat_key = ?",
				businessId,
				account,
				repeatKey,
			);
			return row && toQueuedRow(row);
		},

		/** @returns how many of the account's requests wait, and the bytes of the business's requests and answers */
		async usedBy(
			businessId: string,
			account: string,
		): Promise<{ waiting: number; bytes: number }> {
			const row = await tx.get(
				`SELECT coalesce(sum(bytes), 0) AS bytes,
           coalesce(sum(CASE WHEN account = ? AND answered_at IS NULL THEN 1 ELSE 0 END), 0) AS waiting
         FROM ai_queue WHERE business_id = ?`,
				account,
				businessId,
			);
			return { waiting: Number(row?.waiting), bytes: Number(row?.bytes) };
		},

		async waitingOf(businessId: string): Promise<number> {
			const row = await tx.get(
				"SELECT count(*) AS n FROM ai_queue WHERE business_id = ? AND answered_at IS NULL",
				businessId,
			);
			return Number(row?.n);
		},

		/** @param isOffline leaves out what waits for the internet */
		async due(now: number, isOffline: boolean, limit: number): Promise<Key[]> {
			const rows = await tx.all(
				`SELECT business_id, id FROM ai_queue WHERE due_at <= ? AND coalesce(waits_for, '') <> ?
         ORDER BY due_at, id LIMIT ?`,
				toIso(now),
				isOffline ? "internet" : "-",
				limit,
			);
			return rows.map((row) => ({
				businessId: row.business_id as string,
				id: row.id as string,
			}));
		},

		/** @returns undefined if another server was faster */
		async claim(
			{ businessId, id }: Key,
			claim: string,
			now: number,
			until: number,
		): Promise<QueuedRow | undefined> {
			const row = await tx.get(
				`UPDATE ai_queue SET claim = ?, due_at = ?, tries = tries + 1
         WHERE business_id = ? AND id = ? AND due_at <= ? RETURNING *`,
				claim,
				toIso(until),
				businessId,
				id,
				toIso(now),
			);
			return row && toQueuedRow(row);
		},

		/** Ends the claim, or keeps it with `due_at` alone. @returns false if the row is another server's, or deleted */
		async settle(
			{ businessId, id, claim }: Key & Pick<QueuedRow, "claim">,
			outcome: Outcome,
			{ isKept = false } = {},
		): Promise<boolean> {
			const columns = Object.entries({
				...outcome,
				...(isKept ? {} : { claim: null }),
			});
			const changed = await tx.run(
				`UPDATE ai_queue SET ${columns.map(([name]) => `${name} = ?`).join(", ")}
         WHERE business_id = ? AND id = ? AND claim = ?`,
				...columns.map(([, value]) => value),
				businessId,
				id,
				claim,
			);
			return changed > 0;
		},

		/** @returns false if the account has no such request */
		async remove({ businessId, id }: Key, account: string): Promise<boolean> {
			// Compare the raw id: an invalid one then simply matches no request.
			const removed = await tx.get(
				"DELETE FROM ai_queue WHERE business_id = ? AND id = ? AND account = ? RETURNING id",
				businessId,
				id,
				account,
			);
			return removed !== undefined;
		},

		/** Makes due at once what waits for a budget. */
		async hurry(businessId: string, now: number): Promise<void> {
			await tx.run(
				"UPDATE ai_queue SET due_at = ? WHERE business_id = ? AND waits_for = 'budget' AND claim IS NULL",
				toIso(now),
				businessId,
			);
		},

		/** Deletes answers whose time is over. */
		async sweep(now: number): Promise<void> {
			await tx.run(
				"DELETE FROM ai_queue WHERE expires_at < ? AND answered_at IS NOT NULL",
				toIso(now),
			);
		},
	};
}

function toQueuedRow(row: DbRow): QueuedRow {
	return {
		businessId: row.business_id as string,
		id: row.id as string,
		account: row.account as string,
		path: row.path as string,
		requestHash: row.request_hash as string,
		options: row.options as string,
		createdAt: row.created_at as string,
		expiresAt: row.expires_at as string,
		dueAt: row.due_at as string | null,
		claim: row.claim as string | null,
		tries: row.tries as number,
		waitsFor: row.waits_for as WaitsFor | null,
		error: row.error as string | null,
		deliverTo: row.deliver_to as string | null,
		deliveredAt: row.delivered_at as string | null,
		body: row.body as string | null,
		answeredAt: row.answered_at as string | null,
		answer: row.answer as string | null,
	};
}

export function toQueuedRequest(row: QueuedRow): QueuedRequest {
	const response =
		row.answer === null
			? null
			: (parseJsonExactly(row.answer) as QueuedRequest["response"]);
	return {
		id: row.id,
		object: "queued_request",
		status: statusOf(row, response),
		path: row.path,
		created_at: toSeconds(row.createdAt),
		answered_at: row.answeredAt === null ? null : toSeconds(row.answeredAt),
		expires_at: toSeconds(row.expiresAt),
		waits_for: row.waitsFor,
		error: row.error,
		response,
		delivery:
			row.deliverTo === null
				? null
				: { to: row.deliverTo, status: deliveryOf(row) },
	};
}

function statusOf(
	{ claim }: QueuedRow,
	response: QueuedRequest["response"],
): QueuedRequest["status"] {
	if (response) return response.status < 400 ? "answered" : "failed";
	return claim === null ? "waiting" : "running";
}

function deliveryOf({
	deliveredAt,
	answeredAt,
	dueAt,
}: QueuedRow): NonNullable<QueuedRequest["delivery"]>["status"] {
	if (deliveredAt !== null) return "delivered";
	return answeredAt !== null && dueAt === null ? "failed" : "waiting";
}

function toSeconds(at: string): number {
	return Math.floor(Date.parse(at) / 1_000);
}
