import { toIso } from "../../sync/protocol/clock.ts";
import type { Env } from "../../sync/protocol/ids.ts";
import type { Store } from "../../sync/store/store.ts";
import type { SignedIn } from "./server-client.ts";

/** Lets a member who has signed in on this till do so again offline. @returns the version of their tokens here */
export async function saveAccount(
	store: Store,
	env: Env,
	{ user }: SignedIn,
	passwordHash: string,
): Promise<number> {
	return store.write(async (tx) => {
		// The server has given this email to another account, so the old account is gone.
		await tx.run(
			"DELETE FROM users WHERE email = ? AND id <> ? AND NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = users.id)",
			user.email,
			user.id,
		);
		// Or it has another email now, with which its member signs in again.
		await tx.run(
			"UPDATE users SET email = id, password_hash = 'none' WHERE email = ? AND id <> ?",
			user.email,
			user.id,
		);
		await tx.run(
			`INSERT INTO users (id, email, name, password_hash, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET email = excluded.email, name = excluded.name,
         password_hash = excluded.password_hash, disabled_at = NULL`,
			user.id,
			user.email,
			user.name,
			passwordHash,
			toIso(env.now()),
		);
		const row = await tx.get(
			"SELECT token_version FROM users WHERE id = ?",
			user.id,
		);
		return row?.token_version as number;
	});
}

/** Gives the local account with this email the server's id. */
export async function adoptId(
	store: Store,
	email: string,
	id: string,
): Promise<void> {
	await store.write(async (tx) => {
		const row = await tx.get("SELECT id FROM users WHERE email = ?", email);
		if (!row || row.id === id) return;
		await tx.run("PRAGMA defer_foreign_keys = ON");
		for (const table of [
			"memberships",
			"notifications",
			"notification_preferences",
		])
			await tx.run(
				`UPDATE ${table} SET user_id = ? WHERE user_id = ?`,
				id,
				row.id as string,
			);
		await tx.run("UPDATE users SET id = ? WHERE id = ?", id, row.id as string);
	});
}

/** Writes the role, once the business has been downloaded. */
export async function saveMembership(
	store: Store,
	env: Env,
	businessId: string,
	userId: string,
	role: string,
): Promise<void> {
	await store.write((tx) =>
		tx.run(
			`INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (business_id, user_id) DO UPDATE SET role = excluded.role`,
			businessId,
			userId,
			role,
			toIso(env.now()),
		),
	);
}

/** Stops accepting an account that the server no longer accepts. */
export async function forgetPassword(
	store: Store,
	email: string,
): Promise<void> {
	await store.write((tx) =>
		tx.run(
			"UPDATE users SET password_hash = 'none' WHERE email = ?",
			email.trim().toLowerCase(),
		),
	);
}
