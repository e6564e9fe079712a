import { describe, expect, test } from "vitest";
import { businessUpdate } from "../../sync/entities/business.ts";
import { saleRefund, saleVoid } from "../../sync/entities/refund.ts";
import { type Sale, saleCreate } from "../../sync/entities/sale.ts";
import { saleHistory } from "../../sync/queries/sale-history.ts";
import {
	expectScenario,
	inFile,
	type Scenario,
	twoShops,
} from "../testing/server.ts";

const path = "/api/sales-history";
const item = { id: "1", name: "Milk", quantity: 2, price: 50, cost: 40 };

const noSales = { salesCount: 0, revenue: 0, refunded: 0 };

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "returns an empty page before the first sale",
		method: "GET",
		path,
		status: 200,
		exactly: { sales: [], nextCursor: null, totals: noSales },
	},
	{
		what: "names an invalid day",
		method: "GET",
		path: `${path}?from=yesterday`,
		status: 400,
		answer: { error: expect.stringContaining("from") },
	},
	{
		what: "returns the first page for an invalid cursor",
		method: "GET",
		path: `${path}?cursor=x`,
		status: 200,
		exactly: { sales: [], nextCursor: null, totals: noSales },
	},
];

/** Sales s1 to s5 on the five days up to the 20th; s2 is voided, s3 partly and s4 fully refunded. */
async function openHistory(env: NodeJS.ProcessEnv = {}) {
	const { server, asha } = await twoShops(env);
	const { shop } = server;
	const more: Record<number, object> = {
		1: { notes: "For the =SUM(school)", paymentMethod: "MPESA" },
		2: { items: [{ ...item, productId: "milk" }] },
		5: { items: [{ ...item, name: "Sukari 100%" }] },
	};
	await shop.mutate(asha.caller, businessUpdate, {
		set: { timeZone: "Africa/Nairobi" },
	});
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
	// The sales are made within a millisecond or so; give each its own day.
	await shop.store.write((tx) =>
		tx.run(
			"UPDATE stored_sales SET made_ms = day_number * 86400000 + 28800000 WHERE id LIKE 's_'",
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
	test.each(scenarios)("$method $path $what", expectScenario);

	test("the history shows each sale with its refunds and voids", async () => {
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

	test("the history and the receipt agree on the status of a sale refunded in fractions", async () => {
		const { server, asha } = await twoShops();
		const items = [{ ...item, quantity: 0.8 }];
		await server.shop.mutate(asha.caller, saleCreate, { id: "s", items });
		for (const [quantity, status] of [
			[0.1, "partly refunded"],
			[0.7, "refunded"],
		] as const) {
			await server.shop.mutate(asha.caller, saleRefund, {
				id: `r${quantity}`,
				saleId: "s",
				reason: "x",
				items: [{ id: "1", itemId: "1", quantity }],
			});
			const { body } = await server.ask("GET", path, { as: asha });
			expect(body).toMatchObject({ sales: [{ status }] });
			const receipt = await server.ask("GET", "/api/receipts/s", { as: asha });
			expect(receipt.body).toMatchObject({ status });
		}
	});

	test("the history and the receipt agree on the status of a sale whose remaining items were free", async () => {
		const { server, asha } = await twoShops();
		const items = [item, { ...item, id: "2", name: "Bag", price: 0 }];
		await server.shop.mutate(asha.caller, saleCreate, { id: "s", items });
		for (const [id, status] of [
			["1", "partly refunded"],
			["2", "refunded"],
		] as const) {
			await server.shop.mutate(asha.caller, saleRefund, {
				id: `r${id}`,
				saleId: "s",
				reason: "x",
				items: [{ id: "1", itemId: id, quantity: 2 }],
			});
			const { body } = await server.ask("GET", path, { as: asha });
			expect(body).toMatchObject({ sales: [{ status, refundedTotal: 100 }] });
			const receipt = await server.ask("GET", "/api/receipts/s", { as: asha });
			expect(receipt.body).toMatchObject({ status });
		}
	});

	test("every page has the totals of all days, unless anything else narrows it", async () => {
		const { server, asha } = await openHistory();
		const totals = async (query: string) => {
			const { body } = await server.ask("GET", `${path}?${query}`, {
				as: asha,
			});
			return (body as { totals: unknown }).totals;
		};
		expect(await totals("limit=1")).toEqual({
			salesCount: 4,
			revenue: 250,
			refunded: 250,
		});
		expect(await totals("from=2026-11-17&to=2026-11-18")).toEqual({
			salesCount: 1,
			revenue: 200,
			refunded: 0,
		});
		expect(await totals("to=2026-11-01")).toEqual(noSales);
		for (const narrowed of [
			"search=milk",
			"paymentMethod=CASH",
			"productId=milk",
		])
			expect(await totals(narrowed)).toBeNull();
	});

	test("a search ignores case in any alphabet, and accents", async () => {
		const { server, asha, ids } = await openHistory();
		for (const [id, name] of [
			["czech", "Žlutý Čaj 100 g"],
			["chinese", "牛奶"],
		] as const)
			await server.shop.mutate(asha.caller, saleCreate, {
				id,
				items: [{ ...item, name }],
			});
		for (const word of ["Žlutý Čaj", "žlutý", "ČAJ 100", "zluty caj"])
			expect(await ids(`search=${word}`)).toEqual(["czech"]);
		expect(await ids("search=奶")).toEqual(["chinese"]);
		expect(await ids("search=žluta")).toEqual([]);
	});

	test("a search matches full-width letters and ligatures", async () => {
		const { server, asha, ids } = await openHistory();
		const sell = (id: string, name: string, more: object = {}) =>
			server.shop.mutate(asha.caller, saleCreate, {
				id,
				items: [{ ...item, name }],
				...more,
			});
		await sell("wide", "ＡＢＣ茶");
		await sell("sign", "ﬁne ①", { notes: "№ 7", paymentMethod: "Ｖｉｓａ" });
		await sell("greek", "ΣΙΣΥΦΟΣ");
		for (const word of ["ＡＢＣ", "abc", "ＡＢＣ茶", "c茶"])
			expect(await ids(`search=${word}`)).toEqual(["wide"]);
		for (const word of ["fine 1", "ﬁn", "no 7", "visa", "ＶＩＳＡ"])
			expect(await ids(`search=${word}`)).toEqual(["sign"]);
		for (const word of ["ΣΙΣ", "σις", "φοσ", "φος"])
			expect(await ids(`search=${word}`)).toEqual(["greek"]);
	});

	test("a search can be limited to days", async () => {
		const { ids } = await openHistory();
		expect(await ids("from=2026-11-17&to=2026-11-18")).toEqual(["s3", "s2"]);
		expect(await ids("from=2026-11-20")).toEqual(["s5"]);
		expect(await ids("to=2026-11-15")).toEqual([]);
		expect(await ids("from=2026-11-20&to=9999-12-31")).toEqual(["s5"]);
		expect(await ids("search=sukari")).toEqual(["s5"]);
		expect(await ids("search=100%25")).toEqual(["s5"]);
		expect(await ids("search=mpesa")).toEqual(["s1"]);
		expect(await ids("search=SCHOOL&from=2026-11-16")).toEqual(["s1"]);
		expect(await ids("search=-000002")).toEqual(["s2"]);
		expect(await ids("search=milk&to=2026-11-17")).toEqual(["s2", "s1"]);
	});

	test("the history is narrowed to a payment method or a product, by itself or with days and a search", async () => {
		const { ids } = await openHistory();
		expect(await ids("paymentMethod=MPESA")).toEqual(["s1"]);
		expect(await ids("paymentMethod=mpesa")).toEqual([]);
		expect(await ids("paymentMethod=CASH&from=2026-11-19")).toEqual([
			"s5",
			"s4",
		]);
		expect(await ids("productId=milk")).toEqual(["s2"]);
		expect(await ids("productId=milk&from=2026-11-18")).toEqual([]);
		expect(await ids("productId=none")).toEqual([]);
		expect(await ids("paymentMethod=CASH&search=sukari")).toEqual(["s5"]);
		expect(await ids("paymentMethod=MPESA&productId=milk")).toEqual([]);
	});

	test("paging lists each sale once while new sales arrive", async () => {
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

	test("paging loses no sale among several of the same millisecond", async () => {
		const { server, asha } = await twoShops();
		const ids = ["a_c", "a_b", "a_a", "a", "_"];
		for (const id of ids)
			await server.shop.mutate(asha.caller, saleCreate, { id, items: [item] });
		await server.shop.store.write((tx) =>
			tx.run(
				"UPDATE stored_sales SET made_ms = ?",
				Date.parse("2026-11-20T08:00:00.000Z"),
			),
		);
		for (const query of ["", "search=milk&"]) {
			const seen: string[] = [];
			for (let cursor: string | null = ""; cursor !== null; ) {
				const { body } = await server.ask(
					"GET",
					`${path}?${query}limit=1&cursor=${cursor}`,
					{ as: asha },
				);
				const page = body as { sales: Sale[]; nextCursor: string | null };
				seen.push(...page.sales.map(({ id }) => id));
				cursor = page.nextCursor;
			}
			expect(seen).toEqual(ids);
		}
	});

	test("every query of the history uses the index by time", async () => {
		const { server, asha } = await openHistory(inFile);
		const { store } = server.shop;
		const plans: string[] = [];
		const days = { from: "2026-11-01", to: "2026-11-20" };
		for (const filter of [
			{},
			days,
			{ ...days, search: "x" },
			{ ...days, paymentMethod: "CASH" },
			{ productId: "milk" },
		])
			for (const after of [undefined, "2026-11-18T00:00:00.000Z_s"])
				await store.read((tx) =>
					saleHistory.run(
						{
							businessId: asha.businessId,
							now: 0,
							tx: {
								...tx,
								get: (sql, ...params) => tx.get(sql, ...params),
								all: async (sql, ...params) => {
									if (sql.includes("FROM sales WHERE"))
										for (const { detail } of await tx.all(
											`EXPLAIN QUERY PLAN ${sql}`,
											...params,
										))
											plans.push(String(detail));
									return tx.all(sql, ...params);
								},
							},
						},
						{ ...filter, after, limit: 2 },
					),
				);
		const ofSales = plans.filter((plan) => plan.includes("SEARCH stored "));
		expect(ofSales.length).toBeGreaterThanOrEqual(6);
		for (const plan of ofSales) expect(plan).toContain("sales_by_time");
		expect(plans).not.toContain("USE TEMP B-TREE FOR ORDER BY");
	});

	test("the CSV file contains no formulas", async () => {
		const { server, asha } = await openHistory();
		const answer = await server.ask("GET", `${path}.csv?to=2026-11-17`, {
			as: asha,
		});
		expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
		expect(answer.headers.get("content-disposition")).toContain("sales.csv");
		expect(answer.text.replace(/^[A-Z]{4}-/gm, "")).toBe(
			"receipt,day,time,item,sku,quantity,price,line total,cost,payment,sale total,refunded,status,notes\r\n" +
				"000002,2026-11-17,2026-11-17 11:00,Milk,111,2,50,100,40,CASH,100,100,voided,\r\n" +
				"000001,2026-11-16,2026-11-16 11:00,Milk,,2,50,100,40,MPESA,100,0,sold,For the =SUM(school)\r\n",
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

	test("a long history is exported in pages and searched in slices", async () => {
		const { server, asha } = await twoShops();
		const count = 2_100;
		await server.shop.mutateAll(
			asha.caller,
			Array.from({ length: count }, (_, n) => ({
				mutation: saleCreate,
				args: { id: `s${n}`, items: [item], notes: n === 0 ? "První" : null },
			})),
		);
		const { text } = await server.ask("GET", `${path}.csv`, { as: asha });
		const rows = text.trimEnd().split("\r\n");
		expect(rows).toHaveLength(1 + count);
		expect(new Set(rows)).toHaveProperty("size", 1 + count);
		for (const word of ["PRVNÍ", "-000001"]) {
			const { body } = await server.ask("GET", `${path}?search=${word}`, {
				as: asha,
			});
			expect(body).toMatchObject({ sales: [{ id: "s0" }], nextCursor: null });
		}
	});

	test("the export stops when its reader disconnects", async () => {
		const { server, asha } = await twoShops();
		const items = Array.from({ length: 30 }, (_, n) => ({
			...item,
			id: `${n}`,
		}));
		await server.shop.mutateAll(
			asha.caller,
			Array.from({ length: 600 }, (_, n) => ({
				mutation: saleCreate,
				args: { id: `s${n}`, items, notes: "x".repeat(2_000) },
			})),
		);
		const leaving = new AbortController();
		const answer = await fetch(new URL(`${path}.csv`, server.url), {
			headers: { authorization: asha.bearer },
			signal: leaving.signal,
		});
		await answer.body?.getReader().read();
		leaving.abort();
		const { status } = await server.ask("GET", `${path}?limit=1`, { as: asha });
		expect(status).toBe(200);
	});
});
