import { expect, test } from "vitest";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { ShopError } from "../protocol/errors.ts";
import { markUnconfirmed, sweepUnconfirmed } from "../replica/server-rows.ts";
import type { Shop } from "../shop.ts";
import {
	openTestShop,
	openTestTill,
	reverseUnordered,
	type TestShop,
	testEnv,
} from "../testing/shop.ts";
import { assertTalliesRight } from "../testing/tallies.ts";
import { dashboardGet } from "./dashboard.ts";
import {
	countSales,
	foldTallies,
	readDaySums,
	readTopProducts,
	settleTallies,
} from "./tallies.ts";

/** The window of days up to today starts after 21 October. */
const today = "2026-11-20";
const beforeWindow = "2026-10-21";
const firstOfWindow = "2026-10-22";

interface Maker {
	shop: Pick<Shop, "mutate">;
	caller: TestShop["caller"];
}

function sell(
	{ shop, caller }: Maker,
	id: string,
	businessDay: string,
	lines: [productId: string | null, quantity: number, price: number][],
	paymentMethod = "CASH",
) {
	return shop.mutate(caller, saleCreate, {
		id,
		businessDay,
		paymentMethod,
		items: lines.map(([productId, quantity, price], i) => ({
			...{ id: String(i + 1), name: "Thing", cost: 7.000001 },
			...{ productId, quantity, price },
		})),
	});
}

function refund(
	{ shop, caller }: Maker,
	id: string,
	saleId: string,
	businessDay: string,
	restock: boolean,
	quantity: number,
) {
	const items = [{ id: "1", itemId: "1", quantity }];
	const args = { id, saleId, reason: "test", businessDay, restock, items };
	return shop.mutate(caller, saleRefund, args);
}

function end({ shop, caller }: Maker, id: string, businessDay: string) {
	const args = { id: `v-${id}`, saleId: id, reason: "test", businessDay };
	return shop.mutate(caller, saleVoid, args);
}

/** Makes sales, refunds and voids on days inside the window, at its edges and outside it. */
async function tradeOnAllDays(
	maker: Maker,
	env: ReturnType<typeof testEnv>,
	of: string,
	times = 1,
) {
	const id = (n: number) => `${of}-${n}`;
	const quarters = 7 * 60_000 + 30_000;
	await sell(maker, id(1), today, [["milk", 2 * times, 10.000001]], "CARD");
	env.pass(quarters);
	await sell(maker, id(2), today, [
		["bread", 1.5, 20],
		["milk", 1, 9.333333],
		[null, 3, 100],
	]);
	env.pass(quarters);
	await sell(maker, id(3), firstOfWindow, [["salt", 3.000001, 8.5]]);
	env.pass(quarters);
	await sell(maker, id(4), beforeWindow, [["salt", 5, 8.25]], "MPESA");
	env.pass(quarters);
	await sell(maker, id(5), "2026-11-21", [["soap", 2, 30]]);
	env.pass(quarters);
	await sell(maker, id(6), "2026-11-10", [["rope", 4, 25 * times]], "CARD");
	await refund(maker, `r-${id(6)}`, id(6), "2026-11-12", true, 0.5);
	env.pass(quarters);
	await sell(maker, id(7), "2026-11-11", [["tea", 4, 12]]);
	await refund(maker, `r-${id(7)}`, id(7), today, false, 1.333333);
	env.pass(quarters);
	await sell(maker, id(8), "2026-11-11", [["tea", 6, 40]]);
	await end(maker, id(8), today);
	env.pass(quarters);
	await sell(maker, id(9), "2026-10-01", [["ink", 1, 90]]);
	await refund(maker, `r-${id(9)}`, id(9), firstOfWindow, true, 1);
}

test("the sums of two shops in one database are correct when folded, with a tail, as days pass and when a clock is set back", async () => {
	const env = testEnv("2026-11-20T06:00:00.000Z");
	const server = await openTestShop({ env });
	const other = await openTestShop({
		file: server.file,
		businessId: "b",
		env,
	});
	const all = [server, other];
	const check = async (day: string) => {
		for (const { caller, store } of all) {
			await foldTallies(store, caller.businessId, day);
			await assertTalliesRight(store, caller.businessId, day);
		}
	};
	const looking = {
		...other.store,
		read: other.store.read.bind(other.store),
		write: () => Promise.reject(new Error("There was something to do")),
	};
	await foldTallies(looking, "b", today);
	await check(today);
	// The other shop has many more versions.
	const goAhead = () =>
		other.store.write((tx) =>
			tx.run("UPDATE businesses SET head = head + 900 WHERE id = 'b'"),
		);
	const factsLeft = async (businessId: string) => {
		const [row] = await server.rows(
			`SELECT (SELECT count(*) FROM sales WHERE business_id = ? AND version > tallies.version)
			 + (SELECT count(*) FROM refunds WHERE business_id = ? AND version > tallies.version) AS facts
			 FROM tallies WHERE business_id = ?`,
			...[businessId, businessId, businessId],
		);
		return row?.facts;
	};
	await goAhead();
	for (const [i, one] of all.entries())
		await tradeOnAllDays(one, env, "a", i + 1);
	await check(today);
	for (const [i, one] of all.entries())
		await tradeOnAllDays(one, env, "b", i + 2);
	await check(today);
	// A short tail is not folded, a long one is.
	expect(await factsLeft("shop-1")).toBe(13);
	await goAhead();
	await sell(other, "c", today, [["milk", 1, 1]]);
	await check(today);
	expect(await factsLeft("b")).toBe(0);
	await foldTallies(looking, "b", today);
	for (const day of [
		"2026-11-21",
		"2026-11-20",
		"2026-11-22",
		"2026-12-19",
		"2026-11-01",
		"2026-12-31",
		"2026-10-21",
		"2027-03-01",
		"2026-11-20",
	])
		await check(day);
	for (const { caller } of all)
		expect(await factsLeft(caller.businessId)).toBe(0);
});

test("a till's sums are correct with folded, newer and pending facts, and while it pulls everything again", async () => {
	const env = testEnv("2026-11-20T06:00:00.000Z");
	const server = await openTestShop({ env });
	const { businessId } = server.caller;
	const { till, store, caller } = await openTestTill(server);
	const check = () => assertTalliesRight(store, businessId, today);
	await tradeOnAllDays(server, env, "a");
	await till.sync();
	await foldTallies(store, businessId, today);
	await check();
	await tradeOnAllDays(server, env, "b", 2);
	await till.sync();
	await tradeOnAllDays({ shop: till, caller }, env, "c", 3);
	await check();
	const [folded] = await store.read((tx) =>
		tx.all("SELECT version, sales FROM tallies"),
	);
	const { head } = await store.read(async (tx) => ({
		head: Number((await tx.get("SELECT max(version) AS v FROM sales"))?.v),
	}));
	expect(folded?.sales).toBe(9);
	expect(Number(folded?.version)).toBeLessThan(head);
	await store.write((tx) => markUnconfirmed(tx, businessId));
	await check();
	await foldTallies(store, businessId, today);
	await check();
	await store.write((tx) => sweepUnconfirmed(tx, businessId));
	await check();
});

test("the sums of a range cover the days after its start up to its end, in order", async () => {
	const env = testEnv("2026-11-20T06:00:00.000Z");
	const server = await openTestShop({ env, kind: "sqlite" });
	const { store, caller } = server;
	await reverseUnordered(store);
	const days = ["2026-11-03", "2026-11-01", "2026-11-04", "2026-11-02"];
	for (const [i, day] of days.entries())
		await sell(server, `s${i}`, day, [["milk", 1, 10 + i]], `M${i % 2}`);
	const read = async (kind: "day" | "method") =>
		(
			await store.read((tx) =>
				readDaySums(tx, caller.businessId, kind, "2026-11-01", "2026-11-03"),
			)
		).map(({ day, key, sales, revenue }) => [day, key, sales, revenue]);
	const tail = await read("day");
	expect(tail.toSorted()).toEqual([
		["2026-11-02", "", 1, 13_000_000],
		["2026-11-03", "", 1, 10_000_000],
	]);
	await foldTallies(store, caller.businessId, today);
	expect(await read("day")).toEqual(tail.toSorted());
	expect(await read("method")).toEqual([
		["2026-11-02", "M1", 1, 13_000_000],
		["2026-11-03", "M0", 1, 10_000_000],
	]);
	await sell(server, "more", "2026-11-02", [["milk", 1, 1]], "M1");
	expect(await read("method")).toEqual([
		["2026-11-02", "M1", 2, 14_000_000],
		["2026-11-03", "M0", 1, 10_000_000],
	]);
});

test("top products are sorted, folded or new, with ties broken by id", async () => {
	const env = testEnv("2026-11-20T06:00:00.000Z");
	const server = await openTestShop({ env });
	const { store, caller } = server;
	const top = async (by: "revenue" | "profit", limit: number) =>
		(
			await store.read((tx) =>
				readTopProducts(tx, caller.businessId, today, by, limit),
			)
		).map(({ productId }) => productId);
	const old: [string, number][] = [
		["d", 10],
		["c", 10],
		["b", 10],
		["e", 40],
		["a", 9],
	];
	for (const [product, quantity] of old)
		await sell(server, `s-${product}`, today, [[product, quantity, 10]]);
	await foldTallies(store, caller.businessId, today);
	expect(await top("revenue", 3)).toEqual(["e", "b", "c"]);
	// The best folded product is refunded; the last of all is the best now.
	await end(server, "s-e", today);
	await sell(server, "more", today, [["a", 50, 10]]);
	expect(await top("revenue", 3)).toEqual(["a", "b", "c"]);
	expect(await top("profit", 9)).toEqual(["a", "b", "c", "d"]);
	// The window has thirty days, and today is the last.
	for (const [id, day] of [
		["x", beforeWindow],
		["y", firstOfWindow],
		["z", "2026-11-21"],
	] as const)
		await sell(server, id, day, [[id, 99, 10]]);
	expect(await top("revenue", 2)).toEqual(["y", "a"]);
	await foldTallies(store, caller.businessId, "2026-11-21");
	await foldTallies(store, caller.businessId, today);
	expect(await top("revenue", 2)).toEqual(["y", "a"]);
});

test("reading a report moves the window of days by the shop's local time", async () => {
	const env = testEnv("2026-11-20T22:30:00.000Z");
	const server = await openTestShop({ env });
	const { shop, store, caller, rows } = server;
	const b = await openTestShop({ file: server.file, businessId: "b", env });
	await store.write(async (tx) => {
		await tx.run("UPDATE businesses SET cut_off_hour = 1");
		await tx.run("UPDATE businesses SET cut_off_hour = 3 WHERE id = 'b'");
	});
	await sell(server, "s", today, [["milk", 1, 10]]);
	const read = () => shop.ask(caller, dashboardGet, {});
	// Half past one in Nairobi, and half past midnight.
	expect(await read()).toMatchObject({ day: "2026-11-21" });
	expect(await rows("SELECT window_day, sales FROM tallies")).toEqual([
		{ window_day: "2026-11-21", sales: 1 },
	]);
	expect(await shop.ask(b.caller, dashboardGet, {})).toMatchObject({
		day: "2026-11-20",
	});
	env.pass(-3_600_000);
	expect(await read()).toMatchObject({ day: "2026-11-20" });
	expect(await store.read((tx) => countSales(tx, caller.businessId))).toBe(1);
});

test("a report is read from a full disk, and any other failure is thrown", async () => {
	const server = await openTestShop();
	const { store, caller } = server;
	await sell(server, "s", today, [["milk", 1, 10]]);
	const settle = (error: Error) =>
		settleTallies(
			{
				...store,
				read: (fn) => store.read(fn),
				write: () => Promise.reject(error),
			},
			caller.businessId,
			today,
		);
	await settle(new ShopError("storage_full", "Full"));
	await expect(settle(new Error("Torn"))).rejects.toThrow("Torn");
	await assertTalliesRight(store, caller.businessId, today);
});
