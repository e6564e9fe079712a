import { describe, expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { saleCreate } from "../entities/sale.ts";
import type { Shop } from "../shop.ts";
import {
	addMilk,
	openTestShop,
	openTestTill,
	salesOf,
	type TestShop,
} from "../testing/shop.ts";
import type { Caller } from "./log.ts";
import { findRecorded } from "./recorded.ts";

interface At {
	shop: Shop;
	caller: Caller;
	rows: TestShop["rows"];
}

async function onServer(): Promise<At> {
	const server = await openTestShop();
	await addMilk(server);
	return server;
}

async function onTill(): Promise<At> {
	const server = await openTestShop();
	await addMilk(server);
	const { till, caller, rows } = await openTestTill(server);
	await till.sync();
	return { shop: till, caller, rows };
}

const line = {
	id: "1",
	productId: "milk",
	name: "Milk",
	quantity: 1,
	price: 60,
	cost: 50,
};
const sale = { id: "s1", items: [line] };

describe.each([
	["a server", onServer],
	["a till", onTill],
])("a mutation made on %s under its caller's id", (_, open) => {
	test("a mutation with its caller's id is made once and answered each time as it was made [MUT-8]", async () => {
		const { shop, caller, rows } = await open();
		const make = () => shop.mutate(caller, saleCreate, sale, { id: "m1" });
		const [first, second] = await Promise.all([make(), make()]);
		expect(first.args.receiptNumber).toMatch(/^[A-Z]+\d?-000001$/);
		expect(second).toEqual(first);
		expect(await make()).toEqual(first);
		expect(await salesOf({ rows })).toEqual(["s1"]);
		const known = await shop.store.read((tx) =>
			findRecorded(tx, caller.businessId, "m1", saleCreate.name),
		);
		expect(known).toEqual(first);
	});

	test("a mutation runs what goes alongside once, in the same transaction", async () => {
		const { shop, caller, rows } = await open();
		let times = 0;
		const make = (fails: boolean) =>
			shop.mutate(caller, saleCreate, sale, {
				id: "m1",
				async alongside(tx) {
					times += 1;
					await tx.run("INSERT INTO meta (key, value) VALUES ('along', 1)");
					if (fails) throw new Error("The cart is gone");
				},
			});
		const along = () => rows("SELECT value FROM meta WHERE key = 'along'");
		await expect(make(true)).rejects.toThrow("The cart is gone");
		expect([await along(), await salesOf({ rows })]).toEqual([[], []]);
		await make(false);
		await make(false);
		expect(times).toBe(2);
		expect(await along()).toHaveLength(1);
	});

	test("a mutation is refused if its id belongs to another kind", async () => {
		const { shop, caller } = await open();
		await shop.mutate(caller, saleCreate, sale, { id: "m1" });
		const other = { id: "drinks", name: "Drinks" };
		await expect(
			shop.mutate(caller, categoryCreate, other, { id: "m1" }),
		).rejects.toMatchObject({ code: "id_reused" });
	});
});

test("a mutation that was taken over and rejected is rejected again with its error", async () => {
	const server = await openTestShop();
	const args = { id: "milk", set: { name: "Milk" } };
	await server.shop.push(server.caller, {
		mutations: [
			{
				id: "m1",
				name: "product.update",
				args,
				at: "2026-11-20T08:00:00.000Z",
			},
		],
	});
	await expect(
		server.shop.mutate(server.caller, saleCreate, sale, { id: "m1" }),
	).rejects.toMatchObject({ code: "id_reused" });
	await expect(
		server.shop.store.read((tx) =>
			findRecorded(tx, server.caller.businessId, "m1", "product.update"),
		),
	).rejects.toMatchObject({ code: "not_found" });
});
