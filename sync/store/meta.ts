import type { Connection } from "./store.ts";

/** Reads a fact about the whole database. @returns undefined if it is not noted */
export async function readMeta(
	tx: Connection,
	key: string,
): Promise<string | undefined> {
	const row = await tx.get("SELECT value FROM meta WHERE key = ?", key);
	return row && String(row.value);
}

export async function setMeta(
	tx: Connection,
	key: string,
	value: string,
): Promise<void> {
	await tx.run(
		"INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
		key,
		value,
	);
}
