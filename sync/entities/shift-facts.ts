import { dayNumber } from "../protocol/clock.ts";
import type { Connection, DbRow } from "../store/store.ts";
import type { CashCategory } from "./cash-categories.ts";
import { sumOfProducts } from "./money.ts";
import type { ShiftFact } from "./shift-figures.ts";
import { type TaxedAmount, taxedAmountOf } from "./tax-amount.ts";

/** Which facts are read: their shift, or their business day. */
type Of = { shiftId: string } | { businessDay: string };

/** Reads everything that moved money during a shift, or opened its drawer, as far as it is here. */
export const readShiftFacts = (
	tx: Pick<Connection, "all">,
	businessId: string,
	shiftId: string,
) => readFacts(tx, businessId, { shiftId });

/** Reads everything that moved money on a business day, or opened a drawer. */
export const readDayFacts = (
	tx: Pick<Connection, "all">,
	businessId: string,
	businessDay: string,
) => readFacts(tx, businessId, { businessDay });

async function readFacts(
	tx: Pick<Connection, "all">,
	businessId: string,
	of: Of,
): Promise<ShiftFact[]> {
	const sold = await readSales(tx, businessId, of);
	const takenBack = await readRefunds(tx, businessId, of);
	const facts = [...sold, ...takenBack];
	const beside = await readBeside(tx, businessId, facts);
	for (const fact of facts) {
		const entries = beside.get(`${fact.kind} ${fact.id}`);
		if (entries) Object.assign(fact, { entries, isBeside: true });
	}
	return [...facts, ...(await readMoves(tx, businessId, of))];
}

const nothing = {
	taxes: [],
	discount: 0,
	rounding: 0,
	receiptNumber: null,
	category: null,
	cost: 0,
	isBeside: false,
};

/** Whom and which shift a row names. */
const namedBy = (row: DbRow) => ({
	userId: row.user_id as string | null,
	shiftId: row.shift_id as string | null,
});

async function readSales(
	tx: Pick<Connection, "all">,
	businessId: string,
	of: Of,
): Promise<ShiftFact[]> {
	const [where, ...values] =
		"shiftId" in of
			? [
					"shift = (SELECT names.n FROM names JOIN shops ON shops.n = names.shop WHERE shops.business_id = ? AND names.text = ?)",
					...[businessId, of.shiftId],
				]
			: ["day_number = ?", dayNumber(of.businessDay)];
	const rows = await tx.all(
		`SELECT id, total, cost, paid, payment_method, rounding, receipt_number, user_id, shift_id FROM sales
     WHERE business_id = ? AND deleted = 0 AND ${where}`,
		businessId,
		...values,
	);
	const ids = JSON.stringify(rows.map(({ id }) => id));
	const discounts = await readDiscounts(tx, businessId, ids);
	const taxes = await readTaxes(tx, businessId, ids);
	return rows.map((row) => {
		const total = Number(row.total);
		const paid = Number(row.paid);
		const rounding = Number(row.rounding ?? 0);
		return {
			...nothing,
			...{ id: row.id as string, kind: "sale", total, rounding },
			...namedBy(row),
			cost: Number(row.cost),
			discount: discounts.get(row.id as string) ?? 0,
			taxes: taxes.get(row.id) ?? [],
			receiptNumber: row.receipt_number as string | null,
			entries: takenBy(
				row.payment_method as string,
				paid - rounding,
				paid - total,
			),
		};
	});
}

/** What a payment by one method brought in: change is given in cash. */
function takenBy(
	method: string,
	handed: number,
	change: number,
): ShiftFact["entries"] {
	const given = Math.max(change, 0);
	if (method === "CASH") return [{ method, amount: handed - given }];
	return [
		{ method, amount: handed },
		...(given > 0 ? [{ method: "CASH", amount: -given }] : []),
	];
}

/** @param saleIds in JSON */
async function readDiscounts(
	tx: Pick<Connection, "all">,
	businessId: string,
	saleIds: string,
): Promise<Map<string, number>> {
	const rows = await tx.all(
		`SELECT sale_id, quantity, price, list_price FROM sale_items
     WHERE business_id = ? AND sale_id IN (SELECT value FROM json_each(?)) AND list_price > price`,
		businessId,
		saleIds,
	);
	const discounts = new Map<string, number>();
	for (const { sale_id, quantity, price, list_price } of rows) {
		const off = sumOfProducts([
			{ price: Number(list_price) - Number(price), quantity: Number(quantity) },
		]);
		const id = sale_id as string;
		discounts.set(id, (discounts.get(id) ?? 0) + off);
	}
	return discounts;
}

/** @param saleIds in JSON */
async function readTaxes(
	tx: Pick<Connection, "all">,
	businessId: string,
	saleIds: string,
): Promise<Map<unknown, TaxedAmount[]>> {
	const rows = await tx.all(
		`SELECT sale_id AS fact_id, price, quantity, tax, tax_class, tax_rate FROM sale_items
     WHERE business_id = ? AND sale_id IN (SELECT value FROM json_each(?)) AND tax_class IS NOT NULL`,
		businessId,
		saleIds,
	);
	return byFactOf(rows, 1);
}

/** @param refundIds in JSON */
async function readTaxesBack(
	tx: Pick<Connection, "all">,
	businessId: string,
	refundIds: string,
): Promise<Map<unknown, TaxedAmount[]>> {
	const rows = await tx.all(
		`SELECT back.refund_id AS fact_id, sold.price, back.quantity, back.tax, sold.tax_class, sold.tax_rate FROM refund_items AS back
     JOIN refunds ON refunds.business_id = back.business_id AND refunds.id = back.refund_id
     JOIN sale_items AS sold ON sold.business_id = refunds.business_id AND sold.sale_id = refunds.sale_id AND sold.id = back.item_id
     WHERE back.business_id = ? AND back.refund_id IN (SELECT value FROM json_each(?)) AND sold.tax_class IS NOT NULL`,
		businessId,
		refundIds,
	);
	return byFactOf(rows, -1);
}

function byFactOf(
	rows: readonly DbRow[],
	sign: 1 | -1,
): Map<unknown, TaxedAmount[]> {
	const byFact = new Map<unknown, TaxedAmount[]>();
	for (const { fact_id, price, quantity, tax, ...line } of rows) {
		const { gross, ...taxed } = taxedAmountOf({
			...{ price: Number(price), quantity: Number(quantity) },
			tax: Number(tax ?? 0),
			taxClass: line.tax_class as string,
			taxRate: Number(line.tax_rate),
		});
		const all = byFact.get(fact_id) ?? [];
		byFact.set(fact_id, all);
		all.push({ ...taxed, gross: sign * gross, tax: sign * taxed.tax });
	}
	return byFact;
}

const ofRow = (of: Of) =>
	"shiftId" in of
		? (["shift_id = ?", of.shiftId] as const)
		: (["business_day = ?", of.businessDay] as const);

async function readRefunds(
	tx: Pick<Connection, "all">,
	businessId: string,
	of: Of,
): Promise<ShiftFact[]> {
	const [where, value] = ofRow(of);
	// Looked up for each: SQLite would gather all sales for a left join with the view.
	const sold = (column: string) =>
		`(SELECT ${column} FROM sales WHERE business_id = refunds.business_id AND id = refunds.sale_id)`;
	const rows = await tx.all(
		`SELECT id, kind, total, rounding, restock * cost AS cost, user_id, shift_id,
       coalesce(payment_method, ${sold("payment_method")}, 'CASH') AS method, ${sold("total - paid")} AS unpaid
     FROM refunds WHERE business_id = ? AND ${where} AND deleted = 0`,
		businessId,
		value,
	);
	const ids = JSON.stringify(rows.map(({ id }) => id));
	const taxes = await readTaxesBack(tx, businessId, ids);
	return rows.map((row) => {
		const total = Number(row.total);
		const kept = Number(row.rounding ?? 0);
		// What the sale had not been paid is not given back, and is no rounding.
		const rounding =
			kept - Math.max(Math.min(kept, Number(row.unpaid ?? 0)), 0);
		return {
			...nothing,
			...{ id: row.id as string, kind: row.kind as "refund", total, rounding },
			...namedBy(row),
			cost: -Number(row.cost),
			taxes: taxes.get(row.id) ?? [],
			entries: [{ method: row.method as string, amount: kept - total }],
		};
	});
}

/** Reads the payments beside sales and refunds, by kind and id of their fact. */
async function readBeside(
	tx: Pick<Connection, "all">,
	businessId: string,
	facts: readonly ShiftFact[],
): Promise<Map<string, ShiftFact["entries"]>> {
	const rows = await tx.all(
		`SELECT payments.kind, fact_id, method, amount, refunds.kind AS refund_kind FROM payments
     LEFT JOIN refunds ON refunds.business_id = payments.business_id AND refunds.id = payments.fact_id AND payments.kind = 'refund'
     WHERE payments.business_id = ? AND fact_id IN (SELECT value FROM json_each(?)) AND payments.kind IN ('sale', 'refund') AND payments.deleted = 0
     ORDER BY payments.id`,
		businessId,
		JSON.stringify(facts.map(({ id }) => id)),
	);
	const byFact = new Map<string, ShiftFact["entries"]>();
	for (const { kind, refund_kind, fact_id, method, amount } of rows) {
		const key = `${refund_kind ?? kind} ${fact_id}`;
		const entries = byFact.get(key) ?? [];
		byFact.set(key, entries);
		entries.push({ method: method as string, amount: Number(amount) });
	}
	return byFact;
}

/** Reads debts collected, cash in and out, money for suppliers, and openings of the drawer. */
async function readMoves(
	tx: Pick<Connection, "all">,
	businessId: string,
	of: Of,
): Promise<ShiftFact[]> {
	const [where, value] = ofRow(of);
	const rows = await tx.all(
		`SELECT fact_id, kind, method, amount, category, supplier_id, user_id, shift_id FROM payments
     WHERE business_id = ? AND ${where} AND kind NOT IN ('sale', 'refund') AND kind <> 'adjustment' AND deleted = 0 ORDER BY fact_id, id`,
		businessId,
		value,
	);
	const byFact = new Map<string, ShiftFact>();
	for (const { fact_id, kind, method, amount, category, ...row } of rows) {
		const id = fact_id as string;
		const fact = byFact.get(id) ?? {
			...nothing,
			...{ id, kind: kind as ShiftFact["kind"], total: 0, entries: [] },
			...namedBy(row),
			isBeside: true,
			category: category as CashCategory | null,
			...(row.supplier_id !== null && { isOwed: true }),
		};
		byFact.set(id, fact);
		if (kind !== "drawer" && kind !== "removal")
			fact.entries.push({ method: method as string, amount: Number(amount) });
	}
	return [...byFact.values()];
}
