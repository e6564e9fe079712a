import { describe, expect, test } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import { businessDay, toIso } from "../../sync/protocol/clock.ts";
import { businessToday } from "../../sync/queries/business.ts";
import { saleArgs } from "../../sync/testing/shop.ts";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const days = "from=2026-11-01&to=2026-11-30";
const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path: `/api/reports/period?${days}`,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "requires its days",
		method: "GET",
		path: "/api/reports/period?from=2026-11-01",
		status: 400,
		answer: { error: expect.stringContaining("to:") },
	},
	{
		what: "refuses a day that does not exist",
		method: "GET",
		path: "/api/reports/products?from=2026-11-31&to=2026-12-01",
		status: 400,
		answer: { error: expect.stringContaining("from:") },
	},
	{
		what: "refuses days in the wrong order",
		method: "GET",
		path: "/api/reports/categories?from=2026-11-02&to=2026-11-01",
		status: 400,
		answer: { error: "to: must not be before from" },
	},
	{
		what: "returns zeros before the first sale",
		method: "GET",
		path: `/api/reports/period?${days}&by=month`,
		status: 200,
		answer: {
			total: { salesCount: 0, revenue: 0 },
			before: { from: "2026-10-02", to: "2026-10-31" },
			bars: [{ key: "2026-11", revenue: 0 }],
			paymentMethods: [],
			lines: { withoutCost: 0, revenueWithoutCost: 0 },
		},
	},
	{
		what: "returns an empty letter before the first sale",
		method: "GET",
		path: "/api/reports/letter",
		status: 200,
		answer: { usual: null, soldOut: [], odd: [] },
	},
];

describe("/api/reports", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("the products of a period come page by page", async () => {
		const { server, asha } = await twoShops();
		const today = businessDay(toIso(Date.now()), "Africa/Nairobi", 0);
		for (const [i, price] of [30, 10, 20].entries())
			await server.shop.mutate(asha.caller, saleCreate, {
				...saleArgs(`s${i}`, [{ price, productId: `p${i}` }]),
				businessDay: today,
			});
		const read = async (more: string) => {
			const path = `/api/reports/products?from=${today}&to=${today}&limit=2${more}`;
			const { status, body } = await server.ask("GET", path, { as: asha });
			expect(status).toBe(200);
			return body as {
				rows: { revenue: number }[];
				nextCursor: string | null;
			};
		};
		const first = await read("&order=asc");
		expect(first.rows.map(({ revenue }) => revenue)).toEqual([10, 20]);
		const cursor = encodeURIComponent(first.nextCursor ?? "");
		const second = await read(`&order=asc&cursor=${cursor}`);
		expect(second.rows.map(({ revenue }) => revenue)).toEqual([30]);
		expect(second.nextCursor).toBeNull();
	});

	test("a sale by several tenders counts for each of them, wherever money is shown by method", async () => {
		const { server, asha } = await twoShops();
		const { shop } = server;
		const sell = (id: string, paid: object) =>
			shop.mutate(asha.caller, saleCreate, { ...saleArgs(id), ...paid });
		const price = saleArgs("s").items[0]?.price ?? 0;
		await sell("plain", { paid: price + 20 });
		await sell("split", {
			tenders: [
				{ method: "MPESA", amount: price - 10 },
				{ method: "CASH", amount: 30 },
			],
		});
		const ask = async (path: string) =>
			(await server.ask("GET", path, { as: asha })).body as never;
		const tenders = [
			{ method: "CASH", salesCount: 2, amount: price + 10, refunded: 0 },
			{ method: "MPESA", salesCount: 1, amount: price - 10, refunded: 0 },
		];
		const paymentMethods = [
			{ paymentMethod: "CASH", salesCount: 1, revenue: price },
			{ paymentMethod: "MIXED", salesCount: 1, revenue: price },
		];
		const { day } = await shop.ask(asha.caller, businessToday, {});
		for (const path of [
			"/api/dashboard",
			`/api/reports/period?from=${day}&to=${day}`,
		])
			expect(await ask(path)).toMatchObject({ tenders, paymentMethods });
		const mpesa = "/api/sales-history?paymentMethod=MPESA";
		expect(await ask(mpesa)).toMatchObject({
			sales: [
				{
					id: "split",
					paymentMethod: "MIXED",
					tenders: [
						{ method: "MPESA", amount: price - 10 },
						{ method: "CASH", amount: 10 },
					],
				},
			],
		});
		const file = await server.ask("GET", "/api/sales-history.csv", {
			as: asha,
		});
		expect(file.text).toContain(`MPESA ${price - 10} + CASH 10`);
	});
});
