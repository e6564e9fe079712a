import * as z from "zod";
import { readDigest, readHead } from "../../../sync/feed/feed.ts";
import { readMeta, setMeta } from "../../../sync/store/meta.ts";
import type { Connection } from "../../../sync/store/store.ts";

const metaKey = "backup";

const contents = z.object({
	at: z.string(),
	schemaVersion: z.string(),
	epoch: z.string(),
	businesses: z.array(
		z.object({ businessId: z.string(), head: z.int(), digest: z.string() }),
	),
});
/** A backup's contents, noted in the backup itself so that a restore can verify it. */
export type Contents = z.infer<typeof contents>;

/** Computes the contents by reading every synced row of every business. */
export async function readContents(
	tx: Connection,
	at: string,
): Promise<Contents> {
	const rows = await tx.all(
		"SELECT business_id FROM businesses ORDER BY business_id",
	);
	const businesses: Contents["businesses"] = [];
	for (const { business_id } of rows) {
		const businessId = business_id as string;
		const head = await readHead(tx, businessId);
		const digest = await readDigest(tx, businessId);
		businesses.push({ businessId, head, digest });
	}
	return {
		at,
		schemaVersion: (await readMeta(tx, "schema_version")) ?? "",
		epoch: (await readMeta(tx, "epoch")) ?? "",
		businesses,
	};
}

export async function noteContents(
	tx: Connection,
	held: Contents,
): Promise<void> {
	await setMeta(tx, metaKey, JSON.stringify(held));
}

/** @returns undefined if the database has no note, such as a file copied by hand */
export async function notedContents(
	tx: Connection,
): Promise<Contents | undefined> {
	const text = await readMeta(tx, metaKey);
	return text === undefined ? undefined : contents.parse(JSON.parse(text));
}

export async function forgetContents(tx: Connection): Promise<void> {
	await tx.run("DELETE FROM meta WHERE key = ?", metaKey);
}
