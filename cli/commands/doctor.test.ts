import { once } from "node:events";
import {
	chmodSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { openMilkShop, openTestTill } from "../../server/testing/tills.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { checkDatabase } from "../doctor/database.ts";
import { checkDataDir } from "../doctor/environment.ts";
import { runCommand } from "../testing/command.ts";
import { withStore } from "./open-shop.ts";

const now = Date.now();

/** @returns the path of a new database after running `sql` on it */
async function databaseWith(sql: string): Promise<string> {
	const file = join(testDir(), "counterfoil.db");
	await (await openSqlite(file)).close();
	const db = new Database(file);
	db.exec(sql);
	db.close();
	return file;
}

async function corruptDatabase(): Promise<string> {
	const file = await databaseWith("SELECT 1");
	const bytes = readFileSync(file);
	// The header is that of a database; the pages after it are damaged.
	bytes.fill(0xff, 4_096);
	writeFileSync(file, bytes);
	return file;
}

const findingOf = async (file: string, name: string, at = now) =>
	(await checkDatabase(file, at)).find((finding) => finding.name === name);

describe("counterfoil doctor", () => {
	test("doctor finds no problem in a selling shop and prints no secrets", async () => {
		const { server, asha, line } = await openMilkShop();
		const till = await openTestTill(asha, line);
		await till.sell(1);
		await till.till.sync();
		const key = "sk-secret-of-a-provider";
		const env = {
			DATA_DIR: server.settings.dataDir,
			PORT: String(server.port),
			OPENAI_API_KEY: key,
		};
		const told = await runCommand(["doctor", "--json"], env);
		expect(told).toMatchObject({ status: 0, err: "" });
		expect(told.out).not.toContain(key);
		const findings = JSON.parse(told.out);
		const states = findings.map(
			({ name, state }: { name: string; state: string }) => [name, state],
		);
		expect(Object.fromEntries(states)).toEqual({
			settings: "ok",
			"AI providers": "ok",
			"data directory": "ok",
			"disk space": expect.stringMatching(/ok|warning/),
			clock: "ok",
			database: "ok",
			schema: "ok",
			backups: "warning",
			port: "ok",
		});
		expect(told.out).toContain("OPENAI_API_KEY");
		expect(told.out).toContain("a Counterfoil server answers on");
	});

	test("doctor reports a database that is missing although its secret exists, or was deleted under a running server", async () => {
		const { server } = await openMilkShop();
		const { dataDir } = server.settings;
		const file = join(dataDir, "counterfoil.db");
		writeFileSync(join(dataDir, "auth-secret"), "x".repeat(40), {
			mode: 0o600,
		});
		renameSync(file, `${file}.aside`);
		const env = { DATA_DIR: dataDir, PORT: String(server.port) };
		const told = await runCommand(["doctor"], env);
		renameSync(`${file}.aside`, file);
		expect(told.status).toBe(1);
		expect(told.out).toMatch(
			/^problem {2}database: .+ is missing or empty, but its shop used to be here; mount its disk/m,
		);
		expect(told.out).toMatch(
			/^problem {2}port: the Counterfoil server on \d+ reports a problem: The database file has been removed/m,
		);
	});

	test.skipIf(process.getuid?.() !== 0)(
		"doctor advises running as the owner, not restoring, if the database can't be read (skipped unless root)",
		async () => {
			const file = await databaseWith("SELECT 1");
			chmodSync(join(file, "../.."), 0o755);
			chmodSync(join(file, ".."), 0o755);
			process.seteuid?.(65_534);
			try {
				expect(await findingOf(file, "database")).toMatchObject({
					state: "problem",
					advice: expect.stringMatching(/^run as the user that owns it/),
				});
			} finally {
				process.seteuid?.(0);
			}
		},
	);

	test("doctor reports problems with advice, exits with 1 and creates no file", async () => {
		const other = createServer().listen(0, "127.0.0.1");
		await once(other, "listening");
		onTestFinished(() => {
			other.close();
		});
		const dataDir = join(testDir(), "data");
		const { port } = other.address() as { port: number };
		const env = { DATA_DIR: dataDir, PORT: String(port) };
		const taken = await runCommand(["doctor"], env);
		expect(taken.status).toBe(1);
		expect(taken.out).toMatch(
			/^problem {2}port: another program uses \d+; set PORT to another/m,
		);
		expect(taken.out).toMatch(
			/^warning {2}data directory: .+ does not exist yet/m,
		);
		expect(existsSync(dataDir)).toBe(false);
		mkdirSync(dataDir);
		const secret = join(dataDir, "auth-secret");
		writeFileSync(secret, "x".repeat(40));
		chmodSync(secret, 0o644);
		const wrong = { DATA_DIR: dataDir, PORT: "many" };
		const told = await runCommand(["doctor"], wrong);
		expect(told.status).toBe(1);
		expect(told.out).toMatch(/^problem {2}settings: PORT: /m);
		expect(told.out).toMatch(/^problem {2}secret: .+; chmod 600 /m);
	});

	test.each([
		[0o755, 0o644, "-wal", true],
		[0o750, 0o640, "", true],
		[0o750, 0o604, "", false],
		[0o755, 0o600, "-wal", false],
		[0o700, 0o644, "-wal", false],
	])(
		"doctor reports a database that other users can read, with directory mode %i and file mode %i",
		async (dirMode, mode, suffix, isWide) => {
			const file = await databaseWith("SELECT 1");
			const dataDir = join(file, "..");
			const path = file + suffix;
			writeFileSync(path, "", { flag: "a" });
			chmodSync(path, mode);
			chmodSync(dataDir, dirMode);
			const found = await checkDataDir(dataDir);
			expect(found.filter(({ state }) => state === "problem")).toEqual(
				isWide
					? [
							{
								name: "privacy",
								state: "problem",
								found: `other users of this machine can read ${path}`,
								advice: `chmod 600 ${path}`,
							},
						]
					: [],
			);
		},
	);

	test("doctor recognizes a newer, older, too old, foreign or damaged database", async () => {
		const newer = await databaseWith(
			"UPDATE meta SET value = '9999' WHERE key = 'schema_version'",
		);
		const older = await databaseWith(
			"UPDATE meta SET value = '8' WHERE key = 'schema_version'",
		);
		const cases = [
			[newer, "schema", { state: "problem", advice: "update Counterfoil" }],
			[older, "schema", { state: "warning" }],
			[
				await databaseWith(
					"UPDATE meta SET value = '7' WHERE key = 'schema_version'",
				),
				"database",
				{
					state: "problem",
					found: expect.stringContaining("opens schema 8 and later"),
				},
			],
			[await databaseWith("DROP TABLE meta"), "database", { state: "problem" }],
			[
				await corruptDatabase(),
				"database",
				{ state: "problem", advice: expect.stringContaining("restore") },
			],
		] as const;
		for (const [file, name, finding] of cases)
			expect(await findingOf(file, name)).toMatchObject(finding);
		// doctor only reads: the old schema version is still there.
		expect(await findingOf(older, "schema")).toMatchObject({
			found: `8; this Counterfoil uses ${newestVersion()}`,
		});
	});

	test("doctor detects a clock that was set back, by the last sale or by the program's age", async () => {
		const { server, asha, line } = await openMilkShop();
		const till = await openTestTill(asha, line);
		await till.sell(1);
		await till.till.sync();
		const file = join(server.settings.dataDir, "counterfoil.db");
		expect(await findingOf(file, "clock", Date.now())).toMatchObject({
			state: "ok",
		});
		for (const at of [Date.now() - 3_600_000, 0])
			expect(await findingOf(file, "clock", at)).toMatchObject({
				state: "problem",
			});
		expect(
			await findingOf(await databaseWith("SELECT 1"), "clock", 0),
		).toMatchObject({
			found: expect.stringContaining("before Counterfoil was installed"),
		});
	});
});

describe("a command", () => {
	test.each([
		[
			"no database",
			async () => textFile(),
			/is not a database; check the path/,
		],
		[
			"another program's",
			() => databaseWith("DROP TABLE meta"),
			/not one of C/,
		],
		[
			"a newer one",
			() => databaseWith("UPDATE meta SET value = '9999'"),
			/schema 9999.*Update the program; or restore an older backup/,
		],
		["a damaged one", corruptDatabase, /is damaged; run "counterfoil doctor"/],
	])(
		"a command on a file that is %s explains in one line what is wrong and what to do",
		async (_what, make, reason) => {
			const file = await make();
			const before = readFileSync(file);
			const work = withStore(file, (store) =>
				store.read((tx) => tx.all("SELECT * FROM products, meta")),
			);
			const error = (await work.catch((error) => error)) as Error;
			expect(error.name).toBe("CommandError");
			expect(error.message).toMatch(reason);
			expect(error.message).not.toContain("\n");
			expect(error.message.startsWith(file)).toBe(true);
			expect(readFileSync(file).equals(before)).toBe(true);
		},
	);

	oneIn(4)(
		"a command on a locked database asks to try again, and works once it is unlocked",
		async () => {
			const file = await databaseWith("SELECT 1");
			const other = new Database(file);
			other.pragma("locking_mode = EXCLUSIVE");
			other.exec("BEGIN EXCLUSIVE");
			const work = () => withStore(file, (store) => store.read(async () => 1));
			await expect(work()).rejects.toThrow(
				/Another process is using the database; try again when the other program has finished$/,
			);
			other.close();
			expect(await work()).toBe(1);
		},
	);

	test("a command reports a data directory that it can't read", async () => {
		// Even root can't list this path.
		const dataDir = join(testDir(), "loop");
		symlinkSync(dataDir, dataDir);
		expect(await runCommand(["stats"], { DATA_DIR: dataDir })).toEqual({
			status: 1,
			out: "",
			err: expect.stringMatching(
				/^Can't read .+loop \(DATA_DIR\): ELOOP: .+\n$/,
			),
		});
	});

	test("a command reports a data directory without a shop", async () => {
		const dataDir = join(testDir(), "none");
		expect(await runCommand(["stats"], { DATA_DIR: dataDir })).toEqual({
			status: 1,
			out: "",
			err: `There is no shop in ${dataDir}; set DATA_DIR to the shop's directory\n`,
		});
		expect(existsSync(dataDir)).toBe(false);
	});
});

function textFile(): string {
	const file = join(testDir(), "notes.txt");
	writeFileSync(file, "Buy milk. ".repeat(1_000));
	return file;
}
