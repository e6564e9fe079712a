import type { Role } from "../entities/entity.ts";
import type { Connection } from "../store/store.ts";

/*
 * Members as a till knows them: receipts name them, and a mutation keeps its author even if another member sends it.
 * Nobody signs in with these rows.
 */

export async function writeName(
	tx: Connection,
	{ id, name }: { id: string; name: string },
	at: string,
): Promise<void> {
	await tx.run(
		`INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, 'none', ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
		id,
		// Unique, and no address.
		id,
		name,
		at,
	);
}

/** @throws Error if the business has not been downloaded */
export async function writeMembership(
	tx: Connection,
	businessId: string,
	{ id, role }: { id: string; role: Role },
	at: string,
): Promise<void> {
	await tx.run(
		`INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id, user_id) DO UPDATE SET role = excluded.role`,
		businessId,
		id,
		role,
		at,
	);
}

/** Whether the business that memberships name has been downloaded. */
export async function isDownloaded(
	tx: Connection,
	businessId: string,
): Promise<boolean> {
	const filled = await tx.get(
		"SELECT 1 AS filled FROM replica WHERE business_id = ? AND last_sync_at IS NOT NULL",
		businessId,
	);
	return filled !== undefined;
}
