import { fork } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { mountSmallDisk, noSmallDisk } from "../testing/disk.ts";
import { testDir } from "../testing/shop.ts";
import { testStore } from "./contract.ts";
import { openSqlite } from "./sqlite.ts";
import type { Store } from "./store.ts";

let file: string;

beforeEach(() => {
	file = "";
});

async function open(path?: string): Promise<Store> {
	file ||= join(testDir(), "test.db");
	const store = await openSqlite(path ?? file);
	onTestFinished(() => store.close());
	return store;
}

describe("the SQLite store", () => {
	testStore(open);

	test("SQLite connections, writer and readers, wait for the disk at each commit", async () => {
		const store = await open();
		const ask = "SELECT synchronous FROM pragma_synchronous";
		const full = { synchronous: 2 };
		await store.write((tx) => tx.run("DELETE FROM meta WHERE key = 'none'"));
		expect(await store.write((tx) => tx.get(ask))).toEqual(full);
		const readers = Array.from({ length: 8 }, () =>
			store.read(async (tx) => {
				await new Promise((resolve) => setTimeout(resolve, 5));
				return tx.get(ask);
			}),
		);
		expect(await Promise.all(readers)).toEqual(new Array(8).fill(full));
	});

	test("SQLite files are created for their owner only, and an existing file keeps its mode", async () => {
		const store = await open();
		const modes = () =>
			["", "-wal", "-shm"].map(
				(suffix) => statSync(file + suffix).mode & 0o777,
			);
		expect(modes()).toEqual([0o600, 0o600, 0o600]);
		await store.close();
		chmodSync(file, 0o640);
		await open();
		expect(modes()).toEqual([0o640, 0o640, 0o640]);
	});

	test("concurrent SQLite reads give other tasks a turn", async () => {
		const store = await open();
		let isReading = true;
		let turns = 0;
		const count = () => {
			turns += 1;
			if (isReading) setImmediate(count);
		};
		setImmediate(count);
		const read = () =>
			store.read(async (tx) => {
				for (let i = 0; i < 200; i += 1) await tx.get("SELECT 1 AS one");
			});
		await Promise.all([read(), read(), read(), read()]);
		isReading = false;
		expect(turns).toBeGreaterThan(6);
		expect(turns).toBeLessThan(20);
	});

	test("a rollback that failed is made up for before the next write, which is stored", async () => {
		let isBroken = true;
		const store = await openSqlite(join(testDir(), "test.db"), {
			onStatement(sql) {
				if (sql !== "ROLLBACK" || !isBroken) return;
				isBroken = false;
				throw new Error("disk I/O error");
			},
		});
		onTestFinished(() => store.close());
		const write = (key: string) =>
			store.write(async (tx) => {
				await tx.run("INSERT INTO meta (key, value) VALUES (?, 1)", key);
				if (key === "half") throw new Error("Not this one");
			});
		await expect(write("half")).rejects.toThrow("disk I/O error");
		await write("next");
		const kept = await store.read((tx) =>
			tx.all("SELECT key FROM meta WHERE value = 1"),
		);
		expect(kept).toEqual([{ key: "next" }]);
	});

	describe("long writes", () => {
		async function openWatched() {
			const steps: string[] = [];
			const store = await openSqlite(join(testDir(), "test.db"), {
				onStatement: (sql, isWriter) =>
					isWriter && steps.push(sql.split(" ")[0] ?? ""),
			});
			onTestFinished(() => store.close());
			steps.length = 0;
			return { store, steps };
		}

		test("long SQLite writes share a commit without savepoints, separate from short ones", async () => {
			const { store, steps } = await openWatched();
			const write = (value: string) =>
				store.write((tx) => tx.get("SELECT ?", value), {
					isLong: value.startsWith("long"),
				});
			await Promise.all(["a", "long", "b", "longer", "c"].map(write));
			const inGroup = ["SAVEPOINT", "SELECT", "RELEASE"];
			expect(steps).toEqual([
				...["BEGIN", ...inGroup, ...inGroup, ...inGroup, "COMMIT"],
				...["BEGIN", "SELECT", "SELECT", "COMMIT"],
			]);
		});

		test("long SQLite writes are committed without the one that fails", async () => {
			const { store, steps } = await openWatched();
			const write = (key: string) =>
				store.write(
					async (tx) => {
						await tx.run("INSERT INTO meta (key, value) VALUES (?, 1)", key);
						if (key === "bad") throw new Error("Not this one");
						return key;
					},
					{ isLong: true },
				);
			const done = await Promise.allSettled(["a", "bad", "b"].map(write));
			expect(done).toEqual([
				{ status: "fulfilled", value: "a" },
				{ status: "rejected", reason: new Error("Not this one") },
				{ status: "fulfilled", value: "b" },
			]);
			const kept = await store.read((tx) =>
				tx.all("SELECT key FROM meta WHERE value = 1 ORDER BY key"),
			);
			expect(kept).toEqual([{ key: "a" }, { key: "b" }]);
			expect(steps).toEqual([
				...["BEGIN", "INSERT", "INSERT", "ROLLBACK"],
				...["BEGIN", "INSERT", "COMMIT"],
				...["BEGIN", "INSERT", "ROLLBACK"],
				...["BEGIN", "INSERT", "COMMIT"],
			]);
		});

		test("long SQLite writes do not delay short ones until all are done", async () => {
			const { store } = await openWatched();
			const order: string[] = [];
			const write = (name: string, isLong: boolean) =>
				store
					.write((tx) => tx.get("SELECT 1"), { isLong })
					.then(() => order.push(name));
			const long = Array.from({ length: 40 }, () => write("long", true));
			await long[0];
			await Promise.all([write("short", false), ...long]);
			expect(order.indexOf("short")).toBe(16);
		});
	});

	test("a short SQLite write waits for one slow write and not for all of them", async () => {
		const store = await open();
		const order: string[] = [];
		const write = (name: string, statements: number) =>
			store
				.write(async (tx) => {
					for (let i = 0; i < statements; i += 1) await tx.get("SELECT 1");
				})
				.then(() => order.push(name));
		const six = Array.from({ length: 6 }, () => write("six", 5_000));
		await six[0];
		const later = write("later", 1);
		await Promise.all([...six, later]);
		expect(order).toEqual(["six", "six", "later", ...new Array(4).fill("six")]);
	});

	test("each write of a divided SQLite group runs once, and a failing one fails alone", async () => {
		const store = await open();
		const write = (key: string) =>
			store.write(async (tx) => {
				for (let i = 0; i < 3_000; i += 1) await tx.get("SELECT 1");
				await tx.run("INSERT INTO meta (key, value) VALUES (?, 1)", key);
				if (key === "bad") throw new Error("Not this one");
				return key;
			});
		const done = await Promise.allSettled(
			["a", "b", "c", "bad", "d"].map(write),
		);
		expect(done.map((one) => one.status)).toEqual([
			...new Array(3).fill("fulfilled"),
			"rejected",
			"fulfilled",
		]);
		const kept = await store.read((tx) =>
			tx.all("SELECT key FROM meta WHERE value = 1 ORDER BY key"),
		);
		expect(kept.map(({ key }) => key)).toEqual(["a", "b", "c", "d"]);
	});

	test("other requests are answered during a long SQLite write", async () => {
		const store = await open();
		let isDone = false;
		const write = store.write(async (tx) => {
			for (let i = 0; i < 2_000; i += 1) await tx.get("SELECT 1");
			isDone = true;
		});
		let turns = 0;
		while (!isDone) {
			await new Promise((resolve) => setImmediate(resolve));
			turns += 1;
		}
		await write;
		expect(turns).toBeGreaterThan(4);
	});

	test("SQLite writes that wait together share one commit", async () => {
		const store = await open();
		const watcher = new Database(file, { readonly: true });
		onTestFinished(() => {
			watcher.close();
		});
		// Each commit appends its changed pages to the WAL: two commits append the same page twice.
		const frames = () => (statSync(`${file}-wal`).size - 32) / (4_096 + 24);
		await store.write((tx) =>
			tx.run("INSERT INTO meta (key, value) VALUES ('n', '0')"),
		);
		const write = () =>
			store.write((tx) =>
				tx.run("UPDATE meta SET value = value + 1 WHERE key = 'n'"),
			);
		const before = frames();
		for (let i = 0; i < 10; i += 1) await write();
		const apart = frames() - before;
		await Promise.all(Array.from({ length: 10 }, write));
		const together = frames() - before - apart;
		expect(apart).toBe(10);
		expect(together).toBe(1);
		expect(
			watcher.prepare("SELECT value FROM meta WHERE key = 'n'").pluck().get(),
		).toBe("20");
	});

	test("a SQLite write waits for another process without blocking its own", async () => {
		const store = await open();
		const other = new Database(file);
		onTestFinished(() => {
			other.close();
		});
		other.exec("BEGIN IMMEDIATE");
		let turns = 0;
		const ticking = setInterval(() => {
			turns += 1;
		}, 10);
		const write = store.write((tx) =>
			tx.run("INSERT INTO meta (key, value) VALUES ('k', 'v')"),
		);
		// It tries for a tenth of a second at a time, with turns for other tasks between.
		await vi.waitFor(() => expect(turns).toBeGreaterThan(3), 10_000);
		other.exec("COMMIT");
		expect(await write).toBe(1);
		clearInterval(ticking);
	});

	test("a SQLite database opens while another process writes", async () => {
		await (await open()).close();
		const other = new Database(file);
		onTestFinished(() => {
			other.close();
		});
		other.exec("BEGIN IMMEDIATE");
		const store = await open();
		expect(await store.read((tx) => tx.get("SELECT 1 AS one"))).toEqual({
			one: 1,
		});
		other.exec("ROLLBACK");
	});

	test("a file that is not a database is refused and left unchanged", async () => {
		const path = join(testDir(), "notes.txt");
		writeFileSync(path, "Buy milk. ".repeat(1_000));
		await expect(openSqlite(path)).rejects.toMatchObject({
			code: "not_a_database",
		});
		expect(readFileSync(path, "utf8")).toBe("Buy milk. ".repeat(1_000));
	});

	test("closing a SQLite store empties its log", async () => {
		const store = await open();
		await store.write((tx) =>
			tx.run("INSERT INTO meta (key, value) VALUES ('k', 'v')"),
		);
		await store.close();
		expect(statSync(file).size).toBeGreaterThan(0);
		expect(() => statSync(`${file}-wal`)).toThrow("ENOENT");
	});

	test("SQLite keeps acknowledged writes when its process is killed", async () => {
		file = join(testDir(), "killed.db");
		const child = fork(join(import.meta.dirname, "writes-until-killed.ts"), [
			file,
		]);
		let acknowledged = 0;
		child.on("message", (n) => {
			acknowledged = n as number;
			if (acknowledged === 200) child.kill("SIGKILL");
		});
		await once(child, "exit");
		const store = await open();
		const rows = await store.read((tx) =>
			tx.all("SELECT key FROM meta WHERE key LIKE 'k%'"),
		);
		expect(acknowledged).toBeGreaterThanOrEqual(200);
		expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
	});

	test("a SQLite write on a full disk is refused as a whole, and later ones work when there is room", async () => {
		const store = await open();
		const insert = "INSERT INTO meta (key, value) VALUES (?, ?)";
		const limit = (pages: number) =>
			store.write((tx) => tx.get(`PRAGMA max_page_count = ${pages}`));
		await store.write((tx) => tx.run(insert, "k0", "v"));
		await limit(1);
		const large = store.write(async (tx) => {
			await tx.run(insert, "small", "v");
			await tx.run(insert, "large", "x".repeat(1_000_000));
		});
		// Another write of the same commit must not be acknowledged.
		const beside = store.write((tx) => tx.run(insert, "beside", "v"));
		const results = await Promise.allSettled([large, beside]);
		expect(results).toMatchObject([
			{ status: "rejected", reason: { code: "storage_full" } },
			{ status: "rejected", reason: { code: "storage_full" } },
		]);
		const keys = () =>
			store.read((tx) =>
				tx.all("SELECT key FROM meta WHERE key IN ('k0', 'small', 'beside')"),
			);
		expect(await keys()).toEqual([{ key: "k0" }]);
		await limit(1_000_000);
		await store.write((tx) => tx.run(insert, "beside", "v"));
		expect(await keys()).toHaveLength(2);
	});

	test.skipIf(noSmallDisk)(
		noSmallDisk
			? `closes on a full disk (skipped: ${noSmallDisk})`
			: "closes on a full disk, where it can't tidy up, and has all of it when it is opened there again",
		async () => {
			const disk = mountSmallDisk(4);
			file = join(disk.dir, "test.db");
			const store = await open();
			const text = "x".repeat(300_000);
			await store.write((tx) =>
				tx.run("INSERT INTO meta (key, value) VALUES ('large', ?)", text),
			);
			disk.fill();
			await store.close();
			// Otherwise there was room after all.
			expect(statSync(`${file}-wal`).size).toBeGreaterThan(text.length);
			const again = await open();
			const row = await again.read((tx) =>
				tx.get("SELECT value FROM meta WHERE key = 'large'"),
			);
			expect(row?.value).toBe(text);
		},
	);
});
