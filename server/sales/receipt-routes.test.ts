import { describe, expect, test } from "vitest";
import { businessUpdate } from "../../sync/entities/business.ts";
import { saleRefund, saleVoid } from "../../sync/entities/refund.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { dayNumber } from "../../sync/protocol/clock.ts";
import { expectScenario, type Scenario, twoShops } from "../testing/server.ts";

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path: "/api/receipts/s",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "finds no sale by an unknown number",
		method: "GET",
		path: "/api/receipts?number=ZZZZ-000001",
		status: 200,
		exactly: { sale: null },
	},
	{
		what: "requires a number",
		method: "GET",
		path: "/api/receipts",
		status: 400,
	},
	{
		what: "returns 404 for a missing sale",
		method: "GET",
		path: "/api/receipts/none",
		status: 404,
		exactly: { error: "Receipt not found" },
	},
	{
		what: "is not allowed",
		method: "POST",
		path: "/api/receipts/s",
		status: 405,
		exactly: { error: "Method not allowed" },
	},
];

async function soldShop() {
	const { server, asha, baraka } = await twoShops();
	const { shop } = server;
	await shop.mutate(asha.caller, businessUpdate, {
		set: {
			name: "Duka la Asha",
			receiptHeader: "Moi Avenue 5\nTel 0700",
			receiptFooter: "Asante <karibu tena>",
		},
	});
	await shop.mutate(asha.caller, saleCreate, {
		id: "s",
		items: [
			{
				id: "1",
				name: "Milk",
				quantity: 2,
				price: 50,
				cost: 40,
				productId: "milk",
			},
			{
				id: "2",
				name: "A long name of <b>tomatoes</b> that fills more than one line of paper",
				quantity: 0.755,
				price: 105.5,
				cost: 70,
			},
		],
		paid: 200,
		paymentMethod: "MPESA",
		notes: "SJK4H7",
		receiptNumber: "B-000042",
	});
	await shop.store.write((tx) =>
		tx.run(
			"UPDATE stored_sales SET made_ms = ?, day_number = ?",
			Date.parse("2026-11-20T21:30:00.000Z"),
			dayNumber("2026-11-21"),
		),
	);
	return { server, asha, baraka };
}

describe("/api/receipts", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("a receipt as JSON has everything to print, and only for its own shop", async () => {
		const { server, asha, baraka } = await soldShop();
		const { body } = await server.ask("GET", "/api/receipts/s", { as: asha });
		expect(body).toEqual({
			id: "s",
			number: "B-000042",
			business: {
				name: "Duka la Asha",
				header: "Moi Avenue 5\nTel 0700",
				footer: "Asante <karibu tena>",
				currency: "KES",
			},
			cashier: "Asha",
			createdAt: "2026-11-20T21:30:00.000Z",
			localTime: "2026-11-21 00:30",
			businessDay: "2026-11-21",
			lines: [
				{ name: "Milk", quantity: 2, price: 50, total: 100, refunded: 0 },
				{
					name: expect.stringContaining("tomatoes"),
					quantity: 0.755,
					price: 105.5,
					total: 79.6525,
					refunded: 0,
				},
			],
			total: 179.6525,
			paymentMethod: "MPESA",
			paid: 200,
			change: 20.3475,
			notes: "SJK4H7",
			status: "sold",
			refunds: [],
			refundedTotal: 0,
		});
		expect(
			await server.ask("GET", "/api/receipts/s", { as: baraka }),
		).toMatchObject({ status: 404, body: { error: "Receipt not found" } });
	});

	test("a sale is found by its receipt number, and only in its own shop", async () => {
		const { server, asha, baraka } = await soldShop();
		const path = "/api/receipts?number=b-000042";
		expect((await server.ask("GET", path, { as: asha })).body).toMatchObject({
			sale: { id: "s", receiptNumber: "B-000042" },
		});
		expect((await server.ask("GET", path, { as: baraka })).body).toEqual({
			sale: null,
		});
	});

	test("a receipt shows refunds and voids", async () => {
		const { server, asha } = await soldShop();
		const status = async () => {
			const { body } = await server.ask("GET", "/api/receipts/s", { as: asha });
			return body;
		};
		const back = { saleId: "s", reason: "Sour" };
		await server.shop.mutate(asha.caller, saleRefund, {
			...back,
			id: "r1",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		expect(await status()).toMatchObject({
			status: "partly refunded",
			refundedTotal: 50,
			refunds: [{ kind: "refund", reason: "Sour", total: 50 }],
			lines: [{ refunded: 1 }, { refunded: 0 }],
		});
		await server.shop.mutate(asha.caller, saleRefund, {
			...back,
			id: "r2",
			items: [
				{ id: "1", itemId: "1", quantity: 1 },
				{ id: "2", itemId: "2", quantity: 0.755 },
			],
		});
		expect(await status()).toMatchObject({
			status: "refunded",
			refundedTotal: 179.6525,
		});
		await server.shop.mutate(asha.caller, saleVoid, { ...back, id: "v" });
		expect(await status()).toMatchObject({ status: "voided" });
	});

	test("a receipt as text fits the paper's width", async () => {
		const { server, asha } = await soldShop();
		await server.shop.mutate(asha.caller, saleRefund, {
			id: "r",
			saleId: "s",
			reason: "Sour",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		for (const [width, columns] of [
			[58, 32],
			[80, 48],
		] as const) {
			const { text, headers } = await server.ask(
				"GET",
				`/api/receipts/s?format=text&width=${width}`,
				{ as: asha },
			);
			expect(headers.get("content-type")).toContain("text/plain");
			const lines = text.split("\n");
			expect(Math.max(...lines.map((line) => [...line].length))).toBe(columns);
			expect(text).toContain("B-000042");
			expect(text).toContain("*** PARTLY REFUNDED ***");
			expect(lines.find((line) => line.startsWith("TOTAL KES"))).toMatch(
				/ 179\.6525$/,
			);
			expect(lines.find((line) => line.startsWith("Refund: Sour"))).toMatch(
				/ -50\.00$/,
			);
		}
	});

	test("a receipt shows the refund of a free item as 0, not −0", async () => {
		const { server, asha } = await soldShop();
		const items = [{ id: "1", name: "Bag", quantity: 2, price: 0, cost: 0 }];
		await server.shop.mutate(asha.caller, saleCreate, { id: "free", items });
		await server.shop.mutate(asha.caller, saleRefund, {
			id: "r",
			saleId: "free",
			reason: "Torn",
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		});
		for (const format of ["format=text&width=58", "format=html"]) {
			const { text } = await server.ask("GET", `/api/receipts/free?${format}`, {
				as: asha,
			});
			expect(text).toContain("Refund: Torn");
			expect(text).not.toContain("-0.00");
		}
	});

	test("a receipt as HTML is escaped and sized for its paper", async () => {
		const { server, asha } = await soldShop();
		const { text, headers } = await server.ask(
			"GET",
			"/api/receipts/s?format=html&width=58",
			{ as: asha },
		);
		expect(headers.get("content-type")).toContain("text/html");
		expect(text).toContain("size: 58mm 297mm");
		expect(text).toContain("Asante &lt;karibu tena&gt;");
		expect(text).not.toContain("<b>tomatoes");
		for (const query of ["format=doc", "width=70", "language=xx", "copy=1"])
			expect(
				await server.ask("GET", `/api/receipts/s?${query}`, { as: asha }),
			).toMatchObject({ status: 400 });
	});
});
