import { describe, expect, test } from "vitest";
import { businessUpdate } from "../entities/business.ts";
import { customerCreate } from "../entities/customer.ts";
import { paymentCollect } from "../entities/payment.ts";
import { saleCreate } from "../entities/sale.ts";
import { statementImport } from "../entities/statement.ts";
import { openTestShop } from "../testing/shop.ts";
import { pagesOf } from "./list-pages.ts";
import { statementMatch, statementTotals } from "./statement-match.ts";

const day = { from: "2026-11-20", to: "2026-11-20" };

/** A shop in Nairobi where it is noon of 20 November. */
async function openShop() {
	const server = await openTestShop();
	const { shop, caller } = server;
	await shop.mutate(caller, businessUpdate, {
		set: { timeZone: "Africa/Nairobi" },
	});
	return {
		server,
		shop,
		caller,
		async sell(id: string, price: number, more: object) {
			const items = [{ id: "1", name: "Rice", quantity: 1, price, cost: 0 }];
			await shop.mutate(caller, saleCreate, { id, items, ...more });
		},
		receive: (...lines: [code: string, amount: number, paidAt?: string][]) =>
			shop.mutate(caller, statementImport, {
				method: "MPESA",
				lines: lines.map(([code, amount, paidAt = "08:30"]) => ({
					...{ code, amount, paidAt: timeOf(paidAt) },
				})),
			}),
		async states(asked: object = {}) {
			const { rows } = await shop.ask(caller, statementMatch, {
				...day,
				...asked,
			});
			return Object.fromEntries(rows.map(({ code, state }) => [code, state]));
		},
	};
}

const timeOf = (time: string) =>
	time.includes("T") ? time : `2026-11-20T${time}:00.000Z`;

describe("a statement", () => {
	test("sales, parts of sales and collections are matched by their codes and methods", async () => {
		const { shop, caller, sell, receive, states } = await openShop();
		await shop.mutate(caller, customerCreate, { id: "zawadi", name: "Zawadi" });
		const mpesa = (code: string) => ({
			...{ paymentMethod: "MPESA", paymentCode: code },
		});
		await sell("s1", 50, { ...mpesa("UKK1"), receiptNumber: "A-1" });
		await sell("s2", 50, mpesa("UKK2"));
		await sell("s3", 50, mpesa("UKK3"));
		await sell("s4", 90, {
			receiptNumber: "A-4",
			tenders: [
				{ method: "CASH", amount: 40 },
				{ method: "MPESA", amount: 60, code: "UKK4" },
			],
		});
		await sell("card", 50, { paymentMethod: "CARD", paymentCode: "UKK5" });
		await shop.mutate(caller, paymentCollect, {
			...{ id: "c1", customerId: "zawadi" },
			tenders: [{ method: "MPESA", amount: 70, code: "UKK6" }],
		});
		await receive(
			...(
				[
					["UKK1", 50],
					["UKK2", 49.5],
					["UKK4", 60, "10:00"],
					["UKK5", 50],
					["UKK6", 70],
				] as const
			).map((line): [string, number, string?] => [...line]),
		);
		expect(await states()).toEqual({
			...{ UKK1: "confirmed", UKK2: "differs", UKK3: "missing" },
			...{ UKK4: "confirmed", UKK5: "unclaimed", UKK6: "confirmed" },
		});
		expect(await shop.ask(caller, statementTotals, day)).toEqual({
			...day,
			...{ coveredFrom: timeOf("08:30"), coveredTo: timeOf("10:00") },
			confirmed: { count: 3, received: 180, claimed: 180 },
			differs: { count: 1, received: 49.5, claimed: 50 },
			missing: { count: 1, received: 0, claimed: 50 },
			unclaimed: { count: 1, received: 50, claimed: 0 },
			uncovered: { count: 0, received: 0, claimed: 0 },
		});
		const { rows } = await shop.ask(caller, statementMatch, {
			...{ ...day, state: "confirmed" },
		});
		expect(
			rows.map(({ claims }) =>
				claims.map(({ kind, id, receiptNumber }) => [kind, id, receiptNumber]),
			),
		).toEqual([
			[["sale", "s4", "A-4"]],
			[["collection", "c1", null]],
			[["sale", "s1", "A-1"]],
		]);
	});

	test("a payment before midnight confirms a sale after it, in the periods of both", async () => {
		const { sell, receive, states } = await openShop();
		const code = { paymentMethod: "MPESA", paymentCode: "UKJ1" };
		await sell("s1", 50, code);
		// 23:59 and 00:00 in Nairobi.
		await receive(
			["UKJ1", 50, "2026-11-19T20:59:00.000Z"],
			["UKK2", 20, "2026-11-19T21:00:00.000Z"],
			["UKK3", 20, "2026-11-20T20:59:59.999Z"],
			["UKL4", 20, "2026-11-20T21:00:00.000Z"],
		);
		expect(await states()).toEqual({
			...{ UKJ1: "confirmed", UKK2: "unclaimed", UKK3: "unclaimed" },
		});
		expect(await states({ from: "2026-11-19", to: "2026-11-19" })).toEqual({
			UKJ1: "confirmed",
		});
		expect(await states({ from: "2026-11-21", to: "2026-11-21" })).toEqual({
			UKL4: "unclaimed",
		});
	});

	test("a sale without a code is suggested for a payment that nothing names", async () => {
		const { shop, caller, sell, receive } = await openShop();
		await sell("s1", 50, { paymentMethod: "MPESA", receiptNumber: "A-1" });
		await sell("s2", 50, { paymentMethod: "CARD" });
		await receive(["UKK1", 50, "08:58"]);
		const { rows } = await shop.ask(caller, statementMatch, day);
		expect(rows).toMatchObject([
			{
				state: "unclaimed",
				suggestions: [{ kind: "sale", id: "s1", receiptNumber: "A-1" }],
			},
		]);
	});

	test("the list goes on behind each page, also where many were paid in the same minute", async () => {
		const { shop, caller, receive } = await openShop();
		const codes = Array.from({ length: 25 }, (_, i) => `UKK${10 + i}`);
		await receive(...codes.map((code): [string, number] => [code, 5]));
		const seen: string[] = [];
		for await (const page of pagesOf(shop, caller, statementMatch, day, {
			pageRows: 10,
		}))
			seen.push(...page.map(({ code }) => code));
		expect(seen).toEqual(codes.toReversed());
	});

	test("a period has at most 92 days", async () => {
		const { shop, caller } = await openShop();
		const asked = { from: "2026-01-01", to: "2026-04-03" };
		await expect(
			shop.ask(caller, statementTotals, asked),
		).rejects.toMatchObject({ code: "invalid_args", field: "to" });
	});
});
