import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { databaseFile } from "../../server/operations/database.ts";
import type { Figure } from "./bench-kept.ts";
import { openSeed } from "./seed.ts";

const size = { sales: 50_000, products: 500 };
/** All tables and indexes together. */
const bytesMax = 500;
/** Less than this is summed up as the rest. */
const namedMin = 2;

/** Measures how many bytes a sale takes on disk, by table and index, in a shop that a year of sales has filled. */
export async function benchSize(): Promise<Figure[]> {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-size-"));
	try {
		const { dataDir } = await openSeed(dir, size);
		const db = new Database(databaseFile({ dataDir }), { readonly: true });
		const parts = db
			.prepare(
				"SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC",
			)
			.all() as { name: string; bytes: number }[];
		db.close();
		return toFigures(parts);
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

function toFigures(
	parts: readonly { name: string; bytes: number }[],
): Figure[] {
	const each = parts.map(({ name, bytes }) => ({
		name,
		value: bytes / size.sales,
	}));
	const sum = (all: typeof each) =>
		all.reduce((sum, { value }) => sum + value, 0);
	return [
		{
			what: "a sale of three lines on disk",
			value: sum(each),
			unit: "bytes",
			limit: bytesMax,
		},
		...each
			.filter(({ value }) => value >= namedMin)
			.map(({ name, value }) => ({
				what: `of these, ${name}`,
				value,
				unit: "bytes" as const,
			})),
		{
			what: "of these, the rest",
			value: sum(each.filter(({ value }) => value < namedMin)),
			unit: "bytes",
		},
	];
}
