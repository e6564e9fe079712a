import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { openPostgres } from "../store/postgres.ts";
import { connectPostgres } from "../store/postgres-connection.ts";
import { readTables } from "../store/tables.ts";
import type { Disk } from "./disk.ts";

/** SQLSTATEs. After a conflict and a lost connection the store itself tries again, where it may. */
const codes = {
	full: "53100",
	failed: "58030",
	busy: "40001",
	lost: "57P01",
	gone: "58030",
} as const;

/** Each table's rows as JSON, those first that others refer to; null for none. */
type Image = [table: string, rows: string | null][];

/** A database on a PostgreSQL server, for one run after the other. */
interface SharedDatabase {
	/** Empties it for a machine. @param dir where its images are */
	openDisk(dir: string, name: string): Promise<Disk>;
	close(): Promise<void>;
}

/** @param url an empty database of the shop's, which nobody else uses */
export async function openSharedDatabase(url: string): Promise<SharedDatabase> {
	const own = await connectPostgres(url);
	const tables = readTables().map(({ name }) => name);
	const empty = await read();

	async function read(): Promise<Image> {
		own.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY");
		const image = await Promise.all(
			tables.map(async (table): Promise<Image[number]> => {
				const row = await own.get(`SELECT json_agg(t) AS rows FROM ${table} t`);
				return [table, (row?.rows ?? null) as string | null];
			}),
		);
		await own.commit();
		return image;
	}

	async function write(image: Image): Promise<void> {
		own.begin("ISOLATION LEVEL READ COMMITTED");
		await own.run(`TRUNCATE ${tables.join(", ")}`);
		for (const [table, rows] of image)
			if (rows !== null)
				await own.run(
					`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, CAST(? AS json))`,
					rows,
				);
		await own.commit();
	}

	return {
		async openDisk(dir, name) {
			let images = 0;
			await write(empty);
			return {
				open: (onStatement) => openPostgres(url, { onStatement }),

				async copy() {
					const to = join(dir, `${name}-${images}.json`);
					images += 1;
					writeFileSync(to, JSON.stringify(await read()));
					return to;
				},

				load: (image) => write(JSON.parse(readFileSync(image, "utf8"))),

				/** It is on another machine, which goes on; what was not committed goes with the connections. */
				cut() {},

				faults: ["full", "failed", "busy", "lost"],

				toError: (fault) =>
					Object.assign(
						new pg.DatabaseError(`simulated ${codes[fault]}`, 0, "error"),
						{ code: codes[fault] },
					),

				/** Its machine has not crashed. */
				isWhole: async () => true,
			};
		},
		close: () => own.end(),
	};
}
