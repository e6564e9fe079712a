import { expect, test } from "vitest";
import { productUpdate } from "./entities/product.ts";
import { saleCreate } from "./entities/sale.ts";
import { newId } from "./ids.ts";
import { prefixOf } from "./prefix.ts";
import type { Change, PushAnswer } from "./protocol.ts";
import { expectInStep, openTestTill, salesOf, twoTills } from "./test-shop.ts";
import { openTillServer } from "./till-server.ts";

/** A till with a window that pushes to it, as a page does. */
async function open() {
	const { server, a, b } = await twoTills();
	const till = await openTillServer(a.till);
	const windowOf = (deviceId: string) => {
		let number = 0;
		return {
			sale(quantity = 1, id = newId(server.env)) {
				number += 1;
				return {
					id: newId(server.env),
					name: saleCreate.name,
					args: {
						id,
						items: [
							{
								id: "1",
								name: "Milk",
								quantity,
								price: 60,
								cost: 50,
								productId: "milk",
							},
						],
						receiptNumber: `A-${number}`,
					},
					at: "2026-11-20T08:59:00.000Z",
					number,
				};
			},
			push: (mutations: unknown[], cursor?: string) =>
				till.push(a.caller, { mutations, deviceId, cursor }),
		};
	};
	const cursor = () => till.head(a.caller.businessId);
	return { server, a, b, till, windowOf, window: windowOf("w1"), cursor };
}

const quantities = ({ changes = [] }: { changes?: Change[] | undefined }) =>
	changes
		.filter(({ entity, id }) => entity === "product" && id === "milk")
		.map(({ row }) => row?.quantity);

test("what a window sends twice is done once, and arrives on the server once", async () => {
	const { server, a, b, window, cursor } = await open();
	const sale = window.sale(3);
	const before = await cursor();
	const first = await window.push([sale], before);
	expect(first.results).toMatchObject([{ id: sale.id, status: "applied" }]);
	expect(quantities(first)).toEqual([7]);
	const again = await window.push([sale], first.cursor);
	expect(again.results).toMatchObject([{ status: "applied", duplicate: true }]);
	expect(again.changes).toEqual([]);
	expect(await a.quantityOf("milk")).toBe(7);
	await a.till.sync();
	await b.till.sync();
	expect(await salesOf(server)).toEqual([sale.args.id]);
	await expectInStep(server, a, b);
});

test("what can't be done is refused alone and leaves no trace", async () => {
	const { a, window } = await open();
	const good = window.sale();
	const { results } = await window.push([
		{ ...window.sale(), args: { id: "x", items: [] } },
		"nonsense",
		{ ...window.sale(), name: "sale.juggle" },
		good,
		{ ...good, args: { ...good.args, notes: "other" } },
	]);
	expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
		["rejected", "invalid_args"],
		["rejected", "invalid_args"],
		["deferred", "unknown_mutation"],
		["applied", undefined],
		["rejected", "id_reused"],
	]);
	expect((await a.till.status()).pending).toBe(1);
	expect(await salesOf(a)).toHaveLength(1);
});

test("a window hears of what other tills did, and of what the till did itself", async () => {
	const { server, a, b, till, window, cursor } = await open();
	const before = await cursor();
	await b.sell({ milk: 4 });
	await b.till.sync();
	await a.till.sync();
	const theirs = await till.pull(a.caller, { cursor: before });
	expect(quantities(theirs)).toEqual([6]);
	await a.till.mutate(a.caller, productUpdate, {
		id: "milk",
		set: { sellingPrice: 99 },
	});
	const own = await till.pull(a.caller, { cursor: theirs.cursor });
	expect(own.changes.map(({ id, row }) => [id, row?.sellingPrice])).toEqual([
		["milk", 99],
	]);
	// In pages, too, nothing is missed.
	await window.push([window.sale(), window.sale()]);
	let page = await till.pull(a.caller, { cursor: before, limit: 1 });
	const seen = [...page.changes];
	while (page.hasMore) {
		page = await till.pull(a.caller, { cursor: page.cursor, limit: 1 });
		seen.push(...page.changes);
	}
	expect(quantities({ changes: seen }).at(-1)).toBe(4);
	expect(page.cursor).toBe(await cursor());
	await a.till.sync();
	await expectInStep(server, a);
});

test("a window that knows an earlier start is sent all that it keeps, without a reset of what it sold", async () => {
	const { server, a, window, cursor } = await open();
	const before = await cursor();
	await window.push([window.sale(2)]);
	server.env.pass(1_000);
	const restarted = await openTillServer(a.till);
	const page = await restarted.pull(a.caller, { cursor: before });
	expect(page.reset).toBeUndefined();
	expect(quantities(page)).toEqual([8]);
	expect(page.changes.map(({ entity }) => entity)).toContain("business");
	const next = await restarted.pull(a.caller, { cursor: page.cursor });
	expect(next.changes).toEqual([]);
});

test("a window's receipts begin with the till's prefix, and no two windows' with the same", async () => {
	const { a, windowOf } = await open();
	await a.till.sync();
	const { prefix } = await a.till.status();
	const prefixOfWindow = async (id: string): Promise<PushAnswer["prefix"]> =>
		(await windowOf(id).push([])).prefix;
	expect(await prefixOfWindow("w1")).toBe(prefix);
	expect(await prefixOfWindow("w2")).toBe(`${prefix}2`);
	expect(await prefixOfWindow("w1")).toBe(prefix);
});

test("a till that never met its server has a prefix too, and follows the one that it is given", async () => {
	const { server, a } = await open();
	const fresh = await openTestTill(server);
	const till = await openTillServer(fresh.till);
	const prefixOfWindow = async () =>
		(await till.push(a.caller, { mutations: [], deviceId: "w" })).prefix;
	const { deviceId } = await fresh.till.status();
	const prefix = prefixOf(a.caller.businessId, deviceId);
	expect(await prefixOfWindow()).toBe(prefix);
	// Another device prints it.
	await server.shop.push(a.caller, { mutations: [], deviceId: "x", prefix });
	await fresh.till.sync();
	const next = prefixOf(a.caller.businessId, deviceId, 1);
	expect((await fresh.till.status()).prefix).toBe(next);
	expect(await prefixOfWindow()).toBe(next);
});
