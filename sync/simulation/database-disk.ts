import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { openPostgres } from "../store/postgres.ts";
import { connectPostgres } from "../store/postgres-connection.ts";
import { readTables } from "../store/tables.ts";
import type { Disk } from "./disk.ts";

/** SQLSTATEs. After a conflict or a lost connection, the store itself tries again if it may. */
const codes = {
	full: "53100",
	failed: "58030",
	busy: "40001",
	lost: "57P01",
	gone: "58030",
} as const;

/** Each table's rows as JSON, referenced tables first. Null for an empty table. */
type Image = [table: string, rows: string | null][];

/** A database on a PostgreSQL server, used by one run after another. */
interface SharedDatabase {
	/**
	 * Empties it for a machine.
	 *
	 * @param dir of the machine's images
	 */
	openDisk(dir: string, name: string): Promise<Disk>;
	close(): Promise<void>;
}

/** @param url of a database with a shop's schema, which nothing else uses */
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

				/** It is on another machine, which goes on; uncommitted work ends with the connections. */
				cut() {},

				faults: ["full", "failed", "busy", "lost"],

				toError: (fault) =>
					Object.assign(
						new pg.DatabaseError(`simulated ${codes[fault]}`, 0, "error"),
						{ code: codes[fault] },
					),

				/** The database server's machine has not crashed. */
				isWhole: async () => true,
			};
		},
		close: () => own.end(),
	};
}
