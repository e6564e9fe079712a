import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { databaseFile } from "../../server/operations/database.ts";
import type { Figure } from "./bench-kept.ts";
import { openSeed, type SeedSize } from "./seed.ts";

/** Large enough for what a sale takes: tables that hold little, and sums by day, are a tenth of a small shop. */
const large = { sales: 200_000, products: 500 };
const small = { sales: 50_000, products: 500 };
/** All tables and indexes together. */
const bytesMax = 500;
/** Less than this is summed up as the rest. */
const namedMin = 2;

/** Measures how many bytes a sale takes on disk, by table and index, in shops that a year of sales has filled. */
export async function benchSize(): Promise<Figure[]> {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-size-"));
	try {
		const each = await measure(dir, large);
		return [
			...toFigures(each),
			{
				what: `a sale in a shop of ${small.sales}, with what does not grow`,
				value: sum(await measure(dir, small)),
				unit: "bytes",
			},
		];
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

/** A table or index, and its bytes for each sale. */
interface Part {
	name: string;
	value: number;
}

async function measure(dir: string, size: SeedSize): Promise<Part[]> {
	const { dataDir } = await openSeed(dir, size);
	const db = new Database(databaseFile({ dataDir }), { readonly: true });
	const parts = db
		.prepare(
			"SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC",
		)
		.all() as { name: string; bytes: number }[];
	db.close();
	return parts.map(({ name, bytes }) => ({ name, value: bytes / size.sales }));
}

const sum = (parts: readonly Part[]) =>
	parts.reduce((sum, { value }) => sum + value, 0);

function toFigures(each: readonly Part[]): Figure[] {
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
