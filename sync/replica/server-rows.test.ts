import { describe, expect, test } from "vitest";
import { sale } from "../entities/sale.ts";
import type { Change } from "../protocol/protocol.ts";
import { readRow } from "../rows/rows.ts";
import {
	addMilk,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	saleArgs,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import { writeChanges } from "./server-rows.ts";

const milk = async ({ rows }: TestShop | TestTill) =>
	(
		await rows(
			"SELECT quantity, version, updated_at FROM products WHERE id = 'milk'",
		)
	)[0];

const sell = (server: TestShop, id: string, quantity: number) =>
	pushOne(
		server,
		message(id, "sale.create", saleArgs(id, [{ productId: "milk", quantity }])),
	);

describe("what the feed brings of stock", () => {
	test("a sale is one row of the feed, and moves each till's stock by its lines [FEED-4]", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const till = await openTestTill(server);
		await till.till.sync();
		const before = await milk(server);
		await sell(server, "s", 3);
		const { changes } = await server.shop.pull(server.caller, {});
		const newest = Math.max(...changes.map(({ version }) => version));
		expect(
			changes
				.filter(({ version }) => version === newest)
				.map(({ entity, id }) => [entity, id]),
		).toEqual([["sale", "s"]]);
		const product = changes.find(({ entity }) => entity === "product");
		expect(product?.row).not.toHaveProperty("quantity");
		await till.till.sync();
		expect(await milk(server)).toEqual({
			...before,
			quantity: Number(before?.quantity) - 3_000_000,
			updated_at: expect.any(String),
		});
		expect(await milk(till)).toEqual(await milk(server));
		expect(await till.till.digest()).toBe(
			(await server.shop.digest(server.caller)).digest,
		);
	});

	test("a line that took nothing from stock moves none elsewhere", async () => {
		const server = await openTestShop();
		await addMilk(server);
		const lines = [{ productId: "milk", isService: true }];
		await pushOne(server, message("s", "sale.create", saleArgs("s", lines)));
		const till = await openTestTill(server);
		await till.till.sync();
		expect(await milk(till)).toEqual(await milk(server));
		const stored = await till.store.read((tx) =>
			readRow(tx, sale, "shop-1", "s"),
		);
		expect(stored?.row.items).toMatchObject([{ isStockless: true }]);
	});

	test.each([
		["product first", (changes: Change[]) => changes],
		["product last", (changes: Change[]) => changes.toReversed()],
		["sale twice", (changes: Change[]) => [...changes, ...changes]],
	])(
		"a fact moves stock once, however often it arrives and in whatever order: %s [FEED-8]",
		async (_order, arrange) => {
			const server = await openTestShop();
			await addMilk(server);
			await sell(server, "s", 3);
			await sell(server, "t", 1);
			const { changes } = await server.shop.pull(server.caller, {});
			const till = await openTestTill(server);
			const write = (some: readonly Change[]) =>
				till.store.write((tx) =>
					writeChanges(tx, "shop-1", some, (error) => {
						throw error;
					}),
				);
			await write(arrange(changes));
			expect(await milk(till)).toEqual(await milk(server));
			// In separate pages, too.
			for (const change of arrange(changes)) await write([change]);
			expect(await milk(till)).toEqual(await milk(server));
		},
	);

	test("a product's moment counts the facts after its edit, and not a sale that arrived before the product", async () => {
		const server = await openTestShop();
		const line = { productId: "milk" };
		const early = message("m-early", "sale.create", saleArgs("early", [line]));
		await pushOne(server, { ...early, at: "2026-11-20T08:59:59.000Z" });
		await addMilk(server);
		await server.store.write((tx) =>
			tx.run("UPDATE products SET updated_at = '2026-11-20T08:00:00.000Z'"),
		);
		const till = await openTestTill(server);
		const [one, two] = [await openTestTill(server), till];
		await one.till.sync();
		expect(await milk(one)).toEqual(await milk(server));
		// The feed keeps the product's row in memory, as it was before this sale.
		await sell(server, "late", 1);
		await two.till.sync();
		expect(await milk(two)).toEqual(await milk(server));
		await one.till.sync();
		expect(await milk(one)).toEqual(await milk(server));
	});

	test("a row that cannot be read moves no stock, and the others of its page do", async () => {
		const server = await openTestShop();
		await addMilk(server);
		await sell(server, "s", 3);
		const { changes } = await server.shop.pull(server.caller, {});
		const till = await openTestTill(server);
		const faults: unknown[] = [];
		const broken = changes
			.filter(({ entity }) => entity === "sale")
			.map((change) => ({ ...change, id: "b", row: { id: "b", items: 5 } }));
		await till.store.write((tx) =>
			writeChanges(tx, "shop-1", [...changes, ...broken], (error) =>
				faults.push(error),
			),
		);
		expect(faults).toHaveLength(1);
		expect(await milk(till)).toEqual(await milk(server));
	});
});
