import { expect, test } from "vitest";
import { twoShops } from "../testing/server.ts";

test("a product's further codes are added, listed, found and removed, each in its own shop", async () => {
	const { server, asha, baraka } = await twoShops();
	const ask = (method: string, path: string, body?: object, as = asha) =>
		server.ask(method, `/api${path}`, { as, body });
	const made = async (name: string, sku?: string) => {
		const { body } = await ask("POST", "/products", { name, sku });
		return (body as { id: string }).id;
	};
	const [milk, soda] = [await made("Milk"), await made("Soda", "SODA")];
	const code = "036000291452";
	const added = await ask("POST", `/products/${milk}/codes`, { code });
	expect(added).toMatchObject({
		...{ status: 201, body: { productId: milk, code } },
	});
	const one = `/product-codes/${(added.body as { id: string }).id}`;
	expect((await ask("GET", `/products/${milk}/codes`)).body).toEqual([
		added.body,
	]);
	expect((await ask("GET", "/product-codes")).body).toEqual([added.body]);
	expect((await ask("GET", one)).body).toEqual(added.body);
	const find = (code: string, as = asha) =>
		ask("GET", `/products/by-code?code=${code}`, undefined, as);
	expect((await find("0036000291452")).body).toMatchObject({
		...{ product: { id: milk }, others: [], label: null },
	});
	expect((await find(code, baraka)).body).toMatchObject({ product: null });

	for (const taken of ["00036000291452", "soda"]) {
		const product = taken === "soda" ? milk : soda;
		const name = taken === "soda" ? "Soda" : "Milk";
		expect(
			await ask("POST", `/products/${product}/codes`, { code: taken }),
		).toMatchObject({
			...{ status: 409, body: { error: `"${name}" has this code` } },
		});
	}
	for (const [method, path, body] of [
		["POST", `/products/${milk}/codes`, { code: "1" }],
		["GET", one],
		["DELETE", one],
	] as const)
		expect((await ask(method, path, body, baraka)).status).toBe(404);
	expect(await ask("POST", `/products/${soda}/codes`, {})).toMatchObject({
		status: 400,
	});

	expect(await ask("DELETE", one)).toMatchObject({
		...{ status: 200, body: { ok: true } },
	});
	expect((await ask("GET", "/product-codes")).body).toEqual([]);
	expect((await find(code)).body).toMatchObject({ product: null });
});

test("a code of a pack needs a pack of its product", async () => {
	const { server, asha } = await twoShops();
	const ask = (path: string, body: object) =>
		server.ask("POST", `/api/products${path}`, { as: asha, body });
	const idOf = ({ body }: { body: unknown }) => (body as { id: string }).id;
	const soda = idOf(await ask("", { name: "Soda" }));
	const carton = { name: "Carton", size: 24 };
	const packId = idOf(await ask(`/${soda}/packs`, carton));
	const code = "15449000000993";
	expect(await ask("/milk/codes", { code, packId })).toMatchObject({
		status: 400,
		body: { error: "packId: Must be a pack of the product" },
	});
	expect(await ask(`/${soda}/codes`, { code, packId: "none" })).toMatchObject({
		status: 404,
	});
	expect(await ask(`/${soda}/codes`, { code, packId })).toMatchObject({
		status: 201,
	});
});
