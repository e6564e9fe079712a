import { expect, test } from "vitest";
import { plus } from "../entities/money.ts";
import { moneyDays, tradeMoney } from "../testing/money-facts.ts";
import { openTestShop } from "../testing/shop.ts";
import { pagesOf } from "./list-pages.ts";
import { paymentList } from "./payment-list.ts";
import { reportMoney } from "./report-money.ts";
import { reportTax } from "./report-tax.ts";

const amounts = ["revenue", "net", "tax", "taken", "owed"] as const;

test.each([1, 3])(
	"a report on money is the sum of its cashiers and of its shifts, and says what other reports say (seed %i)",
	async (seed) => {
		const { shop, caller } = await openTestShop();
		await tradeMoney({ shop, caller }, seed, 120);
		const { total, cashiers, shifts } = await shop.ask(
			...[caller, reportMoney, moneyDays],
		);
		for (const parts of [cashiers, shifts])
			for (const amount of amounts)
				expect(
					parts.reduce((sum, part) => plus(sum, part[amount]), 0),
					amount,
				).toBe(total[amount]);
		expect(shifts.length).toBeGreaterThan(3);
		expect(shifts.at(-1)?.shiftId).toBeNull();
		const taxes = await shop.ask(caller, reportTax, moneyDays);
		expect([total.revenue, total.net, total.tax]).toEqual([
			...[taxes.total.gross, taxes.total.net, taxes.total.tax],
		]);
		let [taken, owed] = [0, 0];
		for await (const page of pagesOf(shop, caller, paymentList, {}))
			for (const { kind, method, amount } of page)
				if (method !== "CREDIT" && kind !== "cash") taken = plus(taken, amount);
				else if (method === "CREDIT" && (kind === "sale" || kind === "refund"))
					owed = plus(owed, amount);
		expect([total.taken, total.owed]).toEqual([taken, owed]);
	},
);
