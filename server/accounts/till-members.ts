import { toIso } from "../../sync/protocol/clock.ts";
import { type Env, newId } from "../../sync/protocol/ids.ts";
import type { Connection } from "../../sync/store/store.ts";
import { newTokenVersion, noPassword } from "./users.ts";

/** The account of the owner of a shop whose server was lost. */
export interface OwnerAccount {
	email: string;
	name: string;
	passwordHash: string;
}

/**
 * Makes the members whom a till knows the members of the server that is built from it. They keep their ids, so that their
 * sales stay theirs, and their PINs, but only the owner gets a password. Where the till knows only an id, late mutations are
 * attributed to it as to a former member's.
 *
 * @param makers of mutations that have yet to be recorded
 * @returns the owner's id, which is a known one if the email is that person's, or if they are the only one of this name
 */
export async function adoptMembers(
	tx: Connection,
	env: Env,
	businessId: string,
	owner: OwnerAccount,
	makers: Iterable<string>,
): Promise<string> {
	const { email, name, passwordHash } = owner;
	const at = toIso(env.now());
	const users = await tx.all("SELECT id, email, name FROM users");
	// A member who was removed after the till last asked may still have a session.
	for (const { id } of users)
		await tx.run(
			"UPDATE users SET password_hash = ?, token_version = ? WHERE id = ?",
			...[noPassword, newTokenVersion(), id as string],
		);
	const namesakes = users.filter(
		(user) => user.email === user.id && user.name === name,
	);
	const known =
		users.find((user) => user.email === email) ??
		(namesakes.length === 1 ? namesakes[0] : undefined);
	const id = (known?.id as string | undefined) ?? newId(env);
	await tx.run(
		`INSERT INTO users (id, email, name, password_hash, created_at, token_version) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET email = excluded.email, name = excluded.name,
       password_hash = excluded.password_hash, disabled_at = NULL`,
		...[id, email, name, passwordHash, at, newTokenVersion()],
	);
	await tx.run(
		`INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'OWNER', ?)
     ON CONFLICT (business_id, user_id) DO UPDATE SET role = 'OWNER'`,
		...[businessId, id, at],
	);
	await rememberMakers(tx, businessId, makers, at);
	return id;
}

/** Keeps the ids of people who made something and of whom the till knows no membership. */
async function rememberMakers(
	tx: Connection,
	businessId: string,
	makers: Iterable<string>,
	at: string,
): Promise<void> {
	const ids = new Set<unknown>(makers);
	for (const table of ["sales", "refunds", "stock_movements"]) {
		const rows = await tx.all(
			`SELECT DISTINCT user_id FROM ${table} WHERE business_id = ? AND user_id IS NOT NULL`,
			businessId,
		);
		for (const { user_id } of rows) ids.add(user_id);
	}
	for (const id of ids)
		await tx.run(
			`INSERT INTO former_members (business_id, user_id, left_at)
       SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM memberships WHERE business_id = ? AND user_id = ?)
       ON CONFLICT DO NOTHING`,
			...[businessId, id as string, at, businessId, id as string],
		);
}
