import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { newId, systemEnv } from "../../sync/ids.ts";
import { openReplica } from "../../sync/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { httpTransport } from "../../sync/transport.ts";
import { type Account, openAccount } from "./account.ts";
import type { Figure } from "./bench.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const rounds = 5;
const batches = 20;
const batchSize = 100;
const products = 200;
const postedAlone = 300;
const postedTogether = 1_600;
const posters = 16;
const pulledSales = 10_000;

/**
 * Sales pushed through HTTP beside what better-sqlite3 alone does with the same rows in the same batches, both with
 * synchronous=FULL; sales posted one by one; a fresh replica's first pull. The server runs in a process of its own.
 */
export async function benchSync(): Promise<Figure[]> {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-bench-"));
	const server = await startServer(join(dir, "server"));
	const alongside = openRaw(join(dir, "raw.db"));
	try {
		await addProducts(server);
		const raw: number[] = [];
		const pushed: number[] = [];
		// Turn by turn, so that a noisy minute of the machine falls on both.
		for (let round = 0; round < rounds; round += 1) {
			raw.push(alongside.salesPerSecond());
			pushed.push(await pushedSalesPerSecond(server, batches));
		}
		const alone = await postedSalesPerSecond(server, 1, postedAlone);
		const together = await postedSalesPerSecond(
			server,
			posters,
			postedTogether,
		);
		const sold = rounds * batches * batchSize + postedAlone + postedTogether;
		const missing = pulledSales - sold;
		if (missing > 0)
			await pushedSalesPerSecond(server, Math.ceil(missing / batchSize));
		const pullMs = await freshPullMs(server, join(dir, "till.db"));
		return [
			{
				what: "raw better-sqlite3, same rows",
				value: median(raw),
				unit: "sales/s",
			},
			{
				what: "pushed in batches of 100",
				value: median(pushed),
				unit: "sales/s",
			},
			{
				what: "pushed / raw",
				value: median(pushed) / median(raw),
				unit: "ratio",
				reach: 0.5,
			},
			{ what: "posted by 1", value: alone, unit: "sales/s" },
			{ what: `posted by ${posters}`, value: together, unit: "sales/s" },
			{
				what: `posted by ${posters} / by 1`,
				value: together / alone,
				unit: "ratio",
				reach: 2,
			},
			{
				what: `fresh replica pulls ${Math.max(sold, pulledSales)} sales`,
				value: pullMs,
				unit: "ms",
			},
		];
	} finally {
		alongside.close();
		await server.stop();
		rmSync(dir, { recursive: true, force: true });
	}
}

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] as number;
}

/** A shop's own time: a sale every few seconds, as the ids of an honest till tell. */
let shopTime = Date.parse("2026-11-01T06:00:00.000Z");
const shopEnv = {
	...systemEnv,
	now: () => {
		shopTime += 1_000;
		return shopTime;
	},
};

function saleArgs(n: number) {
	return {
		id: newId(shopEnv),
		items: [1, 2, 3].map((line) => ({
			id: String(line),
			name: `Product ${(n * 7 + line * 13) % products}`,
			quantity: 1,
			price: 49.5,
			cost: 40,
			productId: `p-${(n * 7 + line * 13) % products}`,
		})),
		paid: 200,
		paymentMethod: "CASH",
		receiptNumber: `A-${String(n).padStart(6, "0")}`,
		businessDay: "2026-11-20",
	};
}

/**
 * The rows that a sale of three lines makes, written by hand-made statements and nothing else. The database grows from
 * round to round like the server's.
 */
function openRaw(file: string) {
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
	const item = db.prepare(
		"INSERT INTO sale_items (business_id, sale_id, id, position, name, quantity, price, cost, product_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	);
	const movement = db.prepare(
		"INSERT INTO stock_movements (business_id, id, product_id, delta, reason, sale_id, item_id, user_id, created_at, version) VALUES (?, ?, ?, ?, 'sale', ?, ?, ?, ?, ?)",
	);
	const stock = db.prepare(
		"UPDATE products SET quantity = quantity + ?, updated_at = ?, version = ? WHERE business_id = ? AND id = ?",
	);
	const log = db.prepare(
		"INSERT INTO mutations (business_id, id, name, args, at, received_at, user_id, device_id, status, version) VALUES (?, ?, 'sale.create', ?, ?, ?, ?, NULL, 'applied', ?)",
	);
	let version = 1;
	return { salesPerSecond, close: () => db.close() };

	function salesPerSecond(): number {
		const sales = Array.from({ length: batches * batchSize }, (_, n) => {
			const args = saleArgs(n);
			return { args, text: JSON.stringify(args), id: newId(shopEnv) };
		});
		const started = performance.now();
		for (let batch = 0; batch < batches; batch += 1) {
			begin.run();
			for (let i = 0; i < batchSize; i += 1) {
				const made = sales[batch * batchSize + i];
				if (!made) continue;
				const { args, text, id } = made;
				version += 1;
				sale.run(
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
					item.run(
						b,
						args.id,
						line.id,
						position,
						line.name,
						1_000_000,
						49_500_000,
						40_000_000,
						line.productId,
					);
					movement.run(
						b,
						newId(shopEnv),
						line.productId,
						-1_000_000,
						args.id,
						line.id,
						user,
						at,
						version,
					);
					stock.run(-1_000_000, at, version, b, line.productId);
				});
				log.run(b, id, text, at, at, user, version);
			}
			head.run(version, b);
			commit.run();
		}
		const seconds = (performance.now() - started) / 1_000;
		return sales.length / seconds;
	}
}

type BenchServer = ServerProcess & Account;

async function startServer(dataDir: string): Promise<BenchServer> {
	const server = await startServerProcess(dataDir);
	return { ...server, ...(await openAccount(server.url, "Bench")) };
}

async function post(
	{ url, token }: BenchServer,
	path: string,
	text: string,
): Promise<unknown> {
	const response = await fetch(new URL(path, url), {
		method: "POST",
		headers: {
			"content-type": "application/json",
			authorization: `Bearer ${token}`,
		},
		body: text,
	});
	if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
	return response.json();
}

function toPush(all: { name: string; args: object }[]): string {
	const at = new Date().toISOString();
	return JSON.stringify({
		mutations: all.map((made) => ({ id: newId(shopEnv), at, ...made })),
	});
}

async function push(server: BenchServer, text: string): Promise<void> {
	const { results } = (await post(server, "/api/sync", text)) as {
		results: { status: string }[];
	};
	const bad = results.find(({ status }) => status !== "applied");
	if (bad) throw new Error(`Not applied: ${JSON.stringify(bad)}`);
}

async function addProducts(server: BenchServer): Promise<void> {
	const all = Array.from({ length: products }, (_, i) => ({
		name: "product.create",
		args: {
			id: `p-${i}`,
			name: `Product ${i}`,
			buyingPrice: 40,
			sellingPrice: 49.5,
			quantity: 1_000_000,
		},
	}));
	await push(server, toPush(all));
}

async function pushedSalesPerSecond(
	server: BenchServer,
	count: number,
): Promise<number> {
	const texts = Array.from({ length: count }, () =>
		toPush(
			Array.from({ length: batchSize }, (_, n) => ({
				name: "sale.create",
				args: saleArgs(n),
			})),
		),
	);
	const started = performance.now();
	for (const text of texts) await push(server, text);
	return (count * batchSize) / ((performance.now() - started) / 1_000);
}

async function postedSalesPerSecond(
	server: BenchServer,
	clients: number,
	count: number,
): Promise<number> {
	const texts = Array.from({ length: count }, (_, n) =>
		JSON.stringify(saleArgs(n)),
	);
	const started = performance.now();
	const postAll = async () => {
		for (let text = texts.pop(); text !== undefined; text = texts.pop())
			await post(server, "/api/sales", text);
	};
	await Promise.all(Array.from({ length: clients }, postAll));
	return count / ((performance.now() - started) / 1_000);
}

async function freshPullMs(
	{ url, token, businessId }: BenchServer,
	file: string,
): Promise<number> {
	const store = await openSqlite(file);
	const transport = httpTransport({ baseUrl: url, token: () => token });
	const till = await openReplica({ store, businessId, transport });
	const started = performance.now();
	await till.sync();
	const ms = performance.now() - started;
	await store.close();
	return ms;
}
