import { expect, test } from "vitest";
import { customerCreate } from "../entities/customer.ts";
import { productCreate } from "../entities/product.ts";
import { saleRefund } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { shiftClose, shiftOpen } from "../entities/shift.ts";
import { addDays } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import type { AskQuery } from "../queries/ask.ts";
import { dashboardGet } from "../queries/dashboard.ts";
import { queries } from "../queries/index.ts";
import type { List, Query } from "../queries/query.ts";
import { receiptGet } from "../queries/receipt.ts";
import { saleByReceipt, saleCount, saleGet } from "../queries/sale.ts";
import { saleHistory, saleTotals } from "../queries/sale-history.ts";
import { customerStatement } from "../queries/statement.ts";
import { productMovements } from "../queries/stock.ts";
import { asked, fill } from "../queries/testing/everything.ts";
import { oneIn } from "../testing/lane.ts";
import {
	addMember,
	openTestShop,
	openTestTill,
	salesOf,
	type TestShop,
	type TestTill,
	testLine,
} from "../testing/shop.ts";
import { restartFeed } from "./rebase.ts";

const dayMs = 24 * 3_600_000;
const agoDays = 200;

/** A shop with records of every kind from long ago and from today, and a till with a window that joined it. */
async function openFilled() {
	const server = await openTestShop();
	const { shop, caller, env, store } = server;
	env.pass(-agoDays * dayMs);
	await store.write((tx) => addMember(tx, "shop-1", "user-1", "OWNER"));
	await shop.mutate(caller, productCreate, {
		...{ id: "soap", name: "Soap", buyingPrice: 40, sellingPrice: 70 },
		quantity: 50,
	});
	await shop.mutate(caller, shiftOpen, { id: "first", openingFloat: 0 });
	const line = { id: "1", name: "Soap", quantity: 1, price: 70, cost: 40 };
	for (const id of ["old-1", "old-2", "old-3", "old-4"])
		await shop.mutate(caller, saleCreate, {
			...{ id, items: [{ ...line, productId: "soap" }], shiftId: "first" },
			receiptNumber: `OLD-${id}`,
		});
	const back = { saleId: "old-2", reason: "Broken", restock: true };
	const items = [{ id: "1", itemId: "1", quantity: 1 }];
	await shop.mutate(caller, saleRefund, { id: "old back", ...back, items });
	await shop.mutate(caller, shiftClose, {
		...{ id: "old count", shiftId: "first", reason: "Right" },
		counted: [{ method: "CASH", amount: 0 }],
	});
	await fill(shop, caller, "Duka");
	env.pass(agoDays * dayMs);
	await store.write((tx) => tx.run("UPDATE businesses SET head = 1000"));
	for (const id of ["new-1", "new-2", "new-3", "new-4"])
		await shop.mutate(caller, saleCreate, { id, items: [line] });
	const one = await openTestTill(server, {
		...{ line: testLine(shop, caller, true), windowDays: 90 },
	});
	await one.till.sync();
	const own = await one.sell({ milk: 1 });
	await one.till.sync();
	return { server, one, own };
}

/** Accounts do not sync. */
const accountFields = new Set([
	...["cashier", "userName", "devicePrefix"],
	...["openedBy", "closedBy", "countedBy", "lookedBy"],
]);

const withoutAccounts = (answer: unknown): unknown =>
	JSON.parse(JSON.stringify(answer), (key, value) =>
		accountFields.has(key) ? null : value,
	);

/** The last sales of a shop that sells seldom are from before the window. */
const isOther = ({ name }: Query) => name === dashboardGet.name;

/** Asks for all pages of a list. */
async function askAll(
	ask: AskQuery,
	caller: never,
	query: Query,
	args: object,
) {
	if (!("placeOf" in query)) return ask(caller, query, args);
	const rows: unknown[] = [];
	let after: string | undefined;
	do {
		const list = query as List;
		const page = await ask(caller, list, { ...args, after, limit: 3 });
		rows.push(...page.rows);
		after = page.next ?? undefined;
	} while (after !== undefined);
	return rows;
}

/** The same question about the days long ago. */
const longAgo = (args: object): object =>
	JSON.parse(JSON.stringify(args), (_, value: string) =>
		/^\d{4}-\d\d-\d\d$/.test(value) ? addDays(value, -agoDays) : value,
	);

async function expectSameAnswer(
	[one, server]: [TestTill, TestShop],
	query: Query,
	about: object,
): Promise<void> {
	const caller = one.caller as never;
	const codeOf = ({ code }: ShopError) => code;
	const [here, there] = await Promise.all(
		[one.till.ask, server.shop.ask].map((ask) =>
			askAll(ask, caller, query, about).catch(codeOf),
		),
	);
	expect(
		withoutAccounts(here),
		`${query.name} ${JSON.stringify(about)}`,
	).toEqual(withoutAccounts(there));
}

test("a till with a window answers each query as its server does, about any days [WINDOW-5]", async () => {
	const { server, one } = await openFilled();
	const all = await server.rows("SELECT id FROM sales");
	expect((await salesOf(one)).length).toBeLessThan(all.length);
	for (const query of queries) {
		if (query.onServer || isOther(query)) continue;
		for (const args of asked[query.name] ?? [])
			for (const about of [args, longAgo(args)])
				await expectSameAnswer([one, server], query, about);
	}
});

test("a till with a window that takes its shop again answers about older sales as its server does [WINDOW-4] [WINDOW-5]", async () => {
	const { server, one } = await openFilled();
	const fail = (error: unknown) => expect.unreachable(`${error}`);
	const old = { from: "2026-05-01", to: "2026-05-31" };
	for (const _ of ["once", "from the start again"]) {
		await one.store.write((tx) => restartFeed(tx, "shop-1", fail));
		for (const query of queries)
			for (const args of asked[query.name] ?? [])
				if (query.older && "from" in longAgo(args))
					await expectSameAnswer([one, server], query, longAgo(args));
		const others: [Query, object][] = [
			[saleHistory, old],
			[saleTotals, old],
			[saleCount, {}],
			[saleGet, { id: "old-2" }],
			[saleByReceipt, { number: "OLD-old-3" }],
			[receiptGet, { id: "old-1" }],
			[receiptGet, { id: "none" }],
		];
		for (const [query, args] of others)
			await expectSameAnswer([one, server], query, args);
	}
	await one.till.sync();
	await expectSameAnswer([one, server], saleHistory, {});
	expect(await one.rows("SELECT window_version FROM replica")).toEqual([
		{ window_version: 768 },
	]);
});

test("without its server a till answers what is in its window, and says that older sales are on the server [WINDOW-5]", async () => {
	const { one, own } = await openFilled();
	const { till, line, caller } = one;
	line.online = false;
	const page = await till.ask(caller, saleHistory, {});
	const ids = ["new-1", "new-2", "new-3", "new-4", own];
	expect(page.rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
	const away = { code: "older_sales" };
	const after = page.next ?? undefined;
	expect(after).toBeDefined();
	await expect(till.ask(caller, saleHistory, { after })).rejects.toMatchObject(
		away,
	);
	const old = { from: "2026-05-01", to: "2026-05-31" };
	for (const asked of [
		till.ask(caller, saleHistory, old),
		till.ask(caller, saleTotals, old),
		till.ask(caller, receiptGet, { id: "old-1" }),
		till.ask(caller, saleByReceipt, { number: "OLD-old-1" }),
	])
		await expect(asked).rejects.toMatchObject(away);
	const recent = { from: "2026-11-01", to: "2026-11-20" };
	expect(await till.ask(caller, saleTotals, recent)).toMatchObject({
		salesCount: 5,
	});
	expect(await till.ask(caller, saleCount, {})).toMatchObject({ total: 9 });
});

test("a till whose sales still arrive counts those that are here, as its other figures do [WINDOW-5]", async () => {
	const { server } = await openFilled();
	const { shop, caller } = server;
	const line = testLine(shop, caller, true);
	const { olderFacts } = line;
	line.olderFacts = () => Promise.reject(new ShopError("unreachable", "Lost"));
	const { till } = await openTestTill(server, { line, windowDays: 90 });
	await expect(till.sync()).rejects.toThrow("Lost");
	const whole = await shop.ask(caller, saleCount, {});
	const early = await till.ask(caller, saleCount, {});
	expect(early.total).toBeLessThan(whole.total);
	line.olderFacts = olderFacts;
	await till.sync();
	expect(await till.ask(caller, saleCount, {})).toEqual(whole);
});

test("a till of a shop without older sales answers everything by itself [WINDOW-5]", async () => {
	const server = await openTestShop();
	const { shop, caller } = server;
	const line = testLine(shop, caller, true);
	const one = await openTestTill(server, { line, windowDays: 90 });
	await one.till.sync();
	await one.sell({ milk: 1 });
	line.online = false;
	expect(await one.till.ask(caller, saleTotals, {})).toMatchObject({
		salesCount: 1,
	});
	expect((await one.till.ask(caller, saleHistory, {})).next).toBeNull();
});

test("a till with a window answers about what its server doesn't know yet, and where it is signed out [WINDOW-5]", async () => {
	const { one } = await openFilled();
	const { till, line, caller } = one;
	line.push = () => Promise.reject(new ShopError("unreachable", "No push"));
	await till.mutate(caller, customerCreate, { id: "new", name: "New" });
	await till.mutate(caller, productCreate, {
		...{ id: "tea", name: "Tea", buyingPrice: 1, sellingPrice: 2, quantity: 3 },
	});
	const statement = await till.ask(caller, customerStatement, { id: "new" });
	expect(statement).toMatchObject({ customer: { name: "New" } });
	const movements = await till.ask(caller, productMovements, { id: "tea" });
	expect(movements.rows).toMatchObject([{ quantityAfter: 3 }]);
	line.unauthorized = true;
	expect(await till.ask(caller, saleCount, {})).toMatchObject({ total: 9 });
	await expect(
		till.ask(caller, productMovements, { id: "soap" }),
	).rejects.toMatchObject({ code: "unauthorized" });
});

oneIn(3)(
	"a till that its server doesn't answer soon counts the sales that it has [WINDOW-5]",
	async () => {
		const { one } = await openFilled();
		const { till, line, caller } = one;
		line.answer = () => new Promise(() => {});
		expect(await till.ask(caller, saleCount, {})).toMatchObject({ total: 9 });
	},
);

test("an older sale that was opened can be refunded here, also when the server is away by then [WINDOW-2] [WINDOW-5]", async () => {
	const { server, one } = await openFilled();
	const { till, line, caller } = one;
	const number = "OLD-old-1";
	const found = await till.ask(caller, saleByReceipt, { number });
	expect(found.sale?.id).toBe("old-1");
	await till.ask(caller, receiptGet, { id: "old-3" });
	line.online = false;
	await till.mutate(caller, saleRefund, {
		...{ id: "again", saleId: "old-3", reason: "Broken", restock: true },
		items: [{ id: "1", itemId: "1", quantity: 1 }],
	});
	line.online = true;
	await till.sync();
	expect(await one.quantityOf("soap")).toBe(48);
	expect(
		await server.rows("SELECT id FROM refunds WHERE id = 'again'"),
	).toEqual([{ id: "again" }]);
	expect(await till.compare()).toBe("same");
	const asked = { id: "old-3" };
	expect(withoutAccounts(await till.ask(caller, receiptGet, asked))).toEqual(
		withoutAccounts(await server.shop.ask(caller, receiptGet, asked)),
	);
	await expect(
		till.ask(caller, receiptGet, { id: "none" }),
	).rejects.toMatchObject({ code: "not_found" });
});

test("a sale that another till has just made is shown before this till has it, and moves its stock once [FEED-8] [WINDOW-5]", async () => {
	const { server, one } = await openFilled();
	const { shop, caller } = server;
	const line = { id: "1", name: "Soap", quantity: 2, price: 70, cost: 40 };
	await shop.mutate(caller, saleCreate, {
		...{ id: "just now", items: [{ ...line, productId: "soap" }] },
	});
	const asked = { id: "just now" };
	const shown = await one.till.ask(caller, saleGet, asked);
	expect(shown).toEqual(await shop.ask(caller, saleGet, asked));
	expect(await salesOf(one)).not.toContain("just now");
	const before = (await one.quantityOf("soap")) ?? Number.NaN;
	await one.till.sync();
	expect(await salesOf(one)).toContain("just now");
	expect(await one.quantityOf("soap")).toBe(before - 2);
	expect(await one.till.compare()).toBe("same");
});

test("an older sale that is opened just when a till begins to take its shop again is shown as its server has it [WINDOW-4] [WINDOW-5]", async () => {
	const { server, one } = await openFilled();
	const { olderSales } = one.line;
	one.line.olderSales = async (asked) => {
		const answer = await olderSales?.(asked);
		const fail = (error: unknown) => expect.unreachable(`${error}`);
		await one.store.write((tx) => restartFeed(tx, "shop-1", fail));
		return answer;
	};
	await expectSameAnswer([one, server], receiptGet, { id: "old-1" });
});
