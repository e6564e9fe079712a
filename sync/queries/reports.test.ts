import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { productCreate } from "../entities/product.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { addDays } from "../protocol/clock.ts";
import { newId } from "../protocol/ids.ts";
import { copyDatabase } from "../store/copy.ts";
import type { DbRow, Value } from "../store/store.ts";
import { oneIn, sampled } from "../testing/lane.ts";
import {
	openTestShop,
	openTestTill,
	type TestShop,
	testDir,
	testEnv,
} from "../testing/shop.ts";
import { storeKind } from "../testing/store-kind.ts";
import { reportCategories, reportProducts } from "./report-goods.ts";
import { reportLetter } from "./report-letter.ts";
import { reportPeriod } from "./report-period.ts";

/** A deterministic random number generator. */
function numbers(seed: number) {
	let state = seed;
	return (below: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const hour = 3_600_000;
const firstDay = "2026-09-01";
const today = "2026-11-20";
/** In Nairobi. */
const noon = `${today}T09:00:00.000Z`;
const categoryOf: Record<string, string | null> = {
	milk: "dairy",
	butter: "dairy",
	bread: "bakery",
	rope: null,
};
const goods = [...Object.keys(categoryOf), "unknown", null];

/** Opens a shop that sold, refunded and voided at random from 1 September until 20 November 2026, noon in Nairobi. */
async function openRandomShop(seed: number): Promise<TestShop> {
	const known = randomShops.get(seed);
	if (known && storeKind === "sqlite") {
		const file = join(testDir(), "server.db");
		writeFileSync(file, known);
		return openTestShop({ file, env: testEnv(noon) });
	}
	const server = await makeRandomShop(seed);
	if (storeKind === "sqlite") {
		const copy = join(testDir(), "copy.db");
		await copyDatabase(server.file, copy);
		randomShops.set(seed, readFileSync(copy));
	}
	return server;
}

/** Database files by seed: several tests read each shop, which takes a second to make. */
const randomShops = new Map<number, Buffer>();

async function makeRandomShop(seed: number): Promise<TestShop> {
	const env = testEnv(`${firstDay}T04:00:00.000Z`);
	const server = await openTestShop({ env });
	const { shop, caller } = server;
	const below = numbers(seed);
	for (const id of ["dairy", "bakery"])
		await shop.mutate(caller, categoryCreate, { id, name: id });
	for (const [id, categoryId] of Object.entries(categoryOf))
		await shop.mutate(caller, productCreate, {
			...{ id, name: `Fresh ${id}`, sellingPrice: 50, buyingPrice: 40 },
			categoryId,
		});
	const sold: { id: string; lines: number }[] = [];
	const end = Date.parse(noon);
	while (env.now() < end - 3 * hour) {
		env.pass(below(6 * 60) * 60_000);
		const sale = sold.at(-1 - below(20));
		if (sale && below(6) === 0) await takeBack(server, sale, below);
		else sold.push(await sell(server, below));
	}
	env.pass(end - env.now());
	return server;
}

async function sell(
	{ shop, caller, env }: TestShop,
	below: ReturnType<typeof numbers>,
) {
	const lines = 1 + below(3);
	const id = newId(env);
	await shop.mutate(caller, saleCreate, {
		id,
		paymentMethod: ["CASH", "CARD", "MPESA"][below(3)],
		items: Array.from({ length: lines }, (_, line) => ({
			id: String(line + 1),
			name: "Thing",
			quantity: (1 + below(40)) / 8,
			price: below(1_000_000) / 1_000,
			...(below(2) === 0 && { listPrice: below(1_500_000) / 1_000 }),
			cost: below(3) === 0 ? 0 : below(500_000) / 1_000,
			...packed(goods[below(goods.length)] ?? null, below(6)),
		})),
	});
	return { id, lines };
}

/** A line of a product, and now and then of its pack. */
const packed = (productId: string | null, luck: number) =>
	productId !== null && luck === 0
		? { productId, packId: "tray", packName: "Tray", packSize: 2.5 }
		: { productId };

/** A refused refund changes nothing. */
async function takeBack(
	{ shop, caller, env }: TestShop,
	sale: { id: string; lines: number },
	below: ReturnType<typeof numbers>,
) {
	const taken = { id: newId(env), saleId: sale.id, reason: "test" };
	const restock = below(2) === 0;
	const itemId = String(1 + below(sale.lines));
	const items = [{ id: "1", itemId, quantity: (1 + below(9)) / 8 }];
	const taking =
		below(3) === 0
			? shop.mutate(caller, saleVoid, { ...taken, restock })
			: shop.mutate(caller, saleRefund, { ...taken, restock, items });
	await taking.catch((error) => {
		expect(["already_voided", "over_refunded"]).toContain(error.code);
	});
}

interface Facts {
	sales: DbRow[];
	refunds: DbRow[];
	lines: DbRow[];
	back: DbRow[];
}

async function readFacts({ rows }: TestShop): Promise<Facts> {
	return {
		sales: await rows("SELECT * FROM sales"),
		refunds: await rows("SELECT * FROM refunds"),
		lines: await rows("SELECT * FROM sale_items"),
		back: await rows("SELECT * FROM refund_items"),
	};
}

const micros = (row: DbRow, field: string) => Number(row[field]);
const decimal = (sum: number) => sum / 1e6;

/** `price x quantity` in millionths, with BigInt. */
function times(price: unknown, quantity: unknown): number {
	const exact = BigInt(Number(price)) * BigInt(Number(quantity));
	return Number((exact + 500_000n) / 1_000_000n);
}

/** The figures of some facts, recounted one by one. */
function recount(
	facts: Facts,
	isSaleIn: (sale: DbRow) => boolean,
	isRefundIn: (refund: DbRow, sale: DbRow) => boolean,
) {
	let [salesCount, revenue, cost, refunded] = [0, 0, 0, 0];
	const voided = new Set(
		facts.refunds
			.filter(({ kind }) => kind === "void")
			.map((refund) => refund.sale_id),
	);
	for (const sale of facts.sales.filter(isSaleIn)) {
		if (!voided.has(sale.id)) salesCount += 1;
		revenue += micros(sale, "total");
		cost += micros(sale, "cost");
	}
	for (const refund of facts.refunds) {
		const sale = facts.sales.find(({ id }) => id === refund.sale_id) as DbRow;
		if (!isRefundIn(refund, sale)) continue;
		revenue -= micros(refund, "total");
		refunded += micros(refund, "total");
		if (refund.restock) cost -= micros(refund, "cost");
	}
	return {
		salesCount,
		revenue: decimal(revenue),
		cost: decimal(cost),
		profit: decimal(revenue - cost),
		refunded: decimal(refunded),
		averageBasket:
			salesCount === 0 ? null : decimal(Math.round(revenue / salesCount)),
	};
}

const within = (from: string, to: string) => (fact: DbRow) =>
	(fact.business_day as string) >= from && (fact.business_day as string) <= to;

const recountDays = (facts: Facts, from: string, to: string) =>
	recount(facts, within(from, to), within(from, to));

/** Nairobi has no summer time. */
const localHour = (fact: DbRow) =>
	(Number((fact.created_at as string).slice(11, 13)) + 3) % 24;

/** What each product brought, by its id; "" for open items. */
function recountGoods(facts: Facts, from: string, to: string) {
	const isIn = within(from, to);
	const groups = new Map<string, number[]>();
	const add = (line: DbRow, quantity: number, sign: number, cost: number) => {
		const key = (line.product_id ?? "") as string;
		const sums = groups.get(key) ?? [0, 0, 0, 0, 0];
		const revenue = sign * times(line.price, quantity);
		const added = [
			sign * times(line.pack_size ?? 1e6, quantity),
			revenue,
			cost * times(line.cost, quantity),
			Number(line.cost) === 0 ? revenue : 0,
			Number(line.list_price) > Number(line.price)
				? sign * times(line.list_price, quantity) - revenue
				: 0,
		];
		groups.set(
			key,
			sums.map((sum, i) => sum + (added[i] ?? 0)),
		);
	};
	for (const line of facts.lines) {
		const sale = facts.sales.find(({ id }) => id === line.sale_id) as DbRow;
		if (isIn(sale)) add(line, micros(line, "quantity"), 1, 1);
	}
	for (const item of facts.back) {
		const refund = facts.refunds.find(
			({ id }) => id === item.refund_id,
		) as DbRow;
		const line = facts.lines.find(
			({ id, sale_id: saleId }) =>
				id === item.item_id && saleId === refund.sale_id,
		) as DbRow;
		if (isIn(refund))
			add(line, micros(item, "quantity"), -1, refund.restock ? -1 : 0);
	}
	return groups;
}

const toSums = ([
	quantity = 0,
	revenue = 0,
	cost = 0,
	without = 0,
	discount = 0,
]: number[]) => ({
	quantity: decimal(quantity),
	revenue: decimal(revenue),
	cost: decimal(cost),
	profit: decimal(revenue - cost),
	discount: decimal(discount),
	revenueWithoutCost: decimal(without),
});

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const [low, high] = [
		sorted[Math.floor((sorted.length - 1) / 2)] ?? 0,
		sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0,
	];
	return decimal(Math.round((low * 1e6 + high * 1e6) / 2));
}

/** The days 7, 14 … 56 before with a sale, if they are four or more. */
function weekdaysBefore(facts: Facts, day: string): string[] {
	const days = [7, 14, 21, 28, 35, 42, 49, 56]
		.map((ago) => addDays(day, -ago))
		.filter((day) => recountDays(facts, day, day).salesCount > 0);
	return days.length < 4 ? [] : days;
}

describe.each(sampled([1, 2], 2))(
	"reports of a random shop (seed %i)",
	(seed) => {
		test("the figures of a period equal a recount of all facts", async () => {
			const server = await openRandomShop(seed);
			const { shop, caller } = server;
			const facts = await readFacts(server);
			for (const [from, to, before] of [
				["2026-11-02", "2026-11-11", "2026-10-23"],
				["2026-11-19", "2026-11-19", "2026-11-18"],
				[firstDay, "2026-11-01", "2026-07-01"],
			] as const) {
				const found = await shop.ask(caller, reportPeriod, { from, to });
				expect(found.total).toEqual(recountDays(facts, from, to));
				expect(found.before).toEqual({
					from: before,
					to: addDays(from, -1),
					untilNow: false,
					total: recountDays(facts, before, addDays(from, -1)),
				});
				for (const { key, usual, ...bar } of found.bars) {
					expect(bar, key).toEqual(recountDays(facts, key, key));
					const same = weekdaysBefore(facts, key);
					expect(usual, key).toEqual(
						same.length === 0
							? null
							: median(same.map((d) => recountDays(facts, d, d).revenue)),
					);
				}
				expect(found.bars[0]?.key).toBe(from);
				expect(found.bars.at(-1)?.key).toBe(to);
				for (const { paymentMethod, ...figures } of found.paymentMethods)
					expect(figures, paymentMethod).toEqual(
						recount(
							facts,
							(sale) =>
								within(from, to)(sale) && sale.payment_method === paymentMethod,
							(refund, sale) =>
								within(from, to)(refund) &&
								sale.payment_method === paymentMethod,
						),
					);
			}
		});

		test("a period until today is compared with the one before up to the same time of day", async () => {
			const server = await openRandomShop(seed);
			const facts = await readFacts(server);
			const { before } = await server.shop.ask(server.caller, reportPeriod, {
				...{ from: "2026-11-19", to: today },
			});
			// It is noon in Nairobi.
			const isBefore = (fact: DbRow) =>
				fact.business_day === "2026-11-17" ||
				(fact.business_day === "2026-11-18" && localHour(fact) < 12);
			// A void takes its sale off the sale's day, and in the hour of the void.
			const {
				salesCount: _,
				averageBasket: __,
				...money
			} = recount(facts, isBefore, isBefore);
			expect(before).toMatchObject({
				from: "2026-11-17",
				to: "2026-11-18",
				untilNow: true,
				total: money,
			});
		});

		test("the hours and months of a period equal a recount of all facts", async () => {
			const server = await openRandomShop(seed);
			const { shop, caller } = server;
			const facts = await readFacts(server);
			const day = "2026-11-18";
			const byHour = await shop.ask(caller, reportPeriod, {
				...{ from: day, to: day, by: "hour" },
			});
			expect(byHour.bars).toHaveLength(24);
			const inHour = (day: string, hour: number) => {
				const isIn = (fact: DbRow) =>
					fact.business_day === day && localHour(fact) === hour;
				return recount(facts, isIn, isIn).revenue;
			};
			const same = weekdaysBefore(facts, day);
			expect(same.length).toBeGreaterThan(3);
			for (const { key, revenue, usual } of byHour.bars) {
				expect(revenue, key).toBe(inHour(day, Number(key)));
				expect(usual, key).toBe(
					median(same.map((day) => inHour(day, Number(key)))),
				);
			}
			const byMonth = await shop.ask(caller, reportPeriod, {
				...{ from: "2026-08-15", to: today, by: "month" },
			});
			expect(byMonth.bars.map(({ key }) => key)).toEqual([
				"2026-08",
				"2026-09",
				"2026-10",
				"2026-11",
			]);
			for (const { key, usual, ...figures } of byMonth.bars) {
				expect(usual).toBeNull();
				expect(figures).toEqual(recountDays(facts, `${key}-01`, `${key}-31`));
			}
			expect(byMonth.lines).toBeNull();
		});

		test("the sums of products and categories equal a recount of all lines, in any order", async () => {
			const server = await openRandomShop(seed);
			const { shop, caller } = server;
			const facts = await readFacts(server);
			const period = { from: "2026-10-20", to: "2026-11-11" };
			const groups = recountGoods(facts, period.from, period.to);
			const expected = [...groups].map(([key, sums]) => ({
				productId: key || null,
				name: key in categoryOf ? `Fresh ${key}` : key ? "Thing" : null,
				...toSums(sums),
			}));
			expect(expected).toHaveLength(6);
			for (const sort of [
				...(["revenue", "profit", "quantity", "cost", "discount"] as const),
			])
				for (const order of ["desc", "asc"] as const) {
					const { rows } = await shop.ask(caller, reportProducts, {
						...{ ...period, sort, order },
					});
					const sorted = expected.toSorted((a, b) => b[sort] - a[sort]);
					expect(rows).toEqual(order === "desc" ? sorted : sorted.toReversed());
				}
			for (const categoryId of ["dairy", "bakery", null]) {
				const { rows } = await shop.ask(caller, reportProducts, {
					...{ ...period, categoryId },
				});
				expect(rows).toEqual(
					expected
						.filter(
							({ productId }) =>
								(categoryOf[productId ?? ""] ?? null) === categoryId,
						)
						.toSorted((a, b) => b.revenue - a.revenue),
				);
			}
			const byCategory = new Map<string | null, number[]>();
			for (const [key, sums] of groups) {
				const category = categoryOf[key] ?? null;
				const known = byCategory.get(category) ?? [0, 0, 0, 0, 0];
				byCategory.set(
					category,
					known.map((sum, i) => sum + (sums[i] ?? 0)),
				);
			}
			const { rows } = await shop.ask(caller, reportCategories, period);
			expect(rows).toEqual(
				[...byCategory]
					.map(([categoryId, sums]) => ({
						categoryId,
						name: categoryId,
						...toSums(sums),
					}))
					.toSorted((a, b) => b.revenue - a.revenue),
			);
			const { lines } = await shop.ask(caller, reportPeriod, period);
			const without = facts.lines.filter(
				({ sale_id: saleId, cost, price }) =>
					Number(cost) === 0 &&
					Number(price) > 0 &&
					within(
						period.from,
						period.to,
					)(facts.sales.find(({ id }) => id === saleId) as DbRow),
			);
			const sumOf = (i: number) =>
				decimal(
					[...groups.values()].reduce((sum, one) => sum + (one[i] ?? 0), 0),
				);
			expect(sumOf(4)).toBeGreaterThan(0);
			expect(lines).toEqual({
				discount: sumOf(4),
				withoutCost: without.length,
				revenueWithoutCost: sumOf(3),
			});
		});
	},
);

oneIn(2)(
	"a till answers reports with its pending sales, as the server does once it has them",
	async () => {
		const server = await openRandomShop(3);
		const till = await openTestTill(server);
		await till.till.sync();
		till.line.online = false;
		await till.sell({ milk: 2 });
		const ask = async (shop: Pick<TestShop["shop"], "ask">) => [
			await shop.ask(till.caller, reportPeriod, { from: today, to: today }),
			await shop.ask(till.caller, reportProducts, { from: today, to: today }),
		];
		const offline = await ask(till.till);
		expect(offline).not.toEqual(await ask(server.shop));
		till.line.online = true;
		await till.till.sync();
		expect(await ask(server.shop)).toEqual(offline);
	},
);

test.each([
	[
		{ from: "2026-11-20", to: "2026-11-19" },
		"to: must not be before from",
		"to",
	],
	[
		{ from: "1899-12-31", to: "1900-01-01" },
		"from: must not be before 1900",
		"from",
	],
	[
		{ from: "2026-01-01", to: "2026-04-03" },
		"to: the period must have at most 92 days",
		"to",
	],
])("a report of %o is refused", async (period, message, field) => {
	const { shop, caller } = await openTestShop();
	await expect(shop.ask(caller, reportProducts, period)).rejects.toMatchObject({
		code: "invalid_args",
		message,
		field,
	});
});

test("a report of figures covers three years and not more", async () => {
	const { shop, caller } = await openTestShop();
	const ask = (from: string) =>
		shop.ask(caller, reportPeriod, { from, to: today });
	expect((await ask(addDays(today, -1_099))).bars).toHaveLength(1_100);
	await expect(ask(addDays(today, -1_100))).rejects.toMatchObject({
		code: "invalid_args",
		field: "to",
	});
});

test.skipIf(storeKind === "postgres")(
	"no statement of a report looks at all facts of a shop",
	async () => {
		const server = await openRandomShop(4);
		const { shop, caller, store } = server;
		await shop.mutate(caller, productCreate, {
			...{ id: "last", name: "Last", quantity: 1 },
			...{ sellingPrice: 5, buyingPrice: 6 },
		});
		const line = { name: "Last", quantity: 1, price: 5, cost: 6 };
		await shop.mutate(caller, saleCreate, {
			...{ id: "last", items: [{ ...line, id: "1", productId: "last" }] },
		});
		await shop.ask(caller, reportLetter, {});
		const asked = new Map<string, readonly Value[]>();
		const read = store.read.bind(store);
		vi.spyOn(store, "read").mockImplementation((fn) =>
			read((tx) =>
				fn({
					...{ run: tx.run.bind(tx), savepoint: tx.savepoint.bind(tx) },
					get(sql, ...params) {
						asked.set(sql, params);
						return tx.get(sql, ...params);
					},
					all(sql, ...params) {
						asked.set(sql, params);
						return tx.all(sql, ...params);
					},
				}),
			),
		);
		const days = { from: "2026-11-01", to: "2026-11-11" };
		const { soldOut } = await shop.ask(caller, reportLetter, {});
		expect(soldOut).not.toEqual([]);
		await shop.ask(caller, reportPeriod, days);
		await shop.ask(caller, reportProducts, { ...days, categoryId: "dairy" });
		await shop.ask(caller, reportCategories, days);
		vi.restoreAllMocks();

		const whole: string[] = [];
		for (const [sql, params] of asked) {
			// The end of an index is found at once.
			if (sql.includes("max(version)")) continue;
			for (const { detail } of await server.rows(
				`EXPLAIN QUERY PLAN ${sql}`,
				...params,
			))
				if (isWhole(String(detail))) whole.push(`${detail}: ${sql}`);
		}
		expect(whole).toEqual([]);
		expect(isWhole("SEARCH sales USING INDEX x (business_id=?)")).toBe(true);
		expect(isWhole("SCAN sale_items")).toBe(true);
	},
);

/** True for a step of a query plan that goes through a whole table of facts. */
const isWhole = (step: string) =>
	/^(SCAN|SEARCH) (sales|sale_items|refunds|refund_items)\b/.test(step) &&
	!/\(business_id=\? AND /.test(step);
