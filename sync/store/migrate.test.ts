import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { openShop } from "../shop.ts";
import { sampled } from "../testing/lane.ts";
import {
	expectKept,
	olderSchema,
	olderVersions,
} from "../testing/older-schema.ts";
import { testDir } from "../testing/shop.ts";
import { migrate, oldestVersion } from "./migrate.ts";
import { ownSchema } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

const migrationsDir = join(import.meta.dirname, "migrations");
const steps = readdirSync(migrationsDir).filter((name) =>
	name.endsWith(".sql"),
);
const newest = String(Number(steps.sort().at(-1)?.slice(0, 4)));

function openDatabase(file = join(testDir(), "test.db")) {
	const db = new Database(file);
	onTestFinished(() => {
		db.close();
	});
	const meta = (key: string) =>
		db.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(key);
	return { db, file, meta };
}

test("migrations are numbered without gaps or duplicates from the oldest schema on", () => {
	expect(steps.map((name) => Number(name.slice(0, 4)))).toEqual(
		steps.map((_name, i) => oldestVersion + 1 + i),
	);
});

describe("a database", () => {
	test("a new database has the newest schema and its own epoch", async () => {
		const one = openDatabase();
		const two = openDatabase();
		await migrate(one.db);
		await migrate(two.db);
		expect(one.meta("schema_version")).toBe(newest);
		expect(one.meta("epoch")).toMatch(/^[0-9a-f-]{36}$/);
		expect(one.meta("epoch")).not.toBe(two.meta("epoch"));
	});

	test("a database keeps its version and epoch when it is opened again", async () => {
		const { db, meta } = openDatabase();
		await migrate(db);
		const epoch = meta("epoch");
		await migrate(db);
		expect([meta("epoch"), meta("schema_version")]).toEqual([epoch, newest]);
	});

	test("a newer program's database is refused with advice and left unchanged", async () => {
		const { db, file } = openDatabase();
		await migrate(db);
		db.exec("UPDATE meta SET value = '9999' WHERE key = 'schema_version'");
		await expect(openSqlite(file)).rejects.toMatchObject({
			code: "newer_database",
			message: `The database has schema 9999; this program knows up to ${newest}. Update the program.`,
		});
	});

	test.each([
		["no meta table", "CREATE TABLE recipes (name TEXT)"],
		["another meta table", "CREATE TABLE meta (key TEXT, value TEXT)"],
		[
			"an invalid version",
			"CREATE TABLE meta (key TEXT, value TEXT); INSERT INTO meta VALUES ('schema_version', 'two')",
		],
	])("a database of another program (%s) is refused", async (_what, sql) => {
		const { db, file } = openDatabase();
		db.exec(sql);
		await expect(openSqlite(file)).rejects.toMatchObject({
			code: "not_a_database",
		});
	});

	test("a database is migrated by each numbered step, in order and once", async () => {
		const { db, meta } = openDatabase();
		await migrate(db);
		const migrations = {
			"9002-rename.sql": async () =>
				"ALTER TABLE reviews RENAME COLUMN stars TO points;",
			"9001-add-stars.sql": async () =>
				"ALTER TABLE reviews ADD COLUMN stars BIGINT;",
			"README.md": async () => "Not a step.",
		};
		const schema = { ...ownSchema, migrations };
		await migrate(db, schema);
		await migrate(db, schema);
		expect(meta("schema_version")).toBe("9002");
		expect(
			db
				.prepare("SELECT name FROM pragma_table_xinfo('reviews')")
				.pluck()
				.all(),
		).toContain("points");
	});

	test.each(sampled(olderVersions, 4))(
		"a database of schema %i is migrated to the schema of a new one, with its rows",
		async (version) => {
			const old = openDatabase();
			for (const sql of olderSchema(version)) old.db.exec(sql);
			const before = rowsOf(old.db);
			const empty = Object.keys(before).filter(
				(table) => before[table]?.length === 0 && !table.startsWith("sqlite_"),
			);
			// Kept sums are made again.
			expect([
				...["carts", "staff_keys", "pin_attempts", "digest_blocks"],
				...["customers", "payments", "shifts", "shift_reports"],
				...["statement_lines", "taxes", "line_taxes", "former_staff_keys"],
				...["product_codes", "labels", "product_packs", "line_packs"],
				...["layaways", "sessions", "line_units"],
				...["tallies", "tally_products", "tally_days"],
				...["counts", "count_looks", "suppliers", "deliveries"],
				...["attempts", "ai_responses", "ai_queue"],
				"older_stock",
			]).toEqual(expect.arrayContaining(empty));
			await migrate(old.db);
			const fresh = openDatabase();
			await migrate(fresh.db);
			expect(shapeOf(old.db)).toEqual(shapeOf(fresh.db));
			expectKept(before, rowsOf(old.db));
		},
	);

	test("a line becomes its own stock movement, unless it took nothing from stock", async () => {
		const { db } = openDatabase();
		for (const sql of olderSchema(21)) db.exec(sql);
		db.exec(
			"INSERT INTO sale_items (business_id, sale_id, id, position, name, quantity, price, cost, product_id) VALUES ('b1', 's1', 'i2', 1, 'Delivery', 1000000, 0, 0, 'p2')",
		);
		const ledger = () =>
			db
				.prepare(
					"SELECT business_id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted FROM stock_movements ORDER BY id",
				)
				.all();
		const before = ledger();
		expect(before).toHaveLength(3);
		await migrate(db);
		expect(ledger()).toHaveLength(2);
		expect(
			db
				.prepare(
					"SELECT business_id, product_id, delta, reason, note, sale_id, item_id, user_id, created_at, version, deleted FROM stock_ledger ORDER BY created_at",
				)
				.all(),
		).toEqual(before);
		expect(
			db
				.prepare("SELECT id, is_stockless FROM sale_items ORDER BY sale_id, id")
				.all(),
		).toEqual([
			{ id: "i1", is_stockless: null },
			{ id: "i2", is_stockless: 1 },
			{ id: "i1", is_stockless: null },
		]);
	});

	test("a line keeps the pack that it was sold in", async () => {
		const { db } = openDatabase();
		for (const sql of olderSchema(47)) db.exec(sql);
		db.exec(
			"INSERT INTO line_packs SELECT shop, sale, position, product, label, 24000000 FROM stored_lines WHERE product IS NOT NULL LIMIT 1",
		);
		const lines = () =>
			db
				.prepare(
					"SELECT sale_id, id, pack_id, pack_name, pack_size FROM sale_items ORDER BY sale_id, id",
				)
				.all();
		const before = lines();
		expect(before).toContainEqual(
			expect.objectContaining({ pack_size: 24_000_000 }),
		);
		await migrate(db);
		expect(lines()).toEqual(before);
	});

	test("a cashier's limits become the limits of a role, and a shop without any keeps none", async () => {
		const { db } = openDatabase();
		for (const sql of olderSchema(34)) db.exec(sql);
		db.exec(
			"UPDATE businesses SET cashier_discount_max = 20000000, cashier_refund_max = 500000000 WHERE business_id = 'b1'",
		);
		await migrate(db);
		const limits = db
			.prepare("SELECT limits FROM businesses ORDER BY business_id")
			.all()
			.map((row) =>
				JSON.parse((row as { limits: string | null }).limits ?? "null"),
			);
		expect(limits).toEqual([
			[
				{
					...{ role: "CASHIER", discountMax: 20_000_000 },
					...{ refundMax: 500_000_000, voidMax: 500_000_000 },
				},
			],
			null,
		]);
	});

	test("a shop's database of schema 8 opens, and its whole feed is readable", async () => {
		const file = join(testDir(), "counterfoil.db");
		const { db } = openDatabase(file);
		for (const sql of olderSchema(8)) db.exec(sql);
		db.close();
		const store = await openSqlite(file);
		onTestFinished(() => store.close());
		const shop = await openShop({ store });
		const caller = {
			...{ businessId: "b1", userId: "u1", deviceId: "d1" },
			role: "OWNER",
		} as const;
		const { changes } = await shop.pull(caller, {});
		expect(changes.map(({ entity, id }) => `${entity} ${id}`).sort()).toEqual([
			...["business b1", "category c1", "inboxItem x1"],
			...["product p1", "product p2", "refund r1", "review v1"],
			...["sale s1", "sale s2"],
			...["stockMovement m1", "stockMovement m3"],
		]);
	});

	test("a database older than schema 8 is refused and left unchanged", async () => {
		const { db, file, meta } = openDatabase();
		for (const sql of olderSchema(8)) db.exec(sql);
		db.exec("UPDATE meta SET value = '7' WHERE key = 'schema_version'");
		await expect(openSqlite(file)).rejects.toMatchObject({
			code: "not_a_database",
			message:
				"The file has schema 7, from before Counterfoil's first release; this program opens schema 8 and later",
		});
		expect(meta("schema_version")).toBe("7");
	});

	test("a migrated till continues its own window's receipt numbers, and no others", async () => {
		const { db } = openDatabase();
		for (const sql of olderSchema(17, false)) db.exec(sql);
		db.exec(`INSERT INTO replica (business_id, device_id, prefix, last_receipt) VALUES
			('behind', 'd', 'KKPW', 3), ('ahead', 'd', 'KKPW', 50), ('empty', 'd', 'BCDF', 4), ('unnamed', 'd', NULL, 0)`);
		const sell = db.prepare(
			"INSERT INTO sales (business_id, id, total, cost, paid, payment_method, receipt_number, business_day, created_at, version) VALUES (?, ?, 0, 0, 0, 'cash', ?, '2026-11-20', '2026-11-20T09:00:00.000Z', 1)",
		);
		const receipts = [
			...["KKPW-000007", "KKPW-000041", "KKPW-000012", null],
			// Of other devices, of another window, and with a prefix that no device has.
			...["KKPX-000090", "KKPW1-000091", "KKPWX-000092", "AKKPW-000093"],
			...["KKPW-94", "KKPW-00009a", "KKPW-", "KKPW", "KKPW-9999999999"],
		];
		for (const businessId of ["behind", "ahead", "unnamed"])
			for (const [i, receipt] of receipts.entries())
				sell.run(businessId, String(i), receipt);
		sell.run("another", "s", "KKPW-000999");
		await migrate(db);
		const counts = db
			.prepare("SELECT business_id, last_receipt FROM replica")
			.raw()
			.all() as [string, number][];
		expect(Object.fromEntries(counts)).toEqual({
			...{ behind: 41, ahead: 50, empty: 4, unnamed: 0 },
		});
	});

	test("a database is unchanged after a failed migration step", async () => {
		const { db, meta } = openDatabase();
		await migrate(db);
		const migrations = {
			"9001-good.sql": async () =>
				"ALTER TABLE reviews ADD COLUMN stars BIGINT;",
			"9002-bad.sql": async () =>
				"ALTER TABLE recipes ADD COLUMN stars BIGINT;",
		};
		const schema = { ...ownSchema, migrations };
		await expect(migrate(db, schema)).rejects.toThrow("no such table");
		expect(meta("schema_version")).toBe(newest);
		expect(
			db
				.prepare("SELECT name FROM pragma_table_xinfo('reviews')")
				.pluck()
				.all(),
		).not.toContain("stars");
	});
});

function rowsOf(db: Database.Database) {
	const tables = db
		.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
		.pluck()
		.all() as string[];
	return Object.fromEntries(
		tables.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()]),
	);
}

/** The structure of a database, independent of how its statements were written. */
function shapeOf(db: Database.Database) {
	const tables = db
		.prepare(
			"SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
		)
		.pluck()
		.all() as string[];
	return tables.map((table) => {
		const indexes = db.pragma(`index_list(${table})`) as { name: string }[];
		return {
			table,
			columns: db.pragma(`table_xinfo(${table})`),
			keys: db.pragma(`foreign_key_list(${table})`),
			indexes: indexes
				.toSorted((a, b) => (a.name < b.name ? -1 : 1))
				.map((index) => ({
					...index,
					seq: undefined,
					columns: db.pragma(`index_xinfo('${index.name}')`),
				})),
		};
	});
}
