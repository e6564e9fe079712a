import { expect, test } from "vitest";
import { customerCreate, customerLimit } from "../entities/customer.ts";
import { paymentAdjust, paymentCollect } from "../entities/payment.ts";
import { saleCreate } from "../entities/sale.ts";
import { customerStatement, type Statement } from "../queries/statement.ts";
import { openTestShop } from "../testing/shop.ts";
import { columnsByWidth, toText } from "./receipt-text.ts";
import { toStatement } from "./statement-document.ts";
import { receiptLanguages } from "./words/index.ts";

const statement: Statement = {
	business: {
		name: "Duka la Mama Njeri",
		header: "Kenyatta Ave 12, Thika",
		footer: "Asante!",
		currency: "KES",
	},
	customer: { name: "Mama Zawadi", phone: "0712 345 678" },
	asOf: "2026-11-22T15:42:00.000Z",
	localTime: "2026-11-22 18:42",
	before: 300,
	entries: [
		{
			...{ kind: "sale", localTime: "2026-11-20 09:10", amount: 45.5 },
			...{ receiptNumber: "BCDF-000123", reason: null },
		},
		{
			...{ kind: "collection", localTime: "2026-11-21 18:00", amount: -200 },
			...{ receiptNumber: null, reason: null },
		},
		{
			...{ kind: "adjustment", localTime: "2026-11-22 08:00", amount: -5 },
			...{ receiptNumber: null, reason: "Counted twice in the old book" },
		},
	],
	balance: 140.5,
};

test.each(receiptLanguages)(
	"a statement in %s reads as approved on rolls of both widths",
	async (language) => {
		const document = toStatement(statement, language);
		for (const width of [58, 80] as const) {
			const text = toText(document, columnsByWidth[width]);
			for (const line of text.split("\n"))
				expect([...line].length).toBeLessThanOrEqual(columnsByWidth[width]);
			await expect(text).toMatchFileSnapshot(
				`golden/statement.${language}.${width}.txt`,
			);
		}
	},
);

test("what is a customer's is a credit, without a minus", () => {
	const text = toText(toStatement({ ...statement, balance: -60 }, "en"), 48);
	expect(text).toMatch(/CREDIT LEFT KES +60\.00/);
});

test("a statement has the last entries of the account, and what was owed before them", async () => {
	const { shop, caller } = await openTestShop();
	await shop.mutate(caller, customerCreate, { id: "zawadi", name: "Zawadi" });
	await shop.mutate(caller, customerLimit, { id: "zawadi", creditLimit: 9 });
	const owes = { customerId: "zawadi" };
	await shop.mutate(caller, paymentAdjust, {
		...{ ...owes, id: "old", amount: 100.25, reason: "Old book" },
	});
	const items = [{ id: "1", name: "Rice", quantity: 1, price: 50, cost: 0 }];
	await shop.mutate(caller, saleCreate, {
		...{ ...owes, id: "sold", items, receiptNumber: "A-000001" },
		tenders: [{ method: "CASH", amount: 20 }],
	});
	const tenders = [{ method: "MPESA", amount: 70 }];
	await shop.mutate(caller, paymentCollect, { ...owes, id: "paid", tenders });
	const ask = (entries: number) =>
		shop.ask(caller, customerStatement, { id: "zawadi", entries });
	const whole = await ask(9);
	expect(whole).toMatchObject({ before: 0, balance: 60.25 });
	expect(
		whole.entries.map(({ kind, amount }) => `${kind} ${amount}`).sort(),
	).toEqual(["adjustment 100.25", "collection -70", "sale 30"]);
	expect(whole.entries).toContainEqual({
		...{ kind: "sale", localTime: "2026-11-20 12:00", amount: 30 },
		...{ receiptNumber: "A-000001", reason: null },
	});
	const { before, entries, balance } = await ask(2);
	const sum = entries.reduce((sum, { amount }) => sum + amount, before);
	expect([entries.length, sum]).toEqual([2, balance]);
});

test.each([31, 32, 40, 100])(
	"a value of %i letters stands below its label on a narrow roll",
	(length) => {
		const phone = "0712 345 67, ".repeat(9).slice(0, length);
		const customer = { name: "Mama Zawadi", phone };
		const lines = toText(
			toStatement({ ...statement, customer }, "en"),
			columnsByWidth[58],
		).split("\n");
		expect(lines.every((line) => line.length <= 32)).toBe(true);
		const shown = lines.slice(
			lines.indexOf("Mama Zawadi") + 1,
			lines.findIndex((line) => line.startsWith("As of")),
		);
		expect(shown.map((line) => line.trim()).join(" ")).toBe(phone.trim());
	},
);
