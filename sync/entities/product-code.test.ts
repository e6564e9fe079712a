import { expect, test } from "vitest";
import { productList } from "../queries/product.ts";
import { codeList } from "../queries/product-code.ts";
import { productByCode, productFind } from "../queries/product-search.ts";
import { expectInStep, openTestShop, openTestTill } from "../testing/shop.ts";
import { productCreate, productDelete } from "./product.ts";
import { codeCreate, codeDelete } from "./product-code.ts";

const price = { buyingPrice: 40, sellingPrice: 50 };
const ean = "4006381333931";

async function openWithGoods() {
	const server = await openTestShop();
	const { shop, caller } = server;
	for (const [id, sku] of [
		["milk", "036000291452"],
		["soda", null],
	] as const)
		await shop.mutate(caller, productCreate, { id, name: id, sku, ...price });
	const add = (id: string, productId: string, code: string) =>
		shop.mutate(caller, codeCreate, { id, productId, code });
	const find = async (code: string) => {
		const found = await shop.ask(caller, productByCode, { code });
		return [found.product, ...found.others].map((one) => one?.id);
	};
	return { server, shop, caller, add, find };
}

test("a product is found by each of its codes, in any form of a barcode, until the code is taken from it", async () => {
	const { shop, caller, add, find } = await openWithGoods();
	await add("c1", "milk", "Crate-7");
	await add("c2", "milk", "04252614");
	for (const code of ["crate-7", "042100005264", "0042100005264"])
		expect(await find(code)).toEqual(["milk"]);
	for (const code of ["0036000291452", "00036000291452", " 036000291452"])
		expect(await find(code)).toEqual(["milk"]);
	const search = async (words: string) => {
		const { products } = await shop.ask(caller, productFind, { words });
		return products.map(({ id }) => id);
	};
	for (const words of ["crate", "252614", "042100005264"])
		expect(await search(words)).toEqual(["milk"]);
	const without = async () => {
		const asked = { filter: "noCode" } as const;
		const { rows } = await shop.ask(caller, productList, asked);
		return rows.map(({ id }) => id);
	};
	expect(await without()).toEqual(["soda"]);
	await add("c3", "soda", ean);
	expect(await without()).toEqual([]);
	await shop.mutate(caller, codeDelete, { id: "c3" });
	expect(await without()).toEqual(["soda"]);
	expect(await find(ean)).toEqual([undefined]);
	const { rows } = await shop.ask(caller, codeList, {});
	expect(rows.map(({ code }) => code)).toEqual(["Crate-7", "04252614"]);
});

test("a code that another product on sale has is refused in each of its forms, and free once that one is sold no more", async () => {
	const { shop, caller, add, find } = await openWithGoods();
	await add("c1", "milk", "04252614");
	const taken = { code: "code_taken", field: "code" };
	for (const code of ["042100005264", "0036000291452"])
		await expect(add("c2", "soda", code)).rejects.toMatchObject(taken);
	await shop.mutate(caller, productDelete, { id: "milk" });
	await add("c2", "soda", "0036000291452");
	expect(await find("036000291452")).toEqual(["soda"]);
});

test("two tills without a network may give one code to two products: both keep it, and a till that finds two can ask", async () => {
	const { server } = await openWithGoods();
	const a = await openTestTill(server);
	const b = await openTestTill(server);
	for (const { till } of [a, b]) await till.sync();
	for (const [{ till, caller }, productId] of [
		[a, "milk"],
		[b, "soda"],
	] as const)
		await till.mutate(caller, codeCreate, {
			...{ id: `of ${productId}`, productId, code: ean },
		});
	for (const { till } of [a, b, a]) await till.sync();
	for (const { till, caller } of [a, b]) {
		expect(await till.rejected()).toEqual([]);
		expect(await till.ask(caller, productByCode, { code: ean })).toMatchObject({
			product: { id: "milk" },
			others: [{ id: "soda" }],
		});
	}
	await expectInStep(server, a);
	await expectInStep(server, b);
});
