import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { productUpdate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
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

test("dismissed items leave the inbox until they are reopened, and only for their own shop", async () => {
	const { server, asha, baraka } = await twoShops();
	const sell = (id: string) =>
		server.shop.mutate(asha.caller, saleCreate, {
			id,
			items: [
				{
					...{ id: "1", name: "Ghee", productId: "ghee" },
					...{ quantity: 1, price: 5, cost: 4 },
				},
			],
		});
	await sell("one");
	await sell("other");
	const list = async () =>
		(await server.ask("GET", "/api/inbox", { as: asha })).body as {
			items: { id: string }[];
			total: number;
		};
	const post = (path: string, as: typeof asha, body: object) =>
		server.ask("POST", `/api/inbox/${path}`, { as, body });
	const groups = async (path = "groups") =>
		(await server.ask("GET", `/api/inbox/${path}`, { as: asha })).body;
	const ids = (await list()).items.map(({ id }) => id);
	expect(ids).toHaveLength(2);
	expect(await groups()).toMatchObject([
		{ cause: "unknown_product", items: 2, soldAs: "Ghee" },
	]);

	expect(
		(await post("dismiss", baraka, { ids, reason: "right" })).body,
	).toEqual({ groups: 0 });
	expect((await list()).total).toBe(2);

	const dismissed = await post("dismiss", asha, { ids, reason: "right" });
	expect(dismissed).toMatchObject({ status: 200, body: { groups: 0 } });
	expect(await list()).toEqual({ items: [], total: 0 });
	expect(await groups()).toEqual([]);
	expect(await groups("dismissed")).toMatchObject([
		{ items: 2, reason: "right", userName: "Asha", dismissedBy: asha.id },
	]);

	const reopened = await post("reopen", asha, { ids: ids.slice(0, 1) });
	expect(reopened).toMatchObject({ status: 200, body: { groups: 1 } });
	expect(await list()).toMatchObject({ total: 1, items: [{ id: ids[0] }] });

	for (const body of [{ ids: [] }, { ids, reason: " " }, { reason: "right" }])
		expect((await post("dismiss", asha, body)).status).toBe(400);
});
