import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	readdirSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import { lookInto } from "../../../sync/store/sqlite.ts";
import { mountSmallDisk, noSmallDisk } from "../../../sync/testing/disk.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { inFile, openTestServer } from "../../testing/server.ts";
import { openMilkShop, openTestTill } from "../../testing/tills.ts";
import { databaseFile } from "../database.ts";
import { openLogger } from "../logger.ts";
import { backUp } from "./backup.ts";
import { openBackups } from "./backups.ts";
import { keepBackup } from "./keep-backup.ts";
import { backupName } from "./own-backups.ts";
import { restoreBackup } from "./restore.ts";
import { readBackupStanding } from "./standing.ts";

const hourMs = 3_600_000;

async function open(backupDir?: string, backupHours?: readonly number[]) {
	const shop = await openMilkShop();
	const { server } = shop;
	const clock = { now: Date.now() };
	const lines: string[] = [];
	const told: number[] = [];
	const backups = openBackups({
		store: server.shop.store,
		env: { ...systemEnv, now: () => clock.now },
		settings: {
			...server.settings,
			backupDir,
			...(backupHours && { backupHours }),
		},
		log: openLogger("info", { write: (line) => lines.push(line) }),
		onProblem: () => told.push(clock.now),
	});
	onTestFinished(backups.close);
	const dir = join(server.settings.dataDir, "backups");
	return {
		...{ ...shop, backups, clock, told, dir },
		look: async () => {
			await backups.look();
			return backups.standing();
		},
		messages: () => lines.map((line) => JSON.parse(line).msg as string),
		standing: () => server.shop.store.read(readBackupStanding),
	};
}

oneIn(2)(
	"a server makes a proven backup each hour, without passwords, after which tills keep what they have, and it restores [BACKUP-1]",
	async () => {
		const { server, asha, line, dir, clock, ...shop } = await open();
		const till = await openTestTill(asha, line);
		await till.sell(3);
		await till.till.sync();
		const picture = join("pictures", asha.businessId, `${"0".repeat(32)}.png`);
		mkdirSync(join(server.settings.dataDir, picture, ".."), {
			recursive: true,
		});
		writeFileSync(join(server.settings.dataDir, picture), "a picture");
		const [first] = await shop.look();
		// A link, so that pictures don't take their room twice.
		expect(statSync(join(dir, picture)).nlink).toBe(2);
		expect(first).toMatchObject({ dir, isOther: false, problem: null });
		expect(first?.files).toMatchObject([{ isProven: true }]);
		expect(await shop.standing()).toMatchObject({
			isOnSameDisk: true,
			behind: 0,
		});
		expect(await server.rows("SELECT backed_up_to FROM businesses")).toEqual([
			{ backed_up_to: 0 },
		]);
		const [name = ""] = readdirSync(dir).filter((one) => one.endsWith(".db"));
		const file = join(dir, name);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(
			await lookInto(file, (tx) => tx.all("SELECT password_hash FROM users")),
		).toEqual([{ password_hash: "none" }]);
		await till.sell(1);
		await till.till.sync();
		expect((await shop.standing()).behind).toBe(1);

		await shop.look();
		expect(readdirSync(dir).sort()).toEqual([name, "pictures"]);
		clock.now += hourMs;
		const [second] = await shop.look();
		expect(second?.files.map(({ isProven }) => isProven)).toEqual([true, true]);
		expect(shop.told).toEqual([]);

		const fresh = testDir();
		const { businesses } = await restoreBackup({
			...{ file, dataDir: fresh, env: systemEnv, force: false },
		});
		expect(businesses).toMatchObject([{ businessId: asha.businessId }]);
		const sold = "SELECT count(*) AS count FROM sales";
		expect(
			await lookInto(databaseFile({ dataDir: fresh }), (tx) => tx.all(sold)),
		).toEqual([{ count: 1 }]);
	},
);

oneIn(3)(
	"a named disk that is away is reported once, nothing is written in its place, and the own backup is made",
	async () => {
		const away = join(testDir(), "usb", "shop");
		const { clock, told, ...shop } = await open(away);
		const [own, other] = await shop.look();
		expect(own).toMatchObject({ problem: null, files: [{ isProven: true }] });
		expect(other).toMatchObject({
			...{ dir: away, isOther: true, files: [] },
			problem: { trouble: "missing", message: expect.stringContaining(away) },
		});
		clock.now += hourMs;
		await shop.look();
		expect(told).toHaveLength(1);
		expect(existsSync(away)).toBe(false);
		expect(shop.messages().filter((text) => text.startsWith("No"))).toEqual([
			"No backup could be made",
		]);
		expect((await shop.standing()).isOnSameDisk).toBe(true);
	},
);

oneIn(3)(
	"a disk that hangs is reported once, and keeps no other backup waiting",
	async () => {
		const dir = join(testDir(), "usb");
		mkdirSync(dir);
		// A program that opens it waits until another one writes into it.
		const hanging = join(dir, "counterfoil-20261120T090000000Z.db");
		expect(spawnSync("mkfifo", [hanging]).status).toBe(0);
		const { backups, clock, told, messages } = await open(dir);
		const looks = [backups.look()];
		const own = () => backups.standing()[0]?.files.length ?? 0;
		await expect.poll(own).toBe(1);
		for (const hour of [1, 2, 3]) {
			clock.now += hourMs + 60_000;
			looks.push(backups.look());
			await expect.poll(own).toBe(1 + hour);
		}
		await expect
			.poll(() => backups.standing()[1]?.problem?.message)
			.toContain(`The disk of ${dir} has not answered since`);
		expect(told).toHaveLength(1);
		const answering = openSync(hanging, "r+");
		await Promise.all(looks);
		closeSync(answering);
		expect(backups.standing()[1]?.files).toMatchObject([{ isProven: false }]);
		expect(messages().filter((text) => text === "Backed up")).toHaveLength(4);
	},
);

test("a server without chosen hours, and one on PostgreSQL, makes no backups", async () => {
	const { backups, dir, look } = await open(undefined, []);
	expect(backups.isOn).toBe(false);
	await look();
	expect(existsSync(dir)).toBe(false);
});

test("a copy that differs from the shop is no backup, and those before it stay", async () => {
	const { server, dir } = await open();
	const { dataDir } = server.settings;
	const place = { dir, isOther: false };
	const now = Date.now();
	const read = server.shop.store.read.bind(server.shop.store);
	const options = { dataDir, isDue: true, read };
	const before = await keepBackup(place, { ...options, now: now - hourMs });
	expect(before.files).toHaveLength(1);
	const other = join(testDir(), "other.db");
	await backUp(server.shop, { dataDir, file: other });
	const change = (sql: string) => {
		const db = new Database(other);
		db.exec(sql);
		db.close();
	};
	for (const sql of [
		"UPDATE products SET name = 'Silk'",
		"UPDATE products SET name = 'Milk'; UPDATE businesses SET head = head + 1; UPDATE stored_mutations SET link = 'another' || link",
	]) {
		change(sql);
		const { problem, files, made } = await keepBackup(place, {
			...{ ...options, now },
			read: (fn) => lookInto(other, fn),
		});
		expect(problem).toMatchObject({
			trouble: "failed",
			message: expect.stringContaining("differs from the original"),
		});
		expect([made, files]).toEqual([null, before.files]);
		expect(readdirSync(dir)).toHaveLength(1);
	}
});

test("a backup that a disk has damaged stays in no good one's place", async () => {
	const { server, dir } = await open();
	const { dataDir } = server.settings;
	const read = server.shop.store.read.bind(server.shop.store);
	const keep = (now: number) =>
		keepBackup({ dir, isOther: false }, { dataDir, isDue: true, read, now });
	const hour = Math.floor(Date.now() / hourMs) * hourMs;
	const good = await keep(hour - 2 * hourMs);
	writeFileSync(join(dir, backupName(hour - hourMs - 1)), "no database");
	const { deleted, files } = await keep(hour);
	expect(deleted).toEqual([]);
	expect(files.slice(1).map(({ isProven }) => isProven)).toEqual([false, true]);
	expect(files.at(-1)).toEqual(good.files[0]);
});

oneIn(6).skipIf(noSmallDisk)(
	`backups on another disk cover what tills may delete; a full one loses old backups, and never the newest good one${noSmallDisk ? ` (skipped: ${noSmallDisk})` : ""}`,
	async () => {
		const disk = mountSmallDisk(12);
		const dir = join(disk.dir, "shop");
		const { server, clock, told, ...shop } = await open(dir);
		await shop.look();
		const [{ head, backed_up_to } = {}] = await server.rows(
			"SELECT head, backed_up_to FROM businesses",
		);
		expect(backed_up_to).toBe(head);
		expect((await shop.standing()).isOnSameDisk).toBe(false);
		clock.now += hourMs;
		await shop.look();
		const [newest = "", oldest = ""] = readdirSync(dir).sort().reverse();
		// A newer file that is not good is no reason to delete the good one.
		const broken = backupName(clock.now + hourMs);
		writeFileSync(join(dir, broken), "no database");
		disk.fill(100_000);
		clock.now += hourMs;
		const [, full] = await shop.look();
		expect(full?.problem?.trouble).toBe("full");
		expect(readdirSync(dir)).toContain(newest);
		expect(readdirSync(dir)).not.toContain(oldest);
		expect(told).toHaveLength(1);
		disk.clear();
		clock.now += hourMs;
		const [, good] = await shop.look();
		expect(good?.problem).toBeNull();
		expect(good?.files[0]?.isProven).toBe(true);
		expect(shop.messages()).toContain("Backups are made again");
	},
);

test("a backup leaves nothing of its thread behind", async () => {
	const adding = vi.spyOn(EventTarget.prototype, "addEventListener");
	onTestFinished(() => adding.mockRestore());
	const { look } = await open();
	await look();
	const signals = adding.mock.contexts.filter(
		(it): it is AbortSignal => it instanceof AbortSignal,
	);
	expect(adding.mock.calls.map(([name]) => name)).toContain("abort");
	const left = () =>
		signals.flatMap((signal) => getEventListeners(signal, "abort"));
	await expect.poll(left).toEqual([]);
});

oneIn(3)(
	"a place that can't even be read is reported, and holds up no other one",
	async () => {
		const usb = join(testDir(), "usb");
		const { dir, look, told } = await open(usb);
		writeFileSync(dir, "no directory");
		const places = [
			{ dir, problem: { trouble: "failed" }, files: [] },
			{ dir: usb, problem: { trouble: "missing" }, files: [] },
		];
		expect(await look()).toMatchObject(places);
		const before = told.length;
		expect(before).toBeGreaterThan(1);
		expect(await look()).toMatchObject(places);
		expect(told).toHaveLength(before);
	},
);

oneIn(3)(
	"the operator sees the backups and their problems, and /metrics counts them",
	async () => {
		const METRICS_TOKEN = "a token of a test, long";
		const server = await openTestServer({
			...{ ...inFile, METRICS_TOKEN },
			BACKUP_DIR: join(testDir(), "usb"),
		});
		const asha = await server.addUser("Asha");
		await server.backups.look();
		const { body } = await server.ask("GET", "/api/server", {
			headers: { cookie: asha.cookie },
		});
		expect(body).toMatchObject({
			backup: { at: expect.any(String), behind: 0 },
			backupPlaces: [
				{ isOther: false, problem: null, files: [{ isProven: true }] },
				{ isOther: true, problem: { trouble: "missing" }, files: [] },
			],
		});
		const { text } = await server.ask("GET", "/metrics", {
			headers: { authorization: `Bearer ${METRICS_TOKEN}` },
		});
		expect(text).toContain('counterfoil_backup_failing{place="own"} 0');
		expect(text).toContain('counterfoil_backup_failing{place="other"} 1');
		expect(text).toMatch(/^counterfoil_last_backup_timestamp_seconds \d/m);
	},
);
