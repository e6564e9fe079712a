import { describe, expect, test } from "vitest";
import { saleRefund, saleVoid } from "../../sync/entities/refund.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { expectScenario, type Scenario, twoShops } from "../test-server.ts";

const path = "/api/sales-history";
const item = { id: "1", name: "Milk", quantity: 2, price: 50, cost: 40 };

const scenarios: Scenario[] = [
	{
		what: "asks for credentials",
		as: "nobody",
		method: "GET",
		path,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "is empty before the first sale",
		method: "GET",
		path,
		status: 200,
		exactly: { sales: [], nextCursor: null },
	},
	{
		what: "names a day that is none",
		method: "GET",
		path: `${path}?from=yesterday`,
		status: 400,
		answer: { error: expect.stringContaining("from") },
	},
	{
		what: "takes a cursor that is none for the first page",
		method: "GET",
		path: `${path}?cursor=x`,
		status: 200,
		exactly: { sales: [], nextCursor: null },
	},
];

/** Sales s1 to s5 on the five days up to the 20th; s2 is voided, s3 given back in part, s4 wholly. */
async function openHistory() {
	const { server, asha } = await twoShops();
	const { shop } = server;
	const more: Record<number, object> = {
		1: { notes: "For the =SUM(school)", paymentMethod: "MPESA" },
		5: { items: [{ ...item, name: "Sukari 100%" }] },
	};
	for (let n = 1; n <= 5; n += 1)
		await shop.mutate(asha.caller, saleCreate, {
			id: `s${n}`,
			items: [item],
			businessDay: `2026-11-${15 + n}`,
			...more[n],
		});
	const taken = { reason: "x", businessDay: "2026-11-20" };
	await shop.mutate(asha.caller, saleVoid, { id: "v", saleId: "s2", ...taken });
	for (const [saleId, quantity] of [
		["s3", 1],
		["s4", 2],
	] as const)
		await shop.mutate(asha.caller, saleRefund, {
			id: `r-${saleId}`,
			saleId,
			...taken,
			items: [{ id: "1", itemId: "1", quantity }],
		});
	// They are made within a moment of each other; each has its own.
	await shop.store.write((tx) =>
		tx.run(
			"UPDATE sales SET created_at = business_day || 'T08:00:00.000Z' WHERE id LIKE 's_'",
		),
	);
	return {
		server,
		asha,
		async ids(query: string) {
			const { body } = await server.ask("GET", `${path}?${query}`, {
				as: asha,
			});
			return (body as { sales: { id: string }[] }).sales.map(({ id }) => id);
		},
	};
}

describe(path, () => {
	test.each(scenarios)("$what", expectScenario);

	test("shows each sale with what became of it", async () => {
		const { server, asha } = await openHistory();
		const { body } = await server.ask("GET", path, { as: asha });
		expect(body).toMatchObject({
			sales: [
				{ id: "s5", status: "sold", refundedTotal: 0, total: 100 },
				{ id: "s4", status: "refunded", refundedTotal: 100 },
				{ id: "s3", status: "partly refunded", refundedTotal: 50 },
				{ id: "s2", status: "voided", refundedTotal: 100 },
				{ id: "s1", status: "sold" },
			],
			nextCursor: null,
		});
	});

	test("finds by day and by word", async () => {
		const { ids } = await openHistory();
		expect(await ids("from=2026-11-17&to=2026-11-18")).toEqual(["s3", "s2"]);
		expect(await ids("from=2026-11-20")).toEqual(["s5"]);
		expect(await ids("to=2026-11-15")).toEqual([]);
		expect(await ids("search=sukari")).toEqual(["s5"]);
		expect(await ids("search=100%25")).toEqual(["s5"]);
		expect(await ids("search=mpesa")).toEqual(["s1"]);
		expect(await ids("search=SCHOOL&from=2026-11-16")).toEqual(["s1"]);
		expect(await ids("search=A-000002")).toEqual(["s2"]);
		expect(await ids("search=milk&to=2026-11-17")).toEqual(["s2", "s1"]);
	});

	test("pages through all of them, each once, while more come", async () => {
		const { server, asha } = await openHistory();
		const seen: string[] = [];
		let cursor: string | null = "";
		while (cursor !== null) {
			const answer = await server.ask(
				"GET",
				`${path}?limit=2&cursor=${cursor}`,
				{
					as: asha,
				},
			);
			const page = answer.body as {
				sales: { id: string }[];
				nextCursor: string | null;
			};
			seen.push(...page.sales.map(({ id }) => id));
			cursor = page.nextCursor;
			await server.shop.mutate(asha.caller, saleCreate, {
				id: `new-${seen.length}`,
				items: [item],
			});
		}
		expect(seen).toEqual(["s5", "s4", "s3", "s2", "s1"]);
	});

	test("is a file that is no formula to a spreadsheet", async () => {
		const { server, asha } = await openHistory();
		const answer = await server.ask("GET", `${path}.csv?to=2026-11-17`, {
			as: asha,
		});
		expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
		expect(answer.headers.get("content-disposition")).toContain("sales.csv");
		expect(answer.text).toBe(
			"receipt,day,time (UTC),item,quantity,price,cost,payment,sale total,refunded,status,notes\r\n" +
				"A-000002,2026-11-17,2026-11-17T08:00:00.000Z,Milk,2,50,40,CASH,100,100,voided,\r\n" +
				"A-000001,2026-11-16,2026-11-16T08:00:00.000Z,Milk,2,50,40,MPESA,100,0,sold,For the =SUM(school)\r\n",
		);
		await server.shop.mutate(asha.caller, saleCreate, {
			id: "evil",
			items: [{ ...item, name: "=HYPERLINK(1)" }],
		});
		const evil = await server.ask("GET", `${path}.csv?search=hyper`, {
			as: asha,
		});
		expect(evil.text).toContain(",'=HYPERLINK(1),");
	});

	test("is sent in pages as a file, however long it is", async () => {
		const { server, asha } = await twoShops();
		await server.shop.mutateAll(
			asha.caller,
			Array.from({ length: 1_100 }, (_, n) => ({
				mutation: saleCreate,
				args: { id: `s${n}`, items: [item] },
			})),
		);
		const { text } = await server.ask("GET", `${path}.csv`, { as: asha });
		expect(text.trimEnd().split("\r\n")).toHaveLength(1 + 1_100);
	});
});
