import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
	expectScenario,
	type Scenario,
	type TestServer,
	type TestUser,
	twoShops,
} from "../testing/server.ts";

const item = {
	name: "Milk",
	quantity: 2,
	price: 50,
	cost: 40,
	productId: "milk",
};
const path = "/api/sales";
const required = { error: "items array required" };

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "POST",
		path,
		body: { items: [item] },
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "computes the totals",
		method: "POST",
		path,
		body: {
			items: [item, { name: "Tea", quantity: 3, price: 0.1, cost: 0.05 }],
		},
		status: 201,
		answer: {
			total: 100.3,
			cost: 80.15,
			profit: 20.15,
			paid: 100.3,
			change: 0,
			paymentMethod: "CASH",
			notes: null,
			items: [
				{ name: "Milk", quantity: 2, price: 50, cost: 40, productId: "milk" },
				{ name: "Tea", productId: null },
			],
		},
	},
	{
		what: "computes the change",
		method: "POST",
		path,
		body: { items: [item], paid: 200 },
		status: 201,
		answer: { paid: 200, change: 100 },
	},
	{
		what: "keeps the list price of a discounted line and what cash was rounded by",
		method: "POST",
		path,
		body: {
			items: [{ ...item, listPrice: 55 }, item],
			...{ paid: 199.5, rounding: -0.5 },
		},
		status: 201,
		answer: {
			...{ total: 200, paid: 199.5, rounding: -0.5, change: -0.5 },
			items: [{ price: 50, listPrice: 55 }, { price: 50 }],
		},
	},
	{
		what: "reads a list price and a rounding of null as none",
		method: "POST",
		path,
		body: { items: [{ ...item, listPrice: null }], rounding: null },
		status: 201,
		answer: { total: 100, change: 0 },
		never: ["listPrice", "rounding"],
	},
	{
		what: "refuses to round a payment by card",
		method: "POST",
		path,
		body: { items: [item], paymentMethod: "CARD", rounding: 1 },
		status: 400,
		answer: { error: expect.stringContaining("unless cash is paid") },
	},
	{
		what: "accepts underpayment",
		method: "POST",
		path,
		body: { items: [item], paid: 60 },
		status: 201,
		answer: { paid: 60, change: -40 },
	},
	{
		what: "treats a paid of 0 as the total",
		method: "POST",
		path,
		body: { items: [item], paid: 0 },
		status: 201,
		answer: { paid: 100, change: 0 },
	},
	{
		what: "treats an empty paid as the total",
		method: "POST",
		path,
		body: { items: [item], paid: "" },
		status: 201,
		answer: { paid: 100 },
	},
	{
		what: "accepts any payment method and notes",
		method: "POST",
		path,
		body: { items: [item], paymentMethod: "Goat", notes: "two legs" },
		status: 201,
		answer: { paymentMethod: "Goat", notes: "two legs" },
	},
	{
		what: "accepts a long payment method",
		method: "POST",
		path,
		body: { items: [item], paymentMethod: "牛".repeat(500) },
		status: 201,
		answer: { paymentMethod: "牛".repeat(500) },
	},
	{
		what: "ignores tax, ids, totals and change in the body",
		method: "POST",
		path,
		body: {
			id: "mine",
			tax: 16,
			taxRate: 0.16,
			total: 1,
			change: 5,
			businessId: "other",
			items: [{ ...item, id: "line", saleId: "x" }],
		},
		status: 201,
		answer: { total: 100, change: 0 },
		never: ['"mine"', '"line"', "tax", '"other"'],
	},
	{
		what: "silently skips another business's product",
		method: "POST",
		path,
		body: { items: [{ ...item, productId: "canary" }] },
		status: 201,
		answer: { total: 100, items: [{ productId: "canary" }] },
	},
	...["x".repeat(65), " ", "\0", 5, { id: "milk" }].map(
		(productId): Scenario => ({
			what: `treats the product id ${JSON.stringify(productId).slice(0, 12)} as absent`,
			method: "POST",
			path,
			body: { items: [{ ...item, productId }] },
			status: 201,
			answer: { total: 100, items: [{ productId: null }] },
		}),
	),
	{
		what: "accepts a quantity of 0",
		method: "POST",
		path,
		body: { items: [{ ...item, quantity: 0 }] },
		status: 201,
		answer: { total: 0, paid: 0 },
	},
	{
		what: "requires items",
		method: "POST",
		path,
		body: {},
		status: 400,
		exactly: required,
	},
	{
		what: "requires items to be an array",
		method: "POST",
		path,
		body: { items: { 0: item } },
		status: 400,
		exactly: required,
	},
	{
		what: "requires at least one item",
		method: "POST",
		path,
		body: { items: [] },
		status: 400,
		exactly: required,
	},
	{
		what: "limits the number of items",
		method: "POST",
		path,
		body: { items: Array.from({ length: 1_001 }, () => item) },
		status: 400,
		exactly: { error: "items: 1000 at most" },
	},
	{
		what: "names an invalid item",
		method: "POST",
		path,
		body: { items: [null] },
		status: 400,
		answer: { error: expect.stringContaining("items.0") },
	},
	{
		what: "names a missing price",
		method: "POST",
		path,
		body: { items: [item, { ...item, price: undefined }] },
		status: 400,
		answer: { error: expect.stringContaining("items.1.price") },
	},
	{
		what: "names a quantity that is a string",
		method: "POST",
		path,
		body: { items: [{ ...item, quantity: "2" }] },
		status: 400,
		answer: { error: expect.stringContaining("items.0.quantity") },
	},
	{
		what: "names a negative quantity",
		method: "POST",
		path,
		body: { items: [{ ...item, quantity: -2 }] },
		status: 400,
		answer: { error: expect.stringContaining("items.0.quantity") },
	},
	{
		what: "names an infinite price",
		method: "POST",
		path,
		body: '{"items":[{"name":"x","quantity":1,"price":1e999,"cost":1}]}',
		status: 400,
		answer: { error: expect.stringContaining("items.0.price") },
	},
	{
		what: "names a missing cost",
		method: "POST",
		path,
		body: { items: [{ ...item, cost: null }] },
		status: 400,
		answer: { error: expect.stringContaining("items.0.cost") },
	},
	{
		what: "names a paid that is a string",
		method: "POST",
		path,
		body: { items: [item], paid: "100" },
		status: 400,
		answer: { error: expect.stringContaining("paid") },
	},
	{
		what: "lists no sales at first",
		method: "GET",
		path,
		status: 200,
		exactly: { sales: [], total: 0 },
	},
	{
		what: "returns 404 for a missing sale",
		method: "GET",
		path: "/api/sales/none",
		status: 404,
		exactly: { error: "Sale not found" },
	},
	{
		what: "returns 404 for a missing sale",
		method: "POST",
		path: "/api/sales/none/void",
		body: { reason: "x" },
		status: 404,
		exactly: { error: "Sale not found" },
	},
	{
		what: "is not allowed",
		method: "DELETE",
		path,
		status: 405,
		exactly: { error: "Method not allowed" },
	},
];

async function sell(
	server: TestServer,
	as: TestUser,
	body: object = { items: [item] },
) {
	const { body: made } = await server.ask("POST", path, { as, body });
	return made as { id: string; receiptNumber: string; items: { id: string }[] };
}

describe("/api/sales", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("a sale takes goods from stock, even below zero, but not services", async () => {
		const { server, asha } = await twoShops();
		await sell(server, asha, {
			items: [
				{ ...item, quantity: 12.5 },
				{ ...item, isService: "yes" },
			],
		});
		const milk = await server.ask("GET", "/api/products/milk", { as: asha });
		expect(milk.body).toMatchObject({ quantity: -2.5 });
	});

	test("repeating a request creates a second sale", async () => {
		const { server, asha } = await twoShops();
		const one = await sell(server, asha);
		const two = await sell(server, asha);
		expect(one.id).not.toBe(two.id);
		expect(one.receiptNumber).toMatch(/^[A-Z]{4}-000001$/);
		expect(two.receiptNumber).toBe(one.receiptNumber.replace(/1$/, "2"));
		const milk = await server.ask("GET", "/api/products/milk", { as: asha });
		expect(milk.body).toMatchObject({ quantity: 6 });
	});

	test("the list of sales has pages, newest first, with the total count", async () => {
		const { server, asha, baraka } = await twoShops();
		const ids = [];
		for (let i = 0; i < 53; i += 1) ids.unshift((await sell(server, asha)).id);
		await sell(server, baraka);
		const list = async (query: string) => {
			const { body } = await server.ask("GET", `${path}${query}`, { as: asha });
			const { sales, total } = body as {
				sales: { id: string; items: unknown[] }[];
				total: number;
			};
			expect(total).toBe(53);
			expect(sales.every(({ items }) => items.length === 1)).toBe(true);
			return sales.map(({ id }) => id);
		};
		expect(await list("")).toEqual(ids.slice(0, 50));
		expect(await list("?limit=7&offset=50")).toEqual(ids.slice(50));
		for (const limit of ["100000", "1e9", "1e3"])
			expect(await list(`?limit=${limit}`)).toEqual(ids);
		expect(await list("?limit=7.9")).toHaveLength(7);
		expect(await list("?limit=2&offset=1")).toEqual(ids.slice(1, 3));
		expect(await list("?limit=0")).toEqual([]);
		for (const nonsense of [
			"?limit=abc",
			"?limit=-5",
			"?limit=&offset=x",
			"?limit=1&limit=2",
		])
			expect(await list(nonsense)).toEqual(ids.slice(0, 50));
	});

	test("sales of the same millisecond are listed in the reverse order of their requests", async () => {
		const { server, asha } = await twoShops();
		const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now());
		onTestFinished(() => clock.mockRestore());
		const made: unknown[] = [];
		for (let i = 0; i < 8; i += 1) {
			const { body } = await server.ask("POST", path, {
				as: asha,
				body: { items: [item, item] },
			});
			made.unshift((body as { id: string }).id);
		}
		const { body } = await server.ask("GET", path, { as: asha });
		const { sales } = body as { sales: { id: string }[] };
		expect(sales.map(({ id }) => id)).toEqual(made);
	});

	test("a sale can be refunded in part or voided, but only once", async () => {
		const { server, asha, baraka } = await twoShops();
		const { id, items } = await sell(server, asha);
		const back = {
			reason: "Sour",
			restock: true,
			items: [{ itemId: items[0]?.id, quantity: 1 }],
		};
		const ask = (end: string, body: unknown, as = asha) =>
			server.ask("POST", `${path}/${id}/${end}`, { as, body });
		expect(await ask("refunds", back, baraka)).toMatchObject({ status: 404 });
		expect(await ask("refunds", back)).toMatchObject({
			status: 201,
			body: { kind: "refund", total: 50 },
		});
		expect(
			await ask("refunds", {
				...back,
				items: [{ ...back.items[0], quantity: 2 }],
			}),
		).toMatchObject({ status: 409 });
		expect(await ask("refunds", { ...back, items: "all" })).toMatchObject({
			status: 400,
		});
		expect(await ask("void", {})).toMatchObject({
			status: 400,
			body: { error: expect.stringContaining("reason") },
		});
		expect(await ask("void", { reason: "Wrong" }, baraka)).toMatchObject({
			status: 404,
		});
		expect(await ask("void", { reason: "Wrong" })).toMatchObject({
			status: 201,
			body: { kind: "void", total: 50 },
		});
		expect(await ask("void", { reason: "Wrong" })).toMatchObject({
			status: 409,
			body: { error: "The sale was voided before" },
		});
		const milk = await server.ask("GET", "/api/products/milk", { as: asha });
		expect(milk.body).toMatchObject({ quantity: 10 });
	});

	test.each(["refunds", "void"])(
		"repeating a request with the same id is answered, not applied twice: %s",
		async (end) => {
			const { server, asha, baraka } = await twoShops();
			const { id: saleId, items } = await sell(server, asha);
			const other = await sell(server, asha);
			const theirs = await sell(server, baraka);
			const back = (of: typeof items, quantity = 1) =>
				end === "void"
					? { id: "r", reason: "Sour" }
					: {
							id: "r",
							reason: "Sour",
							items: [{ itemId: of[0]?.id, quantity }],
						};
			const ask = (of: string, body: unknown, as = asha) =>
				server.ask("POST", `${path}/${of}/${end}`, { as, body });
			const { body } = await ask(saleId, back(items));
			expect(body).toMatchObject({ id: "r", saleId });
			expect(await ask(saleId, back(items))).toMatchObject({
				status: 201,
				body,
			});
			const isTaken = { status: 409, body: { error: expect.any(String) } };
			expect(await ask(other.id, back(other.items))).toMatchObject(isTaken);
			expect(
				await ask(saleId, { ...back(items), restock: end !== "void" }),
			).toMatchObject(isTaken);
			if (end === "refunds")
				expect(await ask(saleId, back(items, 2))).toMatchObject(isTaken);
			// The id is unknown in another shop, whose answer reveals nothing about this one.
			expect(await ask(saleId, back(items), baraka)).toMatchObject({
				status: 404,
			});
			expect(await ask(theirs.id, back(theirs.items), baraka)).toMatchObject({
				status: 201,
				body: { id: "r", saleId: theirs.id },
			});
			for (const id of ["", 7, "x".repeat(1_000)])
				expect(await ask(saleId, { ...back(items), id })).toMatchObject({
					status: 400,
				});
			const rows = await server.rows("SELECT sale_id FROM refunds");
			expect(rows.map(({ sale_id }) => sale_id).sort()).toEqual(
				[saleId, theirs.id].sort(),
			);
		},
	);
});
