import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { businessUpdate } from "../entities/business.ts";
import { entities } from "../entities/index.ts";
import { productCreate, productUpdate } from "../entities/product.ts";
import { saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { beginNewHistory } from "../log/history.ts";
import { ShopError } from "../protocol/errors.ts";
import {
	addMilk,
	copyDatabase,
	expectInStep,
	madeAt,
	openTestShop,
	openTestTill,
	saleArgs,
	salesOf,
	type TestShop,
	type TestTill,
	testEnv,
} from "../testing/shop.ts";
import { becomeReplica, otherTables } from "./connect.ts";

test("a shop that began without a server brings all its sales once and goes on as a till [JOIN-1]", async () => {
	const alone = await openTestShop({ businessId: "own", kind: "sqlite" });
	const { shop, caller } = alone;
	await shop.mutate(caller, businessUpdate, { set: { name: "Duka la Asha" } });
	await shop.mutate(caller, productCreate, {
		id: "tea",
		name: "Tea",
		buyingPrice: 10,
		sellingPrice: 20,
		quantity: 9,
	});
	for (const id of ["s1", "s2", "s3"])
		await shop.mutate(caller, saleCreate, {
			id,
			items: [
				{
					id: "1",
					name: "Tea",
					quantity: 2,
					price: 20,
					cost: 10,
					productId: "tea",
				},
			],
		});
	await shop.mutate(caller, saleVoid, { id: "v", saleId: "s2", reason: "x" });
	await shop.mutate(caller, productUpdate, {
		id: "tea",
		set: { sellingPrice: 25 },
	});
	const before = await alone.rows(
		"SELECT id, receipt_number, business_day, total FROM sales ORDER BY id",
	);
	await alone.store.close();

	const server = await openTestShop({ businessId: "shop-1" });
	const reopened = await openTestShop({
		file: alone.file,
		businessId: "own",
		kind: "sqlite",
	});
	await reopened.store.write((tx) =>
		becomeReplica(tx, alone.env, "own", "shop-1", true),
	);
	expect(
		await reopened.store.write((tx) =>
			becomeReplica(tx, alone.env, "own", "shop-1", true),
		),
	).toBe(false);
	await reopened.store.close();

	const till = await openTestTill(server, { file: alone.file });
	const sold = await till.sell({ tea: 1 });
	await till.till.sync();
	await expectInStep(server, till);
	expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
	const after = await server.rows(
		"SELECT id, receipt_number, business_day, total FROM sales WHERE id <> ? ORDER BY id",
		sold,
	);
	expect(after).toEqual(before);
	expect(
		await server.rows("SELECT quantity, selling_price FROM products"),
	).toEqual([{ quantity: 4_000_000, selling_price: 25_000_000 }]);
	expect(await server.rows("SELECT name FROM businesses")).toEqual([
		{ name: "Duka la Asha" },
	]);
	const receipts = await server.rows("SELECT receipt_number FROM sales");
	expect(new Set(receipts.map((row) => row.receipt_number)).size).toBe(4);
});

/** A till that sold twice without a server, and has not reached the server that it joins. */
async function openJoiningTill(server: TestShop): Promise<TestTill> {
	const alone = await openTestShop({ businessId: "own", kind: "sqlite" });
	for (const id of ["s1", "s2"])
		await alone.shop.mutate(alone.caller, saleCreate, saleArgs(id));
	await alone.store.write((tx) =>
		becomeReplica(tx, alone.env, "own", "shop-1", true),
	);
	await alone.store.close();
	return openTestTill(server, { file: alone.file });
}

test("a shop that joins without its settings does not change the server's business [JOIN-2]", async () => {
	const alone = await openTestShop({ businessId: "own", kind: "sqlite" });
	const set = { name: "Kibanda", currency: "UGX", cutOffHour: 4 };
	await alone.shop.mutate(alone.caller, businessUpdate, { set });
	await alone.shop.mutate(alone.caller, saleCreate, saleArgs("s1"));
	await alone.store.write((tx) =>
		becomeReplica(tx, alone.env, "own", "shop-1", false),
	);
	await alone.store.close();
	const server = await openTestShop();
	const settings =
		"SELECT name, currency, time_zone, cut_off_hour, receipt_footer FROM businesses";
	const before = await server.rows(settings);
	const till = await openTestTill(server, { file: alone.file });
	await till.till.sync();
	await expectInStep(server, till);
	expect(await server.rows(settings)).toEqual(before);
	expect(await till.rows(settings)).toEqual(before);
	expect(await salesOf(server)).toEqual(["s1"]);
	expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
});

test("a joining till's sales stay visible when a page of the server's shop is lost", async () => {
	const server = await openTestShop();
	await addMilk(server);
	// The business's own row is the last of the feed.
	const set = { name: "Duka" };
	await server.shop.mutate(server.caller, businessUpdate, { set });
	const till = await openJoiningTill(server);
	// A mutation without a business day needs the shop's own row here.
	await till.till.take(till.caller, [
		{ id: "w1", name: saleCreate.name, args: saleArgs("s3"), at: madeAt },
	]);
	const { push } = till.line;
	till.line.push = (request) =>
		push(JSON.stringify({ ...JSON.parse(request), limit: 1 }));
	till.line.lose = (trip) => (trip === 2 ? "request" : undefined);
	await expect(till.till.sync()).rejects.toThrow("Request lost");
	expect(await salesOf(till)).toEqual(["s1", "s2", "s3"]);
	await till.till.sync();
	await expectInStep(server, till);
});

test("a sale that the server applied and lost before its first page is offered again", async () => {
	const server = await openTestShop();
	const backup = await copyDatabase(server.store, server.file);
	const till = await openJoiningTill(server);
	const { push } = till.line;
	till.line.push = async (request) => {
		if (JSON.parse(request).mutations.length > 1)
			throw new ShopError("too_large", "A proxy allows less");
		return push(request);
	};
	till.line.lose = (trip) => (trip === 4 ? "request" : undefined);
	await expect(till.till.sync()).rejects.toThrow("Request lost");
	expect(await salesOf(server)).toEqual(["s1", "s2"]);
	const restored = await openTestShop({ file: backup, env: server.env });
	await restored.store.write((tx) => beginNewHistory(tx, server.env));
	till.line.shop = restored.shop;
	await till.till.sync();
	expect(await salesOf(restored)).toEqual(["s1", "s2"]);
	await expectInStep(restored, till);
});

test("connecting covers every table of a business", () => {
	const schema = readFileSync(
		join(import.meta.dirname, "../../schema.sql"),
		"utf8",
	);
	const tables = [...schema.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)\n\)/g)]
		.filter(([, , columns]) => columns?.includes("business_id"))
		.map(([, name]) => name);
	const known = [
		...entities.flatMap(({ table, lines, storage }) =>
			storage ? [] : [table, ...(lines ? [lines.table] : [])],
		),
		...otherTables,
		// Computed again, or the replica's own.
		...["tallies", "tally_products", "digest_blocks", "devices"],
		...["replica", "outbox", "base_rows", "older_stock"],
	];
	expect(known.toSorted()).toEqual(tables.toSorted());
});

test("a shop that sold for years before it joined a server keeps the dates of its sales [JOIN-1]", async () => {
	const env = testEnv("2024-03-01T09:00:00.000Z");
	const alone = await openTestShop({
		businessId: "own",
		kind: "sqlite",
		env,
	});
	await alone.store.write((tx) =>
		tx.run("UPDATE businesses SET created_at = '2024-03-01T06:00:00.000Z'"),
	);
	await alone.shop.mutate(alone.caller, saleCreate, saleArgs("s1"));
	env.pass(900 * 24 * 3_600_000);
	await alone.store.write((tx) =>
		becomeReplica(tx, env, "own", "shop-1", false),
	);
	const server = await openTestShop({ env });
	const till = await openTestTill(server, { file: alone.file });
	await till.till.sync();
	expect(
		await server.rows("SELECT business_day, created_at FROM sales"),
	).toEqual([
		{ business_day: "2024-03-01", created_at: "2024-03-01T09:00:00.000Z" },
	]);
	expect(await server.rows("SELECT * FROM inbox_items")).toEqual([]);
	await expectInStep(server, till);
});
