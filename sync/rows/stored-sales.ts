import type { EntityStorage } from "../entities/entity.ts";
import { dayNumber } from "../protocol/clock.ts";
import type { Value } from "../store/store.ts";
import { toValue } from "./columns.ts";
import { nameNumber, shopNumber } from "./names.ts";

/*
 * The views `sales` and `sale_items` read what is written here: a sale and its lines, with numbers in place of the texts that a
 * shop's sales repeat, of days and of times.
 */

type Row = Record<string, unknown>;

const scope = "shop = (SELECT n FROM shops WHERE business_id = ?)";

/** Fields that are stored as they are, by column. */
const fields = {
	id: "id",
	total: "total",
	cost: "cost",
	notes: "notes",
	receipt_number: "receiptNumber",
	rounding: "rounding",
	payment_code: "paymentCode",
	has_payments: "hasPayments",
};
const lineFields = {
	quantity: "quantity",
	price: "price",
	cost: "cost",
	list_price: "listPrice",
	is_stockless: "isStockless",
};

const columns = [
	...Object.keys(fields),
	...["paid", "day_number", "made_ms"],
	...["method", "member", "device", "shift", "version", "deleted"],
];
const placeholders = (columns: readonly string[]) =>
	columns.map(() => "?").join(", ");
const insertSale = `INSERT INTO stored_sales (shop, n, ${columns.join(", ")})
  VALUES (?, ?, ${placeholders(columns)}) ON CONFLICT (shop, id) DO NOTHING`;
const lineColumns = [
	...["shop", "sale", "position", "id", "label", "product"],
	...Object.keys(lineFields),
];
const insertLine = `INSERT INTO stored_lines (${lineColumns.join(", ")}) VALUES (${placeholders(lineColumns)})`;

/** Apart from the line: one without tax takes no byte for it. */
const insertTax =
	"INSERT INTO line_taxes (shop, sale, position, class, rate, tax) VALUES (?, ?, ?, ?, ?, ?)";

/** Apart likewise. */
const insertUnit =
	"INSERT INTO line_units (shop, sale, position, unit, pack, label, size) VALUES (?, ?, ?, ?, ?, ?, ?)";

const valuesOf = (row: Row, fields: Record<string, string>): Value[] =>
	Object.values(fields).map((field) => toValue(row[field]));

export const storedSales: EntityStorage = {
	table: "stored_sales",
	scope,

	async insert(tx, businessId, { row, version, deleted }) {
		const { total, paid, paymentMethod, businessDay, createdAt } = row as Row;
		const { userId, deviceId, shiftId, items } = row as Row;
		const shop = await shopNumber(tx, businessId);
		const number = (text: unknown) =>
			typeof text === "string" ? nameNumber(tx, shop, text) : null;
		// With RETURNING, SQLite would keep a journal for each sale, which in a long transaction takes longer than the sale.
		const last = await tx.get(
			"SELECT max(n) AS n FROM stored_sales WHERE shop = ?",
			shop,
		);
		const n = Number(last?.n ?? 0) + 1;
		const inserted = await tx.run(
			insertSale,
			...[shop, n, ...valuesOf(row as Row, fields)],
			paid === total ? null : (paid as number),
			dayNumber(businessDay as string),
			Date.parse(createdAt as string),
			...[await number(paymentMethod), await number(userId)],
			...[await number(deviceId), await number(shiftId)],
			...[version, Number(deleted)],
		);
		if (inserted === 0) return false;
		for (const [position, line] of (items as Row[]).entries()) {
			await tx.run(
				insertLine,
				...[shop, n, position],
				line.id === String(position + 1) ? null : (line.id as string),
				...[await number(line.name), await number(line.productId)],
				...valuesOf(line, lineFields),
			);
			if (line.taxClass !== undefined)
				await tx.run(
					insertTax,
					...[shop, n, position, await number(line.taxClass)],
					...[line.taxRate as number, line.tax as number],
				);
			const { unit, packId, packName, packSize = null } = line;
			if (unit !== undefined || packSize !== null)
				await tx.run(
					insertUnit,
					...[shop, n, position, await number(unit)],
					...[await number(packId), await number(packName)],
					packSize as number | null,
				);
		}
		return true;
	},

	async erase(tx, businessId, which, ...params) {
		for (const lines of ["line_taxes", "line_units", "stored_lines"])
			await tx.run(
				`DELETE FROM ${lines} WHERE (shop, sale) IN (SELECT shop, n FROM stored_sales WHERE ${scope} AND ${which})`,
				businessId,
				...params,
			);
		await tx.run(
			`DELETE FROM stored_sales WHERE ${scope} AND ${which}`,
			businessId,
			...params,
		);
	},
};
