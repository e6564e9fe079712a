import { describe, expect, test } from "vitest";
import { businessUpdate } from "../../sync/entities/business.ts";
import { productCreate, productUpdate } from "../../sync/entities/product.ts";
import { saleRefund, saleVoid } from "../../sync/entities/refund.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { addDays, businessDay, toIso } from "../../sync/protocol/clock.ts";
import { dashboardGet } from "../../sync/queries/dashboard.ts";
import { openTestShop, saleArgs, testEnv } from "../../sync/testing/shop.ts";
import {
	expectScenario,
	type Scenario,
	type TestServer,
	type TestUser,
	twoShops,
} from "../testing/server.ts";

const path = "/api/dashboard";
const nothing = {
	salesCount: 0,
	revenue: 0,
	cost: 0,
	profit: 0,
	refunded: 0,
	averageBasket: null,
};

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "is not allowed",
		method: "POST",
		path,
		status: 405,
		exactly: { error: "Method not allowed" },
	},
	{
		what: "returns zeros before the first sale",
		method: "GET",
		path,
		status: 200,
		answer: {
			currency: "KES",
			timeZone: "Africa/Nairobi",
			today: nothing,
			yesterday: nothing,
			last7Days: nothing,
			last30Days: nothing,
			salesByDay: Array.from({ length: 30 }, () => nothing),
			salesByHour: Array.from({ length: 24 }, (_, hour) => ({
				hour,
				...nothing,
			})),
			paymentMethods: [],
			topProducts: { byRevenue: [], byProfit: [] },
			lowStock: [],
			lowStockCount: 0,
			recentSales: [],
		},
	},
];

/** A shop, its business day, and a function that sells on other days. */
async function openDay() {
	const { server, asha } = await twoShops();
	const today = businessDay(toIso(Date.now()), "Africa/Nairobi", 0);
	let last = 0;
	return {
		server,
		asha,
		today,
		async sell(daysAgo: number, more: object = {}) {
			last += 1;
			const id = `s${last}`;
			await server.shop.mutate(asha.caller, saleCreate, {
				...saleArgs(id),
				businessDay: addDays(today, -daysAgo),
				...more,
			});
			return id;
		},
		look: () => look(server, asha),
	};
}

async function look(server: TestServer, as: TestUser) {
	const { status, body } = await server.ask("GET", path, { as });
	expect(status).toBe(200);
	// biome-ignore lint/suspicious/noExplicitAny: the tests read many parts of the answer.
	return body as any;
}

describe(path, () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("the dashboard sums up today, yesterday, and the last 7 and 30 days", async () => {
		const { sell, look, today } = await openDay();
		for (const daysAgo of [0, 0, 1, 6, 7, 29, 30, -1]) await sell(daysAgo);
		const seen = await look();
		const days = (salesCount: number) => ({
			salesCount,
			revenue: 50 * salesCount,
			cost: 40 * salesCount,
			profit: 10 * salesCount,
			refunded: 0,
			averageBasket: 50,
		});
		expect(seen).toMatchObject({
			day: today,
			today: days(2),
			yesterday: days(1),
			last7Days: days(4),
			last30Days: days(6),
		});
		expect(seen.salesByDay).toHaveLength(30);
		expect(seen.salesByDay.at(0)).toEqual({
			day: addDays(today, -29),
			...days(1),
		});
		expect(seen.salesByDay.at(-1)).toEqual({ day: today, ...days(2) });
		expect(seen.recentSales).toHaveLength(8);
		expect(seen.recentSales[0]).toMatchObject({ id: "s8", profit: 10 });
	});

	test("the dashboard subtracts a refund on its own day and a voided sale on the sale's day", async () => {
		const { server, asha, sell, look } = await openDay();
		const old = await sell(1);
		const bought = await sell(0, {
			...saleArgs("b", [{ quantity: 4, price: 30, cost: 10 }]),
		});
		expect(bought).toBe("s2");
		await server.shop.mutate(asha.caller, saleVoid, {
			id: "v",
			saleId: old,
			reason: "by mistake",
		});
		const taken = { saleId: "b", reason: "broken" };
		const items = [{ id: "1", itemId: "1", quantity: 1 }];
		await server.shop.mutate(asha.caller, saleRefund, {
			id: "r1",
			...taken,
			restock: true,
			items,
		});
		await server.shop.mutate(asha.caller, saleRefund, {
			id: "r2",
			...taken,
			items,
		});
		expect(await look()).toMatchObject({
			today: {
				salesCount: 1,
				revenue: 120 - 30 - 30 - 50,
				// The second refund was not restocked, so its cost stays.
				cost: 40 - 10 - 40,
				refunded: 110,
			},
			yesterday: { salesCount: 0, revenue: 50, cost: 40, averageBasket: null },
			last7Days: { salesCount: 1, revenue: 60, cost: 30, profit: 30 },
		});
	});

	test("the dashboard lists payment methods by revenue, highest first", async () => {
		const { sell, look } = await openDay();
		await sell(3);
		await sell(2, { paymentMethod: "MPESA" });
		await sell(0, { paymentMethod: "MPESA" });
		expect((await look()).paymentMethods).toMatchObject([
			{ paymentMethod: "MPESA", salesCount: 2, revenue: 100 },
			{ paymentMethod: "CASH", salesCount: 1, revenue: 50 },
		]);
	});

	test("the dashboard ranks ten products by revenue and by profit, including unknown products", async () => {
		const { sell, look } = await openDay();
		for (let i = 0; i < 12; i += 1)
			await sell(i, {
				...saleArgs(`t${i}`, [
					{ productId: `p${i}`, price: 100 + i, cost: 10 * i, quantity: 0.5 },
				]),
			});
		await sell(0, saleArgs("m", [{ productId: "milk", quantity: 9 }]));
		await sell(0, saleArgs("none", [{ quantity: 99 }]));
		const { byRevenue, byProfit } = (await look()).topProducts;
		expect(byRevenue).toHaveLength(10);
		expect(byRevenue.slice(0, 2)).toEqual([
			{
				productId: "milk",
				name: "Milk",
				quantity: 9,
				revenue: 450,
				profit: 90,
			},
			{
				productId: "p11",
				name: null,
				quantity: 0.5,
				revenue: 55.5,
				profit: 0.5,
			},
		]);
		expect(
			byProfit.map(({ productId }: { productId: string }) => productId),
		).toEqual(["milk", ..."012345678".split("").map((n) => `p${n}`)]);
	});

	test("the dashboard lists products low on stock, lowest first, without services", async () => {
		const { server, asha, look } = await openDay();
		const add = (id: string, more: object) =>
			server.shop.mutate(asha.caller, productCreate, {
				id,
				name: id,
				buyingPrice: 1,
				sellingPrice: 2,
				...more,
			});
		await add("bread", { quantity: 5 });
		await add("salt", { quantity: 6 });
		await add("rope", { quantity: 60, lowStock: 100 });
		await add("soap", { quantity: -2 });
		await add("repair", { isService: true });
		await add("gone", {});
		await server.shop.mutate(asha.caller, productUpdate, {
			id: "gone",
			set: { isActive: false },
		});
		const seen = await look();
		expect(seen.lowStock.map(({ id }: { id: string }) => id)).toEqual([
			"soap",
			"bread",
			"rope",
		]);
		expect(seen.lowStockCount).toBe(3);
		for (let i = 0; i < 20; i += 1)
			await add(`more-${i}`, { quantity: i - 30 });
		const more = await look();
		expect(more.lowStock).toHaveLength(20);
		expect(more.lowStock[0].quantity).toBe(-30);
		expect(more.lowStockCount).toBe(3 + 20);
	});

	test("the dashboard is exact after hundreds of sales and during new ones", async () => {
		const { server, asha, look } = await openDay();
		const sell = (from: number) =>
			server.shop.mutateAll(
				asha.caller,
				Array.from({ length: 150 }, (_, i) => ({
					mutation: saleCreate,
					args: saleArgs(`x${from + i}`, [{ productId: "milk" }]),
				})),
			);
		for (const count of [150, 300, 450, 600]) {
			await sell(count);
			expect(await look()).toMatchObject({
				today: { salesCount: count, revenue: 50 * count },
				topProducts: { byRevenue: [{ quantity: count }] },
			});
			expect(
				(await server.ask("GET", "/api/sales", { as: asha })).body,
			).toMatchObject({ total: count });
		}
		expect(await server.rows("SELECT sales FROM tallies")).toEqual([
			{ sales: 450 },
		]);
	});
});

test("the dashboard counts days and hours in the shop's time zone", async () => {
	// Five minutes past midnight in Kathmandu, at UTC+5:45.
	const env = testEnv("2026-11-20T18:20:00.000Z");
	const { shop, caller } = await openTestShop({ env });
	await shop.mutate(caller, businessUpdate, {
		set: { timeZone: "Asia/Kathmandu" },
	});
	await shop.mutate(caller, saleCreate, saleArgs("s"));
	const read = () => shop.ask(caller, dashboardGet, {});
	const midnight = await read();
	expect(midnight).toMatchObject({
		day: "2026-11-21",
		today: { salesCount: 1 },
	});
	expect(midnight.salesByHour[0]).toMatchObject({ hour: 0, salesCount: 1 });
	expect(midnight.salesByHour[18]).toMatchObject({ hour: 18, salesCount: 0 });
	// With a cut-off hour, a bar's night counts as one day.
	await shop.mutate(caller, businessUpdate, { set: { cutOffHour: 4 } });
	await shop.mutate(caller, saleCreate, saleArgs("late"));
	expect(await read()).toMatchObject({
		day: "2026-11-20",
		today: { salesCount: 1 },
		last30Days: { salesCount: 1 },
	});
	env.pass(24 * 3_600_000);
	expect(await read()).toMatchObject({
		day: "2026-11-21",
		today: { salesCount: 1 },
		yesterday: { salesCount: 1 },
	});
});
