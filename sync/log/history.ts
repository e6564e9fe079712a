import { type Env, newId } from "../protocol/ids.ts";
import { setMeta } from "../store/meta.ts";
import type { Connection } from "../store/store.ts";

/** How long after a restore a missing record is waited for instead of refused. */
const healingMs = 90 * 24 * 3_600_000;

/**
 * The identity of this database's history, and whether a recent restore may have lost records that tills will bring
 * back.
 */
export interface History {
	epoch: string;
	healing: boolean;
	/** Set while healing if the database was built from a till's copy: see till-copy.ts. */
	tillSyncedAt: string | undefined;
	/** Set with it if that till had a window: its first day. See left-out.ts. */
	tillWindowDay: string | undefined;
}

export async function readHistory(
	tx: Connection,
	now: number,
): Promise<History> {
	const rows = await tx.all("SELECT key, value FROM meta");
	const meta = new Map(rows.map(({ key, value }) => [key, String(value)]));
	const restoredAt = meta.get("restored_at");
	const healing =
		restoredAt !== undefined && now - Date.parse(restoredAt) < healingMs;
	return {
		epoch: meta.get("epoch") as string,
		healing,
		tillSyncedAt: healing ? meta.get("till_synced_at") : undefined,
		tillWindowDay: healing ? meta.get("till_window_day") : undefined,
	};
}

/** Records a loss without a restore: tills may bring missing records back, as after one. */
export async function recordHistoryLoss(
	tx: Connection,
	env: Env,
): Promise<void> {
	const { healing } = await readHistory(tx, env.now());
	if (!healing)
		await setMeta(tx, "restored_at", new Date(env.now()).toISOString());
}

/** Starts a new epoch after a restore, by which tills notice that the history differs from what they have seen. */
export async function beginNewHistory(tx: Connection, env: Env): Promise<void> {
	await setMeta(tx, "epoch", newId(env));
	await setMeta(tx, "restored_at", new Date(env.now()).toISOString());
}
