import { expect, test } from "vitest";
import { customerGet } from "../queries/customer.ts";
import { inboxItemList } from "../queries/inbox.ts";
import { layawayGet, layawayList, layawaySlip } from "../queries/layaway.ts";
import { layawayKept } from "../queries/layaway-kept.ts";
import { productGet } from "../queries/product.ts";
import {
	addMember,
	addMilk,
	expectInStep,
	openTestShop,
	openTestTill,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import { businessUpdate } from "./business.ts";
import { customerCreate, customerMerge } from "./customer.ts";
import { inboxDismiss } from "./inbox.ts";
import { layawayCancel, layawayCreate } from "./layaway.ts";
import { paymentCollect } from "./payment.ts";
import { paymentPayout } from "./payout.ts";
import { productUpdate } from "./product.ts";
import { saleCreate } from "./sale.ts";

const customerId = "zawadi";
const items = [
	{
		...{ id: "1", name: "Milk", quantity: 2, price: 60, cost: 50 },
		productId: "milk",
	},
];

async function openKept() {
	const server = await openTestShop();
	const { shop, caller } = server;
	await addMilk(server);
	await shop.mutate(caller, productUpdate, {
		...{ id: "milk", set: { sellingPrice: 60 } },
	});
	await shop.mutate(caller, customerCreate, { id: customerId, name: "Zawadi" });
	await shop.mutate(caller, layawayCreate, {
		...{ id: "kept", customerId, items, dueDay: "2026-12-24" },
	});
	return server;
}

const deposit = (id: string, amount: number) => ({
	...{ id, customerId, layawayId: "kept" },
	tenders: [{ method: "CASH", amount }],
});
const handOver = (id: string, amount: number) => ({
	...{ id, customerId, layawayId: "kept", items },
	tenders: [{ method: "CASH", amount }],
});

async function dismissAll({ shop, caller }: TestShop): Promise<void> {
	const { items } = await shop.ask(caller, inboxItemList, {});
	const ids = items.map(({ id }) => id);
	await shop.mutate(caller, inboxDismiss, { ids, reason: "right" });
}

async function read({ shop, caller }: Pick<TestShop, "shop" | "caller">) {
	const { balance } = await shop.ask(caller, customerGet, { id: customerId });
	const { quantity } = await shop.ask(caller, productGet, { id: "milk" });
	const { state, deposited } = await shop.ask(caller, layawayGet, {
		id: "kept",
	});
	const { items } = await shop.ask(caller, inboxItemList, {});
	return {
		...{ balance, quantity, state, deposited },
		causes: items.map(({ cause, saleId, amount }) => [cause, saleId, amount]),
	};
}

test("a layaway moves neither stock nor debts until the sale that hands it over, which counts once", async () => {
	const server = await openKept();
	const { shop, caller } = server;
	const { quantity } = await read(server);
	await shop.mutate(caller, paymentCollect, deposit("first", 70));
	expect(await read(server)).toEqual({
		...{ balance: -70, quantity, state: "open", deposited: 70, causes: [] },
	});
	expect(await shop.ask(caller, layawayKept, {})).toEqual({
		rows: [{ productId: "milk", quantity: 2 }],
	});
	expect(await shop.ask(caller, layawaySlip, { id: "kept" })).toMatchObject({
		...{ customerName: "Zawadi", total: 120, deposited: 70, left: 50 },
		deposits: [{ localTime: "2026-11-20 12:00", method: "CASH", amount: 70 }],
	});
	await shop.mutate(caller, saleCreate, handOver("sold", 50));
	expect(await read(server)).toEqual({
		...{ balance: 0, quantity: quantity - 2, state: "completed" },
		...{ deposited: 70, causes: [] },
	});
	expect(await shop.ask(caller, layawayKept, {})).toEqual({ rows: [] });
});

test("a promised price holds after the product's has changed", async () => {
	const server = await openKept();
	const { shop, caller } = server;
	for (const sellingPrice of [80, 90]) {
		server.env.pass(1_000);
		const set = { sellingPrice };
		await shop.mutate(caller, productUpdate, { id: "milk", set });
	}
	server.env.pass(1_000);
	const limits = [{ role: "CASHIER" as const, discountMax: 5 }];
	await shop.mutate(caller, businessUpdate, { set: { limits } });
	const { businessId } = caller;
	await server.store.write((tx) =>
		addMember(tx, businessId, "juma", "CASHIER"),
	);
	const seller = { ...caller, userId: "juma", role: "CASHIER" as const };
	await shop.mutate(seller, saleCreate, handOver("sold", 120));
	expect((await read(server)).causes).toEqual([]);
	// Two were kept, whatever else the sale that hands them over has.
	await shop.mutate(caller, layawayCreate, { id: "more", customerId, items });
	const [two] = items as [(typeof items)[number]];
	await shop.mutate(seller, saleCreate, {
		...handOver("more", 9_060),
		...{ layawayId: "more", items: [two, { ...two, id: "2", quantity: 3 }] },
	});
	expect((await read(server)).causes).toEqual([
		["discount_over_limit", "more", 90],
	]);
	await dismissAll(server);
	// A cashier can't promise what they may not sell.
	await shop.mutate(seller, layawayCreate, {
		...{ id: "cheap", customerId, items },
	});
	expect((await read(server)).causes).toEqual([
		["discount_over_limit", null, 60],
	]);
});

test("the deposits of a cancelled layaway stay the customer's until they are paid out, and more is reported", async () => {
	const server = await openKept();
	const { shop, caller } = server;
	await shop.mutate(caller, paymentCollect, deposit("first", 70));
	await shop.mutate(caller, layawayCancel, { id: "kept", reason: "Moved" });
	expect(await read(server)).toMatchObject({
		...{ balance: -70, state: "cancelled", causes: [] },
	});
	await shop.mutate(caller, paymentPayout, deposit("back", 50));
	await shop.mutate(caller, paymentPayout, deposit("back", 50));
	expect(await read(server)).toMatchObject({
		...{ balance: -20, deposited: 20, causes: [] },
	});
	await shop.mutate(caller, paymentPayout, deposit("again", 50));
	expect(await read(server)).toMatchObject({
		...{ balance: 30, causes: [["paid_out_too_much", null, 30]] },
	});
});

/** What two offline tills may do with the same goods, and what must be left: the state, and items of the inbox. */
type Ends = (till: TestTill) => Promise<unknown>;
const contested: [
	one: Ends,
	other: Ends,
	left: { state: string; count: number; sold: number },
][] = [
	[sells("one"), sells("other"), { state: "completed", count: 1, sold: 4 }],
	[sells("one"), cancels, { state: "completed", count: 1, sold: 2 }],
	[cancels, sells("one"), { state: "cancelled", count: 1, sold: 2 }],
	[cancels, cancels, { state: "cancelled", count: 0, sold: 0 }],
];

function sells(id: string) {
	return ({ till, caller }: TestTill) =>
		till.mutate(caller, saleCreate, handOver(id, 50));
}

function cancels({ till, caller }: TestTill) {
	return till.mutate(caller, layawayCancel, { id: "kept", reason: "Moved" });
}

test("two offline tills that end the same layaway converge, and the inbox says so [FACT-12]", async () => {
	for (const [one, other, { state, count, sold }] of contested) {
		const server = await openKept();
		const { shop, caller } = server;
		await shop.mutate(caller, paymentCollect, deposit("first", 70));
		const a = await openTestTill(server);
		const b = await openTestTill(server);
		for (const { till } of [a, b]) await till.sync();
		const before = await read(server);
		await one(a);
		await other(b);
		for (const { till } of [a, b, a]) await till.sync();
		const after = await read(server);
		expect(after.state).toBe(state);
		expect(after.causes.map(([cause]) => cause)).toEqual(
			Array(count).fill("layaway_ended"),
		);
		expect(before.quantity - after.quantity).toBe(sold);
		// What went beyond the deposits and the cash is owed.
		expect(after.balance).toBe(-70 + (sold / 2) * 70);
		await expectInStep(server, a);
		await expectInStep(server, b);
	}
});

test("a sale that was made again without its layaway completes it when it arrives with it [LOSS-4]", async () => {
	const server = await openKept();
	const { shop, caller } = server;
	const { layawayId: _, ...remade } = handOver("s", 120);
	await shop.mutate(caller, saleCreate, remade);
	expect(await read(server)).toMatchObject({ state: "open" });
	for (let i = 0; i < 2; i += 1)
		await shop.mutate(caller, saleCreate, handOver("s", 120));
	expect(await read(server)).toMatchObject({ state: "completed", causes: [] });
});

test("a sale that was made again without its layaway, which another till had cancelled, is reported once when it arrives with it [LOSS-4]", async () => {
	const server = await openKept();
	const { shop, caller } = server;
	const { layawayId, ...remade } = handOver("s", 120);
	await shop.mutate(caller, saleCreate, remade);
	await shop.mutate(caller, layawayCancel, { id: layawayId, reason: "Late" });
	for (let i = 0; i < 2; i += 1)
		await shop.mutate(caller, saleCreate, handOver("s", 120));
	expect(await read(server)).toMatchObject({
		state: "cancelled",
		causes: [["layaway_ended", "s", 120]],
	});
});

test("layaways are listed by what is due first, also of a customer who was merged", async () => {
	const { shop, caller } = await openKept();
	await shop.mutate(caller, customerCreate, { id: "other", name: "Other" });
	for (const [id, dueDay] of [
		["someday", null],
		["overdue", "2026-11-01"],
	] as const)
		await shop.mutate(caller, layawayCreate, {
			...{ id, customerId: "other", items, dueDay },
		});
	const list = async (args: object) =>
		(await shop.ask(caller, layawayList, args)).rows.map(
			({ id, customerName }) => [id, customerName],
		);
	expect(await list({})).toEqual([
		["overdue", "Other"],
		["kept", "Zawadi"],
		["someday", "Other"],
	]);
	await shop.mutate(caller, customerMerge, {
		...{ fromId: "other", intoId: customerId },
	});
	await shop.mutate(caller, layawayCancel, { id: "kept", reason: "Moved" });
	expect(await list({ customerId })).toEqual([
		["overdue", "Zawadi"],
		["someday", "Zawadi"],
	]);
	expect(await list({ show: "all", customerId })).toHaveLength(3);
	expect(await list({ show: "all", customerId: "other" })).toHaveLength(3);
});
