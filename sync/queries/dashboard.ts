import * as z from "zod";
import { day } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { type Product, product, productWire } from "../entities/product.ts";
import { type Sale, sale, saleWire } from "../entities/sale.ts";
import { addDays, localHours } from "../protocol/clock.ts";
import { selectWires } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { businessGet, businessToday } from "./business.ts";
import {
	figures,
	tenderFigures,
	toFigures,
	toTenders,
	withoutTenders,
} from "./figures.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import {
	type ProductSums,
	readDaySums,
	readTopProducts,
	windowDays,
} from "./tallies.ts";

const topMax = 10;
const lowStockMax = 20;
const recentMax = 10;

const money = z.number();

const topProduct = z.object({
	productId: z.string(),
	/** Null for a product that this database has never had. */
	name: z.string().nullable(),
	quantity: z.number(),
	revenue: money,
	profit: money,
});

/** The figures of a business, in its currency and by its own days. Charts and lists cover the last 30 days. */
const dashboard = z
	.object({
		currency: z.string(),
		timeZone: z.string(),
		day,
		today: figures,
		yesterday: figures,
		last7Days: figures,
		last30Days: figures,
		/** All 30 days, the oldest first. */
		salesByDay: z.array(figures.extend({ day })),
		/** The 24 hours in local time. */
		salesByHour: z.array(figures.extend({ hour: z.int().min(0).max(23) })),
		/** The highest revenue first. */
		paymentMethods: z.array(figures.extend({ paymentMethod: z.string() })),
		/** The same money by the tenders of each sale, the highest amount first. */
		tenders: z.array(tenderFigures),
		topProducts: z.object({
			byRevenue: z.array(topProduct),
			byProfit: z.array(topProduct),
		}),
		/** Products at or below their threshold, the lowest stock first, at most 20. */
		lowStock: z.array(productWire),
		lowStockCount: z.int(),
		recentSales: z.array(saleWire),
	})
	.meta({ id: "Dashboard" });
export type Dashboard = z.input<typeof dashboard>;

export const dashboardGet = defineQuery({
	name: "dashboard.get",
	summary:
		"Sales, revenue and profit of today, yesterday, the last 7 and the last 30 days",
	args: z.strictObject({}),
	answer: dashboard,
	settles: true,
	whileCounting: withoutTenders,
	run: readDashboard,
});

async function readDashboard(context: QueryContext): Promise<Dashboard> {
	const { tx, businessId } = context;
	const { currency, timeZone } = await businessGet.run(context, {});
	const { day: today } = await businessToday.run(context, {});
	const after = addDays(today, -windowDays);
	const sums = (kind: Parameters<typeof readDaySums>[2]) =>
		readDaySums(tx, businessId, kind, after, today);
	const days = await sums("day");
	const last = (length: number) =>
		toFigures(days.filter((sums) => sums.day > addDays(today, -length)));
	const yesterday = addDays(today, -1);
	const hourOf = localHours(timeZone);
	const byHour = Map.groupBy(await sums("slot"), ({ key }) => hourOf(key));
	const byMethod = Map.groupBy(await sums("method"), ({ key }) => key);
	const low = `AND quantity <= low_stock AND is_active = 1 AND is_service = 0 AND deleted = 0`;
	const lowCount = await tx.get(
		`SELECT count(*) AS low FROM products WHERE business_id = ? ${low}`,
		businessId,
	);
	return {
		currency,
		timeZone,
		day: today,
		today: last(1),
		yesterday: toFigures(days.filter(({ day }) => day === yesterday)),
		last7Days: last(7),
		last30Days: last(windowDays),
		salesByDay: Array.from({ length: windowDays }, (_, i) => {
			const day = addDays(after, i + 1);
			return { day, ...toFigures(days.filter((sums) => sums.day === day)) };
		}),
		salesByHour: Array.from({ length: 24 }, (_, hour) => ({
			hour,
			...toFigures(byHour.get(hour) ?? []),
		})),
		paymentMethods: [...byMethod]
			.map(([paymentMethod, sums]) => ({ paymentMethod, ...toFigures(sums) }))
			.toSorted((a, b) => b.revenue - a.revenue),
		tenders: toTenders(await sums("tender")),
		topProducts: {
			byRevenue: await top(tx, businessId, today, "revenue"),
			byProfit: await top(tx, businessId, today, "profit"),
		},
		lowStock: await selectWires<Product>(
			tx,
			product,
			businessId,
			`${low} ORDER BY quantity, id LIMIT ${lowStockMax}`,
		),
		lowStockCount: Number(lowCount?.low),
		recentSales: await selectWires<Sale>(
			tx,
			sale,
			businessId,
			`ORDER BY made_ms DESC, id DESC LIMIT ${recentMax}`,
		),
	};
}

async function top(
	tx: Connection,
	businessId: string,
	today: string,
	by: "revenue" | "profit",
): Promise<z.infer<typeof topProduct>[]> {
	const best = await readTopProducts(tx, businessId, today, by, topMax);
	const names = await namesOf(tx, businessId, best);
	return best.map(({ productId, quantity, revenue, profit }) => ({
		productId,
		name: names.get(productId) ?? null,
		quantity: toDecimal(quantity),
		revenue: toDecimal(revenue),
		profit: toDecimal(profit),
	}));
}

async function namesOf(
	tx: Connection,
	businessId: string,
	sums: ProductSums[],
): Promise<Map<string, string>> {
	const rows = await tx.all(
		`SELECT id, name FROM products WHERE business_id = ? AND id IN (${sums.map(() => "?").join(", ") || "NULL"})`,
		businessId,
		...sums.map(({ productId }) => productId),
	);
	return new Map(rows.map(({ id, name }) => [id as string, name as string]));
}
