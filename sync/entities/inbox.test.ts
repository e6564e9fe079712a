import { expect, test } from "vitest";
import { beginNewHistory } from "../log/history.ts";
import { derivedId } from "../protocol/ids.ts";
import { inboxItemList } from "../queries/inbox.ts";
import {
	inboxCount,
	inboxDismissed,
	inboxGroups,
	inboxItems,
} from "../queries/inbox-groups.ts";
import {
	addMilk,
	expectInStep,
	message,
	openTestShop,
	pushOne,
	saleArgs,
	type TestShop,
	type TestTill,
	twoTills,
} from "../testing/shop.ts";
import { inboxDismiss, inboxReopen } from "./inbox.ts";
import { productUpdate } from "./product.ts";
import { stockAdjust } from "./stock.ts";

const milkOversold = {
	cause: "oversold",
	productId: "milk",
	saleId: null,
} as const;

/** Two tills in sync, with a sale of more milk than there was. */
async function openOversold() {
	const { server, a, b } = await twoTills();
	await a.sell({ milk: 12 });
	await a.till.sync();
	await b.till.sync();
	const [{ id = "" } = {}] = await server.rows("SELECT id FROM inbox_items");
	const ids = [String(id)];
	return {
		...{ server, a, b, ids },
		dismiss: ({ till, caller }: TestTill, reason: string) =>
			till.mutate(caller, inboxDismiss, { ids, reason }),
		reopen: ({ till, caller }: TestTill) =>
			till.mutate(caller, inboxReopen, { ids }),
		/** Syncs the tills in this order, and then all once more. */
		async meet(...tills: TestTill[]) {
			for (const one of [...tills, ...tills]) {
				one.line.online = true;
				await one.till.sync();
			}
			await expectInStep(server, a, b);
		},
	};
}

const resolutionsOf = async ({ rows }: TestShop | TestTill) =>
	(await rows("SELECT resolution FROM inbox_items ORDER BY id")).map(
		({ resolution }) => resolution,
	);

test("a dismissed item leaves the inbox of every till and stays in the feed", async () => {
	const { server, a, b, ids, dismiss, meet } = await openOversold();
	a.line.online = false;
	await dismiss(a, "counted");
	const none = { items: [], total: 0 };
	expect(await a.till.ask(a.caller, inboxItemList, {})).toEqual(none);
	expect(await a.till.ask(a.caller, inboxGroups, {})).toMatchObject({
		rows: [],
	});
	expect(await a.till.ask(a.caller, inboxCount, {})).toEqual({ groups: 0 });
	expect(await b.till.ask(b.caller, inboxCount, {})).toEqual({ groups: 1 });
	await meet(a, b);
	expect(await b.till.ask(b.caller, inboxItemList, {})).toEqual(none);
	const { changes } = await server.shop.pull(server.caller, {});
	const item = changes.find(({ entity }) => entity === "inboxItem");
	expect(item).toMatchObject({
		deleted: false,
		row: {
			id: ids[0],
			resolution: "counted",
			decidedAt: "2026-11-20T09:00:00.000Z",
			decidedBy: "user-1",
		},
	});
});

test.each([["a first"], ["b first"]])(
	"an item that two offline tills dismiss is dismissed once, as the later one did: %s",
	async (first) => {
		const { server, a, b, dismiss, meet } = await openOversold();
		await dismiss(a, "right");
		server.env.pass(1_000);
		await dismiss(b, "counted");
		await meet(...(first === "a first" ? [a, b] : [b, a]));
		for (const one of [server, a, b])
			expect(await resolutionsOf(one)).toEqual(["counted"]);
		const { rows } = await server.shop.ask(server.caller, inboxDismissed, {});
		expect(rows).toMatchObject([{ items: 1, reason: "counted" }]);
	},
);

test.each([["a first"], ["b first"]])(
	"an item that one till reopened after another dismissed it is open, whichever syncs first: %s",
	async (first) => {
		const { server, a, b, dismiss, reopen, meet } = await openOversold();
		await dismiss(a, "right");
		server.env.pass(1_000);
		await reopen(b);
		await meet(...(first === "a first" ? [a, b] : [b, a]));
		for (const one of [server, a, b])
			expect(await resolutionsOf(one)).toEqual([null]);
		server.env.pass(1_000);
		await dismiss(a, "right");
		await meet(a, b);
		expect(await resolutionsOf(b)).toEqual(["right"]);
	},
);

test("an item that the server never raised is skipped, and the others of the mutation are dismissed", async () => {
	const { server, a, b, ids, meet } = await openOversold();
	// The till doesn't know of the delivery, and finds that bread was oversold; the server doesn't.
	await server.shop.mutate(server.caller, stockAdjust, {
		...{ id: "delivery", productId: "bread", delta: 10, reason: "received" },
	});
	await a.sell({ bread: 15 });
	const { items } = await a.till.ask(a.caller, inboxItemList, {});
	expect(items).toHaveLength(2);
	await a.till.mutate(a.caller, inboxDismiss, {
		ids: items.map(({ id }) => id),
		reason: "counted",
	});
	await meet(a, b);
	expect(await a.till.status()).toMatchObject({ pending: 0, rejected: 0 });
	expect(await server.rows("SELECT id, resolution FROM inbox_items")).toEqual([
		{ id: ids[0], resolution: "counted" },
	]);
});

test("what the server found instead of what the till had seen stays open", async () => {
	const server = await openTestShop();
	const { caller } = server;
	await pushOne(
		server,
		message("sold", "sale.create", saleArgs("s", [{ productId: "gone" }])),
	);
	const ids = [derivedId("sold", 1)];
	const dismiss = (cause: "oversold" | "unknown_product", productId: string) =>
		server.shop.mutate(caller, inboxDismiss, {
			...{ ids, reason: "right", seen: { cause, productId } },
		});
	await dismiss("oversold", "gone");
	await dismiss("unknown_product", "other");
	expect(await resolutionsOf(server)).toEqual([null]);
	await dismiss("unknown_product", "gone");
	expect(await resolutionsOf(server)).toEqual(["right"]);
});

test("a dismissal of what a restored server has lost waits for nothing", async () => {
	const server = await openTestShop();
	const dismissal = message("dismissed", inboxDismiss.name, {
		ids: [derivedId("lost", 2)],
		reason: "right",
	});
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	expect(await pushOne(server, dismissal)).toMatchObject({ status: "applied" });
});

test("groups sum up the open items of one cause and product, the latest first", async () => {
	const { server, a } = await twoTills();
	const { shop, caller, env } = server;
	const groups = async () => (await shop.ask(caller, inboxGroups, {})).rows;
	const sold: string[] = [];
	for (let sale = 0; sale < 7; sale += 1) {
		sold.unshift(await a.sell({ milk: 4 }));
		env.pass(1_000);
	}
	const unknown = await a.sell({ ghee: 2 });
	await a.till.sync();
	const milk = {
		...milkOversold,
		items: 5,
		// 12 sold of 10, and then four times 4.
		quantity: 18,
		moneyAtStake: 1_800,
		saleIds: sold.slice(0, 5),
		soldAs: "milk",
		soldAt: 100,
		product: { name: "milk", quantity: -18, sellingPrice: 100, isActive: true },
	};
	expect(await groups()).toMatchObject([
		{
			...{ cause: "unknown_product", productId: "ghee", saleId: null },
			...{ items: 1, quantity: 2, moneyAtStake: null, saleIds: [unknown] },
			...{ soldAs: "ghee", soldAt: 100, product: null },
		},
		milk,
	]);
	expect(await shop.ask(caller, inboxCount, {})).toEqual({ groups: 2 });

	const { ids } = await shop.ask(caller, inboxItems, milkOversold);
	expect(ids).toHaveLength(5);
	await shop.mutate(caller, inboxDismiss, { ids, reason: "counted" });
	expect(await groups()).toMatchObject([{ productId: "ghee" }]);
	const { rows: dismissed } = await shop.ask(caller, inboxDismissed, {});
	expect(dismissed).toMatchObject([{ ...milk, reason: "counted" }]);
	const dismissedAt = dismissed[0]?.dismissedAt as string;
	expect(
		await shop.ask(caller, inboxItems, { ...milkOversold, dismissedAt }),
	).toEqual({ ids });

	await shop.mutate(caller, inboxReopen, { ids: ids.slice(0, 2) });
	expect(await groups()).toMatchObject([{}, { items: 2, quantity: 8 }]);
	// The other three, until the shop's day is over.
	const left = async () =>
		(await shop.ask(caller, inboxDismissed, {})).rows.map(({ items }) => items);
	expect(await left()).toEqual([3]);
	env.pass(24 * 3_600_000);
	expect(await left()).toEqual([]);
});

test("an old price is worth its difference to today's, and a wrong clock the sale's total, each sale by itself", async () => {
	const server = await openTestShop();
	await addMilk(server);
	const { shop, caller, env } = server;
	env.pass(60_000);
	await shop.mutate(caller, productUpdate, {
		...{ id: "milk", set: { sellingPrice: 130 } },
	});
	env.pass(60_000);
	const year = 365 * 24 * 3_600_000;
	const ahead = new Date(env.now() + year).toISOString();
	const [row] = await server.rows("SELECT edits FROM products");
	const { was } = JSON.parse(String(row?.edits)).sellingPrice;
	for (const id of ["one", "other"])
		await pushOne(
			server,
			message(
				id,
				"sale.create",
				saleArgs(id, [{ productId: "milk", price: was / 1e6, quantity: 2 }]),
				{ at: ahead },
			),
		);
	const { rows } = await shop.ask(caller, inboxGroups, {});
	const stakes = rows.map(({ cause, saleId, moneyAtStake }) => ({
		...{ cause, saleId, moneyAtStake },
	}));
	const total = (was / 1e6) * 2;
	expect(stakes).toHaveLength(3);
	expect(stakes).toEqual(
		expect.arrayContaining([
			{ cause: "clock", saleId: "one", moneyAtStake: total },
			{ cause: "clock", saleId: "other", moneyAtStake: total },
			{
				...{ cause: "old_price", saleId: null },
				moneyAtStake: (130 - was / 1e6) * 4,
			},
		]),
	);
});
