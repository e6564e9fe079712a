import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ShopError } from "../protocol/errors.ts";
import {
	hasPostgres,
	makeDatabase,
	wherePostgres,
} from "../testing/postgres.ts";
import { createDatabase } from "../testing/postgres-cluster.ts";
import { testStore } from "./contract.ts";
import { openPostgres } from "./postgres.ts";
import type { Connection, Store } from "./store.ts";

let url: string;

beforeEach(() => {
	url = "";
});

async function open(): Promise<Store> {
	url ||= await makeDatabase();
	const store = await openPostgres(url);
	onTestFinished(() => store.close());
	return store;
}

const add = "INSERT INTO meta (key, value) VALUES (?, ?)";
const addOne =
	"UPDATE meta SET value = CAST(CAST(value AS BIGINT) + 1 AS TEXT) WHERE key = ?";

async function readValue(store: Store, key: string) {
	const row = await store.read((tx) =>
		tx.get("SELECT value FROM meta WHERE key = ?", key),
	);
	return row?.value;
}

/** Terminates a transaction's connection, as a server that shuts down does. */
async function cut(tx: Connection): Promise<void> {
	await tx.get("SELECT pg_terminate_backend(pg_backend_pid())").catch(() => {});
}

describe.skipIf(!hasPostgres)(`the PostgreSQL store ${wherePostgres}`, () => {
	testStore(open);

	test("PostgreSQL loses no increment of two processes", async () => {
		const stores = [await open(), await open()];
		await stores[0]?.write((tx) => tx.run(add, "k", "0"));
		await Promise.all(
			Array.from({ length: 60 }, (_, i) =>
				stores[i % 2]?.write((tx) => tx.run(addOne, "k")),
			),
		);
		expect(await readValue(stores[1] as Store, "k")).toBe("60");
	});

	test("processes that lock the same PostgreSQL rows in different orders all finish", async () => {
		const stores = [await open(), await open()];
		await stores[0]?.write(async (tx) => {
			for (const key of ["k1", "k2"]) await tx.run(add, key, "0");
		});
		// Writes of one process share a transaction, which then holds the rows of all of them.
		await Promise.all(
			Array.from({ length: 80 }, (_, i) => {
				const store = stores[i % 2] as Store;
				const first = Math.floor(i / 2) % 2 === i % 2 ? "k1" : "k2";
				return store.write((tx) => tx.run(addOne, first));
			}),
		);
		expect([
			await readValue(stores[0] as Store, "k1"),
			await readValue(stores[0] as Store, "k2"),
		]).toEqual(["40", "40"]);
	});

	test("a PostgreSQL write runs again after a deadlock", async () => {
		const [one, other] = [await open(), await open()];
		await one.write(async (tx) => {
			for (const key of ["k1", "k2"]) await tx.run(add, key, "0");
		});
		const holds = [
			Promise.withResolvers<void>(),
			Promise.withResolvers<void>(),
		];
		let tries = 0;
		const both = (me: number, store: Store, keys: string[]) =>
			store.write(async (tx) => {
				tries += 1;
				await tx.run(addOne, keys[0] as string);
				holds[me]?.resolve();
				await holds[1 - me]?.promise;
				await tx.run(addOne, keys[1] as string);
			});
		await Promise.all([
			both(0, one, ["k1", "k2"]),
			both(1, other, ["k2", "k1"]),
		]);
		expect([await readValue(one, "k1"), await readValue(one, "k2")]).toEqual([
			"2",
			"2",
		]);
		expect(tries).toBeGreaterThan(2);
	});

	test("a PostgreSQL write that checks first sees a key that another process took meanwhile", async () => {
		const [one, other] = [await open(), await open()];
		const looked = Promise.withResolvers<void>();
		const taken = Promise.withResolvers<void>();
		const write = one.write(async (tx) => {
			const known = await tx.get("SELECT value FROM meta WHERE key = 'k'");
			looked.resolve();
			await taken.promise;
			if (known) return known.value;
			await tx.run(add, "k", "mine");
			return "mine";
		});
		await looked.promise;
		await other.write((tx) => tx.run(add, "k", "theirs"));
		taken.resolve();
		expect(await write).toBe("theirs");
	});

	test("a PostgreSQL transaction reports each statement before it is sent, and fails if one may not be sent", async () => {
		const seen: string[] = [];
		let refused = "";
		const store = await openPostgres(await makeDatabase(), {
			onStatement(sql, isWriter) {
				seen.push(`${isWriter ? "w" : "r"} ${sql.split(" ")[0]}`);
				if (isWriter && sql === refused) throw new Error("Refused");
			},
		});
		onTestFinished(() => store.close());
		seen.length = 0;
		await store.write((tx) => tx.run(add, "k", "v"));
		await readValue(store, "k");
		expect(seen).toEqual([
			...["w BEGIN", "w INSERT", "w COMMIT"],
			...["r BEGIN", "r SELECT", "r ROLLBACK"],
		]);
		for (refused of [add, "COMMIT"])
			await expect(
				store.write((tx) => tx.run(add, "other", "v").then(() => {})),
			).rejects.toMatchObject({ cause: { message: "Refused" } });
		expect(await readValue(store, "other")).toBeUndefined();
		refused = "";
		expect(await store.write((tx) => tx.run(add, "other", "v"))).toBe(1);
	});

	test("a PostgreSQL write whose commit is unknown does not run again and leaves no connection", async () => {
		let isLosing = false;
		const store = await openPostgres(await makeDatabase(), {
			onStatement(sql) {
				if (isLosing && sql === "COMMIT") throw new Error("Not a word more");
			},
		});
		onTestFinished(() => store.close());
		isLosing = true;
		let tries = 0;
		const write = () =>
			store.write(async (tx) => {
				tries += 1;
				await tx.run(add, "k", "v");
			});
		for (let i = 0; i < 5; i += 1)
			await expect(write()).rejects.toMatchObject({ code: "storage_failed" });
		expect(tries).toBe(5);
		isLosing = false;
		await write();
		const connections = () =>
			store.read((tx) =>
				tx.get(
					"SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'counterfoil'",
				),
			);
		await expect.poll(connections, { timeout: 20_000 }).toEqual({ count: 2 });
	});

	test("a PostgreSQL write throws for a key that it took itself", async () => {
		const store = await open();
		const twice = store.write(async (tx) => {
			await tx.run(add, "k", "v");
			await tx.run(add, "k", "v");
		});
		await expect(twice).rejects.toThrow("duplicate key");
		expect(await readValue(store, "k")).toBeUndefined();
	});

	test("a PostgreSQL write with a caught failure throws, because everything was rolled back", async () => {
		const store = await open();
		const write = store.write(async (tx) => {
			await tx.run(add, "k", "v");
			await tx.run("UPDATE recipes SET name = ?", "v").catch(() => {});
		});
		await expect(write).rejects.toThrow("recipes");
		expect(await readValue(store, "k")).toBeUndefined();
	});

	test("a PostgreSQL write whose connection broke runs again and counts once", async () => {
		const store = await open();
		let tries = 0;
		await store.write(async (tx) => {
			tries += 1;
			await tx.run(add, "k", String(tries));
			if (tries === 1) await cut(tx);
			await tx.run(addOne, "k");
		});
		expect([tries, await readValue(store, "k")]).toEqual([2, "3"]);
	});

	test("a PostgreSQL read whose connection broke runs again", async () => {
		const store = await open();
		let tries = 0;
		const read = await store.read(async (tx) => {
			tries += 1;
			if (tries === 1) await cut(tx);
			return tx.get("SELECT 1 AS one");
		});
		expect([tries, read]).toEqual([2, { one: 1 }]);
	});

	test("a PostgreSQL write whose connection keeps breaking fails with storage_failed", async () => {
		const store = await open();
		const write = store.write(async (tx) => {
			await cut(tx);
			await tx.get("SELECT 1 AS one");
		});
		await expect(write).rejects.toMatchObject({
			code: "storage_failed",
			message: "The connection to the database was lost",
		});
		expect(await store.write((tx) => tx.run(add, "k", "v"))).toBe(1);
	});

	describe("statistics", () => {
		beforeEach(async () => {
			// One that other tests have used has statistics.
			url = await createDatabase("fresh");
		});

		/** The rows of the log that PostgreSQL knows of. */
		const known = async (store: Store) => {
			const row = await store.read((tx) =>
				tx.get(
					"SELECT reltuples FROM pg_class WHERE oid = CAST('stored_mutations' AS regclass)",
				),
			);
			return Number(row?.reltuples);
		};
		const write = (store: Store, ...ids: string[]) =>
			store.write(async (tx) => {
				for (const id of ids)
					await tx.run(
						`INSERT INTO stored_mutations (business_id, id, name, args, args_version, at, received_at, status)
             VALUES ('shop', ?, 'tax.set', '{}', 1, '2026-11-26', '2026-11-26', 'applied')`,
						id,
					);
			});

		test("a new shop's statistics are gathered after some writes", async () => {
			const store = await open();
			for (let i = 1; i < 32; i += 1) await write(store, `mutation ${i}`);
			expect(await known(store)).toBeLessThan(1);
			await write(store, "mutation 32");
			await expect.poll(() => known(store)).toBe(32);
		});

		test("a new shop's statistics are gathered after one write of many rows", async () => {
			const store = await open();
			await write(store, ...Array.from({ length: 40 }, (_, i) => String(i)));
			await expect.poll(() => known(store)).toBe(40);
		});
	});

	test("an announcement reaches other processes and not the one that made it", async () => {
		const stores = [await open(), await open()];
		const heard: Set<string>[] = [new Set(), new Set()];
		for (const [i, store] of stores.entries())
			store.onAnnounced((note) => {
				if (note !== undefined) heard[i]?.add(note);
			});
		// Before the other process listens, the announcement is lost.
		await expect
			.poll(
				() => {
					stores[0]?.announce("from the first");
					stores[1]?.announce("from the second");
					return heard.map((notes) => [...notes]);
				},
				{ timeout: 20_000 },
			)
			.toEqual([["from the second"], ["from the first"]]);
	});

	test("a new listener is notified that earlier announcements may be lost", async () => {
		const store = await open();
		const heard: (string | undefined)[] = [];
		store.onAnnounced((note) => heard.push(note));
		await expect.poll(() => heard, { timeout: 20_000 }).toEqual([undefined]);
	});

	test("a listener whose connection broke is notified of lost announcements and receives the next ones", async () => {
		const [one, other] = [await open(), await open()];
		const heard: (string | undefined)[] = [];
		one.onAnnounced((note) => heard.push(note));
		await expect
			.poll(
				() => {
					other.announce("a");
					return heard;
				},
				{ timeout: 20_000 },
			)
			.toContain("a");
		const { length } = heard;
		await other.read((tx) =>
			tx.all(
				"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
			),
		);
		await expect
			.poll(() => heard.slice(length), { timeout: 20_000 })
			.toContain(undefined);
		const before = heard.length;
		await expect
			.poll(
				() => {
					other.announce("b");
					return heard.slice(before);
				},
				{ timeout: 20_000 },
			)
			.toContain("b");
	});

	test("a failed connection's error does not contain the password", async () => {
		const database = new URL(await makeDatabase());
		database.searchParams.set("user", "nobody");
		database.searchParams.set("password", "hunter2");
		const failure = await openPostgres(String(database)).catch((e) => e);
		expect(failure).toMatchObject({ code: "storage_failed" });
		const told = [failure, failure.cause].map(
			(error: ShopError) => `${error.message} ${error.stack}`,
		);
		expect(told.join()).not.toContain("hunter2");
		await expect(
			openPostgres("postgres://shop:hunter2@127.0.0.1:1/shop"),
		).rejects.toMatchObject({
			code: "storage_failed",
			message: "The database can't be reached",
		});
	});
});
