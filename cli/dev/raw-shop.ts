import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { chainStart } from "../../sync/log/chain.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { products, type Sale, shopEnv } from "./bench-sales.ts";

export interface RawShop {
	/** Writes each batch in one transaction, durably. */
	write(sales: Sale[], batchSize: number): void;
	close(): void;
}

/** How the sales of `makeSale` spell their arguments (sync/entities/sale-args.ts): with a day, a payment method and what was paid. */
const shape = 1 + 16 + 256;

/**
 * Opens a database to which plain statements write the rows that the server stores for a three-line sale: the sale, which is
 * its own log entry, and its lines, with numbers for the texts that recur. Like the server's database, it grows from round to round.
 */
export function openRawShop(file: string): RawShop {
	const db = new Database(file);
	db.pragma("journal_mode = WAL");
	db.pragma("synchronous = FULL");
	db.pragma("foreign_keys = ON");
	db.exec(readFileSync(join(import.meta.dirname, "../../schema.sql"), "utf8"));
	const madeMs = Date.now();
	const at = new Date(madeMs).toISOString();
	const day = Math.floor(madeMs / 86_400_000);
	const b = newId(shopEnv);
	// As long as every link of the chain.
	const link = chainStart(b);
	db.prepare(
		"INSERT INTO businesses (business_id, id, name, currency, time_zone, created_at, updated_at, version) VALUES (?, ?, 'B', 'KES', 'Africa/Nairobi', ?, ?, 1)",
	).run(b, b, at, at);
	db.prepare("INSERT INTO shops (n, business_id) VALUES (1, ?)").run(b);
	const product = db.prepare(
		"INSERT INTO products (business_id, id, name, search_name, created_at, updated_at, version) VALUES (?, ?, 'P', 'p', ?, ?, 1)",
	);
	for (let i = 0; i < products; i += 1) product.run(b, `p-${i}`, at, at);
	const begin = db.prepare("BEGIN IMMEDIATE");
	const commit = db.prepare("COMMIT");
	const head = db.prepare(
		"UPDATE businesses SET head = ?, link = ? WHERE business_id = ?",
	);
	const name = db.prepare("INSERT INTO names (shop, n, text) VALUES (1, ?, ?)");
	const sale = db.prepare(
		`INSERT INTO stored_sales (shop, n, id, total, cost, paid, method, receipt_number, day_number, member, device, made_ms, version, shape, received_after, link)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const item = db.prepare(
		"INSERT INTO stored_lines (shop, sale, position, id, label, quantity, price, cost, product) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
	);
	const stock = db.prepare(
		"UPDATE products SET quantity = quantity + ?, updated_at = ? WHERE business_id = ? AND id = ?",
	);
	const numbers = new Map<string, number>();
	const user = newId(shopEnv);
	const device = newId(shopEnv);
	let version = 1;
	return { write, close: () => db.close() };

	/** Gives a text that is new to the shop a number. */
	function numberOf(text: string): number {
		const known = numbers.get(text);
		if (known !== undefined) return known;
		const n = numbers.size + 1;
		name.run(n, text);
		numbers.set(text, n);
		return n;
	}

	function write(sales: Sale[], batchSize: number): void {
		for (let from = 0; from < sales.length; from += batchSize) {
			begin.run();
			for (const args of sales.slice(from, from + batchSize)) {
				version += 1;
				sale.run(
					...[version, args.id, 148_500_000, 120_000_000, 200_000_000],
					...[numberOf("CASH"), args.receiptNumber, day],
					...[numberOf(user), numberOf(device), madeMs, version],
					...[shape, 0, link.slice(0, 22)],
				);
				args.items.forEach((line, position) => {
					item.run(
						// A line's id is its position, counted from 1.
						...[version, position, null, numberOf(line.name)],
						...[1_000_000, 49_500_000, 40_000_000, numberOf(line.productId)],
					);
					stock.run(-1_000_000, at, b, line.productId);
				});
			}
			head.run(version, link, b);
			commit.run();
		}
	}
}
