import {
	chownSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import { newestVersion } from "../../../sync/store/migrate.ts";
import { lookInto } from "../../../sync/store/sqlite.ts";
import { mountSmallDisk, noSmallDisk } from "../../../sync/testing/disk.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { cheapPassword, inFile, openTestServer } from "../../testing/server.ts";
import { openMilkShop, openTestTill } from "../../testing/tills.ts";
import { backUp } from "./backup.ts";
import { BackupError } from "./backup-error.ts";
import { restoreBackup } from "./restore.ts";

const test = oneIn(3);

test("a file that is not an intact backup of a server is refused without changing anything", async () => {
	const { server, asha, line } = await openMilkShop();
	const { dataDir } = server.settings;
	const dir = testDir();
	const { file } = await backUp(server.shop, {
		dataDir,
		file: join(dir, "backup.db"),
	});
	const bytes = readFileSync(file);
	const write = (name: string, content: Uint8Array | string) => {
		writeFileSync(join(dir, name), content);
		return join(dir, name);
	};
	const till = await openTestTill(asha, line);
	await till.sell(1);
	const changed = (sql: string, name: string) => {
		const db = new Database(write(name, bytes));
		db.exec(sql);
		db.close();
		return join(dir, name);
	};

	const fresh = join(testDir(), "new");
	const restore = (from: string) =>
		restoreBackup({ file: from, dataDir: fresh, env: systemEnv, force: false });
	for (const [from, reason] of [
		[join(dir, "none"), /^There is no file /],
		[write("notes", "Buy milk. ".repeat(1_000)), /is not a database/],
		[write("cut-off", ""), /cut-off is empty; use another backup/],
		[write("half", bytes.subarray(0, bytes.length / 2)), /is damaged/],
		[
			changed("UPDATE products SET quantity = 5", "edited"),
			/has changed since/,
		],
		[changed("DROP TABLE meta", "foreign"), /not one of Counterfoil's/],
		[changed("UPDATE meta SET value = '9999'", "newer"), /Update/],
		[till.file, /is a till's database/],
	] as const)
		await expect(restore(from)).rejects.toThrow(reason);
	expect(readdirSync(fresh)).toEqual([]);

	const own = { file: join(dataDir, "counterfoil.db"), dataDir };
	await expect(
		restoreBackup({ ...own, env: systemEnv, force: true }),
	).rejects.toThrow("is this installation's own database");
	await expect(
		restoreBackup({ file, dataDir, env: systemEnv, force: true }),
	).rejects.toThrow("stop it first");
	expect((await restore(file)).businesses).toHaveLength(1);
});

test("of two concurrent restores one succeeds, and the other is refused and leaves no file", async () => {
	const { server } = await openMilkShop();
	const { file } = await backUp(server.shop, {
		dataDir: server.settings.dataDir,
		file: join(testDir(), "backup.db"),
	});
	const fresh = testDir();
	const ends = await Promise.allSettled(
		[1, 2].map(() =>
			restoreBackup({ file, dataDir: fresh, env: systemEnv, force: false }),
		),
	);
	const reasons = ends.flatMap((end) =>
		end.status === "rejected" ? [end.reason] : [],
	);
	expect(reasons).toEqual([expect.any(BackupError)]);
	expect(reasons[0].message).toMatch(
		/^Another restore is writing .+restoring\.db; if none is running, delete that file$/,
	);
	expect(readdirSync(fresh)).toEqual(["counterfoil.db"]);
	expect(statSync(join(fresh, "counterfoil.db")).mode & 0o777).toBe(0o600);
});

test("a killed restore's temporary file blocks others while it may still be written, and is replaced later", async () => {
	const { server } = await openMilkShop();
	const { file } = await backUp(server.shop, {
		dataDir: server.settings.dataDir,
		file: join(testDir(), "backup.db"),
	});
	const fresh = testDir();
	const left = [".restoring.db", ".restoring.db-wal"];
	for (const name of left) writeFileSync(join(fresh, name), "half");
	const restore = () =>
		restoreBackup({ file, dataDir: fresh, env: systemEnv, force: false });
	await expect(restore()).rejects.toThrow("Another restore is writing");
	expect(readdirSync(fresh)).toEqual(left);
	for (const name of left) utimesSync(join(fresh, name), 1, 1);
	await restore();
	expect(readdirSync(fresh)).toEqual(["counterfoil.db"]);
});

test("restoring a backup of an older schema reports the time it was made", async () => {
	const { server } = await openMilkShop();
	const { file, at } = await backUp(server.shop, {
		dataDir: server.settings.dataDir,
		file: join(testDir(), "backup.db"),
	});
	const db = new Database(file);
	db.exec(
		"UPDATE meta SET value = json_set(value, '$.schemaVersion', '1') WHERE key = 'backup'",
	);
	db.close();
	const restored = await restoreBackup({
		file,
		dataDir: testDir(),
		env: { ...systemEnv, now: () => Date.parse(at) + 1_000 },
		force: false,
	});
	expect(restored).toMatchObject({
		at,
		schemaVersion: String(newestVersion()),
	});
});

test.skipIf(noSmallDisk)(
	`a restore names the directory whose disk is full${noSmallDisk ? ` (skipped: ${noSmallDisk})` : ""}`,
	async () => {
		const disk = mountSmallDisk(8);
		const { server } = await openMilkShop();
		const { dataDir } = server.settings;
		const good = join(testDir(), "backup.db");
		const { file } = await backUp(server.shop, { dataDir, file: good });
		disk.fill(100_000);
		const filled = readdirSync(disk.dir);
		const reason = new BackupError(
			`The disk of ${disk.dir} is full; free some space and try again`,
			{ trouble: "full" },
		);
		await expect(
			backUp(server.shop, { dataDir, file: join(disk.dir, "backup.db") }),
		).rejects.toThrow(reason);
		const env = systemEnv;
		await expect(
			restoreBackup({ file, dataDir: disk.dir, env, force: false }),
		).rejects.toThrow(`The disk of ${disk.dir} has no room`);
		expect(readdirSync(disk.dir)).toEqual(filled);
	},
);

test("restoring over a damaged database keeps the damaged one under another name", async () => {
	const { server } = await openMilkShop();
	const { dataDir } = server.settings;
	const { file } = await backUp(server.shop, {
		dataDir,
		file: join(testDir(), "backup.db"),
	});
	const fresh = testDir();
	const damaged = readFileSync(file).fill(0xff, 4_096);
	writeFileSync(join(fresh, "counterfoil.db"), damaged);
	const { replaced } = await restoreBackup({
		file,
		dataDir: fresh,
		env: systemEnv,
		force: true,
	});
	expect(readFileSync(replaced as string).equals(damaged)).toBe(true);
	const count = "SELECT count(*) AS count FROM products";
	const restored = join(fresh, "counterfoil.db");
	expect(await lookInto(restored, (tx) => tx.get(count))).toEqual({ count: 1 });
});

test("restoring over an empty database, as a disk leaves it that lost it, keeps that under another name", async () => {
	const { server } = await openMilkShop();
	const { dataDir } = server.settings;
	const { file } = await backUp(server.shop, {
		dataDir,
		file: join(testDir(), "backup.db"),
	});
	const fresh = testDir();
	writeFileSync(join(fresh, "counterfoil.db"), "");
	const restored = await restoreBackup({
		file,
		dataDir: fresh,
		env: systemEnv,
		force: true,
	});
	expect(readFileSync(restored.replaced as string)).toHaveLength(0);
	expect(restored.withoutPassword).toEqual(["asha@example.com"]);
});

test("a session that was ended after the backup stays ended after its restore", async () => {
	const { server, asha } = await openMilkShop();
	const { dataDir } = server.settings;
	const { file } = await backUp(server.shop, {
		dataDir,
		file: join(testDir(), "backup.db"),
	});
	const headers = { cookie: asha.cookie };
	await server.ask("POST", "/logout", { headers });
	await server.close();
	await restoreBackup({ file, dataDir, env: systemEnv, force: true });
	const again = await openTestServer({ ...inFile, DATA_DIR: dataDir });
	const { status } = await again.ask("GET", "/api/session", { headers });
	expect(status).toBe(401);
});

test.skipIf(process.getuid?.() !== 0)(
	"a restore by root gives the shop to its directory's owner (skipped unless root)",
	async () => {
		const shopUser = 65_534;
		const { server, asha } = await openMilkShop();
		const { dataDir } = server.settings;
		const pictures = join(dataDir, "pictures", asha.businessId);
		mkdirSync(pictures, { recursive: true });
		writeFileSync(join(pictures, `${"0".repeat(32)}.png`), "picture");
		const { file } = await backUp(server.shop, {
			dataDir,
			file: join(testDir(), "backup.db"),
		});
		const home = testDir();
		chownSync(home, shopUser, shopUser);
		const fresh = join(home, "data");
		await restoreBackup({
			file,
			dataDir: fresh,
			env: systemEnv,
			force: false,
		});
		const paths = [
			fresh,
			...readdirSync(fresh, { recursive: true }).map((name) =>
				join(fresh, String(name)),
			),
		];
		expect(paths).toHaveLength(5);
		for (const path of paths)
			expect([path, lstatSync(path).uid, lstatSync(path).gid]).toEqual([
				path,
				shopUser,
				shopUser,
			]);
	},
);

test.skipIf(noSmallDisk)(
	`a restore checks for enough disk space before it writes anything${noSmallDisk ? ` (skipped: ${noSmallDisk})` : ""}`,
	async () => {
		const { server } = await openMilkShop();
		const { file } = await backUp(server.shop, {
			dataDir: server.settings.dataDir,
			file: join(testDir(), "backup.db"),
		});
		const disk = mountSmallDisk(4);
		disk.fill(50_000);
		const steps: string[] = [];
		const restore = () =>
			restoreBackup({
				file,
				dataDir: disk.dir,
				env: systemEnv,
				force: false,
				onStep: (step) => steps.push(step),
			});
		await expect(restore()).rejects.toThrow(
			/has no room for the restored database: it needs \d+ MB, and \d+ MB are free/,
		);
		expect([steps, readdirSync(disk.dir)]).toEqual([[], []]);
		disk.clear();
		await restore();
		expect(steps).toEqual(["copying", "checking", "comparing", "pictures"]);
	},
);

test("a backup holds no password hash unless asked for, and a restore takes them from the database that it replaces", async () => {
	const { server, asha } = await openMilkShop();
	const { dataDir } = server.settings;
	const dir = testDir();
	const make = (name: string, withPasswords: boolean) =>
		backUp(server.shop, { dataDir, file: join(dir, name), withPasswords });
	const bare = await make("bare.db", false);
	const whole = await make("whole.db", true);
	const holds = ({ file }: { file: string }) =>
		readFileSync(file, "latin1").includes("$2b$");
	expect([holds(bare), holds(whole)]).toEqual([false, true]);

	const fresh = join(testDir(), "new");
	const restore = (file: string, dataDir: string, force = true) =>
		restoreBackup({ file, dataDir, env: systemEnv, force });
	const [{ email } = {}] = await server.rows(
		"SELECT email FROM users WHERE id = ?",
		asha.id,
	);
	expect((await restore(bare.file, fresh)).withoutPassword).toEqual([email]);
	expect((await restore(whole.file, fresh)).withoutPassword).toEqual([]);
	await server.close();
	expect((await restore(bare.file, dataDir)).withoutPassword).toEqual([]);
	const again = await openTestServer({ ...inFile, DATA_DIR: dataDir });
	const signedIn = await again.ask("POST", "/login", {
		body: { email, password: cheapPassword },
	});
	expect(signedIn.status).toBe(200);
	// A damaged database has nothing to give.
	await again.close();
	writeFileSync(join(dataDir, "counterfoil.db"), "Buy milk. ".repeat(1_000));
	expect((await restore(bare.file, dataDir)).withoutPassword).toEqual([email]);
});
