import { once } from "node:events";
import {
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, test, vi } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { openMilkShop, openTestTill } from "../../server/testing/tills.ts";
import { productCreate } from "../../sync/entities/product.ts";
import { oneIn, sampled } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand, startCommand } from "../testing/command.ts";

const picture = `${"0123456789abcdef".repeat(2)}.png`;

async function open() {
	const shop = await openMilkShop();
	const { dataDir } = shop.server.settings;
	const run = (...args: string[]) => runCommand(args, { DATA_DIR: dataDir });
	return { ...shop, dataDir, run };
}

/** @returns all rows of a query on a database file */
function ask(file: string, sql: string): unknown[] {
	const db = new Database(file, { readonly: true });
	try {
		return db.prepare(sql).all();
	} finally {
		db.close();
	}
}

const backupsIn = (dir: string) =>
	readdirSync(dir).filter((name) => name.endsWith(".db"));

describe("counterfoil backup", () => {
	oneIn(3)(
		"a backup of a selling shop is consistent, readable only by its owner, and reports the version it covers [BACKUP-1]",
		async () => {
			const { server, asha, run } = await open();
			let selling = true;
			let sold = 0;
			const sales = (async () => {
				for (; selling; sold += 1) {
					await server.shop.mutate(asha.caller, productCreate, {
						id: `p-${sold}`,
						name: `Product ${sold}`,
						buyingPrice: 1,
						sellingPrice: 2,
					});
					// The backup may run at low priority and would starve if this loop never paused.
					await sleep(5);
				}
			})();
			await vi.waitUntil(() => sold > 20, { timeout: 60_000 });
			const soldBefore = sold;
			const file = join(testDir(), "deep", "copy.db");
			const made = await run("backup", "--out", file, "--json");
			const soldThen = sold;
			selling = false;
			await sales;
			expect(made).toMatchObject({
				status: 0,
				err: `${file} is on the same disk as DATA_DIR; back up to another disk, or losing this one loses both\n`,
			});
			const told = await run("doctor");
			expect(told.out).toMatch(
				/^warning {2}backups: .+ is on the same disk as the shop; /m,
			);
			expect(soldThen).toBeGreaterThan(soldBefore);
			const [held] = JSON.parse(made.out).businesses;
			expect(held.businessId).toBe(asha.businessId);
			expect(held.head).toBeGreaterThan(20);
			expect(held.head).toBeLessThanOrEqual(sold + 2);
			// Creating the business is version 1; every later version created one product.
			expect(ask(file, "SELECT count(*) AS count FROM products")).toEqual([
				{ count: held.head - 1 },
			]);
			expect(ask(file, "PRAGMA integrity_check")).toEqual([
				{ integrity_check: "ok" },
			]);
			expect(statSync(file).mode & 0o777).toBe(0o600);
			expect(readdirSync(join(file, ".."))).toEqual(["copy.db"]);
			const pulled = await server.ask("GET", "/api/sync", { as: asha });
			expect(pulled.body).toMatchObject({ backedUpTo: held.head });
		},
	);

	oneIn(3)(
		"--keep deletes only the oldest backups by this command, and backed_up_to never decreases [BACKUP-1]",
		async () => {
			const { server, run } = await open();
			const dir = testDir();
			const others = ["counterfoil.db", "counterfoil-mine.db", "notes.txt"];
			for (const name of others) writeFileSync(join(dir, name), "mine");
			const abandoned = ".counterfoil-20200101T000000000Z.db.partial";
			const growing = ".counterfoil-20200102T000000000Z.db.partial";
			for (const name of [abandoned, growing])
				writeFileSync(join(dir, name), "");
			utimesSync(join(dir, abandoned), 1, 1);
			const names: string[] = [];
			// An earlier backup covered more; what the tills have deleted on its word stays covered.
			await server.shop.store.write((tx) =>
				tx.run("UPDATE businesses SET backed_up_to = 99"),
			);
			for (let i = 0; i < 2; i += 1) {
				const made = await run("backup", "--out", dir, "--keep", "1", "--json");
				names.push(JSON.parse(made.out).file.slice(dir.length + 1));
			}
			expect(readdirSync(dir).sort()).toEqual(
				[...others, growing, ...names.slice(1)].sort(),
			);
			expect(await server.rows("SELECT backed_up_to FROM businesses")).toEqual([
				{ backed_up_to: 99 },
			]);
		},
	);

	test.each(
		sampled<[number, string[]]>(
			[
				[1, []],
				[2, ["counterfoil-20200102T000000000Z.db"]],
				[
					4,
					[
						"counterfoil-20200101T000000000Z.db",
						"counterfoil-20200102T000000000Z.db",
						"counterfoil-20990102T000000000Z.db",
					],
				],
			],
			3,
		),
	)(
		"--keep %i keeps the new backup, and deletes backups from a clock that was ahead first",
		async (keep, kept) => {
			const { run } = await open();
			const dir = testDir();
			for (const year of [2020, 2099])
				for (const day of ["01", "02"])
					writeFileSync(
						join(dir, `counterfoil-${year}01${day}T000000000Z.db`),
						"",
					);
			const args = ["--out", dir, "--keep", String(keep), "--json"];
			const made = JSON.parse((await run("backup", ...args)).out);
			expect(backupsIn(dir).sort()).toEqual(
				[...kept, basename(made.file)].sort(),
			);
		},
	);

	oneIn(3)(
		"--every makes one backup after another until it is stopped",
		async () => {
			const { dataDir } = await open();
			const dir = join(testDir(), "made");
			const child = startCommand(["backup", "--out", dir, "--every", "1s"], {
				DATA_DIR: dataDir,
			});
			for (let i = 0; i < 2; i += 1) await once(child.stdout, "data");
			child.kill("SIGTERM");
			await once(child, "exit");
			expect(child.exitCode).toBe(0);
			expect(readdirSync(dir).length).toBeGreaterThanOrEqual(2);
			expect(backupsIn(dir)).toEqual(readdirSync(dir));
		},
	);

	oneIn(3)(
		"backup list shows the backups beside the shop and whether each is proven, and --check reads them again",
		async () => {
			const { dataDir, run } = await open();
			const none = { status: 0, err: "There are no backups yet\n" };
			expect(await run("backup", "list")).toMatchObject(none);
			expect((await run("backup")).status).toBe(0);
			const [name = ""] = backupsIn(join(dataDir, "backups"));
			const file = join(dataDir, "backups", name);
			const listed = async (...args: string[]) => {
				const { status, out, err } = await run(
					"backup",
					"list",
					...args,
					"--json",
				);
				return { status, err, rows: JSON.parse(out) };
			};
			const row = { file, hours: 0, proven: true };
			const good = { status: 0, err: "", rows: [row] };
			expect(await listed()).toMatchObject(good);
			expect(await listed("--check")).toMatchObject(good);
			const db = new Database(file);
			db.exec("UPDATE products SET name = 'Silk'");
			db.close();
			expect(await listed("--check")).toMatchObject({
				...{ status: 1, err: `${file}: It has changed since it was made\n` },
				rows: [{ file, proven: false }],
			});
			writeFileSync(file, "no database");
			expect((await listed()).rows).toMatchObject([{ proven: false }]);
		},
	);

	oneIn(3)(
		"after a backup beside the shop, where a lost disk takes both, tills keep what they sent",
		async () => {
			const { server, run } = await open();
			expect(await run("backup")).toMatchObject({
				status: 0,
				err: expect.stringContaining("on the same disk as DATA_DIR"),
			});
			const covered = () => server.rows("SELECT backed_up_to FROM businesses");
			expect(await covered()).toEqual([{ backed_up_to: 0 }]);
			await run("backup", "--out", testDir());
			expect(await covered()).not.toEqual([{ backed_up_to: 0 }]);
		},
	);

	test("a failed backup explains itself in one line and leaves no file behind", async () => {
		const { dataDir, run } = await open();
		const dir = testDir();
		const file = join(dir, "there.db");
		writeFileSync(file, "mine");
		expect(await run("backup", "--out", file)).toEqual({
			status: 1,
			out: "",
			err: `${file} already exists; choose another name\n`,
		});
		expect(readFileSync(file, "utf8")).toBe("mine");
		const tooRare = await run("backup", "--out", dir, "--every", "90d");
		expect(tooRare.status).toBe(2);
		expect(tooRare.err).toContain("Must be a time like 30m, 1h or 1d.");
		expect(await run("backup", "--out", file, "--keep", "2")).toMatchObject({
			status: 2,
			err: expect.stringContaining("need a directory"),
		});
		const none = { DATA_DIR: join(dataDir, "none") };
		expect(await runCommand(["backup", "--out", dir], none)).toMatchObject({
			status: 1,
			err: expect.stringMatching(/^There is no shop in .+\n$/),
		});
		expect(readdirSync(dir)).toEqual(["there.db"]);
	});
});

describe("counterfoil restore", () => {
	oneIn(3)(
		"tills complete a restored shop with the mutations that the backup lacks, over HTTP [EPOCH-1]",
		async () => {
			const { server, asha, line, dataDir, run } = await open();
			const a = await openTestTill(asha, line);
			const b = await openTestTill(asha, line);
			const pictures = join(dataDir, "pictures", asha.businessId);
			mkdirSync(pictures, { recursive: true });
			writeFileSync(join(pictures, picture), "a picture");
			const kept = await a.sell(1);
			await a.till.sync();
			const dir = testDir();
			expect((await run("backup", "--out", dir)).status).toBe(0);
			const lost = [await a.sell(2), await b.sell(3)];
			for (const { till } of [a, b, a]) await till.sync();
			const before = await server.shop.digest(asha.caller);
			const backup = join(dir, backupsIn(dir)[0] as string);

			expect(await run("restore", backup)).toMatchObject({
				status: 1,
				err: expect.stringMatching(
					/^There is already a shop in .+--force.+\n$/,
				),
			});
			expect(await run("restore", backup, "--force")).toMatchObject({
				status: 1,
				err: expect.stringMatching(/^A server or another .+ stop it first\n$/),
			});
			expect(await server.shop.digest(asha.caller)).toEqual(before);
			await server.close();
			const restored = await run("restore", backup, "--force", "--json");
			expect(restored).toMatchObject({ status: 0, err: "" });
			const { replaced } = JSON.parse(restored.out);
			expect(ask(replaced, "SELECT count(*) AS count FROM sales")).toEqual([
				{ count: 3 },
			]);

			const again = await openTestServer({ DATA_DIR: dataDir });
			line.url = again.url;
			const sales = async () =>
				(await again.rows("SELECT id FROM sales")).map(({ id }) => id).sort();
			expect(await sales()).toEqual([kept]);
			for (const { till } of [a, b, a]) await till.sync();
			expect(await sales()).toEqual([kept, ...lost].sort());
			expect(await again.rows("SELECT quantity FROM products")).toEqual([
				{ quantity: 4_000_000 },
			]);
			const { digest, epoch } = await again.shop.digest(asha.caller);
			expect(epoch).not.toBe(before.epoch);
			for (const { till } of [a, b]) {
				expect(await till.digest()).toBe(digest);
				expect(await till.status()).toMatchObject({ pending: 0, rejected: 0 });
			}
		},
	);

	oneIn(3)(
		"restoring into an empty directory restores the database and its pictures",
		async () => {
			const { server, asha, dataDir, run } = await open();
			const own = join("pictures", asha.businessId);
			mkdirSync(join(dataDir, own), { recursive: true });
			writeFileSync(join(dataDir, own, picture), "a picture");
			writeFileSync(join(dataDir, own, `${picture}.part`), "half of one");
			const dir = testDir();
			await run("backup", "--out", dir);
			const fresh = join(testDir(), "new");
			const backup = join(dir, backupsIn(dir)[0] as string);
			const made = await runCommand(["restore", backup], { DATA_DIR: fresh });
			expect(made).toMatchObject({
				status: 0,
				err: expect.stringMatching(
					/^A backup holds no passwords\. Set one .+: asha@example\.com\n$/,
				),
			});
			expect(readdirSync(join(fresh, own))).toEqual([picture]);
			expect(readdirSync(fresh).sort()).toEqual(["counterfoil.db", "pictures"]);
			const log = await runCommand(["log", "verify", "--json"], {
				DATA_DIR: fresh,
			});
			expect(JSON.parse(log.out)).toMatchObject({ whole: true, unlinked: 0 });
			expect(JSON.parse(log.out).checked).toBeGreaterThan(0);
			const { digest } = await server.shop.digest(asha.caller);
			const there = await openTestServer({ DATA_DIR: fresh });
			expect((await there.shop.digest(asha.caller)).digest).toBe(digest);
			expect(
				await there.rows("SELECT key FROM meta WHERE key = 'backup'"),
			).toEqual([]);
		},
	);
});
