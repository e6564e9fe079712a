import { expect, test } from "vitest";
import { businessUpdate } from "../entities/business.ts";
import { categoryCreate } from "../entities/category.ts";
import { checkDigitOf } from "../entities/gtin.ts";
import { packCreate, packDelete, packUpdate } from "../entities/pack.ts";
import { productCreate, productDelete } from "../entities/product.ts";
import { codeCreate } from "../entities/product-code.ts";
import { saleCreate } from "../entities/sale.ts";
import { openTestShop, saleArgs } from "../testing/shop.ts";
import {
	productBestSellers,
	productByCode,
	productFind,
	productSome,
} from "./product-search.ts";

async function open() {
	const { shop, caller } = await openTestShop();
	await shop.mutate(caller, categoryCreate, { id: "dairy", name: "Dairy" });
	for (const [id, name, sku, categoryId] of [
		["milk", "Brookside Milk 500 ml", "0612345678901", "dairy"],
		["tea", "Milk tea", "TEA-1", null],
		["long", "Long-life milk 1 l", "612345678902", "dairy"],
		["odd", "100% Juice_x", "J!1", null],
		["soap", "Soap", "612345678905", null],
		["old", "Milk of old", "5000000000000", "dairy"],
	] as const)
		await shop.mutate(caller, productCreate, {
			...{ id, name, sku, categoryId, buyingPrice: 1, sellingPrice: 2 },
		});
	await shop.mutate(caller, productDelete, { id: "old" });
	const idsOf = (products: { id: string }[]) => products.map(({ id }) => id);
	return {
		shop,
		caller,
		find: async (words: string, more: object = {}) =>
			idsOf((await shop.ask(caller, productFind, { words, ...more })).products),
		byCode: async (code: string) =>
			(await shop.ask(caller, productByCode, { code })).product?.id,
	};
}

test.each<[string, object, string[]]>([
	["milk", {}, ["tea", "milk", "long"]],
	["  MILK  ", {}, ["tea", "milk", "long"]],
	["ml brook", {}, ["milk"]],
	["milk", { categoryId: "dairy" }, ["milk", "long"]],
	["milk", { limit: 1 }, ["tea"]],
	["tea-1", {}, ["tea"]],
	["milk 5678", {}, ["milk", "long"]],
	["0%", {}, ["odd"]],
	["juice_", {}, ["odd"]],
	["j!1", {}, ["odd"]],
	["_", {}, ["odd"]],
	["milk soap", {}, []],
	["\0", {}, []],
	["x ".repeat(21), {}, []],
	["", {}, ["odd", "milk", "long", "tea", "soap"]],
])("a cashier who types %j with %j finds %j", async (words, more, ids) => {
	const { find } = await open();
	expect(await find(words, more)).toEqual(ids);
});

test("what sells best comes first, but after names that begin with the word", async () => {
	const { shop, caller, find } = await open();
	for (const [id, productId] of [
		["s1", "long"],
		["s2", "soap"],
	] as const)
		await shop.mutate(caller, saleCreate, saleArgs(id, [{ productId }]));
	await shop.ask(caller, productBestSellers, {});
	expect(await find("milk")).toEqual(["tea", "long", "milk"]);
});

test.each([
	["m", ["malt", "tea", "long", "milk"]],
	["l", ["long", "milk", "malt", "tea"]],
	["milk", ["tea", "long", "milk"]],
	["o", ["long", "soap", "milk"]],
	["", ["long", "soap", "odd", "milk", "malt", "tea"]],
])(
	"a search for %j finds the same products first, however few are wanted",
	async (words, ids) => {
		const { shop, caller, find } = await open();
		await shop.mutate(caller, productCreate, {
			...{ id: "malt", name: "Malt", buyingPrice: 1, sellingPrice: 2 },
		});
		const sold = [{ productId: "soap" }, { productId: "long", quantity: 2 }];
		await shop.mutate(caller, saleCreate, saleArgs("s1", sold));
		await shop.ask(caller, productBestSellers, {});
		for (let limit = 1; limit <= ids.length + 1; limit += 1)
			expect(await find(words, { limit })).toEqual(ids.slice(0, limit));
	},
);

// cspell:disable
test("accents and a typo are forgiven, unless something is written so", async () => {
	const { shop, caller, find } = await open();
	const make = (id: string, name: string) =>
		shop.mutate(caller, productCreate, {
			...{ id, name, buyingPrice: 1, sellingPrice: 2 },
		});
	await make("creme", "Crème brûlée");
	expect(await find("creme brulee")).toEqual(["creme"]);
	expect(await find("CRÉME")).toEqual(["creme"]);
	expect(await find("mlik")).toEqual(["milk", "long", "tea"]);
	expect(await find("jiuce 100")).toEqual(["odd"]);
	expect(await find("mlik", { isExact: true })).toEqual([]);
	expect(await find("mlik", { limit: 1 })).toEqual(["milk"]);
	expect(await find("sop")).toEqual([]);
	await make("mlik", "Mlika");
	expect(await find("mlik")).toEqual(["mlik"]);
	const ask = (words: string) => shop.ask(caller, productFind, { words });
	expect([(await ask("saop")).isNear, (await ask("soap")).isNear]).toEqual([
		true,
		undefined,
	]);
});
// cspell:enable

test.each([
	["0612345678901", "milk"],
	["612345678901", "milk"],
	[" 612345678902 ", "long"],
	["0612345678902", "long"],
	["tea-1", "tea"],
	["TEA-1", "tea"],
	["TEA", undefined],
	["5000000000000", undefined],
	["", undefined],
	["%", undefined],
])("the code %j finds %s", async (code, id) => {
	const { byCode } = await open();
	expect(await byCode(code)).toBe(id);
});

test("the code of a pack finds nothing once the pack is sold no more, and never a single unit of its product", async () => {
	const { shop, caller } = await open();
	const find = async () => {
		const code = "15449000000993";
		const found = await shop.ask(caller, productByCode, { code });
		// As a page does where a scanner types into its search.
		const words = { words: code, limit: 1, isExact: true };
		const { products } = await shop.ask(caller, productFind, words);
		expect(products.map(({ id }) => id)).toEqual(
			found.product ? [found.product.id] : [],
		);
		return [found.product?.id, found.packIds];
	};
	const carton = { id: "carton", productId: "milk", name: "Carton", size: 24 };
	await shop.mutate(caller, packCreate, carton);
	await shop.mutate(caller, codeCreate, {
		...{ id: "code", productId: "milk", packId: "carton" },
		code: "15449000000993",
	});
	expect(await find()).toEqual(["milk", { milk: "carton" }]);
	const sell = (isActive: boolean) =>
		shop.mutate(caller, packUpdate, { id: "carton", set: { isActive } });
	await sell(false);
	expect(await find()).toEqual([undefined, {}]);
	await sell(true);
	expect(await find()).toEqual(["milk", { milk: "carton" }]);
	await shop.mutate(caller, packDelete, { id: "carton" });
	expect(await find()).toEqual([undefined, {}]);
});

test("a scale's label finds its product by any form of its number and says how much, unless a product has just this code", async () => {
	const { shop, caller } = await open();
	const scaleLabels = [
		{ prefix: "21", holds: "weight" as const, decimals: 3 },
		{ prefix: "22", holds: "price" as const, decimals: 2 },
	].map((one) => ({ ...one, itemDigits: 5, hasValueCheck: false }));
	const ask = (code: string) => shop.ask(caller, productByCode, { code });
	const make = (id: string, sku: string) =>
		shop.mutate(caller, productCreate, {
			...{ id, name: id, sku, buyingPrice: 1, sellingPrice: 180 },
		});
	await make("beef", "42");
	const ean = (digits: string) => `${digits}${checkDigitOf(digits)}`;
	const beef = ean("210004201234");
	expect(await ask(beef)).toEqual({
		...{ product: null, others: [], packIds: {}, label: null },
	});
	await shop.mutate(caller, businessUpdate, { set: { scaleLabels } });
	expect(await ask(beef)).toMatchObject({
		...{ product: { id: "beef" }, label: { holds: "weight", value: 1.234 } },
	});
	expect(await ask(ean("220004202550"))).toMatchObject({
		...{ product: { id: "beef" }, label: { holds: "price", value: 25.5 } },
	});
	expect(await ask(ean("220004302550"))).toMatchObject({ product: null });
	// The number with the prefix is likelier.
	await make("veal", "2100042");
	expect(await ask(beef)).toMatchObject({ product: { id: "veal" } });
	await make("parcel", beef);
	expect(await ask(beef)).toMatchObject({
		...{ product: { id: "parcel" }, label: null },
	});
});

test("the products of a cart are found with their current fields, active or not", async () => {
	const { shop, caller } = await open();
	const some = async (ids: string[]) =>
		(await shop.ask(caller, productSome, { ids })).products;
	expect(await some([])).toEqual([]);
	expect(await some(["old", "none", "milk"])).toMatchObject([
		{ id: "milk", isActive: true, category: { name: "Dairy" } },
		{ id: "old", isActive: false },
	]);
});
