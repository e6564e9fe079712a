import { describe, expect, test } from "vitest";
import { refundGet } from "../queries/refund.ts";
import { reportTax } from "../queries/report-tax.ts";
import { saleGet } from "../queries/sale.ts";
import { taxGet } from "../queries/tax.ts";
import {
	expectInStep,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	type TestShop,
} from "../testing/shop.ts";
import { businessUpdate } from "./business.ts";
import { categoryCreate, categoryDelete } from "./category.ts";
import { customerCreate } from "./customer.ts";
import type { MutationArgs } from "./index.ts";
import { productCreate, productUpdate } from "./product.ts";
import { saleRefund, saleVoid } from "./refund.ts";
import { saleCreate } from "./sale.ts";
import { taxSet } from "./tax.ts";

type Given = MutationArgs["tax.set"];
const vat: Given = {
	...{ id: "B", name: "VAT", kind: "standard" as const },
	rates: [
		{ from: "2020-04-01", rate: 14 },
		{ from: "2021-01-01", rate: 16 },
	],
};
const exempt: Given = {
	...{ id: "A", name: "Exempt", kind: "exempt" as const },
	rates: [{ from: "2020-01-01", rate: 0 }],
};
const reduced: Given = {
	...{ id: "E", name: "Fuel", kind: "reduced" as const },
	rates: [{ from: "2027-01-01", rate: 8 }],
};

const line = (productId: string | null, price: number, more: object = {}) => ({
	...{ id: productId ?? "open", name: productId ?? "Open", quantity: 1, price },
	...{ cost: 0, productId, ...more },
});

/** A shop whose goods are taxed at 16 %, with a category and a product that are not. */
async function openTaxedShop(): Promise<TestShop> {
	const server = await openTestShop();
	const { shop, caller } = server;
	for (const set of [vat, exempt, reduced])
		await shop.mutate(caller, taxSet, set);
	await shop.mutate(caller, businessUpdate, { set: { taxClass: "B" } });
	await shop.mutate(caller, categoryCreate, {
		...{ id: "flour", name: "Flour", taxClass: "A" },
	});
	for (const [id, more] of [
		["soda", {}],
		["unga", { categoryId: "flour" }],
		["cake", { categoryId: "flour", taxClass: "B" }],
		["petrol", { taxClass: "E" }],
	] as const)
		await shop.mutate(caller, productCreate, {
			...{ id, name: id, buyingPrice: 1, sellingPrice: 116, ...more },
		});
	return server;
}

async function sell(
	{ shop, caller }: TestShop,
	id: string,
	items: ReturnType<typeof line>[],
	more: object = {},
) {
	await shop.mutate(caller, saleCreate, { id, items, ...more });
	const { items: sold } = await shop.ask(caller, saleGet, { id });
	return sold.map(({ taxClass, taxRate, tax }) => [taxClass, taxRate, tax]);
}

describe("the tax of a sold line", () => {
	test("a line takes the class of its product, else of the category, else of the shop", async () => {
		const server = await openTaxedShop();
		const items = [
			...[line("soda", 116), line("unga", 200), line("cake", 58)],
			line(null, 100),
		];
		expect(await sell(server, "s", items)).toEqual([
			...[
				["B", 16, 16],
				["A", 0, 0],
				["B", 16, 8],
			],
			["B", 16, 13.79],
		]);
		const { shop, caller } = server;
		await shop.mutate(caller, categoryDelete, { id: "flour" });
		await shop.mutate(caller, productUpdate, {
			...{ id: "cake", set: { taxClass: null } },
		});
		expect(await sell(server, "t", items.slice(1, 3))).toEqual([
			...[
				["B", 16, 27.59],
				["B", 16, 8],
			],
		]);
	});

	test("a line is taxed at the rate of its day, and not at all before the class's first", async () => {
		const server = await openTaxedShop();
		const none = [undefined, undefined, undefined];
		expect(await sell(server, "s", [line("petrol", 108)])).toEqual([none]);
		const { shop, caller, env } = server;
		await shop.mutate(caller, taxSet, {
			...vat,
			rates: [...vat.rates, { from: "2026-11-21", rate: 18 }],
		});
		expect(await sell(server, "t", [line("soda", 118)])).toEqual([
			["B", 16, 16.28],
		]);
		env.pass(24 * 3_600_000);
		expect(await sell(server, "u", [line("soda", 118)])).toEqual([
			["B", 18, 18],
		]);
	});

	test("the same basket bears 18 % in cash, 16 % by M-PESA, and 18 % where it is split or lent", async () => {
		const server = await openTaxedShop();
		const { shop, caller } = server;
		const paidBy = { methods: ["MPESA", "CARD"], rate: 16 };
		await shop.mutate(caller, taxSet, {
			...vat,
			rates: [{ from: "2025-09-01", rate: 18, paidBy }],
		});
		await shop.mutate(caller, customerCreate, { id: "c", name: "Asha" });
		const usual = ["B", 18, 156.32];
		const electronic = ["B", 16, 141.34];
		const tender = (method: string, amount: number) => ({ method, amount });
		const cases: [more: object, tax: unknown[]][] = [
			[{}, usual],
			[{ paymentMethod: "MPESA" }, electronic],
			[{ tenders: [tender("MPESA", 1024.75)] }, electronic],
			[{ tenders: [tender("MPESA", 1000), tender("CARD", 24.75)] }, electronic],
			[{ tenders: [tender("MPESA", 1000), tender("CASH", 24.75)] }, usual],
			[{ paymentMethod: "MPESA", customerId: "c" }, electronic],
			[{ tenders: [tender("MPESA", 1000)], customerId: "c" }, usual],
			[{ paymentMethod: "CHEQUE" }, usual],
		];
		for (const [i, [more, tax]] of cases.entries())
			expect(
				await sell(server, `s${i}`, [line("soda", 1024.75)], more),
				JSON.stringify(more),
			).toEqual([tax]);
		await shop.mutate(caller, saleVoid, {
			...{ id: "v", saleId: "s1", reason: "Wrong" },
		});
		const voided = await shop.ask(caller, refundGet, { id: "v" });
		expect(voided.items.map(({ tax }) => tax)).toEqual([141.34]);
	});

	test("a sold line keeps its tax, whatever becomes of the class, and a refund takes back its own rate [FACT-10]", async () => {
		const server = await openTaxedShop();
		const { shop, caller, env } = server;
		await sell(server, "s", [
			...[line("soda", 33.33, { quantity: 3 }), line("unga", 10)],
		]);
		const rates = [{ from: "2020-01-01", rate: 50 }];
		await shop.mutate(caller, taxSet, { ...vat, rates });
		env.pass(24 * 3_600_000);
		const back = async (id: string, itemId: string) => {
			const items = [{ id: "1", itemId, quantity: 1 }];
			await shop.mutate(caller, saleRefund, {
				...{ id, saleId: "s", reason: "Flat", items },
			});
			const refund = await shop.ask(caller, refundGet, { id });
			return refund.items.map(({ tax }) => tax);
		};
		// 99.99 at 16 % are 13.79 of tax; a third of it goes back, and then the next.
		expect(await back("r1", "soda")).toEqual([4.6]);
		expect(await back("r2", "soda")).toEqual([4.59]);
		await shop.mutate(caller, saleVoid, {
			...{ id: "v", saleId: "s", reason: "Wrong" },
		});
		const voided = await shop.ask(caller, refundGet, { id: "v" });
		expect(voided.items.map(({ tax }) => tax)).toEqual([4.6, 0]);
		const report = await shop.ask(caller, reportTax, {
			...{ from: "2026-11-20", to: "2026-11-21" },
		});
		expect(report).toMatchObject({
			rows: [
				{
					...{ taxClass: "A", taxRate: 0, name: "Exempt" },
					sold: { net: 10, tax: 0, gross: 10 },
					refunded: { net: 10, tax: 0, gross: 10 },
				},
				{
					...{ taxClass: "B", taxRate: 16 },
					sold: { net: 86.2, tax: 13.79, gross: 99.99 },
					refunded: { net: 86.2, tax: 13.79, gross: 99.99 },
				},
			],
			total: { net: 0, tax: 0, gross: 0 },
		});
		const today = { from: "2026-11-20", to: "2026-11-20" };
		expect(await shop.ask(caller, reportTax, today)).toMatchObject({
			total: { net: 96.2, tax: 13.79, gross: 109.99 },
		});
	});

	test("a shop without taxes, and one whose till knows none, sell as ever", async () => {
		const plain = await openTestShop();
		const sold = { id: "s", items: [line(null, 5)] };
		const made = await plain.shop.mutate(plain.caller, saleCreate, sold);
		expect(made.args.items).toEqual(sold.items);
		const shown = await plain.shop.ask(plain.caller, saleGet, { id: "s" });
		expect(JSON.stringify(shown)).not.toContain("tax");
		const taxed = await openTaxedShop();
		await pushOne(taxed, message("m", "sale.create", sold));
		expect(await taxed.rows("SELECT 1 AS one FROM line_taxes")).toEqual([]);
		expect(
			await taxed.shop.ask(taxed.caller, reportTax, {
				...{ from: "2026-11-20", to: "2026-11-20" },
			}),
		).toMatchObject({
			rows: [{ taxClass: null, taxRate: null, sold: { net: 5, tax: 0 } }],
		});
	});

	test("a till without a network fixes the same tax as the server, and what it sold is the same after syncing [T19] [T20]", async () => {
		const server = await openTaxedShop();
		const till = await openTestTill(server);
		await till.till.sync();
		const items = [line("soda", 379, { quantity: 2 }), line("unga", 0.01)];
		await till.till.mutate(till.caller, saleCreate, { id: "s", items });
		const before = await till.till.ask(till.caller, saleGet, { id: "s" });
		await till.till.sync();
		await expectInStep(server, till);
		const after = await server.shop.ask(server.caller, saleGet, { id: "s" });
		expect(after.items).toEqual(before.items);
		expect(after.items).toMatchObject([
			{ taxClass: "B", taxRate: 16, tax: 104.55 },
			{ taxClass: "A", taxRate: 0, tax: 0 },
		]);
	});
});

describe("a tax class", () => {
	test("two tills that name the same class without a network agree on the later one", async () => {
		const server = await openTestShop();
		const [one, other] = [
			await openTestTill(server),
			await openTestTill(server),
		];
		await one.till.mutate(one.caller, taxSet, vat);
		server.env.pass(1_000);
		await other.till.mutate(other.caller, taxSet, {
			...{ ...vat, name: "Levy" },
			rates: [{ from: "2021-01-01", rate: 16 }],
		});
		await other.till.sync();
		await one.till.sync();
		await other.till.sync();
		await expectInStep(server, one);
		const found = await server.shop.ask(server.caller, taxGet, {
			id: "B",
		});
		expect(found).toMatchObject({
			name: "Levy",
			rates: [{ from: "2021-01-01", rate: 16 }],
		});
	});

	test.each([
		["rates out of order", { rates: [vat.rates[1], vat.rates[0]] }],
		["two rates of one day", { rates: [vat.rates[0], vat.rates[0]] }],
		["no rate", { rates: [] }],
		["a rate of exempt goods", { kind: "exempt" }],
		[
			"a second rate of exempt goods",
			{
				kind: "exempt",
				rates: [
					{
						...{ from: "2020-01-01", rate: 0 },
						paidBy: { methods: ["CARD"], rate: 0 },
					},
				],
			},
		],
		["a rate above 100", { rates: [{ from: "2020-01-01", rate: 101 }] }],
	])("a tax class with %s is refused", async (_, wrong) => {
		const server = await openTestShop();
		expect(
			await pushOne(server, message("m", "tax.set", { ...vat, ...wrong })),
		).toMatchObject({ status: "rejected", error: { code: "invalid_args" } });
	});

	test("a line with a class and no rate is refused", async () => {
		const server = await openTestShop();
		const items = [line(null, 5, { taxClass: "B" })];
		expect(
			await pushOne(server, message("m", "sale.create", { id: "s", items })),
		).toMatchObject({ error: { field: "items.0.taxRate" } });
	});
});
