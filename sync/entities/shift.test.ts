import { describe, expect, test } from "vitest";
import { customerGet } from "../queries/customer.ts";
import { inboxItemList } from "../queries/inbox.ts";
import { receiptGet } from "../queries/receipt.ts";
import { saleGet } from "../queries/sale.ts";
import {
	shiftCurrent,
	shiftGet,
	shiftList,
	shiftSums,
} from "../queries/shift.ts";
import { customerStatement } from "../queries/statement.ts";
import {
	expectInStep,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import { cashMove, drawerOpen } from "./cash.ts";
import { customerCreate } from "./customer.ts";
import { paymentCollect } from "./payment.ts";
import { saleRefund, saleVoid } from "./refund.ts";
import { saleCreate } from "./sale.ts";
import { shiftClose, shiftOpen } from "./shift.ts";

const cash = (amount: number) => ({ method: "CASH", amount });
const mpesa = (amount: number) => ({ method: "MPESA", amount });

/** What a person does at one drawer: of a till, or of the server. */
function drawerOf(at: Pick<TestTill, "till" | "caller">) {
	const { till, caller } = at;
	let made = 0;
	const nextId = (kind: string) => {
		made += 1;
		return `${caller.userId}-${kind}-${made}`;
	};
	return {
		async open(openingFloat: number, id = nextId("shift")) {
			await till.mutate(caller, shiftOpen, { id, openingFloat });
			return id;
		},
		async sell(price: number, more: object = {}) {
			const id = nextId("sale");
			const items = [{ id: "1", name: "Rice", quantity: 1, price, cost: 0 }];
			await till.mutate(caller, saleCreate, { id, items, ...more });
			return id;
		},
		async refund(saleId: string, quantity = 1) {
			const id = nextId("refund");
			const items = [{ id: "1", itemId: "1", quantity }];
			const args = { id, saleId, reason: "Sour", items };
			await till.mutate(caller, saleRefund, args);
		},
		async move(amount: number, category: "expense" | "deposit" = "expense") {
			const id = nextId("move");
			const args = { id, amount, category, reason: "Charcoal" };
			await till.mutate(caller, cashMove, args);
		},
		async collect(customerId: string, amount: number) {
			const id = nextId("collection");
			const tenders = [cash(amount)];
			await till.mutate(caller, paymentCollect, { id, customerId, tenders });
		},
		/** What is expected in the drawer now. */
		async expected(id: string) {
			const { expected } = await till.ask(caller, shiftSums, { id });
			return expected.find(({ method }) => method === "CASH")?.amount;
		},
		async close(shiftId: string, counted: number, more: object = {}) {
			const id = nextId("count");
			const args = { id, shiftId, counted: [cash(counted)], ...more };
			await till.mutate(caller, shiftClose, args);
			return id;
		},
		report: (id: string) => till.ask(caller, shiftGet, { id }),
	};
}

async function openTill() {
	const server = await openTestShop();
	const { shop, caller } = server;
	await shop.mutate(caller, customerCreate, { id: "zawadi", name: "Zawadi" });
	const till = await openTestTill(server);
	await till.till.sync();
	return { server, till, ...drawerOf(till) };
}

const ownDrawer = ({ shop, caller }: TestShop) =>
	drawerOf({ till: shop as unknown as TestTill["till"], caller });

async function causes({ shop, caller }: TestShop) {
	const { items } = await shop.ask(caller, inboxItemList, {});
	return items.map(({ cause, amount, shiftId }) => [cause, amount, shiftId]);
}

/** The numbers are those of published bugs of other systems, which T1 to T26 count. */
describe("what a drawer should hold", () => {
	test("with a float of 500, a sale of 749 that is paid with 1,000 leaves 1,249 [T1]", async () => {
		const { open, sell, expected } = await openTill();
		const shift = await open(500);
		await sell(749, { paid: 1_000 });
		expect(await expected(shift)).toBe(1_249);
	});

	test("a sale that is voided leaves what was there, and never less [T2]", async () => {
		const { till, open, sell, expected } = await openTill();
		const shift = await open(0);
		await sell(10);
		const second = await sell(20);
		const args = { id: "v", saleId: second, reason: "Wrong" };
		await till.till.mutate(till.caller, saleVoid, args);
		expect(await expected(shift)).toBe(10);
	});

	test("a debt that is paid in cash is in the drawer, apart from what was sold [T3] [T4]", async () => {
		const { open, sell, collect, expected, close, report } = await openTill();
		const shift = await open(100);
		await sell(500, { customerId: "zawadi", paymentMethod: "CREDIT" });
		expect(await expected(shift)).toBe(100);
		await collect("zawadi", 500);
		expect(await expected(shift)).toBe(600);
		await close(shift, 600);
		const { figures } = await report(shift);
		expect(figures).toMatchObject({
			sales: { count: 1, total: 500 },
			methods: [
				{ method: "CASH", sold: 0, collected: 500 },
				{ method: "CREDIT", sold: 500, collected: -500 },
			],
		});
	});

	test("goods that a customer gets for nothing leave what was there and what is owed, whatever was handed over", async () => {
		const { till, open, sell, expected, close, report } = await openTill();
		const shift = await open(100);
		const id = await sell(0, { customerId: "zawadi", tenders: [cash(248)] });
		expect(await expected(shift)).toBe(100);
		const sold = await till.till.ask(till.caller, saleGet, { id });
		expect(sold).toMatchObject({ paymentMethod: "CASH", change: 248 });
		await close(shift, 100);
		const { figures } = await report(shift);
		expect(figures).toMatchObject({
			sales: { count: 1, total: 0 },
			methods: [{ method: "CASH", sold: 0 }],
		});
	});

	test("a sale on credit that comes back lowers the debt and leaves the drawer", async () => {
		const { till, open, sell, refund, expected } = await openTill();
		const shift = await open(50);
		const id = await sell(20, {
			...{ customerId: "zawadi", paymentMethod: "CREDIT" },
		});
		await refund(id);
		expect(await expected(shift)).toBe(50);
		const { balance } = await till.till.ask(till.caller, customerGet, {
			id: "zawadi",
		});
		expect(balance).toBe(0);
	});

	test("an expense is taken out: 5,000 and 35,000 less 500 leave 39,500 [T6]", async () => {
		const { open, sell, move, expected } = await openTill();
		const shift = await open(5_000);
		await sell(35_000);
		await move(-500);
		expect(await expected(shift)).toBe(39_500);
	});

	test("the float is what was counted at the opening, whatever the last shift left", async () => {
		const { open, sell, close, expected } = await openTill();
		await close(await open(0), 100, { leftInDrawer: 100 });
		const second = await open(50);
		await sell(10);
		expect(await expected(second)).toBe(60);
		await close(second, 60);
		const third = await open(0);
		await sell(1_000);
		expect(await expected(third)).toBe(1_000);
	});

	test.each([
		[
			"the last close of 100 is no float: 50 and a sale of 10 [T7]",
			100,
			50,
			10,
		],
		["without a sale nothing is missing: 100 stay 100 [T8]", 170, 100, 0],
		["a difference at the opening counts once: 50 and 10 [T9]", 100, 50, 10],
		["a float of 0 is 0, and not as before: 1,000 [T10]", 500, 0, 1_000],
	])("%s", async (_what, before, float, sold) => {
		const { open, sell, close, report } = await openTill();
		await close(await open(before), before);
		const shift = await open(float);
		if (sold > 0) await sell(sold);
		await close(shift, float + sold);
		const { count } = await report(shift);
		expect(count?.compared[0]).toMatchObject({
			...{ expected: float + sold, counted: float + sold },
		});
	});

	test("a report's difference stays what it was when it was counted [T11]", async () => {
		const { open, sell, close, report } = await openTill();
		const shift = await open(50);
		await sell(50);
		await close(shift, 50);
		const before = await report(shift);
		expect(before.count?.compared[0]).toMatchObject({
			...{ expected: 100, counted: 50 },
		});
		await open(50);
		await sell(100);
		expect((await report(shift)).count).toEqual(before.count);
	});

	test("a sale of 100 that is paid with 1,000 adds 100, and counts once [T13]", async () => {
		const { open, sell, expected } = await openTill();
		const shift = await open(0);
		await sell(100, { paid: 1_000 });
		expect(await expected(shift)).toBe(100);
	});

	test("due 1,500, handed 500: 500 were taken and 1,000 are owed [T22]", async () => {
		const { till, open, sell, expected } = await openTill();
		const shift = await open(0);
		const tenders = [cash(500)];
		const id = await sell(1_500, { customerId: "zawadi", tenders });
		expect(await expected(shift)).toBe(500);
		const { balance } = await till.till.ask(till.caller, customerGet, {
			id: "zawadi",
		});
		expect(balance).toBe(1_000);
		const receipt = await till.till.ask(till.caller, receiptGet, { id });
		expect(receipt).toMatchObject({ total: 1_500 });
	});

	test("credit of 300, of which 100 comes back and 50 after it: 150 are owed, as 300 − 100 − 50 [T21]", async () => {
		const { till, sell, refund, collect } = await openTill();
		const id = await sell(50, {
			...{ customerId: "zawadi", paymentMethod: "CREDIT" },
		});
		await sell(250, { customerId: "zawadi", paymentMethod: "CREDIT" });
		await collect("zawadi", 100);
		await refund(id);
		const { balance, entries } = await till.till.ask(
			till.caller,
			customerStatement,
			{ id: "zawadi", entries: 9 },
		);
		expect(balance).toBe(150);
		expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(150);
	});

	test("a refund is given back by the sale's method, with the sale's rounding [T14]", async () => {
		const { open, sell, refund, expected } = await openTill();
		const shift = await open(0);
		const rounded = await sell(7.5, { paid: 7.5, rounding: 0.5 });
		expect(await expected(shift)).toBe(7);
		await refund(rounded);
		expect(await expected(shift)).toBe(0);
		await refund(await sell(30, { paymentMethod: "MPESA" }));
		expect(await expected(shift)).toBe(0);
	});

	test("change for a payment that is not cash comes out of the drawer", async () => {
		const { open, sell, expected } = await openTill();
		const shift = await open(200);
		await sell(950, { paymentMethod: "MPESA", paid: 1_000 });
		expect(await expected(shift)).toBe(150);
		await sell(100, { tenders: [mpesa(60), cash(50)] });
		expect(await expected(shift)).toBe(190);
	});

	test("a report has the tax of what was sold by class, less that of what came back", async () => {
		const { till, open, refund, close, report } = await openTill();
		const shift = await open(0);
		const line = { ...{ quantity: 2, price: 58, cost: 0 }, name: "Soda" };
		const taxed = { taxClass: "B", taxRate: 16 };
		await till.till.mutate(till.caller, saleCreate, {
			id: "s",
			items: [
				{ ...line, ...taxed, id: "1" },
				{ ...line, id: "2" },
			],
		});
		await refund("s");
		await close(shift, 174);
		const { figures } = await report(shift);
		expect(figures?.taxes).toEqual([
			{ taxClass: "B", taxRate: 16, net: 50, tax: 8 },
		]);
	});

	test("a shift without a sale can be closed [T25]", async () => {
		const { open, close, report } = await openTill();
		const shift = await open(100);
		await close(shift, 100);
		expect(await report(shift)).toMatchObject({
			figures: { facts: 0, firstReceipt: null },
			count: { compared: [{ method: "CASH", expected: 100, counted: 100 }] },
		});
	});
});

describe("a shift", () => {
	test("what is done at a drawer belongs to the shift that is open there, and to none before or after", async () => {
		const { server, till, open, sell, refund, move, close } = await openTill();
		const before = await sell(1);
		const shift = await open(0);
		await sell(2);
		await refund(before);
		await move(-1);
		const opening = { id: "o", reason: "Change" };
		await till.till.mutate(till.caller, drawerOpen, opening);
		await close(shift, 0);
		await sell(4);
		await till.till.sync();
		await expectInStep(server, till);
		const detail = await server.shop.ask(server.caller, shiftGet, {
			id: shift,
		});
		expect(detail).toMatchObject({
			shift: { openingFloat: 0 },
			figures: {
				...{ facts: 4, drawerOpenings: 1 },
				sales: { count: 1, total: 2 },
				refunds: { count: 1, total: 1 },
				moves: [{ category: "expense", count: 1, amount: -1 }],
			},
			...{ late: [], missing: 0, recounts: [] },
		});
		expect(await causes(server)).toEqual([]);
		const { deviceId: drawerId } = await till.till.status();
		const current = () =>
			till.till.ask(till.caller, shiftCurrent, { drawerId });
		expect(await current()).toEqual({ shift: null });
		await open(5);
		expect(await current()).toMatchObject({ shift: { openingFloat: 5 } });
	});

	test("a sale that the server makes itself belongs to the shift at its own drawer", async () => {
		const server = await openTestShop();
		const { open, sell, close } = ownDrawer(server);
		const shift = await open(10);
		await sell(5);
		const till = await openTestTill(server);
		await till.till.sync();
		await drawerOf(till).sell(7);
		await till.till.sync();
		await close(shift, 15);
		expect(await causes(server)).toEqual([]);
		await till.till.sync();
		const { rows } = await till.till.ask(till.caller, shiftList, {});
		expect(rows).toMatchObject([
			{
				...{ id: shift, drawerId: "server", openingFloat: 10 },
				compared: [{ method: "CASH", expected: 15, counted: 15 }],
			},
		]);
	});

	test("a drawer that holds less than it should is an item of the inbox", async () => {
		const { server, till, open, sell, close } = await openTill();
		const shift = await open(100);
		await sell(50);
		await close(shift, 120, { reason: "Wrong change" });
		await till.till.sync();
		expect(await causes(server)).toEqual([["drawer_differs", -30, shift]]);
	});

	test("what one method has over never hides what another one lacks", async () => {
		const { server, till, open, sell } = await openTill();
		const shift = await open(100);
		await sell(50);
		await sell(70, { paymentMethod: "MPESA" });
		await till.till.mutate(till.caller, shiftClose, {
			...{ id: "z", shiftId: shift },
			counted: [cash(110), mpesa(110)],
		});
		await till.till.sync();
		expect(await causes(server)).toEqual([["drawer_differs", -40, shift]]);
		const { rows } = await server.shop.ask(server.caller, shiftList, {});
		expect(rows).toMatchObject([{ difference: -40 }]);
	});

	test("what arrives after a close made elsewhere is an addendum to it and an item of the inbox, and the report stays [FACT-11] [T12]", async () => {
		const { server, till, open, sell } = await openTill();
		const shift = await open(100);
		await sell(50);
		await till.till.sync();
		// The till stays offline, and a manager counts its drawer.
		const late = await sell(30);
		await ownDrawer(server).close(shift, 150);
		const { shop, caller } = server;
		const before = await shop.ask(caller, shiftGet, { id: shift });
		expect(before.late).toEqual([]);
		await till.till.sync();
		await expectInStep(server, till);
		const after = await shop.ask(caller, shiftGet, { id: shift });
		expect({ ...after, late: [] }).toEqual(before);
		expect(after.late).toMatchObject([
			{ id: late, kind: "sale", entries: [cash(30)] },
		]);
		expect(await causes(server)).toEqual([["late_for_shift", 30, shift]]);
	});

	test("a refund that the server refuses was counted by its till: the report stays and says that a fact is missing", async () => {
		const { server, till, open, sell, refund, close } = await openTill();
		const shift = await open(100);
		const sold = await sell(50);
		await till.till.sync();
		await drawerOf({
			till: server.shop as never,
			caller: server.caller,
		}).refund(sold);
		await refund(sold);
		await close(shift, 100);
		await till.till.sync();
		expect(await till.till.status()).toMatchObject({ rejected: 1 });
		const { shop, caller } = server;
		expect(await shop.ask(caller, shiftGet, { id: shift })).toMatchObject({
			missing: 1,
			count: { compared: [{ method: "CASH", expected: 100, counted: 100 }] },
		});
		expect(await causes(server)).toEqual([["figures_differ", -50, shift]]);
	});

	test("of two counts of a shift the server's first is its report, and the second stands beside it", async () => {
		const { server, till, open, close } = await openTill();
		const shift = await open(100);
		await till.till.sync();
		await close(shift, 100);
		await ownDrawer(server).close(shift, 90);
		await till.till.sync();
		await expectInStep(server, till);
		const detail = await till.till.ask(till.caller, shiftGet, { id: shift });
		expect(detail).toMatchObject({
			count: { compared: [{ counted: 90 }] },
			recounts: [{ compared: [{ counted: 100 }] }],
		});
		expect(await causes(server)).toEqual(
			expect.arrayContaining([["closed_twice", null, shift]]),
		);
	});

	test("a till that claims other figures than the server has, or leaves facts out, is found out [FACT-11]", async () => {
		const { server, till, open, sell } = await openTill();
		const shift = await open(100);
		await sell(50);
		await till.till.sync();
		const { figures } = await server.shop.ask(server.caller, shiftSums, {
			id: shift,
		});
		const claim = {
			...{ id: "z", shiftId: shift, counted: [cash(100)], seen: "" },
			figures: { ...figures, facts: 0, methods: [] },
		};
		expect(
			await pushOne(server, message("m", "shift.close", claim)),
		).toMatchObject({ status: "applied" });
		expect(await causes(server)).toEqual(
			expect.arrayContaining([
				["figures_differ", 0, shift],
				["late_for_shift", 50, shift],
			]),
		);
	});

	test("nobody but a manager sees what should be in a drawer before it is counted [T24]", async () => {
		const { server, open } = await openTill();
		const shift = await open(100);
		const cashier = { ...server.caller, role: "CASHIER" } as const;
		await expect(
			server.shop.ask(cashier, shiftSums, { id: shift }),
		).rejects.toMatchObject({ code: "forbidden" });
	});

	test("a close of an unknown shift is refused", async () => {
		const server = await openTestShop();
		await expect(ownDrawer(server).close("none", 1)).rejects.toMatchObject({
			code: "not_found",
		});
	});

	test("a sale that was paid short gives back what came in, whether by one method or by several", async () => {
		const drawer = ownDrawer(await openTestShop());
		const shift = await drawer.open(100);
		const alone = await drawer.sell(100, { paid: 50 });
		expect(await drawer.expected(shift)).toBe(150);
		await drawer.refund(alone);
		expect(await drawer.expected(shift)).toBe(100);
		const several = await drawer.sell(100, { tenders: [cash(30), mpesa(20)] });
		expect(await drawer.expected(shift)).toBe(130);
		await drawer.refund(several);
		expect(await drawer.expected(shift)).toBe(100);
	});

	test("the parts of a sale that was paid short give back no more than came in", async () => {
		const drawer = ownDrawer(await openTestShop());
		const shift = await drawer.open(100);
		const sold = await drawer.sell(100, { paid: 50 });
		const left: number[] = [];
		for (let parts = 0; parts < 4; parts += 1) {
			await drawer.refund(sold, 0.25);
			left.push((await drawer.expected(shift)) ?? 0);
		}
		expect(left).toEqual([125, 100, 100, 100]);
	});
});
