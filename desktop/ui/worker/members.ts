import { toIso } from "../../../sync/clock.ts";
import type { Env } from "../../../sync/ids.ts";
import type { Connection, Store } from "../../../sync/store/store.ts";
import type { Member } from "./messages.ts";

/** Those who have signed in on this browser: its receipts name them, and what one of them made is theirs whoever sends it. */
export interface Members {
	meet(member: Member): void;
	/** Those that could not be written down before, as the shop was not here yet. */
	keep(): Promise<void>;
}

export function openMembers(store: Store, env: Env): Members {
	const met = new Set<string>();
	const waiting = new Map<string, Member>();

	async function keep(): Promise<void> {
		for (const [key, member] of waiting)
			if (await store.write((tx) => write(tx, member, toIso(env.now()))))
				waiting.delete(key);
	}

	return {
		keep,
		meet(member) {
			const key = JSON.stringify([member.userId, member.name, member.role]);
			if (met.has(key)) return;
			met.add(key);
			waiting.set(key, member);
			void keep().catch(console.error);
		},
	};
}

/** @returns false where only the name could be written */
async function write(
	tx: Connection,
	{ businessId, userId, name, role }: Member,
	at: string,
): Promise<boolean> {
	await tx.run(
		`INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, 'none', ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
		userId,
		// Nobody signs in by what is kept here.
		userId,
		name,
		at,
	);
	const filled = await tx.get(
		"SELECT 1 AS filled FROM replica WHERE business_id = ? AND last_sync_at IS NOT NULL",
		businessId,
	);
	if (!filled) return false;
	await tx.run(
		`INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id, user_id) DO UPDATE SET role = excluded.role`,
		businessId,
		userId,
		role,
		at,
	);
	return true;
}
