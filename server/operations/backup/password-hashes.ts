import type { Connection } from "../../../sync/store/store.ts";
import { noPassword } from "../../accounts/users.ts";

/** Leaves no hash in a backup, from which a finder could guess passwords. */
export async function removePasswords(tx: Connection): Promise<void> {
	// Otherwise the old bytes would stay in the file's free space.
	await tx.get("PRAGMA secure_delete = ON");
	await tx.run("UPDATE users SET password_hash = ?", noPassword);
	await tx.run("UPDATE admins SET password_hash = NULL");
}

export interface KeptPassword {
	id: string;
	hash: string;
	tokenVersion: number;
}

/** Reads the hashes of a database that a backup replaces. */
export async function readPasswords(tx: Connection): Promise<KeptPassword[]> {
	const rows = await tx.all(
		"SELECT id, password_hash AS hash, token_version FROM users WHERE password_hash <> ? UNION ALL SELECT id, password_hash, 0 FROM admins WHERE password_hash IS NOT NULL",
		noPassword,
	);
	return rows.map((row) => ({
		id: row.id as string,
		hash: row.hash as string,
		tokenVersion: Number(row.token_version),
	}));
}

/** Gives people without a password the one that they had here. @returns the emails of people who still have none */
export async function keepPasswords(
	tx: Connection,
	kept: readonly KeptPassword[],
): Promise<string[]> {
	for (const { id, hash, tokenVersion } of kept) {
		await tx.run(
			"UPDATE users SET password_hash = ?, token_version = ? WHERE id = ? AND password_hash = ?",
			hash,
			tokenVersion,
			id,
			noPassword,
		);
		await tx.run(
			"UPDATE admins SET password_hash = ? WHERE id = ? AND password_hash IS NULL",
			hash,
			id,
		);
	}
	const rows = await tx.all(
		`SELECT email FROM users WHERE password_hash = ? AND disabled_at IS NULL
     UNION ALL SELECT email FROM admins WHERE password_hash IS NULL ORDER BY email`,
		noPassword,
	);
	return rows.map(({ email }) => email as string);
}
