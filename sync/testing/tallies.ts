import { deepStrictEqual, strictEqual } from "node:assert";
import { addDays } from "../protocol/clock.ts";
import {
	countSales,
	type DaySums,
	type ProductSums,
	readDaySums,
	readTopProducts,
	type TallyKind,
	windowDays,
} from "../queries/tallies.ts";
import type { Connection, Store } from "../store/store.ts";

type Fact = Record<string, string | number | null>;

/** The facts of a business in the database. */
interface Facts {
	sales: Fact[];
	refunds: Fact[];
	saleItems: Fact[];
	refundItems: Fact[];
	payments: Fact[];
	saleById: ReadonlyMap<unknown, Fact>;
}

/**
 * Recounts every fact of a store and compares the sums with the tallies.
 *
 * @param from the first day whose sums are compared, and only sums by days. Default: everything
 */
export async function assertTalliesRight(
	store: Store,
	businessId: string,
	today: string,
	from?: string,
): Promise<void> {
	await store.read(async (tx) => {
		const facts = await readFacts(tx, businessId);
		const after = from === undefined ? "0000-01-01" : addDays(from, -1);
		const assertEqual = async (kind: TallyKind, counted: DaySums[]) => {
			const read = await readDaySums(tx, businessId, kind, after, "9999-12-31");
			const due = counted.filter(({ day }) => day > after);
			deepStrictEqual(inOrder(read), inOrder(due), kind);
		};
		for (const kind of ["day", "method", "slot"] as const)
			await assertEqual(kind, sumDays(facts, kind));
		await assertEqual("tender", sumTenders(facts));
		if (from !== undefined) return;
		strictEqual(await countSales(tx, businessId), facts.sales.length);
		const products = sumProducts(facts, today);
		for (const by of ["revenue", "profit"] as const)
			for (const limit of [3, 1_000])
				deepStrictEqual(
					await readTopProducts(tx, businessId, today, by, limit),
					products
						.filter((sums) => sums[by] > 0)
						.toSorted(
							(a, b) => b[by] - a[by] || (a.productId < b.productId ? -1 : 1),
						)
						.slice(0, limit),
					`top by ${by}`,
				);
	});
}

async function readFacts(tx: Connection, businessId: string): Promise<Facts> {
	const all = (table: string) =>
		tx.all(`SELECT * FROM ${table} WHERE business_id = ?`, businessId);
	const sales = await all("sales");
	return {
		sales,
		refunds: await all("refunds"),
		saleItems: await all("sale_items"),
		refundItems: await all("refund_items"),
		payments: await all("payments"),
		saleById: new Map(sales.map((sale) => [sale.id, sale])),
	};
}

const inOrder = (sums: DaySums[]) =>
	sums.toSorted((a, b) => (`${a.day} ${a.key}` < `${b.day} ${b.key}` ? -1 : 1));

const keyOf: Record<
	Exclude<TallyKind, "tender">,
	(sale: Fact, fact: Fact) => string
> = {
	day: () => "",
	method: (sale) => sale.payment_method as string,
	slot: (_sale, { created_at: at }) => toSlot(at as string),
};

function sumDays(
	{ sales, refunds, saleById }: Facts,
	kind: keyof typeof keyOf,
): DaySums[] {
	const sumsByKey = new Map<string, DaySums>();
	const at = (sale: Fact, fact: Fact) => {
		const day = fact.business_day as string;
		const key = keyOf[kind](sale, fact);
		const none = { sales: 0, revenue: 0, cost: 0, refunded: 0 };
		const sums = sumsByKey.get(`${day} ${key}`) ?? { day, key, ...none };
		sumsByKey.set(`${day} ${key}`, sums);
		return sums;
	};
	for (const sale of sales) {
		const sums = at(sale, sale);
		sums.sales += 1;
		sums.revenue += sale.total as number;
		sums.cost += sale.cost as number;
	}
	for (const refund of refunds) {
		const sale = saleById.get(refund.sale_id) as Fact;
		const sums = at(sale, refund);
		sums.revenue -= refund.total as number;
		sums.refunded += refund.total as number;
		if (refund.restock) sums.cost -= refund.cost as number;
		if (refund.kind === "void") at(sale, sale).sales -= 1;
	}
	return [...sumsByKey.values()];
}

/** Sums what each fact moved by each tender. */
function sumTenders({ sales, refunds, payments, saleById }: Facts): DaySums[] {
	const sumsByKey = new Map<string, DaySums>();
	const add = (day: unknown, key: string, more: Partial<DaySums>) => {
		const none = { sales: 0, revenue: 0, cost: 0, refunded: 0 };
		const sums = { ...none, ...sumsByKey.get(`${day} ${key}`) };
		for (const field of ["sales", "revenue", "refunded"] as const)
			sums[field] += more[field] ?? 0;
		sumsByKey.set(`${day} ${key}`, { ...sums, day: day as string, key });
	};
	const beside = (kind: string, factId: unknown) => {
		const by = new Map<string, number>();
		for (const { method, amount, ...one } of payments)
			if (one.kind === kind && one.fact_id === factId)
				by.set(
					method as string,
					(by.get(method as string) ?? 0) + (amount as number),
				);
		return [...by];
	};
	const tendersOf = (sale: Fact): [string, number][] => {
		if (sale.has_payments) return beside("sale", sale.id);
		const [paid, total] = [sale.paid as number, sale.total as number];
		const method = sale.payment_method as string;
		const rounding = (sale.rounding as number | null) ?? 0;
		const change = Math.max(paid - total, 0);
		if (method === "CASH") return [[method, paid - rounding - change]];
		const own: [string, number] = [method, paid - rounding];
		return change > 0 ? [own, ["CASH", -change]] : [own];
	};
	for (const sale of sales)
		for (const [i, [key, revenue]] of tendersOf(sale).entries()) {
			const isPaidBy = sale.has_payments ? revenue > 0 : i === 0;
			const counted = { sales: isPaidBy ? 1 : 0, revenue };
			add(sale.business_day, key, counted);
			if (refunds.some((one) => one.sale_id === sale.id && one.kind === "void"))
				add(sale.business_day, key, { sales: -counted.sales });
		}
	for (const refund of refunds) {
		const sale = saleById.get(refund.sale_id) as Fact;
		const rounding = (refund.rounding as number | null) ?? 0;
		const given: [string, number][] = refund.has_payments
			? beside("refund", refund.id)
			: [
					[
						(refund.payment_method ?? sale.payment_method) as string,
						rounding - (refund.total as number),
					],
				];
		for (const [key, revenue] of given)
			add(refund.business_day, key, { revenue, refunded: -revenue });
	}
	return [...sumsByKey.values()];
}

function sumProducts(
	{ refunds, saleItems, refundItems, saleById }: Facts,
	today: string,
): ProductSums[] {
	const isInWindow = ({ business_day: day }: Fact) =>
		(day as string) > addDays(today, -windowDays) && (day as string) <= today;
	const sumsById = new Map<string, ProductSums>();
	const add = (line: Fact, quantity: number, costSign: number) => {
		const productId = line.product_id as string;
		if (productId === null) return;
		const none = { quantity: 0, revenue: 0, profit: 0 };
		const sums = sumsById.get(productId) ?? { productId, ...none };
		sumsById.set(productId, sums);
		const revenue = timesPrice(quantity, line.price as number);
		const { pack_size: size } = line;
		sums.quantity +=
			size === null ? quantity : timesPrice(quantity, size as number);
		sums.revenue += revenue;
		sums.profit +=
			revenue - costSign * timesPrice(Math.abs(quantity), line.cost as number);
	};
	for (const line of saleItems)
		if (isInWindow(saleById.get(line.sale_id) as Fact))
			add(line, line.quantity as number, 1);
	for (const back of refundItems) {
		const refund = refunds.find(({ id }) => id === back.refund_id) as Fact;
		const line = saleItems.find(
			({ id, sale_id: saleId }) =>
				id === back.item_id && saleId === refund.sale_id,
		) as Fact;
		if (isInWindow(refund))
			add(line, -(back.quantity as number), refund.restock ? -1 : 0);
	}
	return [...sumsById.values()];
}

/** The product in millionths, rounded half away from zero, with BigInt. */
function timesPrice(quantity: number, price: number): number {
	const exact = BigInt(Math.abs(quantity)) * BigInt(price);
	const rounded = Number((exact + 500_000n) / 1_000_000n);
	return quantity < 0 ? -rounded : rounded;
}

function toSlot(at: string): string {
	const minutes = Math.floor(Number(at.slice(14, 16)) / 15) * 15;
	return at.slice(0, 14) + String(minutes).padStart(2, "0");
}
