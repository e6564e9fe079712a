import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { productUpdate } from "../../sync/entities/product.ts";
import { twoShops } from "../testing/server.ts";

test("the inbox lists problems with their amount at stake", async () => {
	const { server, asha, baraka } = await twoShops();
	const { shop } = server;
	const line = { name: "Milk", cost: 40, productId: "milk" };
	const at = (minutesAgo: number) =>
		new Date(Date.now() - minutesAgo * 60_000).toISOString();
	await shop.mutate(asha.caller, productUpdate, {
		id: "milk",
		set: { sellingPrice: 60 },
	});
	const sell = (id: string, items: object[], moment: string) =>
		shop.push(asha.caller, {
			deviceId: "till-1",
			mutations: [
				{
					id: `m-${id}`,
					name: "sale.create",
					at: moment,
					args: { id, items, receiptNumber: `A-${id}` },
				},
			],
		});
	await sell("over", [{ ...line, id: "1", quantity: 13, price: 60 }], at(-0.1));
	await sell(
		"gone",
		[{ ...line, id: "1", quantity: 1, price: 60, productId: "x" }],
		at(-0.1),
	);
	const { body } = await server.ask("GET", "/api/inbox", { as: asha });
	expect(body).toMatchObject({
		total: 2,
		items: [
			{
				cause: "unknown_product",
				receiptNumber: "A-gone",
				productName: null,
				moneyAtStake: null,
			},
			{
				cause: "oversold",
				receiptNumber: "A-over",
				productName: "Milk",
				quantity: 3,
				moneyAtStake: 180,
				devicePrefix: expect.stringMatching(/^[A-Z]{4}$/),
			},
		],
	});
	const page = await server.ask("GET", "/api/inbox?limit=1&offset=1", {
		as: asha,
	});
	expect(page.body).toMatchObject({ total: 2, items: [{ cause: "oversold" }] });
	expect((await server.ask("GET", "/api/inbox", { as: baraka })).body).toEqual({
		items: [],
		total: 0,
	});
	expect((await server.ask("GET", "/api/inbox")).status).toBe(401);
});

test("the amount at stake uses the sale's price, or the difference to the current price", async () => {
	const { server, asha } = await twoShops();
	const { shop } = server;
	const price = (sellingPrice: number) =>
		shop.mutate(asha.caller, productUpdate, {
			id: "milk",
			set: { sellingPrice },
		});
	await price(60);
	// An edit and a sale in the same millisecond would have no order.
	await setTimeout(2);
	// The till has not pulled the price of 60 yet, and sells more at 50 than is in stock.
	await shop.push(asha.caller, {
		deviceId: "till-1",
		mutations: [
			{
				id: "m",
				name: "sale.create",
				at: new Date().toISOString(),
				args: {
					id: "s",
					items: [
						{
							id: "1",
							name: "Milk",
							quantity: 12,
							price: 50,
							cost: 40,
							productId: "milk",
						},
					],
				},
			},
		],
	});
	await price(65.5);
	const { body } = await server.ask("GET", "/api/inbox", { as: asha });
	const { items } = body as { items: Record<string, unknown>[] };
	expect(
		items.map(({ cause, moneyAtStake }) => [cause, moneyAtStake]).toSorted(),
	).toEqual([
		["old_price", 12 * 15.5],
		["oversold", 2 * 50],
	]);
});
