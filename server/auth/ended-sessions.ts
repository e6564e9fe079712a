import { hash } from "node:crypto";
import { toIso } from "../../sync/clock.ts";
import type { Connection } from "../../sync/store/store.ts";
import { lifetimeSeconds } from "./tokens.ts";

/** Ends a session for whoever may hold a copy of its cookie, too. */
export async function endSession(
	tx: Connection,
	token: string,
	now: number,
): Promise<void> {
	await tx.run("DELETE FROM ended_sessions WHERE expires_at < ?", toIso(now));
	await tx.run(
		"INSERT INTO ended_sessions (digest, expires_at) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING",
		hash("sha256", token),
		// The token itself is none any more by then, whatever the clock was when it was signed.
		toIso(now + 2 * lifetimeSeconds * 1_000),
	);
}

export async function isEnded(tx: Connection, token: string): Promise<boolean> {
	const row = await tx.get(
		"SELECT 1 AS ended FROM ended_sessions WHERE digest = ?",
		hash("sha256", token),
	);
	return row !== undefined;
}
