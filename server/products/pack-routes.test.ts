import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

test("a product's packs are added, changed, sold, scanned and removed, each in its own shop", async () => {
	const { server, asha, baraka } = await twoShops();
	const ask = (method: string, path: string, body?: object, as = asha) =>
		server.ask(method, `/api${path}`, { as, body });
	const soda = {
		...{ name: "Soda", unit: "bottle", quantity: 100 },
		...{ buyingPrice: 40, sellingPrice: 60 },
	};
	const made = await ask("POST", "/products", soda);
	const { id } = made.body as { id: string };
	expect(made.body).toMatchObject({ unit: "bottle" });
	expect(made.body).not.toHaveProperty("packs");
	const carton = { name: "Carton", size: 24, sellingPrice: 1_400 };
	const added = await ask("POST", `/products/${id}/packs`, carton);
	expect(added).toMatchObject({
		...{ status: 201, body: { ...carton, productId: id, isActive: true } },
	});
	const packId = (added.body as { id: string }).id;
	const one = `/product-packs/${packId}`;
	for (const path of [`/products/${id}/packs`, "/product-packs"])
		expect((await ask("GET", path)).body).toEqual([added.body]);
	expect((await ask("GET", one)).body).toEqual(added.body);
	expect((await ask("GET", `/products/${id}`)).body).toMatchObject({
		packs: [{ id: packId, ...carton, isActive: true }],
	});
	await ask("POST", `/products/${id}/codes`, { code: "SODA-24", packId });
	expect(
		(await ask("GET", "/products/by-code?code=soda-24")).body,
	).toMatchObject({ product: { id }, packIds: { [id]: packId } });

	const line = { name: "Soda", price: 1_400, cost: 960, productId: id, packId };
	const sell = (more: object, as = asha) =>
		ask("POST", "/sales", { items: [{ ...line, quantity: 2, ...more }] }, as);
	const sold = await sell({});
	expect(sold.body).toMatchObject({
		...{ total: 2_800, cost: 1_920 },
		items: [
			{
				...{ packId, packName: "Carton", packSize: 24, quantity: 2 },
				unit: "bottle",
			},
		],
	});
	const stock = async () =>
		((await ask("GET", `/products/${id}`)).body as { quantity: number })
			.quantity;
	expect(await stock()).toBe(52);
	expect(await sell({ productId: null })).toMatchObject({
		status: 400,
		text: expect.stringContaining("items.0.packId"),
	});
	await ask("PATCH", one, { size: 0.5, isActive: false });
	expect(await sell({ quantity: 0.000001 })).toMatchObject({
		status: 400,
		text: expect.stringContaining("items.0.quantity"),
	});
	const { id: saleId, items } = sold.body as {
		id: string;
		items: { id: string }[];
	};
	await ask("POST", `/sales/${saleId}/refunds`, {
		...{ reason: "Sour", restock: true },
		items: [{ itemId: items[0]?.id, quantity: 1 }],
	});
	expect(await stock()).toBe(76);

	for (const [method, path, body] of [
		["POST", `/products/${id}/packs`, carton],
		["GET", one],
		["PATCH", one, { size: 1 }],
		["DELETE", one],
	] as const)
		expect((await ask(method, path, body, baraka)).status).toBe(404);
	expect((await sell({ productId: null }, baraka)).status).toBe(404);
	for (const wrong of [{}, { name: "Tray" }, { name: "Tray", size: 0 }])
		expect(await ask("POST", `/products/${id}/packs`, wrong)).toMatchObject({
			status: 400,
		});
	expect(await ask("DELETE", one)).toMatchObject({
		...{ status: 200, body: { ok: true } },
	});
	expect((await ask("GET", "/product-packs")).body).toEqual([]);
	expect((await ask("GET", `/sales/${saleId}`)).body).toMatchObject({
		items: [{ packName: "Carton" }],
	});
});

test("a file leaves out the code of a pack that is gone, and can give it to another pack or the unit", async () => {
	const { server, asha } = await twoShops();
	const ask = (method: string, path: string, body?: object | string) =>
		server.ask(method, `/api${path}`, { as: asha, body });
	const find = async (code: string) =>
		(await ask("GET", `/products/by-code?code=${code}`)).body;
	const carton = { name: "Carton", size: 24, sellingPrice: 1_400 };
	const { body: pack } = await ask("POST", "/products/milk/packs", carton);
	const { id: packId } = pack as { id: string };
	for (const code of ["MILK-24", "MILK-OLD"])
		await ask("POST", "/products/milk/codes", { code, packId });
	expect((await ask("GET", "/products.csv")).text).toContain(
		",Carton;24;1400;yes;MILK-24;MILK-OLD,",
	);
	await ask("DELETE", `/product-packs/${packId}`);
	const { text } = await ask("GET", "/products.csv");
	expect(text).toContain("Milk,");
	expect(text).not.toContain("MILK-");
	const given =
		"name,sku,codes,packs\nMilk,111,MILK-OLD,Carton;24;1400;yes;MILK-24\n";
	for (const updated of [1, 0])
		expect((await ask("POST", "/imports/products", given)).body).toMatchObject({
			...{ updated, unchanged: 1 - updated, refused: [] },
		});
	const again = (await ask("GET", "/products/milk/packs")).body as [
		{ id: string },
	];
	expect(await find("MILK-24")).toMatchObject({
		...{ product: { id: "milk" }, packIds: { milk: again[0].id } },
	});
	expect(await find("MILK-OLD")).toMatchObject({
		...{ product: { id: "milk" }, packIds: {} },
	});
});
