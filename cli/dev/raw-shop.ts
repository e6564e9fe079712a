import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { newId } from "../../sync/protocol/ids.ts";
import { products, type Sale, shopEnv } from "./bench-sales.ts";

interface RawSale {
	id: string;
	args: Sale;
	text: string;
}

export interface RawShop {
	/** Writes each batch in one transaction, durably. */
	write(sales: RawSale[], batchSize: number): void;
	close(): void;
}

/** Adds the mutation's id and JSON, as they are stored. */
export function toRawSale(args: Sale): RawSale {
	return { id: newId(shopEnv), args, text: JSON.stringify(args) };
}

/**
 * Opens a database to which plain statements write the rows of a three-line sale. Like the server's database, it grows
 * from round to round.
 */
export function openRawShop(file: string): RawShop {
	const db = new Database(file);
	db.pragma("journal_mode = WAL");
	db.pragma("synchronous = FULL");
	db.pragma("foreign_keys = ON");
	db.exec(readFileSync(join(import.meta.dirname, "../../schema.sql"), "utf8"));
	const at = new Date().toISOString();
	const b = newId(shopEnv);
	const user = newId(shopEnv);
	db.prepare(
		"INSERT INTO businesses (business_id, id, name, currency, time_zone, created_at, updated_at, version) VALUES (?, ?, 'B', 'KES', 'Africa/Nairobi', ?, ?, 1)",
	).run(b, b, at, at);
	const product = db.prepare(
		"INSERT INTO products (business_id, id, name, search_name, created_at, updated_at, version) VALUES (?, ?, 'P', 'p', ?, ?, 1)",
	);
	for (let i = 0; i < products; i += 1) product.run(b, `p-${i}`, at, at);
	const begin = db.prepare("BEGIN IMMEDIATE");
	const commit = db.prepare("COMMIT");
	const head = db.prepare(
		"UPDATE businesses SET head = ? WHERE business_id = ?",
	);
	const sale = db.prepare(
		"INSERT INTO sales (business_id, id, total, cost, paid, payment_method, notes, receipt_number, business_day, user_id, device_id, created_at, version) VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, NULL, ?, ?)",
	);
	const name = db.prepare(
		"INSERT INTO names (business_id, text) VALUES (?, ?) ON CONFLICT DO NOTHING",
	);
	const item = db.prepare(
		`INSERT INTO sale_lines (sale, id, position, quantity, price, cost, name, product)
     SELECT ?, ?, ?, ?, ?, ?, label.n, product.n FROM names AS label CROSS JOIN names AS product
     WHERE label.business_id = ? AND label.text = ? AND product.business_id = ? AND product.text = ?`,
	);
	const stock = db.prepare(
		"UPDATE products SET quantity = quantity + ?, updated_at = ? WHERE business_id = ? AND id = ?",
	);
	const log = db.prepare(
		"INSERT INTO stored_mutations (business_id, id, name, args, at, received_at, user_id, device_id, status, version) VALUES (?, ?, 'sale.create', ?, ?, ?, ?, NULL, 'applied', ?)",
	);
	let version = 1;
	return { write, close: () => db.close() };

	function write(sales: RawSale[], batchSize: number): void {
		for (let from = 0; from < sales.length; from += batchSize) {
			begin.run();
			for (const made of sales.slice(from, from + batchSize)) {
				const { args, text, id } = made;
				version += 1;
				const { lastInsertRowid } = sale.run(
					b,
					args.id,
					148_500_000,
					120_000_000,
					200_000_000,
					"CASH",
					args.receiptNumber,
					args.businessDay,
					user,
					at,
					version,
				);
				args.items.forEach((line, position) => {
					for (const text of [line.name, line.productId]) name.run(b, text);
					item.run(
						lastInsertRowid,
						line.id,
						position,
						1_000_000,
						49_500_000,
						40_000_000,
						...[b, line.name, b, line.productId],
					);
					stock.run(-1_000_000, at, b, line.productId);
				});
				log.run(b, id, text, at, at, user, version);
			}
			head.run(version, b);
			commit.run();
		}
	}
}
