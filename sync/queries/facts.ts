import { dayNumber } from "../protocol/clock.ts";
import { raw, type Sql, sql } from "./sql.ts";

/** A condition on `sales` or `refunds`. */
export type Where = (table: "sales" | "refunds") => Sql;

/** The days after one, up to another. */
export interface DayRange {
	after: string;
	upTo: string;
}

/** The facts of some days, found by the index of days. */
export const inDays =
	({ after, upTo }: DayRange): Where =>
	(table) =>
		table === "sales"
			? sql`sales.day_number > ${dayNumber(after)} AND sales.day_number <= ${dayNumber(upTo)}`
			: sql`refunds.business_day > ${after} AND refunds.business_day <= ${upTo}`;

/**
 * A term of a sum. Integer sums beyond 64 bits fail in the database, and the report with them; floating-point sums stay
 * exact as long as a number can, and are approximate beyond.
 */
export const term = (integer: string): Sql => raw(`(${integer} + 0.0)`);

/** `price x quantity` in millionths, rounded half up. Its parts stay within 64 bits if the sale's total does. */
export const product = (price: string, quantity: string): string =>
	`(${price} / 1000000 * ${quantity} + ${price} % 1000000 * (${quantity} / 1000000) + (${price} % 1000000 * (${quantity} % 1000000) + 500000) / 1000000)`;

/** How many of its product's units a quantity of a line is, in millionths. */
export const units = (quantity = "sale_items.quantity"): string =>
	`(CASE WHEN sale_items.pack_size IS NULL THEN ${quantity} ELSE ${product("sale_items.pack_size", quantity)} END)`;

/**
 * A condition on lines that name a product. It is an expression so that lines are found by their sales: the index by product
 * would lead through all of a shop's.
 */
export const hasProduct = raw("coalesce(sale_items.product_id, '') <> ''");

/** The integer SQL of a line's amounts in millionths, negative for a line that came back. */
interface LineAmounts {
	/** In the product's unit. */
	quantity: string;
	revenue: string;
	/** A line that came back reduces the cost only if its goods returned to stock. */
	cost: string;
	/** What the list price would have brought more. */
	discount: string;
	/** False for a line that came back. */
	isSold: boolean;
}

/**
 * Reads each sold line, and each line of a refund or void on the refund's own day.
 *
 * @param columns makes the select list from the line's amounts; it may also name columns of `sale_items`
 */
export function lineFacts(
	businessId: string,
	where: Where,
	columns: (amounts: LineAmounts) => Sql,
): Sql {
	const of = (field: string, quantity: string) =>
		product(`sale_items.${field}`, quantity);
	const discount = (quantity: string) =>
		`CASE WHEN sale_items.list_price > sale_items.price THEN ${of("list_price", quantity)} - ${of("price", quantity)} ELSE 0 END`;
	const sold = "sale_items.quantity";
	const back = "refund_items.quantity";
	const ofSale = columns({
		quantity: units(sold),
		revenue: of("price", sold),
		cost: of("cost", sold),
		discount: discount(sold),
		isSold: true,
	});
	const ofRefund = columns({
		quantity: `-${units(back)}`,
		revenue: `-${of("price", back)}`,
		cost: `-refunds.restock * ${of("cost", back)}`,
		discount: `-(${discount(back)})`,
		isSold: false,
	});
	return sql`SELECT ${ofSale}
      FROM sales JOIN sale_items ON sale_items.business_id = sales.business_id AND sale_items.sale_id = sales.id
      WHERE sales.business_id = ${businessId} AND ${where("sales")}
    UNION ALL
    SELECT ${ofRefund}
      FROM refunds JOIN refund_items ON refund_items.business_id = refunds.business_id AND refund_items.refund_id = refunds.id
      JOIN sale_items ON sale_items.business_id = refunds.business_id AND sale_items.sale_id = refunds.sale_id AND sale_items.id = refund_items.item_id
      WHERE refunds.business_id = ${businessId} AND ${where("refunds")}`;
}
