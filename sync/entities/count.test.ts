import { expect, test } from "vitest";
import {
	expectInStep,
	message,
	pushOne,
	type TestTill,
	twoTills,
} from "../testing/shop.ts";
import { countClose, countEnter, countLookAt, countOpen } from "./count.ts";
import type { Mutation } from "./entity.ts";

const make = (
	{ till, caller }: Pick<TestTill, "till" | "caller">,
	mutation: Mutation,
	args: object,
) => till.mutate(caller, mutation, args);
const open = (till: TestTill) =>
	make(till, countOpen, { id: "count", name: "Shelf 1" });
const look = (till: TestTill, id: string, more: object = {}) =>
	make(till, countLookAt, {
		...{ id, countId: "count", productId: "milk", ...more },
	});
const enter = (till: TestTill, id: string, counted: number) =>
	make(till, countEnter, { id, counted });
const close = (till: TestTill) => make(till, countClose, { id: "count" });

test("sales between look and entry, and between entry and closing, are not counted twice [FACT-13]", async () => {
	const { server, a, b } = await twoTills();
	await open(a);
	await a.sell({ milk: 1 });
	await look(a, "look");
	await a.sell({ milk: 2 });
	await enter(a, "look", 7);
	await b.sell({ milk: 1 });
	for (const { till } of [a, b, a]) await till.sync();
	expect(await b.quantityOf("milk")).toBe(6);
	await close(b);
	expect(await b.quantityOf("milk")).toBe(4);
	for (const { till } of [b, a]) await till.sync();
	expect(await a.quantityOf("milk")).toBe(4);
	const [moved] = await a.rows(
		"SELECT id, delta, note, reason FROM stock_movements WHERE reason = 'count'",
	);
	expect(moved).toEqual({
		...{ id: "look", delta: -2e6, note: "Shelf 1", reason: "count" },
	});
	await expectInStep(server, a, b);
});

test("two tills count a product offline, and only the later look corrects the stock, whichever is closed first [FACT-13]", async () => {
	for (const isReversed of [false, true]) {
		const { server, a, b } = await twoTills();
		await open(a);
		for (const { till } of [a, b]) await till.sync();
		await look(a, "earlier");
		await enter(a, "earlier", 8);
		server.env.pass(1_000);
		await look(b, "later");
		await enter(b, "later", 9);
		for (const till of [a, b]) await close(till);
		const order = isReversed ? [b, a] : [a, b];
		for (const { till } of [...order, ...order]) await till.sync();
		for (const till of [a, b]) expect(await till.quantityOf("milk")).toBe(9);
		await expectInStep(server, a, b);
	}
});

test("what comes after a closing waits for the next, and a look whose number corrected the stock keeps it", async () => {
	const { server, a, b } = await twoTills();
	await open(a);
	for (const { till } of [a, b]) await till.sync();
	await look(b, "bread", { productId: "bread" });
	await enter(b, "bread", 4);
	await look(a, "milk");
	await enter(a, "milk", 5);
	await close(a);
	await expect(enter(a, "milk", 6)).rejects.toMatchObject({
		...{ code: "id_reused", field: "id" },
	});
	for (const { till } of [a, b, a]) await till.sync();
	expect(await a.quantityOf("bread")).toBe(10);
	const [{ closed_at: closedAt } = {}] = await a.rows("SELECT * FROM counts");
	server.env.pass(60_000);
	await close(a);
	for (const till of [a, b]) await till.till.sync();
	for (const till of [a, b]) {
		expect(await till.quantityOf("bread")).toBe(4);
		expect(await till.quantityOf("milk")).toBe(5);
	}
	const [count] = await b.rows("SELECT closed_at FROM counts");
	expect(count).toEqual({ closed_at: closedAt });
	await expectInStep(server, a, b);
});

test("a number that another till corrects before a closing arrives waits for the next closing", async () => {
	const { server, a, b } = await twoTills();
	await open(a);
	await look(a, "milk");
	await enter(a, "milk", 5);
	for (const { till } of [a, b]) await till.sync();
	await close(a);
	await enter(b, "milk", 6);
	for (const { till } of [b, a, b]) await till.sync();
	expect(await b.quantityOf("milk")).toBe(10);
	await close(b);
	for (const { till } of [b, a]) await till.sync();
	expect(await a.quantityOf("milk")).toBe(6);
	await expectInStep(server, a, b);
});

test("a number that another till corrects waits also where a newer look has come in between", async () => {
	const { server, a, b } = await twoTills();
	await open(a);
	await look(a, "milk");
	await enter(a, "milk", 5);
	for (const { till } of [a, b]) await till.sync();
	await close(a);
	await enter(b, "milk", 6);
	server.env.pass(60_000);
	await look(b, "again");
	await enter(b, "again", 7);
	for (const { till } of [b, a, b]) await till.sync();
	expect(await b.quantityOf("milk")).toBe(10);
	await close(b);
	for (const { till } of [b, a]) await till.sync();
	expect(await a.quantityOf("milk")).toBe(7);
	await expectInStep(server, a, b);
});

test("a closing that comes before the number it knew takes that number only", async () => {
	const { server, a, b } = await twoTills();
	await open(a);
	await look(a, "milk");
	for (const { till } of [a, b]) await till.sync();
	const line = { lookId: "milk", productId: "milk", counted: 5, goods: 10 };
	const args = { id: "count", lines: [line] };
	await pushOne(server, message("closing", "count.close", args));
	for (const { till } of [a, b]) await till.sync();
	await expect(enter(b, "milk", 6)).rejects.toMatchObject({
		...{ code: "id_reused", field: "id" },
	});
	await enter(a, "milk", 5);
	for (const { till } of [a, b]) await till.sync();
	const counted = await b.rows("SELECT counted FROM count_looks");
	expect(counted).toEqual([{ counted: 5e6 }]);
	expect(await b.quantityOf("milk")).toBe(5);
	await expectInStep(server, a, b);
});

test("a till whose history is still on its way looks at no shelf [FACT-13]", async () => {
	const { a } = await twoTills();
	await open(a);
	await a.store.write((tx) => tx.run("UPDATE replica SET history_version = 1"));
	await expect(look(a, "look")).rejects.toMatchObject({
		code: "unknown_record",
	});
});

test("a look names the server's version that its till had seen, and what the book knew there [FACT-13]", async () => {
	const { server, a, b } = await twoTills();
	const [{ head } = {}] = await server.rows("SELECT head FROM businesses");
	await b.sell({ milk: 4 });
	await b.till.sync();
	await a.sell({ milk: 1 });
	await open(a);
	await look(a, "look", { shelf: "Fridge" });
	const { args } = await a.till.mutate(a.caller, countLookAt, {
		...{ id: "again", countId: "count", productId: "milk" },
	});
	const seen = { expected: 9, corrected: 0, cost: 60, seenVersion: head };
	expect(args).toMatchObject({ seen });
	await a.till.sync();
	const [row] = await server.rows(
		"SELECT expected, seen_version, shelf FROM count_looks WHERE id = 'look'",
	);
	expect(row).toEqual({ expected: 9e6, seen_version: head, shelf: "Fridge" });
});
