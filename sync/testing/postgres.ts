import { onTestFinished } from "vitest";
import { newId, systemEnv } from "../protocol/ids.ts";
import { ownSchema } from "../store/schema.ts";
import { createDatabase, withClient } from "./postgres-cluster.ts";

export { hasPostgres, wherePostgres } from "./postgres-cluster.ts";

/** URLs of finished tests' databases: emptying one is faster than creating another. */
const idle: string[] = [];

/**
 * Provides a database for a test, empty or with a new shop's schema.
 *
 * @returns its URL
 */
export async function makeDatabase(
	from: "empty" | "fresh" = "fresh",
): Promise<string> {
	const used = from === "fresh" ? idle.pop() : undefined;
	const url = used ?? (await createDatabase(from));
	if (from === "fresh") {
		if (!(await refresh(url))) return makeDatabase(from);
		onTestFinished(() => {
			idle.push(url);
		});
	}
	return url;
}

/**
 * Deletes all rows, and starts a new epoch.
 *
 * @returns false if a test has changed the tables
 */
async function refresh(url: string): Promise<boolean> {
	return withClient(url, async (client) => {
		const { rows } = await client.query(
			"SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY oid DESC",
		);
		const tables = rows.map(({ relname }) => relname as string);
		if (tables.length !== tableCount) return false;
		const texts = tables
			.filter((table) => table !== "meta")
			.map((table) => `DELETE FROM ${table}`);
		await client.query(
			[
				...texts,
				"DELETE FROM meta WHERE key NOT IN ('schema_version', 'epoch')",
				`UPDATE meta SET value = '${newId(systemEnv)}' WHERE key = 'epoch'`,
			].join(";"),
		);
		return true;
	});
}

const tableCount = ownSchema.whole.match(/^CREATE TABLE /gm)?.length ?? 0;
