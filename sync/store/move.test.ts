import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { productCreate } from "../entities/product.ts";
import { verifyLog } from "../log/verify-log.ts";
import {
	hasPostgres,
	makeDatabase,
	wherePostgres,
} from "../testing/postgres.ts";
import { openTestShop, testDir } from "../testing/shop.ts";
import { moveDatabase } from "./move.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Connection, DbRow, Store } from "./store.ts";
import { insertRows, readRows, readTables } from "./tables.ts";

const server = (url: string) => ({ name: "the server", url });
const inFile = (file: string) => ({ name: "the file", file });

/** A shop in a file that no process has open. */
async function fileWithShop(
	rowsOf: (store: Store) => Promise<unknown> = async () => {},
) {
	const { shop, caller, store, file } = await openTestShop({ kind: "sqlite" });
	await shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 10,
	});
	await rowsOf(store);
	await store.close();
	return { file, caller };
}

/** All rows of all tables, without the epoch, which changes in the copy left behind. */
async function contentsOf(store: Store) {
	return store.read(async (tx) => {
		const all = new Map<string, unknown>();
		for (const table of readTables()) {
			const rows: unknown[] = [];
			await readRows(tx, table, (page) => {
				rows.push(...page);
			});
			all.set(table.name, rows);
		}
		return all;
	});
}

async function opened(open: Promise<Store>): Promise<Store> {
	const store = await open;
	onTestFinished(() => store.close());
	return store;
}

const epochSql = "SELECT value FROM meta WHERE key = 'epoch'";

describe.skipIf(!hasPostgres)(
	`a database that is moved to PostgreSQL and back ${wherePostgres}`,
	() => {
		test("a moved database has every row of every table, with all kinds of values and more than a page", async () => {
			const { file } = await fileWithShop((store) =>
				store.write(async (tx) => {
					for (const table of readTables()) {
						if (["meta", "businesses", "replica"].includes(table.name))
							continue;
						// More than a page for tables with keys of one to four columns. A business has one row of totals and one of
						// AI access.
						const count =
							{
								users: 1_200,
								devices: 1_200,
								tally_days: 1_200,
								tallies: 1,
								shops: 1,
								ai_access: 1,
							}[table.name] ?? 3;
						for (let i = 0; i < count; i += 1)
							await insertRows(tx, table, [await oddRow(tx, table.name, i)]);
					}
				}),
			);
			const before = await openSqlite(file);
			const whole = await contentsOf(before);
			await before.close();
			for (const [table, rows] of whole)
				if (table !== "replica") expect([table, rows]).not.toEqual([table, []]);

			const url = await makeDatabase("empty");
			const told: number[] = [];
			const moved = await moveDatabase(inFile(file), server(url), {
				onRows: (count) => told.push(count),
			});
			expect(moved.tables.find(({ table }) => table === "users")?.rows).toBe(
				1_200,
			);
			expect(moved.businesses).toMatchObject([
				{
					businessId: "shop-1",
					digest: expect.stringMatching(/^[0-9a-f]{64}$/),
				},
			]);
			expect(told.at(-1)).toBeGreaterThan(7_200);
			const there = await openPostgres(url);
			expect(await contentsOf(there)).toEqual(whole);
			const planned = await there.read((tx) =>
				tx.get("SELECT reltuples FROM pg_class WHERE relname = 'users'"),
			);
			expect(planned?.reltuples).toBe(1_200);
			await there.close();

			const back = join(testDir(), "new", "counterfoil.db");
			expect(await moveDatabase(server(url), inFile(back))).toEqual(moved);
			expect(statSync(back).mode & 0o777).toBe(0o600);
			expect(await contentsOf(await opened(openSqlite(back)))).toEqual(whole);
		});

		test("a moved database keeps its history and leaves a copy with a new one", async () => {
			const { file, caller } = await fileWithShop();
			const epochOf = async (open: Promise<Store>) => {
				const store = await open;
				const row = await store.read((tx) => tx.get(epochSql));
				await store.close();
				return row?.value;
			};
			const epoch = await epochOf(openSqlite(file));
			const url = await makeDatabase();
			await moveDatabase(inFile(file), server(url));
			expect(await epochOf(openPostgres(url))).toBe(epoch);
			expect(await epochOf(openSqlite(file))).not.toBe(epoch);
			const back = join(testDir(), "back.db");
			await moveDatabase(server(url), inFile(back));
			expect(await epochOf(openSqlite(back))).toBe(epoch);
			for (const moved of [openSqlite(back), openPostgres(url)])
				expect(
					await (await opened(moved)).read((tx) =>
						verifyLog(tx, caller.businessId),
					),
				).toEqual({ checked: 1, unlinked: 0 });
			expect(await epochOf(openPostgres(url))).not.toBe(epoch);
		});

		test("a move that was interrupted before the old database was marked only compares the two", async () => {
			const { file } = await fileWithShop();
			const before = await openSqlite(file);
			const epoch = await before.read((tx) => tx.get(epochSql));
			await before.close();
			const url = await makeDatabase();
			const moved = await moveDatabase(inFile(file), server(url));
			const untold = async () => {
				const store = await openSqlite(file);
				await store.write((tx) =>
					tx.run("DELETE FROM meta WHERE key = 'restored_at'"),
				);
				await store.write((tx) =>
					tx.run(
						"UPDATE meta SET value = ? WHERE key = 'epoch'",
						String(epoch?.value),
					),
				);
				await store.close();
			};
			await untold();
			expect(await moveDatabase(inFile(file), server(url))).toEqual(moved);
			await untold();
			const there = await openPostgres(url);
			await there.write((tx) => tx.run("UPDATE products SET quantity = 1"));
			await there.close();
			await expect(moveDatabase(inFile(file), server(url))).rejects.toThrow(
				"the server was moved from the file already, and has gone on since (products): start no server on the file any more",
			);
		});

		test("a move into a database that is not empty is refused without changes", async () => {
			const { file } = await fileWithShop();
			const url = await makeDatabase();
			await moveDatabase(inFile((await fileWithShop()).file), server(url));
			const there = await openPostgres(url);
			const whole = await contentsOf(there);
			await there.close();
			await expect(moveDatabase(inFile(file), server(url))).rejects.toThrow(
				"the server is not empty (businesses)",
			);
			const after = await opened(openPostgres(url));
			expect(await contentsOf(after)).toEqual(whole);
		});

		test("a move is refused while a process has either database open", async () => {
			const { file } = await fileWithShop();
			const url = await makeDatabase();
			const reader = await openSqlite(file);
			const busy = "A server or another program is using";
			await expect(moveDatabase(inFile(file), server(url))).rejects.toThrow(
				`${busy} the file; stop it first`,
			);
			await reader.close();
			const other = await openPostgres(url);
			await expect(moveDatabase(inFile(file), server(url))).rejects.toThrow(
				`${busy} the server; stop it first`,
			);
			const back = join(testDir(), "back.db");
			await other.close();
			await moveDatabase(inFile(file), server(url));
			const again = await opened(openPostgres(url));
			await expect(moveDatabase(server(url), inFile(back))).rejects.toThrow(
				`${busy} the server; stop it first`,
			);
			expect(again).toBeDefined();
			expect(existsSync(back)).toBe(false);
		});

		test("a move with a row that the target refuses leaves the target empty", async () => {
			const { file } = await fileWithShop((store) =>
				store.write((tx) =>
					tx.run(
						"INSERT INTO admins (id, email, name, created_at) VALUES ('a', 'a@example.com', ?, '')",
						"before\0after",
					),
				),
			);
			const url = await makeDatabase();
			await expect(moveDatabase(inFile(file), server(url))).rejects.toThrow(
				/^admins: one of its rows can't be stored there: .*0x00/,
			);
			const there = await opened(openPostgres(url));
			const rows = await there.read((tx) =>
				tx.all("SELECT id FROM businesses"),
			);
			expect(rows).toEqual([]);
		});

		test("a move refuses a till's, a missing and another program's database with different messages", async () => {
			const { file } = await fileWithShop((store) =>
				store.write((tx) =>
					tx.run(
						"INSERT INTO replica (business_id, device_id) VALUES ('shop-1', 'd')",
					),
				),
			);
			const url = await makeDatabase();
			await expect(moveDatabase(inFile(file), server(url))).rejects.toThrow(
				"the file is a till's database, not a server's",
			);
			await expect(
				moveDatabase(inFile(join(testDir(), "none.db")), server(url)),
			).rejects.toThrow(/^There is no file .*none\.db$/);
			const empty = server(await makeDatabase("empty"));
			await expect(
				moveDatabase(empty, inFile(join(testDir(), "a.db"))),
			).rejects.toThrow("the server is empty");
		});
	},
);

/**
 * A text with special characters that differs from row to row. It is the same in all tables, so that references
 * resolve.
 */
function textOf(i: number): string {
	const odd = ["Ąž '\"; -- \u2028", "", "\u{1f95b} \\N \t\n"];
	return `${odd[i % 3]}${i}`;
}

/** Values of columns with constraints. */
const fixed: Record<string, string> = {
	business_id: "shop-1",
	role: "OWNER",
	state: "pending",
};

/** Columns that name the number of another row, or a time. */
const numbers = [
	...[
		"stored_sales.n",
		"stored_lines.sale",
		"line_taxes.sale",
		"line_units.sale",
	],
	"tally_days.key",
	...["stored_sales.day_number", "stored_sales.made_ms"],
];

/** A row of unusual values, with or without the optional ones. */
async function oddRow(
	tx: Connection,
	table: string,
	i: number,
): Promise<DbRow> {
	const columns = await tx.all(
		`SELECT name, type, "notnull" AS required FROM pragma_table_xinfo(?)`,
		table,
	);
	const row: DbRow = {};
	for (const { name, type, required } of columns) {
		const column = name as string;
		if (column === "shop" || `${table}.${column}` === "shops.n")
			row[column] = 1;
		else if (numbers.includes(`${table}.${column}`)) row[column] = i + 1;
		else if (!required && i % 3 === 1) row[column] = null;
		else if (type === "BIGINT")
			row[column] = [2 ** 53 - 1, 1 - 2 ** 53, 0][i % 3] as number;
		else if (type === "NUMERIC")
			row[column] = [1.2e19, -1.2e19, 0.5][i % 3] as number;
		else row[column] = fixed[column] ?? textOf(i);
	}
	if ("status" in row) row.status = table === "ai_calls" ? "ok" : "applied";
	if ("least_role" in row) row.least_role = "OWNER";
	if ("part" in row) row.part = "facts";
	if ("kind" in row) row.kind = table === "refunds" ? "void" : "d";
	return row;
}
