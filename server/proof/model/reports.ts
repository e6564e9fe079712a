import fc from "fast-check";
import { expect } from "vitest";
import type { Answer } from "../../testing/server.ts";
import { kind, type Scene } from "./call.ts";
import { plain } from "./catalogue.ts";
import {
	daysAfter,
	decimal,
	localParts,
	micros,
	shopDay,
	totalOf,
} from "./exact.ts";
import { maybe, nats, searches } from "./inputs.ts";
import { standingOf } from "./sell.ts";
import {
	newestFirst,
	productWire,
	type Sale,
	type Shop,
	saleWire,
	stockOf,
} from "./world.ts";

/** The contribution of one sale, void or refund to a report. */
interface Fact {
	day: string;
	hour: number;
	method: string;
	sales: number;
	revenue: bigint;
	cost: bigint;
	refunded: bigint;
}

function saleOf(shop: Shop, id: string): Sale {
	return shop.sales.find((one) => one.id === id) as Sale;
}

/** A refund or void counts against its own day; a voided sale leaves the count of the day it was made on. */
function factsOf(shop: Shop): Fact[] {
	const hourOf = (at: string) => localParts(at, shop.timeZone).hour;
	const none = { sales: 0, revenue: 0n, cost: 0n, refunded: 0n };
	const ofSale = (sale: Sale) => ({
		...none,
		day: sale.businessDay,
		hour: hourOf(sale.createdAt),
		method: sale.paymentMethod,
	});
	return [
		...shop.sales.map((sale) => ({
			...ofSale(sale),
			sales: 1,
			revenue: micros(sale.total),
			cost: micros(sale.cost),
		})),
		...shop.refunds.flatMap((refund) => {
			const sale = saleOf(shop, refund.saleId);
			const own = {
				...none,
				day: refund.businessDay,
				hour: hourOf(refund.createdAt),
				method: sale.paymentMethod,
				revenue: -micros(refund.total),
				// Cost is only returned with restocked goods.
				cost: refund.restock ? -micros(refund.cost) : 0n,
				refunded: micros(refund.total),
			};
			const uncounted = { ...ofSale(sale), sales: -1 };
			return refund.kind === "void" ? [own, uncounted] : [own];
		}),
	];
}

function figuresOf(facts: Fact[]) {
	const salesCount = facts.reduce((sum, { sales }) => sum + sales, 0);
	const of = (field: "revenue" | "cost" | "refunded") =>
		facts.reduce((sum, fact) => sum + fact[field], 0n);
	const revenue = of("revenue");
	return {
		salesCount,
		revenue: decimal(revenue),
		cost: decimal(of("cost")),
		profit: decimal(revenue - of("cost")),
		refunded: decimal(of("refunded")),
		averageBasket:
			salesCount === 0
				? null
				: expect.closeTo(decimal(revenue) / salesCount, 5),
	};
}

interface Top {
	productId: string;
	name: string | null;
	quantity: bigint;
	revenue: bigint;
	profit: bigint;
}

function topProducts(
	shop: Shop,
	isIn: (day: string) => boolean,
	by: "revenue" | "profit",
) {
	const tops = new Map<string, Top>();
	const add = (
		item: Sale["items"][number],
		sign: bigint,
		withCost: boolean,
	) => {
		const { productId, quantity } = item;
		if (productId === null) return;
		const product = shop.products.find(({ id }) => id === productId);
		const top = tops.get(productId) ?? {
			productId,
			name: product?.name ?? null,
			...{ quantity: 0n, revenue: 0n, profit: 0n },
		};
		const revenue = sign * totalOf([item]);
		const cost = sign * totalOf([{ ...item, price: item.cost }]);
		top.quantity += sign * micros(quantity);
		top.revenue += revenue;
		top.profit += withCost ? revenue - cost : revenue;
		tops.set(productId, top);
	};
	for (const sale of shop.sales)
		if (isIn(sale.businessDay))
			for (const item of sale.items) add(item, 1n, true);
	for (const refund of shop.refunds)
		if (isIn(refund.businessDay))
			for (const { itemId, quantity } of refund.items) {
				const { items } = saleOf(shop, refund.saleId);
				const item = items.find(({ id }) => id === itemId);
				if (item) add({ ...item, quantity }, -1n, refund.restock);
			}
	return [...tops.values()]
		.filter((top) => top[by] > 0n)
		.toSorted((a, b) =>
			a[by] === b[by]
				? a.productId < b.productId
					? -1
					: 1
				: a[by] < b[by]
					? 1
					: -1,
		)
		.slice(0, 10)
		.map((top) => ({
			...top,
			quantity: decimal(top.quantity),
			revenue: decimal(top.revenue),
			profit: decimal(top.profit),
		}));
}

interface Dashboard extends Record<string, unknown> {
	day: string;
	paymentMethods: { paymentMethod: string; revenue: number }[];
	tenders: { method: string }[];
}

/** What each tender brought in on some days: change is given in cash, and a refund is given back as the sale was paid. */
function tendersOf(shop: Shop, isIn: (day: string) => boolean) {
	const found = new Map<string, { count: number; in: bigint; back: bigint }>();
	const add = (method: string, count: number, got: bigint, back: bigint) => {
		const sums = found.get(method) ?? { count: 0, in: 0n, back: 0n };
		found.set(method, sums);
		sums.count += count;
		sums.in += got;
		sums.back += back;
	};
	for (const sale of shop.sales) {
		if (!isIn(sale.businessDay)) continue;
		const { paymentMethod: method } = sale;
		const [paid, total] = [micros(sale.paid), micros(sale.total)];
		const given = paid > total ? paid - total : 0n;
		const isVoided = shop.refunds.some(
			({ saleId, kind }) => saleId === sale.id && kind === "void",
		);
		add(method, isVoided ? 0 : 1, paid - micros(sale.rounding ?? 0), 0n);
		if (given > 0n) add("CASH", 0, -given, 0n);
	}
	for (const refund of shop.refunds) {
		if (!isIn(refund.businessDay)) continue;
		const { paymentMethod } = saleOf(shop, refund.saleId);
		const kept = micros(refund.rounding ?? 0);
		add(paymentMethod, 0, 0n, micros(refund.total) - kept);
	}
	return [...found].map(([method, { count, in: got, back }]) => ({
		...{ method, salesCount: count },
		...{ amount: decimal(got - back), refunded: decimal(back) },
	}));
}

const readDashboard = kind({
	operation: "GET /api/dashboard",
	weight: 4,
	input: fc.constant(null),
	ask: () => ({}),
	answered({ shop, began }, _, answer) {
		const told = answer.body as Dashboard;
		expect(answer.status).toBe(200);
		const { day: today } = told;
		// Midnight may have passed during the request.
		expect(
			[began, new Date().toISOString()].map((at) => shopDay(at, shop)),
		).toContain(today);
		const facts = factsOf(shop);
		const last = (days: number) => {
			const isIn = (day: string) =>
				day <= today && day > daysAfter(today, -days);
			return { isIn, facts: facts.filter(({ day }) => isIn(day)) };
		};
		const { isIn, facts: window } = last(30);
		const methods = new Set(window.map(({ method }) => method));
		const low = shop.products
			.filter(
				({ id, lowStock, isActive, isService }) =>
					isActive && !isService && decimal(stockOf(shop, id)) <= lowStock,
			)
			.map((product) => productWire(shop, product))
			.toSorted((a, b) => a.quantity - b.quantity || (a.id < b.id ? -1 : 1));
		const { paymentMethods, tenders, ...rest } = told;
		expect(rest).toEqual({
			currency: shop.currency,
			timeZone: shop.timeZone,
			day: today,
			today: figuresOf(last(1).facts),
			yesterday: figuresOf(
				facts.filter(({ day }) => day === daysAfter(today, -1)),
			),
			last7Days: figuresOf(last(7).facts),
			last30Days: figuresOf(window),
			salesByDay: Array.from({ length: 30 }, (_, i) => {
				const day = daysAfter(today, i - 29);
				return { day, ...figuresOf(window.filter((one) => one.day === day)) };
			}),
			salesByHour: Array.from({ length: 24 }, (_, hour) => ({
				hour,
				...figuresOf(window.filter((one) => one.hour === hour)),
			})),
			topProducts: {
				byRevenue: topProducts(shop, isIn, "revenue"),
				byProfit: topProducts(shop, isIn, "profit"),
			},
			lowStock: low.slice(0, 20),
			lowStockCount: low.length,
			recentSales: newestFirst(shop.sales)
				.slice(0, 10)
				.map((sale) => saleWire(shop, sale)),
		});
		// The best sellers first; equals in any order.
		const byName = (
			a: { paymentMethod: string },
			b: { paymentMethod: string },
		) => (a.paymentMethod < b.paymentMethod ? -1 : 1);
		expect(paymentMethods.toSorted(byName)).toEqual(
			[...methods]
				.map((paymentMethod) => ({
					paymentMethod,
					...figuresOf(window.filter(({ method }) => method === paymentMethod)),
				}))
				.toSorted(byName),
		);
		const byMethod = (a: { method: string }, b: { method: string }) =>
			a.method < b.method ? -1 : 1;
		expect(tenders.toSorted(byMethod)).toEqual(
			tendersOf(shop, isIn).toSorted(byMethod),
		);
		const revenues = paymentMethods.map(({ revenue }) => revenue);
		expect(revenues).toEqual(revenues.toSorted((a, b) => b - a));
	},
});

interface Filter {
	search?: string | undefined;
	from?: number | undefined;
	to?: number | undefined;
}

function wantedOf(shop: Shop, { search, from, to }: Record<string, string>) {
	return newestFirst(shop.sales).filter(
		({
			businessDay,
			receiptNumber,
			paymentMethod,
			notes,
			items,
			total,
			paid,
		}) =>
			(from === undefined || businessDay >= from) &&
			(to === undefined || businessDay <= to) &&
			(search === undefined ||
				[
					receiptNumber,
					paymentMethod,
					notes,
					...items.map(({ name }) => name),
				].some((text) => text && plain(text).includes(plain(search))) ||
				[total, paid].includes(Number(search))),
	);
}

/** Turns days ago into the shop's business days. */
function queryOf({ shop, began }: Scene, { search, from, to }: Filter) {
	const day = (ago: number) => daysAfter(shopDay(began, shop), -ago);
	return {
		...(search !== undefined && { search }),
		...(from !== undefined && { from: day(from) }),
		...(to !== undefined && { to: day(to) }),
	};
}

const filters = {
	search: maybe(searches),
	from: maybe(fc.integer({ min: -1, max: 40 })),
	to: maybe(fc.integer({ min: -2, max: 30 })),
};

interface HistoryPage {
	sales: unknown[];
	nextCursor: string | null;
	totals: unknown;
}

async function allPages(
	scene: Scene,
	first: Answer,
	query: Record<string, string>,
) {
	const sales: unknown[] = [];
	for (let page = first; ; ) {
		expect(page.status).toBe(200);
		const { sales: some, nextCursor, totals } = page.body as HistoryPage;
		expect(totals).toEqual((first.body as HistoryPage).totals);
		expect(some.length).toBeLessThanOrEqual(Number(query.limit));
		sales.push(...some);
		if (nextCursor === null) return sales;
		const next = new URLSearchParams({ ...query, cursor: nextCursor });
		page = await scene.read(`/api/sales-history?${next}`);
	}
}

const readHistory = kind({
	operation: "GET /api/sales-history",
	weight: 4,
	input: fc.record({ ...filters, limit: fc.integer({ min: 1, max: 4 }) }),
	ask: (scene, { limit, ...filter }) => ({
		query: { ...queryOf(scene, filter), limit: String(limit) },
	}),
	async answered(scene, { search }, answer, { query = {} }) {
		const { shop, world } = scene;
		expect(await allPages(scene, answer, query)).toEqual(
			wantedOf(shop, query).map((sale) => ({
				...saleWire(shop, sale),
				cashier: world.people.find(({ id }) => id === sale.userId)?.name,
				...standingOf(shop, sale),
			})),
		);
		const { from = "", to = "9999" } = query;
		const { salesCount, revenue, refunded } = figuresOf(
			factsOf(shop).filter(({ day }) => day >= from && day <= to),
		);
		expect((answer.body as HistoryPage).totals).toEqual(
			search === undefined ? { salesCount, revenue, refunded } : null,
		);
	},
});

const readFile = kind({
	operation: "GET /api/sales-history.csv",
	weight: 1,
	input: fc.record({ ...filters, n: nats }),
	ask: (scene, filter) => ({ query: queryOf(scene, filter) }),
	answered({ shop }, _, { status, text }, { query = {} }) {
		expect(status).toBe(200);
		const [head, ...rows] = text.trim().split("\r\n");
		expect(head).toMatch(/^receipt,day,time,item,/);
		const wanted = wantedOf(shop, query).flatMap(({ items, ...sale }) =>
			items.map(() => `${sale.receiptNumber ?? ""},${sale.businessDay},`),
		);
		expect(rows.map((row) => row.split(",", 2).join(",").concat(","))).toEqual(
			wanted,
		);
	},
});

export const reportKinds = [readDashboard, readHistory, readFile];
