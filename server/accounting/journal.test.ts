import { describe, expect, test } from "vitest";
import { cashMove } from "../../sync/entities/cash.ts";
import { cashCategories } from "../../sync/entities/cash-categories.ts";
import { customerCreate, customerMerge } from "../../sync/entities/customer.ts";
import { plus, toDecimal } from "../../sync/entities/money.ts";
import { paymentAdjust, paymentCollect } from "../../sync/entities/payment.ts";
import { saleRefund, saleVoid } from "../../sync/entities/refund.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { shiftClose, shiftOpen } from "../../sync/entities/shift.ts";
import { addDays } from "../../sync/protocol/clock.ts";
import { customerList } from "../../sync/queries/customer.ts";
import { journalEntry } from "../../sync/queries/journal.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import { paymentList } from "../../sync/queries/payment-list.ts";
import { reportTax } from "../../sync/queries/report-tax.ts";
import { shiftList, shiftSums } from "../../sync/queries/shift.ts";
import {
	openTestShop,
	saleArgs,
	type TestShop,
} from "../../sync/testing/shop.ts";
import { twoShops } from "../testing/server.ts";

type Line = Awaited<ReturnType<typeof entriesOf>>[number];

const days = { from: "2026-11-10", to: "2026-11-30" };

async function entriesOf({ shop, caller }: TestShop) {
	const all = [];
	for (let day = days.from; day <= days.to; day = addDays(day, 1))
		all.push(...(await shop.ask(caller, journalEntry, { day })).lines);
	return all;
}

const sumOf = (lines: readonly Line[], name?: string) =>
	lines
		.filter(({ accountName }) => name === undefined || accountName === name)
		.reduce(
			(sum, { debits, credits }) =>
				plus(sum, plus(debits ?? 0, -(credits ?? 0))),
			0,
		);

/** A deterministic random number generator. */
function numbers(seed: number) {
	let state = seed;
	return (below: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

/** Does what people do with money in a shop, at random, at three drawers; refused mutations change nothing. */
async function trade({ shop, caller }: TestShop, seed: number, count: number) {
	const below = numbers(seed);
	const pick = <T>(all: readonly T[]) => all[below(all.length)];
	const customers = ["asha", "baraka", "zawadi"];
	for (const id of customers)
		await shop.mutate(caller, customerCreate, { id, name: id, phone: null });
	const shifts: string[] = [];
	const sales: { id: string; lines: number }[] = [];
	const tried = async (mutation: Promise<unknown>) => {
		await mutation.catch((error: { code?: string }) => {
			expect(["already_voided", "over_refunded", "invalid_args"]).toContain(
				error.code,
			);
		});
	};
	for (let i = 0; i < count; i += 1) {
		const id = `fact-${i}`;
		const businessDay = addDays(days.from, 4 + below(12));
		// Also one that was counted already: the fact is late.
		const shiftId = below(3) === 0 ? undefined : pick(shifts.slice(-4));
		const dated = { id, businessDay, shiftId };
		const amount = (1 + below(90_000)) / 100;
		const what = below(20);
		const sold = pick(sales);
		if (what < 8) {
			const lines = 1 + below(3);
			await shop.mutate(caller, saleCreate, {
				...dated,
				...saleArgs(
					id,
					Array.from({ length: lines }, () => {
						const price = (1 + below(20_000)) / 100;
						const quantity = seed % 2 ? 1 + below(3) : (1 + below(40)) / 8;
						const listPrice = below(3) === 0 ? { listPrice: price + 5 } : {};
						const tax = pick([{}, { taxClass: "B", taxRate: 16 }]);
						return { price, quantity, cost: price / 2, ...listPrice, ...tax };
					}),
				),
				...pick<object>([
					{},
					{ paid: 900 },
					{ paymentMethod: "CARD", paid: 950 },
					{ paymentMethod: "CREDIT" },
					{ paymentMethod: "MPESA", paid: 0.5 },
					{ paid: 1_000, rounding: 0.4 },
					{ customerId: pick(customers), paymentMethod: "CREDIT" },
					{
						customerId: pick(customers),
						tenders: [
							{ method: "MPESA", amount },
							{ method: "VOUCHER", amount: 5 },
						],
					},
					{
						tenders: [
							{ method: "CARD", amount: 1 },
							{ method: "CASH", amount: 5_000 },
						],
						rounding: -0.25,
					},
				]),
			});
			sales.push({ id, lines });
		} else if (what < 11 && sold)
			await tried(
				shop.mutate(caller, saleRefund, {
					...{ ...dated, saleId: sold.id, reason: "Sour" },
					restock: below(2) === 0,
					items: [
						{ id: "1", itemId: String(1 + below(sold.lines)), quantity: 1 },
					],
					...pick([{}, { tenders: [{ method: "CASH", amount: 3.3 }] }]),
				}),
			);
		else if (what < 12 && sold)
			await tried(
				shop.mutate(caller, saleVoid, {
					...{ ...dated, saleId: sold.id, reason: "Wrong customer" },
				}),
			);
		else if (what < 14)
			await shop.mutate(caller, paymentCollect, {
				...{ ...dated, customerId: pick(customers) ?? "" },
				tenders: [
					{ method: "CASH", amount },
					{ method: "MPESA", amount: 2 },
				],
			});
		else if (what < 15)
			await shop.mutate(caller, paymentAdjust, {
				...{ id, businessDay, customerId: pick(customers) ?? "" },
				...{ amount: amount - 300, reason: "The old book" },
			});
		else if (what < 17)
			await shop.mutate(caller, cashMove, {
				...{ ...dated, amount: amount - 450.01, reason: "Charcoal" },
				category: pick(cashCategories) ?? "other",
			});
		else if (what < 18 || shifts.length === 0) {
			shifts.push(id);
			await shop.mutate(caller, shiftOpen, {
				...{ id, businessDay, openingFloat: amount },
				drawerId: `till-${below(3)}`,
			});
		} else
			await shop.mutate(caller, shiftClose, {
				...{ id, businessDay, shiftId: pick(shifts) ?? "" },
				counted: [
					{ method: "CASH", amount },
					...(below(2) ? [{ method: "MPESA", amount: 7 }] : []),
				],
			});
	}
	await shop.mutate(caller, customerMerge, {
		fromId: "asha",
		intoId: "baraka",
	});
}

/** What should be in all drawers: of open shifts by their sums, and what moved without a shift. */
async function drawersOf({ shop, caller }: TestShop): Promise<number> {
	let cash = 0;
	for await (const page of pagesOf(shop, caller, shiftList, {}))
		for (const { id, closedAt } of page)
			if (closedAt === null)
				for (const { method, amount } of (
					await shop.ask(caller, shiftSums, { id })
				).expected)
					if (method === "CASH") cash = plus(cash, amount);
	for await (const page of pagesOf(shop, caller, paymentList, {}))
		for (const { method, shiftId, amount } of page)
			if (method === "CASH" && shiftId === null) cash = plus(cash, amount);
	return cash;
}

describe("the journal", () => {
	test.each([1, 2, 3, 4, 5, 6])(
		"each day of the journal balances to the cent, and its accounts are what the shop says (seed %i)",
		async (seed) => {
			const shop = await openTestShop();
			await trade(shop, seed, 120);
			const lines = await entriesOf(shop);
			const byDay = Map.groupBy(lines, ({ journalNo }) => journalNo);
			expect(byDay.size).toBeGreaterThan(8);
			for (const [day, entry] of byDay) {
				expect(sumOf(entry), day).toBe(0);
				for (const { debits, credits } of entry) {
					const amount = debits ?? credits ?? 0;
					expect(amount).toBeGreaterThan(0);
					expect(amount).toBe(Math.round(amount * 100) / 100);
				}
			}
			const [rounded] = await shop.rows(
				"SELECT (SELECT sum(rounding) FROM sales) - coalesce((SELECT sum(rounding) FROM refunds), 0) AS micros",
			);
			const rounding = toDecimal(Number(rounded?.micros));
			// Quantities of eighths have parts of a cent, which each day rounds.
			if (seed % 2 === 0) {
				const cents = Math.abs(sumOf(lines, "Rounding") - rounding) * 100;
				expect(cents).toBeLessThan(5 * byDay.size);
				return;
			}
			expect(sumOf(lines, "Rounding")).toBe(rounding);
			let owed = 0;
			for await (const page of pagesOf(
				shop.shop,
				shop.caller,
				customerList,
				{},
			))
				for (const { balance } of page) owed = plus(owed, balance);
			expect(sumOf(lines, "Customers")).toBe(owed);
			expect(sumOf(lines, "Cash in drawers")).toBe(await drawersOf(shop));
			const { total } = await shop.shop.ask(shop.caller, reportTax, days);
			expect(sumOf(lines, "Output tax")).toBe(-total.tax);
			const revenue = plus(sumOf(lines, "Sales"), sumOf(lines, "Refunds"));
			expect(revenue).toBe(-total.net);
			expect(
				plus(sumOf(lines, "Cost of goods sold"), sumOf(lines, "Stock")),
			).toBe(0);
		},
	);

	test("a day with a split sale, an expense and a count is posted line by line", async () => {
		const { server, asha } = await twoShops();
		const { shop } = server;
		const { caller } = asha;
		await shop.mutate(caller, shiftOpen, { id: "shift", openingFloat: 500 });
		const [item] = saleArgs("s").items;
		await shop.mutate(caller, customerCreate, {
			...{ id: "zawadi", name: "Zawadi", phone: null },
		});
		await shop.mutate(caller, saleCreate, {
			id: "s",
			items: [{ ...item, price: 116, cost: 60, taxClass: "B", taxRate: 16 }],
			customerId: "zawadi",
			tenders: [
				{ method: "CASH", amount: 60 },
				{ method: "MPESA", amount: 40 },
			],
		} as never);
		await shop.mutate(caller, cashMove, {
			...{ id: "m", amount: -20, category: "expense", reason: "Charcoal" },
		});
		await shop.mutate(caller, shiftClose, {
			...{ id: "z", shiftId: "shift" },
			counted: [{ method: "CASH", amount: 535 }],
		});
		const [{ businessDay } = { businessDay: "" }] = (
			await shop.ask(caller, shiftList, {})
		).rows;
		const path = `/api/reports/accounting.csv?from=${businessDay}&to=${businessDay}`;
		const { text } = await server.ask("GET", path, { as: asha });
		expect(text.replaceAll(businessDay, "DAY").trim().split("\r\n")).toEqual([
			"journalNo,journalDate,accountCode,accountName,debits,credits,description,taxClass,taxRate,currency",
			"DAY,DAY,1010,Cash outside drawers,35,,Cash outside drawers,,,KES",
			"DAY,DAY,1040,M-PESA,40,,M-PESA,,,KES",
			"DAY,DAY,1100,Customers,16,,Customers,,,KES",
			"DAY,DAY,1200,Stock,,60,Stock,,,KES",
			'DAY,DAY,2100,Output tax,,16,"Output tax, B 16 %",B,16,KES',
			'DAY,DAY,4000,Sales,,100,"Sales, B 16 %",B,16,KES',
			"DAY,DAY,5000,Cost of goods sold,60,,Cost of goods sold,,,KES",
			"DAY,DAY,6000,Expenses,20,,Expenses,,,KES",
			"DAY,DAY,6920,Cash over and short,5,,Cash over and short,,,KES",
		]);
	});
});
