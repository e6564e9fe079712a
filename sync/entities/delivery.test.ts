import { describe, expect, test } from "vitest";
import { inboxItemList } from "../queries/inbox.ts";
import { journalEntry } from "../queries/journal.ts";
import { productGet } from "../queries/product.ts";
import { averageCost, productCosts } from "../queries/product-costs.ts";
import { saleGet } from "../queries/sale.ts";
import { shiftSums } from "../queries/shift.ts";
import { supplierEntries, supplierGet } from "../queries/supplier.ts";
import {
	addMember,
	addMilk,
	expectInStep,
	openTestShop,
	openTestTill,
	saleArgs,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import { businessUpdate } from "./business.ts";
import { deliveryCreate } from "./delivery.ts";
import { saleCreate } from "./sale.ts";
import { shiftOpen } from "./shift.ts";
import { supplierCreate } from "./supplier.ts";
import { paymentRemit } from "./supplier-payment.ts";

const cash = (amount: number) => ({ method: "CASH", amount });
const bank = (amount: number) => ({ method: "BANK", amount });

/** What people do at a till or on the server. */
function peopleAt(at: TestShop | TestTill) {
	const shop = "till" in at ? at.till : at.shop;
	const { caller } = at;
	return {
		receive: (id: string, quantity: number, cost: number, more: object = {}) =>
			shop.mutate(caller, deliveryCreate, {
				...{ id, supplierId: "brookside", ...more },
				items: [{ id: "1", productId: "milk", name: "Milk", quantity, cost }],
			}),
		pay: (id: string, ...tenders: ReturnType<typeof cash>[]) =>
			shop.mutate(caller, paymentRemit, {
				...{ id, supplierId: "brookside", tenders },
			}),
		async owed() {
			const found = await shop.ask(caller, supplierGet, { id: "brookside" });
			return found.balance;
		},
		async milk() {
			const { quantity, buyingPrice } = await shop.ask(caller, productGet, {
				id: "milk",
			});
			return { quantity, buyingPrice };
		},
	};
}

async function openShop() {
	const server = await openTestShop();
	await addMilk(server);
	const name = "Brookside";
	await server.shop.mutate(server.caller, supplierCreate, {
		...{ id: "brookside", name },
	});
	const people = peopleAt(server);
	const { quantity } = await people.milk();
	return { server, stock: quantity, ...people };
}

describe("a delivery", () => {
	test("a delivery moves the stock by its lines, sets the buying price, and is owed as far as it isn't paid [FACT-14]", async () => {
		const { stock, receive, pay, owed, milk, server } = await openShop();
		await receive("one", 10, 50, { tenders: [cash(200)], number: "INV-1" });
		expect(await milk()).toEqual({ quantity: stock + 10, buyingPrice: 50 });
		expect(await owed()).toBe(300);
		await receive("back", 2, 50, { isReturn: true });
		expect(await milk()).toEqual({ quantity: stock + 8, buyingPrice: 50 });
		await receive("two", 4, 60, { setsCosts: false });
		expect(await milk()).toEqual({ quantity: stock + 12, buyingPrice: 50 });
		await pay("p", cash(100), bank(40));
		expect(await owed()).toBe(300 - 100 + 240 - 140);
		const { rows } = await server.shop.ask(server.caller, supplierEntries, {
			supplierId: "brookside",
		});
		expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(300);
		expect(
			await server.rows(
				"SELECT delta, cost, reason, note, delivery_id FROM stock_movements WHERE delivery_id IS NOT NULL ORDER BY delivery_id",
			),
		).toEqual([
			{ ...movement("back", -2, 50), reason: "sentBack", note: null },
			{ ...movement("one", 10, 50), reason: "received", note: "INV-1" },
			{ ...movement("two", 4, 60), reason: "received", note: null },
		]);
	});

	test("a delivery in packs moves their units, at the cost of a unit", async () => {
		const { server, stock, milk } = await openShop();
		const pack = { packId: "tray", packName: "Tray", packSize: 12 };
		const line = { id: "1", productId: "milk", name: "Milk", ...pack };
		await server.shop.mutate(server.caller, deliveryCreate, {
			...{ id: "packs", items: [{ ...line, quantity: 2, cost: 500 }] },
		});
		expect(await milk()).toEqual({
			...{ quantity: stock + 24, buyingPrice: 41.666667 },
		});
		const crumb = { ...line, packSize: 0.000001, quantity: 1e6, cost: 5e3 };
		await expect(
			server.shop.mutate(server.caller, deliveryCreate, {
				...{ id: "crumbs", items: [crumb] },
			}),
		).rejects.toMatchObject({ code: "invalid_args" });
	});

	test("a delivery made again is recorded once, and its id can't be that of another", async () => {
		const { receive, pay, owed } = await openShop();
		for (let i = 0; i < 2; i += 1) {
			await receive("one", 10, 50);
			await pay("p", cash(100), bank(40));
		}
		expect(await owed()).toBe(360);
		for (const other of [receive("one", 11, 50), pay("p", cash(140))])
			await expect(other).rejects.toMatchObject({ code: "id_reused" });
	});

	test("two tills that receive, send back and pay offline agree in the end [FACT-14]", async () => {
		const { server, stock } = await openShop();
		const tills = [await openTestTill(server), await openTestTill(server)];
		for (const { till } of tills) await till.sync();
		for (const { line } of tills) line.online = false;
		const [one, other] = tills.map(peopleAt) as [
			ReturnType<typeof peopleAt>,
			ReturnType<typeof peopleAt>,
		];
		await one.receive("one", 10, 50, { tenders: [cash(100)] });
		await other.receive("two", 4, 60);
		await other.receive("back", 1, 60, { isReturn: true });
		await one.pay("p", cash(250));
		await other.pay("q", bank(30));
		for (const { line } of tills) line.online = true;
		for (const { till } of [...tills, ...tills]) await till.sync();
		for (const till of tills) {
			await expectInStep(server, till);
			expect(await peopleAt(till).owed()).toBe(500 + 240 - 60 - 100 - 250 - 30);
			expect((await peopleAt(till).milk()).quantity).toBe(stock + 13);
		}
	});

	test("cash for a delivery leaves the drawer of the shift, and money from the bank does not", async () => {
		const { server, receive, pay } = await openShop();
		const { shop, caller } = server;
		await shop.mutate(caller, shiftOpen, { id: "h", openingFloat: 1_000 });
		await receive("one", 10, 50, { tenders: [cash(200), bank(50)] });
		await pay("p", cash(100), bank(40));
		await receive("back", 1, 50, { isReturn: true, tenders: [cash(50)] });
		const { expected } = await shop.ask(caller, shiftSums, { id: "h" });
		expect(expected).toEqual([cash(750)]);
	});

	test("a delivery balances in the journal: goods into Stock, the rest to Suppliers, and nobody's goods to what was paid for them", async () => {
		const { server, receive, pay } = await openShop();
		const { shop, caller } = server;
		await receive("one", 10, 50, { tenders: [cash(200)] });
		await pay("p", bank(40));
		const market = { supplierId: undefined, tenders: [cash(30)] };
		await receive("market", 1, 30, market);
		const { lines } = await shop.ask(caller, journalEntry, {
			day: "2026-11-20",
		});
		expect(
			lines.map(({ accountName, debits, credits }) => [
				...[accountName, (debits ?? 0) - (credits ?? 0)],
			]),
		).toEqual([
			["Cash in drawers", -230],
			["Bank", -40],
			["Stock", 530],
			["Suppliers", -260],
		]);
	});

	test("cash for a supplier beyond a manager's limit becomes an inbox item", async () => {
		const { server } = await openShop();
		const { shop, store, caller } = server;
		await shop.mutate(caller, businessUpdate, {
			set: { limits: [{ role: "MANAGER", cashOutMax: 100 }] },
		});
		await store.write((tx) =>
			addMember(tx, caller.businessId, "otieno", "MANAGER"),
		);
		const manager = { ...caller, userId: "otieno", role: "MANAGER" } as const;
		const { receive, pay } = peopleAt({ ...server, caller: manager });
		await receive("one", 10, 50, { tenders: [cash(150), bank(300)] });
		await pay("p", cash(99));
		const { items } = await shop.ask(caller, inboxItemList, {});
		expect(items).toMatchObject([{ cause: "cash_over_limit", amount: 150 }]);
	});

	test("a delivery leaves what was sold before at the cost of its time", async () => {
		const { server, receive } = await openShop();
		const { shop, caller } = server;
		await shop.mutate(
			caller,
			saleCreate,
			saleArgs("s", [{ productId: "milk", quantity: 2, cost: 40, price: 60 }]),
		);
		await receive("one", 10, 50);
		const { profit } = await shop.ask(caller, saleGet, { id: "s" });
		expect(profit).toBe(40);
	});
});

const movement = (deliveryId: string, delta: number, cost: number) => ({
	...{ delivery_id: deliveryId, delta: delta * 1e6, cost: cost * 1e6 },
});

describe("a product's cost", () => {
	test("a product's cost is that of the last delivery, and the average by movement, with who brought it, today and on any past day", async () => {
		const { server, stock, receive } = await openShop();
		const { shop, caller, env } = server;
		const costs = (day?: string) =>
			shop.ask(caller, productCosts, { id: "milk", day });
		expect(await costs()).toEqual({
			last: null,
			average: null,
			deliveries: [],
		});
		await receive("one", 10, 50);
		env.pass(24 * 3_600_000);
		await receive("two", 10, 60);
		expect(await costs("2026-11-19")).toMatchObject({ average: null });
		expect(await costs("2026-11-20")).toMatchObject({ last: 50, average: 50 });
		const inAll = stock + 20;
		expect(await costs()).toMatchObject({
			last: 60,
			average: Math.round((50 + (10 * 10) / inAll) * 1e6) / 1e6,
			deliveries: [
				{ deliveryId: "two", supplierName: "Brookside", quantity: 10 },
				{ deliveryId: "one", cost: 50 },
			],
		});
	});

	test.each([
		[[[10, 50]], 50],
		[
			[
				[5, null],
				[5, 50],
				[10, 60],
			],
			55,
		],
		[
			[
				[10, 50],
				[-5, null],
				[5, 60],
			],
			55,
		],
		[
			[
				[10, 50],
				[-2, 70],
				[8, 50],
			],
			50,
		],
		[
			[
				[-3, null],
				[10, 40],
				[-20, null],
				[4, 90],
			],
			90,
		],
		[
			[
				[5, null],
				[-1, null],
			],
			null,
		],
	] as [[number, number | null][], number | null][])(
		"the cost after %j is %s on average",
		(movements, average) => {
			expect(
				averageCost(movements.map(([delta, cost]) => ({ delta, cost }))),
			).toBe(average);
		},
	);
});
