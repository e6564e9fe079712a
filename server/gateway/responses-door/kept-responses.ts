import { toIso } from "../../../sync/protocol/clock.ts";
import type { Env } from "../../../sync/protocol/ids.ts";
import type { Connection, Store } from "../../../sync/store/store.ts";
import { aiAccess } from "../access.ts";
import type { ResponseObject } from "./answer-writer.ts";
import type { SentItem } from "./input-items.ts";

export interface Stored {
	response: ResponseObject;
	/** The items of its request alone; those before it are found by `previous`. */
	input: readonly SentItem[];
	previous: string | undefined;
	payer: string;
	bytes: number;
	expiresAt: number;
}

/** The database's copy of the stored responses, for businesses whose owner wants them to outlive the server's process. */
export function openKeptResponses(store: Store, env: Env, bytesMax: number) {
	return {
		/** @returns a business's responses from the oldest on */
		async find(businessId: string): Promise<[id: string, Stored][]> {
			const rows = await store.read((tx) =>
				tx.all(
					"SELECT id, stored FROM ai_responses WHERE business_id = ? AND expires_at > ? ORDER BY expires_at, id",
					businessId,
					toIso(env.now()),
				),
			);
			return rows.map((row) => [
				row.id as string,
				JSON.parse(row.stored as string),
			]);
		},

		/** Keeps a response if the owner still wants that, and removes the oldest that have no room. */
		add: (businessId: string, id: string, stored: Stored): Promise<void> =>
			store.write(async (tx) => {
				// The owner may have changed it since the request began.
				const access = await aiAccess(tx).find(businessId);
				if (!access?.keepsResponses) return;
				const { payer, bytes, expiresAt } = stored;
				await tx.run(
					"INSERT INTO ai_responses (business_id, id, payer, stored, bytes, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
					businessId,
					id,
					payer,
					JSON.stringify(stored),
					bytes,
					toIso(expiresAt),
				);
				await sweepResponses(tx, env.now());
				await tx.run(
					`DELETE FROM ai_responses WHERE business_id = ? AND id IN (
             SELECT id FROM (
               SELECT id, sum(bytes) OVER (ORDER BY expires_at DESC, id DESC) AS upto FROM ai_responses WHERE business_id = ?
             ) AS aged WHERE upto > ?)`,
					businessId,
					businessId,
					bytesMax,
				);
			}),

		remove: (businessId: string, id: string): Promise<void> =>
			store.write(async (tx) => {
				await tx.run(
					"DELETE FROM ai_responses WHERE business_id = ? AND id = ?",
					businessId,
					id,
				);
			}),
	};
}

/** Forgets what was kept for a business whose owner doesn't want that any more. */
export async function forgetResponses(
	tx: Connection,
	businessId: string,
): Promise<void> {
	await tx.run("DELETE FROM ai_responses WHERE business_id = ?", businessId);
}

/** Deletes what has been kept for its day, also of businesses that ask nothing more. */
export async function sweepResponses(
	tx: Connection,
	now: number,
): Promise<void> {
	await tx.run("DELETE FROM ai_responses WHERE expires_at <= ?", toIso(now));
}
