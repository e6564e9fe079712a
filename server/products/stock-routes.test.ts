import { describe, expect, test } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import { stockAdjust } from "../../sync/entities/stock.ts";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const path = "/api/products/milk/movements";

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
		what: "changes the stock with a reason",
		method: "POST",
		path,
		body: { delta: -1.5, reason: "damage", note: "Fell" },
		status: 201,
		answer: { productId: "milk", delta: -1.5, reason: "damage", note: "Fell" },
	},
	{
		what: "refuses an unknown reason",
		method: "POST",
		path,
		body: { delta: 1, reason: "magic" },
		status: 400,
		answer: { error: expect.stringContaining("reason") },
	},
	{
		what: "names an invalid amount",
		method: "POST",
		path,
		body: { delta: "1", reason: "count" },
		status: 400,
		answer: { error: expect.stringContaining("delta") },
	},
	...["GET", "POST"].map((method) => ({
		what: "returns 404 for another business's product",
		method,
		path: "/api/products/canary/movements",
		...(method === "POST" ? { body: { delta: 1, reason: "count" } } : {}),
		status: 404,
		exactly: { error: "Product not found" },
	})),
];

describe("/api/products/:id/movements", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("the movements of a product show how its stock changed, and by whom", async () => {
		const { server, asha } = await twoShops();
		await server.shop.mutate(asha.caller, saleCreate, {
			id: "s",
			items: [
				{
					id: "1",
					name: "Milk",
					quantity: 3,
					price: 50,
					cost: 40,
					productId: "milk",
				},
			],
		});
		const body = { delta: 5, reason: "received" };
		await server.ask("POST", path, { as: asha, body });
		const { body: history } = await server.ask("GET", path, { as: asha });
		const { movements } = history as {
			movements: { reason: string; delta: number; userName: string }[];
		};
		expect(
			movements.map(({ reason, delta, userName }) => [reason, delta, userName]),
		).toEqual(
			expect.arrayContaining([
				["opening", 10, "Asha"],
				["sale", -3, "Asha"],
				["received", 5, "Asha"],
			]),
		);
		const { body: milk } = await server.ask("GET", "/api/products/milk", {
			as: asha,
		});
		expect(milk).toMatchObject({ quantity: 12 });
	});

	test("paging lists each movement once, with the stock after it", async () => {
		const { server, asha } = await twoShops();
		for (const [id, delta] of [
			["a_b", 5],
			["a_c", -1.5],
			["a_a", 0.1],
		] as const)
			await server.shop.mutate(asha.caller, stockAdjust, {
				id,
				productId: "milk",
				delta,
				reason: "count",
			});
		await server.shop.store.write((tx) =>
			tx.run(
				"UPDATE stock_movements SET created_at = CASE reason WHEN 'opening' THEN '2026-11-20T08:00:00.000Z' ELSE '2026-11-20T09:00:00.000Z' END",
			),
		);
		const seen: [number, number][] = [];
		for (let cursor: string | null = ""; cursor !== null; ) {
			const { body } = await server.ask(
				"GET",
				`${path}?limit=1&cursor=${cursor}`,
				{ as: asha },
			);
			const page = body as {
				movements: { delta: number; quantityAfter: number }[];
				nextCursor: string | null;
			};
			for (const { delta, quantityAfter } of page.movements)
				seen.push([delta, quantityAfter]);
			cursor = page.nextCursor;
		}
		expect(seen).toEqual([
			[-1.5, 13.6],
			[5, 15.1],
			[0.1, 10.1],
			[10, 10],
		]);
		const { body: milk } = await server.ask("GET", "/api/products/milk", {
			as: asha,
		});
		expect(milk).toMatchObject({ quantity: 13.6 });
	});

	test("a cashier can't change stock", async () => {
		const { server, asha } = await twoShops();
		const cashier = await server.addUser("Chege", {
			businessId: asha.businessId,
			role: "CASHIER",
		});
		expect(
			await server.ask("POST", path, {
				as: cashier,
				body: { delta: 1, reason: "count" },
			}),
		).toMatchObject({ status: 403 });
	});
});
