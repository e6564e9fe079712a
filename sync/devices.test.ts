import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
	formatReceipt,
	greetDevice,
	greetWindow,
	isForked,
	rememberNumbers,
	serverDevice,
} from "./devices.ts";
import { createBusiness } from "./entities/business.ts";
import type { MutationResult } from "./protocol.ts";
import { openSqlite } from "./store/sqlite.ts";
import type { Connection } from "./store/store.ts";
import { testBusiness } from "./test-business.ts";
import { testDir, testEnv } from "./test-shop.ts";

const shop = "shop-1";
const usual = { healing: false };

async function openDevices() {
	const store = await openSqlite(join(testDir(), "server.db"));
	onTestFinished(() => store.close());
	const env = testEnv();
	const write = <T>(fn: (tx: Connection) => Promise<T>) => store.write(fn);
	await write(async (tx) => {
		for (const id of [shop, "shop-2"])
			await createBusiness(tx, testBusiness(id));
	});
	const greet = (id: string, prefix?: string, healing = false) =>
		write((tx) => greetDevice(tx, shop, id, env, { prefix, healing }));
	const rows = (sql: string) => store.read((tx) => tx.all(sql));
	return { store, env, write, greet, rows };
}

describe("receipt prefixes", () => {
	test("go from A to Z, then from AA, and none is given twice", async () => {
		const { greet } = await openDevices();
		const given: string[] = [];
		for (let i = 0; i < 54; i += 1) given.push((await greet(`t${i}`)).prefix);
		expect(given.slice(0, 3)).toEqual(["A", "B", "C"]);
		expect(given.slice(24, 29)).toEqual(["Y", "Z", "AA", "AB", "AC"]);
		expect(given.slice(51)).toEqual(["AZ", "BA", "BB"]);
		expect(new Set(given).size).toBe(54);
	});

	test("stay with their device, and pass over one that another device holds", async () => {
		const { greet } = await openDevices();
		expect(await greet("a", "B")).toEqual({
			id: "a",
			prefix: "B",
			lastNumber: 0,
		});
		expect((await greet("b", "B")).prefix).toBe("C");
		expect((await greet("a", "Q")).prefix).toBe("B");
		for (const odd of ["", "b", "A-", "ABCDEFGHI", "1"])
			expect((await greet(`odd ${odd}`, odd)).prefix).toMatch(/^[D-H]$/);
		expect((await greet("long", "ABCDEFGH")).prefix).toBe("ABCDEFGH");
	});

	test("are their business's own", async () => {
		const { greet, write, env } = await openDevices();
		expect((await greet("a")).prefix).toBe("A");
		const other = await write((tx) =>
			greetDevice(tx, "shop-2", "b", env, usual),
		);
		expect(other.prefix).toBe("A");
		const same = await write((tx) =>
			greetDevice(tx, "shop-2", "a", env, usual),
		);
		expect(same.prefix).toBe("B");
	});

	test("of a server that was restored are four letters that nobody else has", async () => {
		const { greet } = await openDevices();
		const given = [];
		for (let i = 0; i < 20; i += 1)
			given.push((await greet(`t${i}`, undefined, true)).prefix);
		for (const prefix of given) expect(prefix).toMatch(/^[A-Z]{4}$/);
		expect(new Set(given).size).toBe(20);
	});

	test("of windows: the first prints its till's own, later ones a number behind it", async () => {
		const { write, env, rows } = await openDevices();
		await write((tx) =>
			tx.run(
				"INSERT INTO replica (business_id, device_id, feed_form) VALUES (?, 'd', ''), ('shop-2', 'e', '')",
				shop,
			),
		);
		const greet = (window: string, business = shop) =>
			write((tx) => greetWindow(tx, env, business, window));
		await greet("elsewhere", "shop-2");
		const own = await greet("w1");
		expect(own).toMatch(/^[A-Z]{4}$/);
		expect(await greet("w2")).toBe(`${own}2`);
		expect(await greet("w3")).toBe(`${own}3`);
		expect(await greet("w1")).toBe(own);
		expect(await greet("w2")).toBe(`${own}2`);
		expect(
			await rows("SELECT prefix FROM replica WHERE business_id = 'shop-1'"),
		).toEqual([{ prefix: own }]);
		await write((tx) =>
			tx.run("UPDATE replica SET prefix = 'K' WHERE business_id = ?", shop),
		);
		expect(await greet("w2")).toBe("K2");
	});
});

describe("a server's own receipts", () => {
	test("count from 1 for each business and each history", async () => {
		const { write, env, greet } = await openDevices();
		await greet("till");
		const next = (businessId: string, epoch: string) =>
			write((tx) =>
				serverDevice(
					tx,
					businessId,
					{ epoch, healing: false },
					env,
				).nextReceiptNumber(),
			);
		expect(await next(shop, "one")).toBe("B-000001");
		expect(await next(shop, "one")).toBe("B-000002");
		expect(await next("shop-2", "one")).toBe("A-000001");
		expect(await next(shop, "two")).toBe("C-000001");
		expect(await next(shop, "one")).toBe("B-000003");
		expect(formatReceipt("A", 1_234_567)).toBe("A-1234567");
	});
});

describe("when a device was seen", () => {
	test("is written down once a minute", async () => {
		const { greet, env, rows, write } = await openDevices();
		const seen = async () => {
			const [row] = await rows(
				"SELECT last_seen_at FROM devices WHERE id = 'a' AND business_id = 'shop-1'",
			);
			return row?.last_seen_at;
		};
		await greet("a");
		await greet("b");
		await write((tx) => greetDevice(tx, "shop-2", "a", env, usual));
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

	test("are remembered up to the first mutation that was put off", async () => {
		const { greet, write } = await openDevices();
		await greet("other");
		await write((tx) => greetDevice(tx, "shop-2", "a", testEnv(), usual));
		const remember = async (
			mutations: unknown[],
			results: MutationResult[],
		) => {
			const device = await greet("a");
			await write((tx) =>
				rememberNumbers(tx, shop, device, { mutations }, results, 0),
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
		// What comes again takes nothing back; what is no number counts as none.
		expect(await remember([numbered("x", 1)], [applied("x")])).toBe(3);
		expect(
			await remember(
				[numbered("s", "9"), numbered("t", 9.5), null, { number: 9 }],
				["s", "t", "u", "v"].map(applied),
			),
		).toBe(3);
		expect((await greet("other")).lastNumber).toBe(0);
		const theirs = await write((tx) =>
			greetDevice(tx, "shop-2", "a", testEnv(), usual),
		);
		expect(theirs.lastNumber).toBe(0);
	});

	test("show a till that was restored or cloned", async () => {
		const { write } = await openDevices();
		const device = {
			id: "a",
			prefix: "A",
			lastNumber: 5,
			counted: undefined,
		};
		await write((tx) =>
			tx.run(
				`INSERT INTO mutations (business_id, id, name, args, at, received_at, status)
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
