import { hash } from "node:crypto";
import { toIso } from "../../sync/protocol/clock.ts";
import type { Connection } from "../../sync/store/store.ts";
import { lifetimeSeconds } from "./tokens.ts";

/** Ends a session, including all copies of its cookie. */
export async function endSession(
	tx: Connection,
	sessionId: string,
	now: number,
): Promise<void> {
	await tx.run("DELETE FROM ended_sessions WHERE expires_at < ?", toIso(now));
	await tx.run(
		"INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
		sessionId,
		// Keep the row until the token has expired for certain, even if the clock was wrong when it was signed.
		toIso(now + 2 * lifetimeSeconds * 1_000),
	);
}

export interface EndedSession {
	id: string;
	expiresAt: string;
}

/** Reads which sessions have ended, also in a database of schema 12 and older. */
export async function readEnded(tx: Connection): Promise<EndedSession[]> {
	const rows = await tx.all("SELECT * FROM ended_sessions");
	return rows.map(({ id, digest, expires_at }) => ({
		id: (id ?? digest) as string,
		expiresAt: expires_at as string,
	}));
}

/** Keeps sessions ended in a database that has forgotten it: their tokens may still be somewhere. */
export async function keepEnded(
	tx: Connection,
	ended: readonly EndedSession[],
): Promise<void> {
	for (const { id, expiresAt } of ended)
		await tx.run(
			"INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING",
			id,
			expiresAt,
		);
}

/** Also finds rows of schema 12 and older, which hold a digest of the token, until they expire. */
export async function isEnded(
	tx: Connection,
	sessionId: string,
	token: string,
): Promise<boolean> {
	const row = await tx.get(
		"SELECT 1 AS ended FROM ended_sessions WHERE id IN (?, ?)",
		sessionId,
		hash("sha256", token),
	);
	return row !== undefined;
}
