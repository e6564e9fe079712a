import { describe, expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { newId } from "../protocol/ids.ts";
import {
	copyDatabase,
	expectInStep,
	openTestShop,
	openTestTill,
	saleArgs,
	salesOf,
	syncStubbornly,
	type TestShop,
	twoTills,
} from "../testing/shop.ts";
import { beginNewHistory } from "./history.ts";
import { prefixOf } from "./prefix.ts";

describe("a server restored from an older backup", () => {
	test("a restored server gets its lost sales back from its tills [INV-1]", async () => {
		const { server, a, b } = await twoTills();
		const kept = await a.sell({ milk: 1 });
		await a.till.sync();
		const backup = await copyDatabase(server.store, server.file);
		const lost = await a.sell({ milk: 2 });
		await a.till.sync();
		await b.till.sync();
		const refunded = newId(server.env);
		await b.till.mutate(b.caller, saleRefund, {
			id: refunded,
			saleId: lost,
			reason: "Sour",
			restock: true,
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		await b.till.sync();
		await server.store.close();

		const restored = await openTestShop({ file: backup, env: server.env });
		await restored.store.write((tx) => beginNewHistory(tx, server.env));
		a.line.shop = restored.shop;
		b.line.shop = restored.shop;
		// This till pulled the sale and brings it back; the refund arrives earlier and waits.
		await b.till.sync();
		expect(await salesOf(restored)).toEqual([kept, lost].sort());
		expect(await b.till.status()).toMatchObject({ pending: 1, rejected: 0 });
		await a.till.sync();
		await b.till.sync();
		await a.till.sync();
		expect(await salesOf(restored)).toEqual([kept, lost].sort());
		expect(await a.quantityOf("milk")).toBe(8);
		expect(await restored.rows("SELECT id FROM refunds")).toEqual([
			{ id: refunded },
		]);
		await expectInStep(restored, a, b);
	});

	test("a restored server records a void once that two tills bring back with different line ids", async () => {
		const { server, a, b } = await twoTills();
		const backup = await copyDatabase(server.store, server.file);
		const saleId = await a.sell({ milk: 1 });
		await a.till.mutate(a.caller, saleVoid, {
			id: "v1",
			saleId,
			reason: "Mistake",
		});
		await a.till.sync();
		await b.till.sync();
		const restored = await openTestShop({ file: backup, env: server.env });
		await restored.store.write((tx) => beginNewHistory(tx, server.env));
		for (const { line } of [b, a]) line.shop = restored.shop;
		for (const { till } of [b, a, b]) await till.sync();
		expect(await salesOf(restored)).toEqual([saleId]);
		for (const { rows } of [restored, a, b])
			expect(await rows("SELECT refund_id FROM refund_items")).toEqual([
				{ refund_id: "v1" },
			]);
		await expectInStep(restored, a, b);
	});

	test("a server restored in the middle of a till's first sync gets its sales back", async () => {
		const { server } = await twoTills();
		const backup = await copyDatabase(server.store, server.file);
		const till = await openTestTill(server);
		await till.till.mutateAll(
			till.caller,
			Array.from({ length: 1_050 }, (_, i) => ({
				mutation: categoryCreate,
				args: { id: `c-${i}`, name: `Category ${i}` },
			})),
		);
		const restored = await openTestShop({ file: backup, env: server.env });
		await restored.store.write((tx) => beginNewHistory(tx, server.env));
		let trips = 0;
		till.line.lose = () => {
			trips += 1;
			// After the first of two batches.
			if (trips === 2) till.line.shop = restored.shop;
			return undefined;
		};
		await till.till.sync();
		expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
		await expectInStep(restored, till);
	});

	test("a restored server gets sales back from a till that was restored too", async () => {
		const { server, a } = await twoTills();
		const backup = await copyDatabase(server.store, server.file);
		const lost = await a.sell({ milk: 1 });
		await a.till.sync();
		const copy = await copyDatabase(a.store, a.file);
		await a.sell({ milk: 2 });
		await a.till.sync();
		await a.close();
		await server.store.close();

		const restored = await openTestShop({ file: backup, env: server.env });
		await restored.store.write((tx) => beginNewHistory(tx, server.env));
		// As if other copies of the till had got further since.
		const old = await openTestTill(restored, { file: copy });
		const { deviceId } = await old.till.status();
		await restored.store.write((tx) =>
			tx.run("UPDATE devices SET last_number = 9 WHERE id = ?", deviceId),
		);
		await old.till.sync();
		expect((await old.till.status()).deviceId).not.toBe(deviceId);
		expect(await salesOf(restored)).toEqual([lost]);
		await expectInStep(restored, old);
	});

	test("a restored server gives no till the receipt prefix of a forgotten one [RCPT-2]", async () => {
		const server = await openTestShop();
		const backup = await copyDatabase(server.store, server.file);
		const a = await openTestTill(server);
		await a.till.sync();
		const { prefix } = await a.till.status();
		const restored = await openTestShop({ file: backup, env: server.env });
		await restored.store.write((tx) => beginNewHistory(tx, server.env));
		const fresh = await openTestTill(restored);
		await fresh.till.sync();
		a.line.shop = restored.shop;
		await a.till.sync();
		expect((await a.till.status()).prefix).toBe(prefix);
		expect((await fresh.till.status()).prefix).not.toBe(prefix);
	});

	test.each([true, false])(
		"a restored server prints no receipt number twice (new epoch: %s)",
		async (isTold) => {
			const { server, a } = await twoTills();
			const sell = async ({ shop, caller, env }: TestShop) =>
				shop.mutate(caller, saleCreate, saleArgs(newId(env)));
			await sell(server);
			const backup = await copyDatabase(server.store, server.file);
			await sell(server);
			await a.till.sync();
			const restored = await openTestShop({ file: backup, env: server.env });
			if (isTold)
				await restored.store.write((tx) => beginNewHistory(tx, server.env));
			a.line.shop = restored.shop;
			await sell(restored);
			await a.till.sync();
			const sold = await restored.rows("SELECT receipt_number FROM sales");
			expect(sold).toHaveLength(3);
			expect(new Set(sold.map((row) => row.receipt_number)).size).toBe(3);
			await expectInStep(restored, a);
		},
	);

	test("a restored server is offered nothing that it still has, with any number of pages", async () => {
		const server = await openTestShop();
		const a = await openTestTill(server, {
			pages: { first: 2, least: 2, most: 2 },
		});
		for (let i = 0; i < 6; i += 1)
			await server.shop.mutate(server.caller, saleCreate, saleArgs(`s-${i}`));
		await a.till.sync();
		await server.store.write((tx) => beginNewHistory(tx, server.env));
		a.line.pushes.length = 0;
		await a.till.sync();
		expect(a.line.pushes.flatMap(({ mutations }) => mutations)).toEqual([]);
		await expectInStep(server, a);
	});

	test("a till's reset removes rows that the restored server never had, except pending ones [LOSS-5]", async () => {
		const { server, a } = await twoTills();
		const backup = await copyDatabase(server.store, server.file);
		await server.shop.mutate(server.caller, categoryCreate, {
			id: "dairy",
			name: "Dairy",
		});
		await a.till.sync();
		const mine = await a.sell({ milk: 1 });
		const restored = await openTestShop({ file: backup, env: server.env });
		await restored.store.write((tx) => beginNewHistory(tx, server.env));
		a.line.shop = restored.shop;
		await a.till.sync();
		expect(await a.rows("SELECT id FROM categories")).toEqual([]);
		expect(await salesOf(restored)).toEqual([mine]);
		await expectInStep(restored, a);
	});
});

describe("a till restored from an old copy, or cloned", () => {
	test("a restored or cloned till goes on as a new device and keeps its sales and the server's [DEV-5]", async () => {
		const { server, a, b } = await twoTills();
		await a.sell({ milk: 1 });
		await a.till.sync();
		const copy = await copyDatabase(a.store, a.file);
		const after = await a.sell({ milk: 2 });
		await a.till.sync();

		const clone = await openTestTill(server, { file: copy });
		const deviceId = (await clone.till.status()).deviceId;
		const own = await clone.sell({ milk: 3 });
		await clone.till.sync();
		const status = await clone.till.status();
		expect(status.deviceId).not.toBe(deviceId);
		expect(status).toMatchObject({ pending: 0, rejected: 0 });
		expect(status.prefix).not.toBe((await a.till.status()).prefix);
		const next = await clone.sell({ milk: 1 });
		await clone.till.sync();
		const [receipt] = await clone.rows(
			"SELECT receipt_number FROM sales WHERE id = ?",
			next,
		);
		expect(receipt).toEqual({ receipt_number: `${status.prefix}-000001` });
		await a.till.sync();
		await b.till.sync();
		expect(await salesOf(server)).toEqual(
			expect.arrayContaining([after, own, next]),
		);
		expect(await a.quantityOf("milk")).toBe(3);
		await expectInStep(server, a, b, clone);
	});

	test("a cloned till uses the new device's prefix at once, even if the connection then breaks", async () => {
		const { server, a } = await twoTills();
		const copy = await copyDatabase(a.store, a.file);
		await a.sell({ milk: 2 });
		await a.till.sync();
		const { deviceId } = await a.till.status();
		const clone = await openTestTill(server, { file: copy });
		// The old device had got another prefix than its first candidate.
		await clone.store.write((tx) =>
			tx.run("UPDATE replica SET prefix = 'KLMNP'"),
		);
		clone.line.lose = (trip) => (trip > 1 ? "request" : undefined);
		await expect(clone.till.sync()).rejects.toThrow("Request lost");
		const status = await clone.till.status();
		expect(status.deviceId).not.toBe(deviceId);
		expect(status.prefix).toBe(
			prefixOf(server.caller.businessId, status.deviceId),
		);
	});

	test("a cloned till is noticed by a pull, before it makes a mutation", async () => {
		const { server, a } = await twoTills();
		const copy = await copyDatabase(a.store, a.file);
		await a.sell({ milk: 2 });
		await a.till.sync();
		const clone = await openTestTill(server, { file: copy });
		await clone.till.sync();
		expect((await clone.till.status()).deviceId).not.toBe(
			(await a.till.status()).deviceId,
		);
		await expectInStep(server, a, clone);
	});

	test("a till that repeats a push after a lost reply is not taken for a clone [DEV-6]", async () => {
		const { server, a } = await twoTills();
		const { deviceId } = await a.till.status();
		await a.sell({ milk: 1 });
		await a.sell({ milk: 1 });
		a.line.lose = (trip) => (trip < 6 ? "reply" : undefined);
		await syncStubbornly(a);
		expect((await a.till.status()).deviceId).toBe(deviceId);
		await expectInStep(server, a);
	});
});
