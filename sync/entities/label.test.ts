import { expect, test } from "vitest";
import { productList } from "../queries/product.ts";
import { expectInStep, openTestShop, openTestTill } from "../testing/shop.ts";
import { labelSet } from "./label.ts";
import { packCreate, packUpdate } from "./pack.ts";
import { productCreate, productUpdate } from "./product.ts";
import { codeCreate } from "./product-code.ts";

const price = { buyingPrice: 40, sellingPrice: 50 };

test("once a shop prints labels, a product is due that has none, or another name, price or code than its label", async () => {
	const { shop, caller } = await openTestShop();
	const due = async () => {
		const asked = { filter: "label" } as const;
		const { rows } = await shop.ask(caller, productList, asked);
		return rows.map(({ id }) => id);
	};
	const print = (id: string, more: object = {}) =>
		shop.mutate(caller, labelSet, { id, name: id, price: 50, ...more });
	for (const [id, more] of [
		["milk", { sku: "1" }],
		["soda", {}],
		["visit", { isService: true }],
		["unpriced", { sellingPrice: null }],
	] as const)
		await shop.mutate(caller, productCreate, {
			id,
			name: id,
			...price,
			...more,
		});
	expect(await due()).toEqual([]);
	await print("milk", { code: "1" });
	expect(await due()).toEqual(["soda"]);
	await print("soda");
	expect(await due()).toEqual([]);
	for (const set of [{ sellingPrice: 55 }, { name: "Soda" }, { sku: "2" }]) {
		await shop.mutate(caller, productUpdate, { id: "soda", set });
		expect(await due()).toEqual(["soda"]);
	}
	await print("soda", { name: "Soda", price: 55, code: "2" });
	// Stock isn't on a label.
	await shop.mutate(caller, productUpdate, {
		id: "soda",
		set: { quantity: 9 },
	});
	expect(await due()).toEqual([]);
});

test("a printed label of a pack is due once the pack has another name, price or code", async () => {
	const { shop, caller } = await openTestShop();
	const due = async () => {
		const asked = { filter: "label" } as const;
		return (await shop.ask(caller, productList, asked)).rows.length;
	};
	const print = (name: string, price: number, code: string | null = null) =>
		shop.mutate(caller, labelSet, { id: "crate", name, price, code });
	const change = (set: object) =>
		shop.mutate(caller, packUpdate, { id: "crate", set });
	await shop.mutate(caller, productCreate, {
		id: "soda",
		name: "Soda",
		...price,
	});
	await shop.mutate(caller, packCreate, {
		...{ id: "crate", productId: "soda", name: "Crate", size: 24 },
	});
	await shop.mutate(caller, labelSet, { id: "soda", name: "Soda", price: 50 });
	expect(await due()).toBe(0);
	await print("Soda, Crate", 1_200);
	expect(await due()).toBe(0);
	await change({ sellingPrice: 1_100 });
	expect(await due()).toBe(1);
	await print("Soda, Crate", 1_100);
	await change({ name: "Box" });
	expect(await due()).toBe(1);
	await print("Soda, Box", 1_100);
	await shop.mutate(caller, codeCreate, {
		...{ id: "c", productId: "soda", packId: "crate", code: "BOX" },
	});
	expect(await due()).toBe(1);
	await print("Soda, Box", 1_100, "BOX");
	expect(await due()).toBe(0);
	await change({ isActive: false, sellingPrice: 900 });
	expect(await due()).toBe(0);
});

test("of two tills that print a label without a network, both show what was printed later", async () => {
	const server = await openTestShop();
	const a = await openTestTill(server);
	const b = await openTestTill(server);
	const print = ({ till, caller }: typeof a, price: number) =>
		till.mutate(caller, labelSet, { id: "milk", name: "Milk", price });
	await print(a, 50);
	server.env.pass(1_000);
	await print(b, 55);
	for (const { till } of [b, a, b]) await till.sync();
	for (const { rows } of [a, b])
		expect(await rows("SELECT price FROM labels")).toEqual([
			{ price: 55_000_000 },
		]);
	await expectInStep(server, a);
	await expectInStep(server, b);
});
