import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import * as z from "zod";
import { toMicros } from "../../sync/entities/money.ts";

/**
 * A day of a retailer's trade, from a CSV file with one row per invoice line: InvoiceNo, StockCode, Description,
 * Quantity, InvoiceDate, UnitPrice, CustomerID. Invoice numbers with a C are cancellations; negative lines of other
 * invoices are write-offs.
 */
export interface TradingDay {
	invoices: Invoice[];
	cancellations: Invoice[];
	writeOffs: Line[];
}

export interface Invoice {
	number: string;
	customer: string;
	lines: Line[];
}

export interface Line {
	/** Unique within the file. */
	id: string;
	sku: string;
	name: string;
	quantity: number;
	price: number;
}

const row = z.object({
	InvoiceNo: z.string().min(1),
	StockCode: z.string().min(1),
	Description: z.string(),
	Quantity: z.coerce.number(),
	UnitPrice: z.coerce.number().min(0),
	CustomerID: z.string(),
});

export function readTradingDay(file: string): TradingDay {
	const records: unknown[] = parse(readFileSync(file), {
		columns: true,
		bom: true,
	});
	const invoices = new Map<string, Invoice>();
	const cancellations = new Map<string, Invoice>();
	const writeOffs: Line[] = [];
	for (const [i, record] of records.entries()) {
		const parsed = row.safeParse(record);
		if (!parsed.success)
			throw new Error(`Line ${i + 2}: ${z.prettifyError(parsed.error)}`);
		const { InvoiceNo: number, CustomerID: customer, ...rest } = parsed.data;
		const line: Line = {
			id: `${number}-${i + 2}`,
			sku: rest.StockCode,
			name: rest.Description,
			quantity: Math.abs(rest.Quantity),
			price: rest.UnitPrice,
		};
		const isCancellation = number.startsWith("C");
		if (rest.Quantity < 0 && !isCancellation) {
			writeOffs.push(line);
			continue;
		}
		const into = isCancellation ? cancellations : invoices;
		const invoice = into.get(number) ?? { number, customer, lines: [] };
		into.set(number, invoice);
		invoice.lines.push(line);
	}
	return {
		invoices: [...invoices.values()],
		cancellations: [...cancellations.values()],
		writeOffs,
	};
}

/** Derives a catalogue from a day's sales: each stock code with a name and its highest price. */
export function catalogueOf({
	invoices,
	cancellations,
	writeOffs,
}: TradingDay): { sku: string; name: string; price: number }[] {
	const bySku = new Map<string, { sku: string; name: string; price: number }>();
	const lines = [...invoices, ...cancellations].flatMap(({ lines }) => lines);
	for (const { sku, name, price } of [...lines, ...writeOffs]) {
		const known = bySku.get(sku);
		bySku.set(sku, {
			sku,
			name: known?.name || name.trim(),
			price: Math.max(known?.price ?? 0, price),
		});
	}
	return [...bySku.values()].map((entry) => ({
		...entry,
		name: entry.name || entry.sku,
	}));
}

interface Refunded {
	/** The cancelling invoice. */
	number: string;
	saleNumber: string;
	items: { id: string; itemId: string; quantity: number }[];
}

/**
 * Matches each cancellation with earlier lines of that day for the same customer, product and price. For goods sold on an
 * earlier day it adds a separate sale, `<number>-earlier`, before the others.
 */
export function matchCancellations({ invoices, cancellations }: TradingDay): {
	earlier: Invoice[];
	refunds: Refunded[];
} {
	const earlier: Invoice[] = [];
	const refunds: Refunded[] = [];
	const left = new Map(
		invoices.flatMap(({ lines }) =>
			lines.map((line) => [line.id, toMicros(line.quantity)]),
		),
	);
	for (const { number, customer, lines } of cancellations) {
		const itemsBySale = new Map<string, Refunded["items"]>();
		const unmatched: Line[] = [];
		for (const line of lines) {
			const match = customer
				? invoices
						.filter((invoice) => invoice.customer === customer)
						.flatMap((invoice) =>
							invoice.lines.map((sold) => ({ invoice, sold })),
						)
						.find(
							({ sold }) =>
								sold.sku === line.sku &&
								sold.price === line.price &&
								(left.get(sold.id) ?? 0) >= toMicros(line.quantity),
						)
				: undefined;
			if (!match) {
				unmatched.push(line);
				continue;
			}
			const { sold, invoice } = match;
			left.set(sold.id, (left.get(sold.id) ?? 0) - toMicros(line.quantity));
			const items = itemsBySale.get(invoice.number) ?? [];
			itemsBySale.set(invoice.number, items);
			items.push({ id: line.id, itemId: sold.id, quantity: line.quantity });
		}
		if (unmatched.length > 0) {
			const saleNumber = `${number}-earlier`;
			earlier.push({ number: saleNumber, customer, lines: unmatched });
			itemsBySale.set(
				saleNumber,
				unmatched.map(({ id, quantity }) => ({
					id: `${id}-back`,
					itemId: id,
					quantity,
				})),
			);
		}
		for (const [saleNumber, items] of itemsBySale)
			refunds.push({ number, saleNumber, items });
	}
	return { earlier, refunds };
}
