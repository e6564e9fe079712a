import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

test("a supplier brings goods in packs, gets some back, is paid and removed over HTTP", async () => {
	const { server, asha } = await twoShops();
	const ask = async <T = { id: string }>(
		method: string,
		path: string,
		body?: object,
		expected = method === "POST" ? 201 : 200,
	): Promise<T> => {
		const answer = await server.ask(method, path, { as: asha, body });
		expect([answer.status, path]).toEqual([expected, path]);
		return answer.body as T;
	};
	const { id: productId } = await ask("POST", "/api/products", {
		...{ name: "Soda", buyingPrice: 40, sellingPrice: 60, quantity: 0 },
	});
	const product = `/api/products/${productId}`;
	const { id: packId } = await ask("POST", `${product}/packs`, {
		...{ name: "Crate", size: 24 },
	});
	const { id: supplierId } = await ask("POST", "/api/suppliers", {
		...{ name: "Bottlers", phone: "0712 345 678", note: "" },
	});
	const supplier = `/api/suppliers/${supplierId}`;
	expect(await ask("PATCH", supplier, { note: "Tuesdays" })).toMatchObject({
		...{ name: "Bottlers", note: "Tuesdays", balance: 0 },
	});
	const delivery = {
		...{ id: "d", supplierId, number: "INV-1" },
		items: [{ productId, packId, quantity: 2, cost: 1_080 }],
		tenders: [{ method: "CASH", amount: 1_000 }],
	};
	for (let i = 0; i < 2; i += 1)
		expect(await ask("POST", "/api/deliveries", delivery)).toMatchObject({
			...{ id: "d", total: 2_160, paid: 1_000, supplierName: "Bottlers" },
			items: [{ name: "Soda", packName: "Crate", packSize: 24 }],
		});
	expect(await ask("GET", product)).toMatchObject({
		...{ quantity: 48, buyingPrice: 45 },
	});
	await ask("POST", "/api/deliveries", {
		...{ supplierId, isReturn: true },
		items: [{ productId, quantity: 4, cost: 45 }],
	});
	const paid = { tenders: [{ method: "BANK", amount: 500 }] };
	expect(await ask("POST", `${supplier}/payments`, paid)).toMatchObject({
		balance: 2_160 - 1_000 - 180 - 500,
	});
	const entries = await ask<{ amount: number }[]>("GET", `${supplier}/entries`);
	expect(entries.map(({ amount }) => amount).sort()).toEqual([
		-1000, -180, -500, 2160,
	]);
	expect(await ask("GET", `${product}/costs`)).toMatchObject({
		...{ last: 45, average: 45 },
	});
	expect(await ask("GET", `${product}/costs?day=2020-01-01`)).toMatchObject({
		...{ last: null, deliveries: [] },
	});
	const found = `/api/deliveries?supplierId=${supplierId}`;
	expect(await ask("GET", found)).toHaveLength(2);
	expect(await ask("GET", "/api/deliveries?to=2020-01-01")).toEqual([]);
	await ask("DELETE", supplier);
	expect(await ask("GET", "/api/suppliers")).toEqual([]);
	for (const [path, body, status] of [
		["/api/deliveries", { ...delivery, id: undefined, supplierId: "no" }, 404],
		["/api/deliveries", { items: [{ productId, quantity: 0, cost: 1 }] }, 400],
		["/api/deliveries", { items: [] }, 400],
		[
			"/api/deliveries",
			{ items: [{ productId: "no", quantity: 1, cost: 1 }] },
			404,
		],
		["/api/suppliers", { note: "Nobody" }, 400],
		["/api/suppliers/no/payments", paid, 404],
	] as const)
		await ask("POST", path, body, status);
	expect(await ask("GET", "/api/deliveries/d")).toMatchObject({
		supplierName: "Bottlers",
	});
});
