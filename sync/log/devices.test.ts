import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBusiness } from "../entities/business.ts";
import type { MutationResult } from "../protocol/protocol.ts";
import { openSqlite } from "../store/sqlite.ts";
import type { Connection } from "../store/store.ts";
import { testBusiness } from "../testing/business.ts";
import { testDir, testEnv } from "../testing/shop.ts";
import {
	formatReceipt,
	isForked,
	registerDevice,
	saveProgress,
	serverDevice,
} from "./devices.ts";
import { prefixOf } from "./prefix.ts";

const shop = "shop-1";

async function openDevices() {
	const store = await openSqlite(join(testDir(), "server.db"));
	onTestFinished(() => store.close());
	const env = testEnv();
	const write = <T>(fn: (tx: Connection) => Promise<T>) => store.write(fn);
	await write(async (tx) => {
		for (const id of [shop, "shop-2"])
			await createBusiness(tx, testBusiness(id));
	});
	const greet = (id: string, prefix?: string, business = shop) =>
		write((tx) => registerDevice(tx, business, id, env, { prefix }));
	const rows = (sql: string) => store.read((tx) => tx.all(sql));
	return { store, env, write, greet, rows };
}

describe("receipt prefixes", () => {
	test("receipt prefixes are consonants derived from device ids, and none is given twice [RCPT-2]", async () => {
		const { greet } = await openDevices();
		const given: string[] = [];
		for (let i = 0; i < 54; i += 1) given.push((await greet(`t${i}`)).prefix);
		for (const prefix of given)
			expect(prefix).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
		expect(given.slice(0, 2)).toEqual([
			prefixOf(shop, "t0"),
			prefixOf(shop, "t1"),
		]);
		expect(new Set(given).size).toBe(54);
	});

	test("a restored server gives a new till no prefix that another one had before", async () => {
		const before = await openDevices();
		const a = await before.greet("a");
		const b = await before.greet("b");
		const older = await openDevices();
		const fresh = await older.greet("fresh");
		expect(fresh.prefix).not.toBe(a.prefix);
		expect(fresh.prefix).not.toBe(b.prefix);
		expect((await older.greet("b")).prefix).toBe(b.prefix);
		expect((await older.greet("a", a.prefix)).prefix).toBe(a.prefix);
	});

	test("a device keeps its receipt prefix unless another device has it [RCPT-3]", async () => {
		const { greet } = await openDevices();
		expect(await greet("a", "B")).toEqual({
			id: "a",
			prefix: "B",
			lastNumber: 0,
		});
		expect((await greet("b", "B")).prefix).toBe(prefixOf(shop, "b"));
		expect((await greet("a", "Q")).prefix).toBe("B");
		for (const odd of ["", "b", "A-", "ABCDEFGHI", "1"])
			expect((await greet(`odd ${odd}`, odd)).prefix).toBe(
				prefixOf(shop, `odd ${odd}`),
			);
		expect((await greet("long", "ABCDEFGH")).prefix).toBe("ABCDEFGH");
	});

	test("a receipt prefix gets a letter longer, up to eight, for each candidate that other devices have [RCPT-2]", async () => {
		const { greet } = await openDevices();
		const candidates = Array.from({ length: 7 }, (_, i) =>
			prefixOf(shop, "x", i),
		);
		expect(candidates.map(({ length }) => length)).toEqual([
			...[4, 5, 6, 7, 8, 8, 8],
		]);
		expect(new Set(candidates).size).toBe(7);
		for (const [i, prefix] of candidates.slice(0, 6).entries())
			await greet(`other ${i}`, prefix);
		expect((await greet("x")).prefix).toBe(candidates[6]);
	});

	test("receipt prefixes of one business do not affect another's", async () => {
		const { greet } = await openDevices();
		await greet("a", "A");
		expect((await greet("b", "A", "shop-2")).prefix).toBe("A");
		expect((await greet("a", "A", "shop-2")).prefix).toBe(
			prefixOf("shop-2", "a"),
		);
		expect(prefixOf("shop-2", "a")).not.toBe(prefixOf(shop, "a"));
	});
});

describe("a server's own receipts", () => {
	test("a server's own receipts count from 1 for each business and each run [RCPT-4]", async () => {
		const { write, env } = await openDevices();
		const next = (businessId: string, id: string) =>
			write((tx) => serverDevice(tx, businessId, id, env).nextReceiptNumber());
		const number = (businessId: string, id: string, count: number) =>
			formatReceipt(prefixOf(businessId, id), count);
		expect(await next(shop, "one")).toBe(number(shop, "one", 1));
		expect(await next(shop, "one")).toBe(number(shop, "one", 2));
		expect(await next("shop-2", "one")).toBe(number("shop-2", "one", 1));
		expect(await next(shop, "two")).toBe(number(shop, "two", 1));
		expect(await next(shop, "one")).toBe(number(shop, "one", 3));
		expect(formatReceipt("A", 123)).toBe("A-000123");
		expect(formatReceipt("A", 1_234_567)).toBe("A-1234567");
	});
});

describe("when a device was seen", () => {
	test("a device's last sync is recorded once a minute", async () => {
		const { greet, env, rows } = await openDevices();
		const seen = async () => {
			const [row] = await rows(
				"SELECT last_seen_at FROM devices WHERE id = 'a' AND business_id = 'shop-1'",
			);
			return row?.last_seen_at;
		};
		await greet("a");
		await greet("b");
		await greet("a", undefined, "shop-2");
		env.pass(60_000);
		await greet("a");
		expect(await seen()).toBe("2026-11-20T09:00:00.000Z");
		env.pass(1);
		await greet("a");
		expect(await seen()).toBe("2026-11-20T09:01:00.001Z");
		expect(
			await rows(
				"SELECT last_seen_at FROM devices WHERE id = 'b' OR business_id = 'shop-2'",
			),
		).toEqual([
			{ last_seen_at: "2026-11-20T09:00:00.000Z" },
			{ last_seen_at: "2026-11-20T09:00:00.000Z" },
		]);
	});
});

describe("a device's numbers", () => {
	const applied = (id: string): MutationResult => ({ id, status: "applied" });
	const numbered = (id: string, number?: unknown) => ({ id, number });

	test("a device's progress is saved up to its first deferred mutation [DEV-3]", async () => {
		const { greet, write } = await openDevices();
		await greet("other");
		await greet("a", undefined, "shop-2");
		const remember = async (
			mutations: unknown[],
			results: MutationResult[],
		) => {
			const device = await greet("a");
			await write((tx) =>
				saveProgress(tx, shop, device, { mutations }, { results, now: 0 }),
			);
			return (await greet("a")).lastNumber;
		};
		expect(
			await remember(
				[numbered("x", 1), numbered("y"), numbered("z", 2)],
				["x", "y", "z"].map(applied),
			),
		).toBe(2);
		expect(
			await remember(
				[numbered("p", 3), numbered("q", 4), numbered("r", 5)],
				[applied("p"), { id: "q", status: "deferred" }, applied("r")],
			),
		).toBe(3);
		// A repeat takes nothing back, and an invalid number counts as none.
		expect(await remember([numbered("x", 1)], [applied("x")])).toBe(3);
		expect(
			await remember(
				[numbered("s", "9"), numbered("t", 9.5), null, { number: 9 }],
				["s", "t", "u", "v"].map(applied),
			),
		).toBe(3);
		expect((await greet("other")).lastNumber).toBe(0);
		const theirs = await greet("a", undefined, "shop-2");
		expect(theirs.lastNumber).toBe(0);
	});

	test("a device's numbers reveal a till that was restored or cloned [DEV-4]", async () => {
		const { write } = await openDevices();
		const device = {
			id: "a",
			prefix: "A",
			lastNumber: 5,
			counted: undefined,
		};
		await write((tx) =>
			tx.run(
				`INSERT INTO stored_mutations (business_id, id, name, args, at, received_at, status)
         VALUES (?, 'seen', '', '', '', '', 'applied'), ('shop-2', 'theirs', '', '', '', '', 'applied')`,
				shop,
			),
		);
		const forked = (mutations: unknown[], lastNumber?: number) =>
			write((tx) => isForked(tx, shop, device, mutations, lastNumber));
		expect(await forked([], 4)).toBe(true);
		expect(await forked([], 5)).toBe(false);
		expect(await forked([], undefined)).toBe(false);
		expect(await forked([numbered("seen", 5)], 5)).toBe(false);
		expect(await forked([numbered("new", 5)], 6)).toBe(true);
		expect(await forked([numbered("theirs", 5)], 6)).toBe(true);
		expect(await forked([numbered("new", 6)], 6)).toBe(false);
		expect(await forked([numbered("new")], 6)).toBe(false);
		expect(await forked([numbered("seen", 5), numbered("new", 3)], 6)).toBe(
			true,
		);
	});
});
