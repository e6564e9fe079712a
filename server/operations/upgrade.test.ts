import {
	copyFileSync,
	existsSync,
	readdirSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { newestVersion, setMetaSql } from "../../sync/store/migrate.ts";
import { connectPostgres } from "../../sync/store/postgres-connection.ts";
import { toPostgresSchema } from "../../sync/store/postgres-sql.ts";
import { mountSmallDisk, noSmallDisk } from "../../sync/testing/disk.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { olderSchema } from "../../sync/testing/older-schema.ts";
import {
	hasPostgres,
	makeDatabase,
	wherePostgres,
} from "../../sync/testing/postgres.ts";
import { testDir } from "../../sync/testing/shop.ts";
import {
	lookUp,
	makeOldShop,
	olderVersion,
	schemaOf,
} from "../testing/old-shop.ts";
import { inFile, openTestServer } from "../testing/server.ts";

const newest = newestVersion();
const copyName = `counterfoil-before-schema-${newest}.db`;
const serve = (dataDir: string) =>
	openTestServer({ ...inFile, DATA_DIR: dataDir });

test("a server copies an older database, logs the upgrade and upgrades it, each once", async () => {
	const dataDir = join(testDir(), "data");
	const file = makeOldShop(dataDir);
	const copy = join(dataDir, copyName);
	const server = await serve(dataDir);
	expect(server.logged()).toContain(
		`Upgrading the database from schema ${olderVersion} to ${newest}`,
	);
	await server.close();
	expect(
		readdirSync(dataDir).filter((name) => /partial|wal/.test(name)),
	).toEqual([]);
	expect([schemaOf(file), schemaOf(copy)]).toEqual([newest, olderVersion]);
	expect(lookUp(copy, "SELECT name FROM businesses")).toBe("Duka");
	expect(lookUp(copy, "PRAGMA integrity_check")).toBe("ok");
	expect(statSync(copy).mode & 0o777).toBe(0o600);
	const { ino } = statSync(copy);
	const again = await serve(dataDir);
	expect(again.logged()).not.toContain("Upgrading");
	await again.close();

	// Putting the copy back restores the older shop; an unchanged database is not copied again.
	copyFileSync(copy, file);
	expect(schemaOf(file)).toBe(olderVersion);
	await (await serve(dataDir)).close();
	expect([schemaOf(file), statSync(copy).ino]).toEqual([newest, ino]);

	copyFileSync(copy, file);
	const db = new Database(file);
	db.exec("UPDATE businesses SET head = 2");
	db.close();
	await (await serve(dataDir)).close();
	expect(lookUp(copy, "SELECT head FROM businesses")).toBe(2);
});

oneIn(4)(
	"a server doesn't touch an older database in use by another program, and copies it once it is free",
	async () => {
		const dataDir = join(testDir(), "data");
		const file = makeOldShop(dataDir);
		const other = new Database(file);
		onTestFinished(() => void other.close());
		other.pragma("journal_mode = WAL");
		other.prepare("SELECT count(*) FROM meta").get();
		await expect(serve(dataDir)).rejects.toMatchObject({
			code: "storage_busy",
			message: expect.stringContaining("stop that program first"),
		});
		other.close();
		expect(schemaOf(file)).toBe(olderVersion);
		expect(existsSync(join(dataDir, copyName))).toBe(false);
		writeFileSync(
			join(dataDir, `.${copyName}.partial`),
			"left by a killed start",
		);
		await (await serve(dataDir)).close();
		expect(schemaOf(file)).toBe(newest);
	},
);

test.skipIf(noSmallDisk !== undefined)(
	`a server doesn't touch an older database if there is no room for the copy ${noSmallDisk ? `(skipped: ${noSmallDisk})` : ""}`,
	async () => {
		// Room for the journal of all steps to the older schema.
		const disk = mountSmallDisk(16);
		const file = makeOldShop(disk.dir);
		disk.fill(300_000);
		await expect(serve(disk.dir)).rejects.toMatchObject({
			name: "BackupError",
			message: expect.stringMatching(/has no room for a copy of the database/),
		});
		expect(schemaOf(file)).toBe(olderVersion);
		disk.clear();
		await (await serve(disk.dir)).close();
		expect(schemaOf(file)).toBe(newest);
	},
);

test.skipIf(!hasPostgres)(
	`a server logs the upgrade of an older PostgreSQL database, which only a dump can undo ${wherePostgres}`,
	async () => {
		const url = await makeDatabase("empty");
		const db = await connectPostgres(url);
		for (const sql of olderSchema(olderVersion, false))
			await db.exec(toPostgresSchema(sql));
		await db.run(setMetaSql, "epoch", "epoch-1");
		await db.end();
		const server = await openTestServer({ DATABASE_URL: url });
		expect(server.logged()).toContain(
			`Upgrading the database from schema ${olderVersion} to ${newest}; only an earlier pg_dump can undo this`,
		);
		expect(await server.ask("GET", "/healthz")).toMatchObject({ status: 200 });
	},
);
