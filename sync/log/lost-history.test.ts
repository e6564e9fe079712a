import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { createBusiness } from "../entities/business.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { newId } from "../protocol/ids.ts";
import { openShop } from "../shop.ts";
import { openSqlite } from "../store/sqlite.ts";
import { testBusiness } from "../testing/business.ts";
import {
	copyDatabase,
	expectInStep,
	openTestTill,
	saleArgs,
	salesOf,
	syncStubbornly,
	type TestShop,
	type TestTill,
	testDir,
	twoTills,
} from "../testing/shop.ts";
import { verifyLog } from "./verify-log.ts";

/** Copies the server's file as it is on disk. Without the WAL it lacks the newest writes. */
async function copyFile(server: TestShop, withWal: boolean): Promise<string> {
	await server.store.write(async () => {});
	const to = join(testDir(), "copy.db");
	copyFileSync(server.file, to);
	if (withWal) copyFileSync(`${server.file}-wal`, `${to}-wal`);
	return to;
}

/** Restarts the server on another file, at the same address for its tills. */
async function startOn(
	file: string,
	server: TestShop,
	...tills: TestTill[]
): Promise<TestShop> {
	const store = await openSqlite(file);
	onTestFinished(() => store.close());
	const shop = openShop({ store, env: server.env });
	for (const { line } of tills) line.shop = shop;
	const rows: TestShop["rows"] = (sql, ...params) =>
		store.read((tx) => tx.all(sql, ...params));
	return { ...server, store, shop, file, rows };
}

async function sellOnServer({ shop, caller, env }: TestShop): Promise<string> {
	const id = newId(env);
	await shop.mutate(caller, saleCreate, saleArgs(id, [{ productId: "milk" }]));
	return id;
}

async function sellTimes(till: TestTill, times: number): Promise<string[]> {
	const ids: string[] = [];
	for (let i = 0; i < times; i += 1) ids.push(await till.sell({ milk: 1 }));
	await till.till.sync();
	return ids;
}

/** Syncs until its mutations are answered, without pulling a page. */
async function acknowledgeOnly({ till, line }: TestTill): Promise<void> {
	const { push } = line;
	line.push = async (request) => {
		const {
			changes: _,
			cursor: __,
			hasMore: ___,
			...rest
		} = await push(request);
		return rest;
	};
	await expect(till.sync()).rejects.toMatchObject({ code: "unreachable" });
	expect(await till.status()).toMatchObject({ pending: 0 });
	line.push = push;
}

async function expectAll(
	server: TestShop,
	ids: string[],
	...tills: TestTill[]
): Promise<void> {
	for (const till of [...tills, ...tills]) await syncStubbornly(till);
	expect(await salesOf(server)).toEqual(ids.sort());
	for (const till of tills)
		expect(await till.till.status()).toMatchObject({
			pending: 0,
			rejected: 0,
			paused: null,
		});
	await expectInStep(server, ...tills);
	const { bad } = await server.store.read((tx) =>
		verifyLog(tx, server.caller.businessId),
	);
	expect(bad).toBeUndefined();
}

describe("a server whose file lost mutations under the same epoch", () => {
	test.each([
		["its file lost the newest writes", false],
		["an older file was restored", true],
	])(
		"a server gets every till's sales back after another till sold on first, when %s",
		async (_what, withWal) => {
			const { server, a, b } = await twoTills();
			const beside = new Database(server.file);
			beside.pragma("wal_checkpoint(TRUNCATE)");
			beside.close();
			const old = withWal ? await copyFile(server, true) : "";
			const ids = [...(await sellTimes(a, 10)), ...(await sellTimes(b, 10))];
			await syncStubbornly(a);
			const file = withWal ? old : await copyFile(server, false);
			const back = await startOn(file, server, a, b);
			expect(await salesOf(back)).toEqual([]);
			ids.push(...(await sellTimes(a, 12)));
			await expectAll(back, ids, a, b);
		},
		60_000,
	);

	test("a server gets back a client's sale, its refund and a void from a till that pulled them, each once [LOSS-4]", async () => {
		const { server, a, b } = await twoTills();
		const old = await copyFile(server, true);
		const ids: string[] = [];
		for (let i = 0; i < 3; i += 1) ids.push(await sellOnServer(server));
		const [refunded = "", refundedLater = "", voided = ""] = ids;
		const { shop, caller } = server;
		await shop.mutate(caller, saleRefund, {
			id: "r1",
			saleId: refunded,
			reason: "Sour",
			restock: true,
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		await shop.mutate(caller, saleVoid, {
			id: "v1",
			saleId: voided,
			reason: "Mistake",
		});
		await a.till.sync();
		await b.till.sync();
		await a.till.mutate(a.caller, saleRefund, {
			id: "r2",
			saleId: refundedLater,
			reason: "Sour",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		const back = await startOn(old, server, a, b);
		for (let i = 0; i < 5; i += 1) ids.push(await sellOnServer(back));
		await expectAll(back, ids, a, b);
		const refunds = await back.rows("SELECT id, kind FROM refunds ORDER BY id");
		expect(refunds).toEqual([
			{ id: "r1", kind: "refund" },
			{ id: "r2", kind: "refund" },
			{ id: "v1", kind: "void" },
		]);
		expect(await a.quantityOf("milk")).toBe(10 - 8 + 2);
	});

	test("two diverged copies of a server both get all sales back, whichever a till syncs with", async () => {
		const { server, a, b } = await twoTills();
		const file = await copyFile(server, true);
		const ids = await sellTimes(a, 3);
		const other = await startOn(file, server, b);
		ids.push(...(await sellTimes(b, 5)));
		ids.push(await sellOnServer(other));
		await b.till.sync();
		for (const one of [a, b]) one.line.shop = server.shop;
		ids.push(...(await sellTimes(b, 2)));
		await expectAll(server, [...ids], a, b);
		for (const one of [a, b]) one.line.shop = other.shop;
		await expectAll(other, [...ids], a, b);
	});

	test("a loss is noticed by the numbers of a till that pushed without pulling [LOSS-1]", async () => {
		const { server, a, b } = await twoTills();
		const old = await copyFile(server, true);
		const ids = [await a.sell({ milk: 1 })];
		await acknowledgeOnly(a);
		const back = await startOn(old, server, a, b);
		const refund = a.till.mutate(a.caller, saleRefund, {
			id: "r1",
			saleId: ids[0] as string,
			reason: "Sour",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		await refund;
		await expectAll(back, ids, a, b);
		expect(await back.rows("SELECT id FROM refunds")).toEqual([{ id: "r1" }]);
	});

	test.each([
		["it had answered", 2, true],
		["it had answered", 3, true],
		["it had answered", 4, true],
		["a till that had sold without it had sent", 3, false],
		["a till that had sold without it had sent", 4, false],
	])(
		"a server gets a sale back although an older file replaced its own right after %s the first of %i batches [LOSS-1]",
		async (_what, batches, isKnown) => {
			const { server } = await twoTills();
			const a = await openTestTill(server, { batchBytes: 1 });
			if (isKnown) await a.till.sync();
			else
				await a.store.write((tx) => createBusiness(tx, testBusiness("shop-1")));
			const old = await copyFile(server, true);
			const ids: string[] = [];
			for (let i = 0; i < batches; i += 1) ids.push(await a.sell({ milk: 1 }));
			const back = await startOn(old, server);
			const { push } = a.line;
			a.line.push = async (request) => {
				const answer = await push(request);
				a.line.shop = back.shop;
				return answer;
			};
			await expectAll(back, ids, a);
		},
	);

	test("a server gets a till's sale back although a clone has used its number", async () => {
		const { server, a } = await twoTills();
		const old = await copyFile(server, true);
		const clone = await openTestTill(server, {
			file: await copyDatabase(a.store, a.file),
		});
		const ids = [await a.sell({ milk: 1 })];
		await acknowledgeOnly(a);
		const back = await startOn(old, server, a, clone);
		ids.push(...(await sellTimes(clone, 1)));
		expect(await a.till.status()).toMatchObject({ pending: 0 });
		await expectAll(back, ids, a, clone);
	});

	test("a server gets everything back from a till that it takes for a clone", async () => {
		const { server, a } = await twoTills();
		const old = await copyFile(server, true);
		const clone = await openTestTill(server, {
			file: await copyDatabase(a.store, a.file),
		});
		const ids = [await a.sell({ milk: 1 })];
		await acknowledgeOnly(a);
		const { deviceId } = await a.till.status();
		const back = await startOn(old, server, a, clone);
		ids.push(...(await sellTimes(clone, 2)));
		// The refund follows its sale, and is not rejected for lack of it.
		await a.till.mutate(a.caller, saleRefund, {
			id: "r1",
			saleId: ids[0] as string,
			reason: "Sour",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		await expectAll(back, ids, a, clone);
		expect((await a.till.status()).deviceId).not.toBe(deviceId);
		expect(await back.rows("SELECT id FROM refunds")).toEqual([{ id: "r1" }]);
	});

	test("a server waits for a lost sale that a presumed clone refunds", async () => {
		const { server, a, b } = await twoTills();
		const old = await copyFile(server, true);
		const clone = await openTestTill(server, {
			file: await copyDatabase(a.store, a.file),
		});
		const ids = await sellTimes(b, 1);
		await a.till.sync();
		const back = await startOn(old, server, a, b, clone);
		ids.push(...(await sellTimes(clone, 1)));
		await a.till.mutate(a.caller, saleRefund, {
			id: "r1",
			saleId: ids[0] as string,
			reason: "Sour",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		await expectAll(back, ids, a, b, clone);
		expect(await back.rows("SELECT id FROM refunds")).toEqual([{ id: "r1" }]);
	});

	test("a till goes on although it no longer keeps its lost mutations", async () => {
		const { server, a, b } = await twoTills();
		const old = await copyFile(server, true);
		await sellTimes(a, 3);
		await a.store.write(async (tx) => {
			await tx.run("DELETE FROM outbox");
			await tx.run("DELETE FROM stored_mutations");
			await tx.run("DELETE FROM stored_lines");
			await tx.run("DELETE FROM stored_sales");
		});
		const back = await startOn(old, server, a, b);
		const ids = await sellTimes(a, 2);
		await expectAll(back, ids, a, b);
		const pushes = a.line.pushes.length;
		await a.till.sync();
		expect(a.line.pushes.length).toBe(pushes + 1);
		expect(await a.rows("SELECT resumes_after FROM replica")).toEqual([
			{ resumes_after: null },
		]);
	});
});

test("a push after a gap is not applied, and answers the last number that the server knows [LOSS-1] [LOSS-2] [LOSS-3]", async () => {
	const { server, a } = await twoTills();
	const { shop, caller } = server;
	const push = (number: number, more: object) =>
		shop.push(caller, {
			deviceId: "d1",
			mutations: [
				{
					id: `m${number}`,
					number,
					name: "sale.create",
					args: saleArgs(`s${number}`),
					at: "2026-11-20T08:00:00.000Z",
				},
			],
			...more,
		});
	expect(await push(1, { settled: 0, settles: 1 })).not.toHaveProperty(
		"lastNumber",
	);
	const gap = await push(4, { settled: 3, settles: 4 });
	expect(gap).toMatchObject({
		lastNumber: 1,
		reset: true,
		results: [{ status: "deferred", error: { code: "history_lost" } }],
		changes: [{ entity: "business" }, ...Array(5).fill({})],
	});
	expect(await salesOf(server)).toEqual(["s1"]);
	const resumed = await push(4, { settled: 3, settles: 4, resumesAfter: 1 });
	expect(resumed).toMatchObject({ results: [{ status: "applied" }] });
	expect(resumed).not.toHaveProperty("lastNumber");
	expect(await push(5, { settled: 4, settles: 5 })).not.toHaveProperty(
		"lastNumber",
	);
	expect(await a.till.status()).toMatchObject({ pending: 0 });
});
