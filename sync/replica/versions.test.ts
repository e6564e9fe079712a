import { expect } from "vitest";
import { productCreate, productUpdate } from "../entities/product.ts";
import { oneIn } from "../testing/lane.ts";
import { openNewerVersion } from "../testing/newer-version.ts";
import {
	addMilk,
	expectInStep,
	openTestShop,
	openTestTill,
	salesOf,
	type TestShop,
} from "../testing/shop.ts";

const test = oneIn(2);

const shelf = { id: "shelf-1", name: "By the door" };
const delivery = {
	id: "delivery-1",
	productId: "milk",
	delta: 5,
	reason: "received",
	supplier: "Brookside",
};

async function priceOf({ rows }: Pick<TestShop, "rows">) {
	const [milk] = await rows(
		"SELECT selling_price FROM products WHERE id = 'milk'",
	);
	return Number(milk?.selling_price) / 1e6;
}

test("a till one version behind its server keeps syncing, and gets everything after its update [VER-4] [VER-5]", async () => {
	const newer = await openNewerVersion();
	const server: TestShop = await newer.shops.openTestShop();
	await addMilk(server);
	const till = await openTestTill(server);
	await till.till.sync();

	await server.shop.mutate(server.caller, newer.shelfCreate, shelf);
	await server.shop.mutate(server.caller, newer.stockAdjust, delivery);
	await server.shop.mutate(server.caller, productUpdate, {
		id: "milk",
		set: { sellingPrice: 61 },
	});
	const sale = await till.sell({ milk: 2 });
	await till.till.sync();
	expect(await priceOf(till)).toBe(61);
	expect(await till.quantityOf("milk")).toBe(13);
	expect(await salesOf(server)).toEqual([sale]);
	expect(await till.rows("SELECT cause FROM inbox_items")).toContainEqual({
		cause: "shelf_added",
	});
	expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });

	const unsent = await till.sell({ milk: 1 });
	await till.close();
	const updated = await newer.shops.openTestTill(server, { file: till.file });
	expect(await salesOf(updated)).toEqual([sale, unsent].sort());
	await updated.till.sync();
	expect(await updated.rows("SELECT name FROM shelves")).toEqual([
		{ name: "By the door" },
	]);
	expect(await updated.rows("SELECT origin FROM products")).toEqual([
		{ origin: "Kenya" },
	]);
	await expectInStep(server, updated);
	expect(await salesOf(server)).toEqual([sale, unsent].sort());
});

test("a newer till's mutation stays pending through retries until its server is updated [VER-2]", async () => {
	const newer = await openNewerVersion();
	const server = await openTestShop();
	await addMilk(server);
	const till = await newer.shops.openTestTill(server);
	await till.till.sync();
	await till.till.mutate(till.caller, newer.shelfCreate, shelf);
	await till.till.mutate(till.caller, newer.stockAdjust, delivery);
	const sale = await till.sell({ milk: 2 });
	for (let tries = 0; tries < 3; tries += 1) await till.till.sync();
	expect(await salesOf(server)).toEqual([sale]);
	expect(await till.till.status()).toMatchObject({ pending: 2, rejected: 0 });
	expect(await till.quantityOf("milk")).toBe(13);

	const updated: TestShop = await newer.shops.openTestShop({
		file: server.file,
	});
	till.line.shop = updated.shop;
	await till.till.sync();
	expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
	expect(await updated.rows("SELECT name FROM shelves")).toHaveLength(1);
	expect(
		await updated.rows(
			"SELECT note FROM stock_movements WHERE id = 'delivery-1'",
		),
	).toEqual([{ note: "Brookside" }]);
	expect(
		await updated.rows(
			"SELECT args_version FROM mutations WHERE name = 'stock.adjust'",
		),
	).toEqual([{ args_version: 2 }]);
	await expectInStep(updated, till);
});

test("a rejected mutation keeps the version of its arguments when it is retried", async () => {
	const newer = await openNewerVersion();
	const server: TestShop = await newer.shops.openTestShop();
	await addMilk(server);
	const till = await newer.shops.openTestTill(server);
	await till.till.sync();
	await till.till.mutate(till.caller, newer.stockAdjust, delivery);
	const refused = { ...server.caller, role: "CASHIER" } as const;
	till.line = Object.assign(
		till.line,
		newer.shops.testLine(server.shop, refused),
	);
	await till.till.sync();
	const [rejected] = await till.till.rejected();
	await till.till.retry(rejected?.id as string);
	await till.till.sync();
	expect(till.line.pushes.at(-1)?.mutations).toMatchObject([
		{ argsVersion: 2 },
	]);
});

test("a row that a till can't read is skipped, and later rows arrive [VER-5]", async () => {
	const server = await openTestShop();
	await addMilk(server);
	const faults: unknown[] = [];
	const till = await openTestTill(server, {
		onFault: (error) => faults.push(error),
	});
	const { push } = till.line;
	till.line.push = async (request) => {
		const answer = await push(request);
		for (const { id, row } of answer.changes ?? [])
			if (id === "milk" && row) row.name = ["Milk", "Maziwa"];
		return answer;
	};
	await server.shop.mutate(server.caller, productCreate, {
		id: "bread",
		name: "Bread",
		buyingPrice: 60,
		sellingPrice: 100,
	});
	await till.till.sync();
	expect(await till.rows("SELECT id FROM products")).toEqual([{ id: "bread" }]);
	expect(faults).toHaveLength(1);
	expect(await till.till.status()).toMatchObject({ pending: 0 });
});
