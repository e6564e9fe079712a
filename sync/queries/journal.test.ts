import { describe, expect, test } from "vitest";
import { plus, toDecimal } from "../entities/money.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { shiftOpen } from "../entities/shift.ts";
import { addDays } from "../protocol/clock.ts";
import { sampled } from "../testing/lane.ts";
import { moneyDays, tradeMoney } from "../testing/money-facts.ts";
import { openTestShop, type TestShop } from "../testing/shop.ts";
import { customerList } from "./customer.ts";
import { journalEntry } from "./journal.ts";
import { pagesOf } from "./list-pages.ts";
import { paymentList } from "./payment-list.ts";
import { reportTax } from "./report-tax.ts";
import { shiftList, shiftSums } from "./shift.ts";

type Line = Awaited<ReturnType<typeof entriesOf>>[number];

async function entriesOf({ shop, caller }: TestShop) {
	const all = [];
	for (let day = moneyDays.from; day <= moneyDays.to; day = addDays(day, 1))
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
	test.each(sampled([1, 2, 3, 4, 5, 6], 3))(
		"each day of the journal balances to the cent, and its accounts are what the shop says (seed %i)",
		async (seed) => {
			const shop = await openTestShop();
			await tradeMoney(shop, seed, 120);
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
				`SELECT (SELECT sum(rounding) FROM sales) - coalesce((SELECT sum(refunds.rounding - CASE
             WHEN refunds.rounding <= 0 OR sales.paid >= sales.total THEN 0
             WHEN refunds.rounding < sales.total - sales.paid THEN refunds.rounding ELSE sales.total - sales.paid END)
           FROM refunds JOIN sales ON sales.id = refunds.sale_id), 0) AS micros`,
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
			const { total } = await shop.shop.ask(shop.caller, reportTax, moneyDays);
			expect(sumOf(lines, "Output tax")).toBe(-total.tax);
			const revenue = plus(sumOf(lines, "Sales"), sumOf(lines, "Refunds"));
			expect(revenue).toBe(-total.net);
			expect(
				plus(sumOf(lines, "Cost of goods sold"), sumOf(lines, "Stock")),
			).toBe(0);
		},
	);

	test("a sale that was paid short and is taken back leaves nothing in the books, and is no rounding", async () => {
		const shop = await openTestShop();
		const shiftId = "shift";
		await shop.shop.mutate(shop.caller, shiftOpen, {
			...{ id: shiftId, openingFloat: 0 },
		});
		const line = { id: "1", name: "Rice", quantity: 2, price: 50, cost: 0 };
		for (const paid of [60, 99.5]) {
			const id = `paid ${paid}`;
			await shop.shop.mutate(shop.caller, saleCreate, {
				...{ id, items: [line], paid, shiftId },
			});
			await shop.shop.mutate(shop.caller, saleRefund, {
				...{ id: `part of ${id}`, saleId: id, reason: "Sour", shiftId },
				items: [{ id: "1", itemId: "1", quantity: 1 }],
			});
			await shop.shop.mutate(shop.caller, saleVoid, {
				...{ id: `rest of ${id}`, saleId: id, reason: "Sour", shiftId },
			});
		}
		const lines = await entriesOf(shop);
		expect(lines.map(({ accountName }) => accountName)).toEqual([
			"Sales",
			"Refunds",
		]);
		const { figures } = await shop.shop.ask(shop.caller, shiftSums, {
			id: shiftId,
		});
		expect(figures.rounding).toBe(0);
	});
});
