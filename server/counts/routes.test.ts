import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

test("a shelf is looked at, counted while it sells, compared and closed over HTTP", async () => {
	const { server, asha } = await twoShops();
	const ask = async (method: string, path: string, body?: object) => {
		const answer = await server.ask(method, path, { as: asha, body });
		expect([answer.status, path]).toEqual([method === "GET" ? 200 : 201, path]);
		return answer.body as never;
	};
	const { id: productId } = (await ask("POST", "/api/products", {
		...{ name: "Rice", buyingPrice: 60, sellingPrice: 100, quantity: 10 },
	})) as { id: string };
	const opened: { count: { id: string } } = await ask("POST", "/api/counts", {
		name: "Shelf 1",
	});
	const path = `/api/counts/${opened.count.id}`;
	const looked: { looks: { id: string }[] } = await ask(
		"POST",
		`${path}/looks`,
		{ productId },
	);
	const lookId = looked.looks[0]?.id;
	const item = { name: "Rice", quantity: 3, price: 100, cost: 60, productId };
	await ask("POST", "/api/sales", { items: [item], paid: 300 });
	await ask("POST", `${path}/entries`, { lookId, counted: 8 });
	expect(await ask("GET", path)).toMatchObject({
		count: { name: "Shelf 1", counted: 1, waiting: 1, closedAt: null },
		looks: [{ id: lookId, name: "Rice", counted: 8 }],
	});
	const found = { counted: 8, expected: 10, difference: -2, value: -120 };
	expect(await ask("GET", `${path}/differences`)).toMatchObject({
		...{ missing: -120, over: 0 },
		lines: [{ ...found, late: 0, isCorrected: false }],
	});
	expect(await ask("POST", `${path}/close`)).toMatchObject({
		count: { counted: 1, waiting: 0, closedAt: expect.any(String) },
		lines: [{ ...found, isCorrected: true }],
	});
	expect(await ask("GET", `/api/products/${productId}`)).toMatchObject({
		quantity: 5,
	});
	expect(await ask("GET", "/api/counts")).toMatchObject([{ waiting: 0 }]);
	for (const [lookIn, status] of [
		["none", 404],
		[lookId, 409],
	])
		expect(
			await server.ask("POST", `${path}/entries`, {
				...{ as: asha, body: { lookId: lookIn, counted: 9 } },
			}),
		).toMatchObject({ status });
});
