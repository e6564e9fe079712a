import { expect, test } from "vitest";
import { inboxItemList } from "../queries/inbox.ts";
import { reportMoney } from "../queries/report-money.ts";
import { shiftGet } from "../queries/shift.ts";
import {
	expectInStep,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	type TestShop,
} from "../testing/shop.ts";
import { customerCreate, customerLimit } from "./customer.ts";
import { paymentAdjust } from "./payment.ts";
import { saleCreate } from "./sale.ts";
import { shiftClose, shiftOpen } from "./shift.ts";

/** Of one field each; ten of them together are too large to count. */
const tenders = Array.from({ length: 10 }, () => ({
	...{ method: "CASH", amount: 1e9 },
}));
const line = { id: "1", name: "Rice", quantity: 1, price: 100, cost: 0 };
/** The largest sum in millionths, and the largest amount of an item. */
const most = 9_007_199_254_740_990;
const lines = (micros: number) =>
	Array.from({ length: 10 }, (_, i) => ({
		...{ ...line, id: String(i) },
		price: i < 9 ? 1e9 : (micros - 9e15) / 1e6,
	}));

async function openCustomersShop(): Promise<TestShop> {
	const server = await openTestShop();
	const { shop, caller } = server;
	await shop.mutate(caller, customerCreate, { id: "c", name: "Zawadi" });
	await shop.mutate(caller, saleCreate, { id: "s", items: [line] });
	return server;
}

/** A till that can't read a row reads nothing that comes after it either. */
async function expectReadable(server: TestShop): Promise<void> {
	const till = await openTestTill(server);
	await till.till.sync();
	await expectInStep(server, till);
}

const back = { saleId: "s", reason: "Sour", tenders };
test.each([
	["payment.collect", "amount", { id: "p", customerId: "c", tenders }],
	["payment.payout", "amount", { id: "p", customerId: "c", tenders }],
	["sale.create", "paid", { id: "t", items: [line], tenders }],
	["sale.create", "total", { id: "t", items: lines(most + 1) }],
	["sale.void", "rounding", { id: "v", ...back }],
	[
		...(["sale.refund", "rounding"] as const),
		{ id: "r", ...back, items: [{ id: "1", itemId: "1", quantity: 1 }] },
	],
	[
		...(["sale.create", "items"] as const),
		{
			id: "t",
			items: [{ ...line, quantity: 1e9, price: 0, listPrice: 1e9 }],
		},
	],
])(
	"%s with a sum that is too large to count is refused by its %s, and stops no till [FACT-7]",
	async (name, field, args) => {
		const server = await openCustomersShop();
		expect(await pushOne(server, message("m", name, args))).toMatchObject({
			error: { code: "invalid_args", field },
		});
		await expectReadable(server);
	},
);

test("a sale of the largest sum is recorded, and tills read it", async () => {
	const server = await openCustomersShop();
	const made = message("m", "sale.create", { id: "t", items: lines(most) });
	expect(await pushOne(server, made)).toMatchObject({ status: "applied" });
	await expectReadable(server);
});

test("a count of more cash than can be counted is recorded with the largest difference, and tills read it", async () => {
	const server = await openCustomersShop();
	const { shop, caller } = server;
	await shop.mutate(caller, shiftOpen, { id: "shift", openingFloat: 0 });
	await shop.mutate(caller, shiftClose, {
		...{ id: "z", shiftId: "shift", counted: tenders },
	});
	const { items } = await shop.ask(caller, inboxItemList, {});
	expect(items).toMatchObject([
		{ cause: "drawer_differs", amount: most / 1e6 },
	]);
	await expectReadable(server);
});

test("credit that is over a limit by more than can be counted is recorded, and tills read it", async () => {
	const server = await openCustomersShop();
	const { shop, caller } = server;
	await shop.mutate(caller, customerLimit, { id: "c", creditLimit: 0 });
	for (const [i, { amount }] of tenders.entries())
		await shop.mutate(caller, paymentAdjust, {
			...{ id: `a${i}`, customerId: "c", amount },
			reason: "Owed in the old book",
		});
	await shop.mutate(caller, saleCreate, {
		...{ id: "t", items: [line], paymentMethod: "CREDIT", customerId: "c" },
	});
	const { items } = await shop.ask(caller, inboxItemList, {});
	expect(items).toMatchObject([{ cause: "over_limit", amount: most / 1e6 }]);
	await expectReadable(server);
});

test("a shift that sold more than can be counted exactly is closed and reported", async () => {
	const server = await openCustomersShop();
	const { shop, caller } = server;
	await shop.mutate(caller, shiftOpen, { id: "shift", openingFloat: 0 });
	for (const id of ["a", "b"])
		await shop.mutate(caller, saleCreate, {
			...{ id, items: [{ ...line, quantity: 1e6, price: 9_000 }] },
		});
	await shop.mutate(caller, shiftClose, {
		...{ id: "z", shiftId: "shift", counted: [{ method: "CASH", amount: 5 }] },
	});
	const { figures } = await shop.ask(caller, shiftGet, { id: "shift" });
	expect(figures).toMatchObject({ sales: { count: 2, total: 18e9 } });
	const today = { from: "2026-11-20", to: "2026-11-20" };
	const { total } = await shop.ask(caller, reportMoney, today);
	expect(total.revenue).toBe(18e9 + 100);
	await expectReadable(server);
});
