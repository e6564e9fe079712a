import {
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { openPasswords } from "../../server/accounts/passwords.ts";
import { createUser } from "../../server/accounts/users.ts";
import { databaseFile } from "../../server/operations/database.ts";
import { openDice } from "../../server/operations/demo/dice.ts";
import { businessDay, toIso } from "../../sync/protocol/clock.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { dashboardGet } from "../../sync/queries/dashboard.ts";
import { type Caller, openShop, type SyncServer } from "../../sync/shop.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";

/** The size of a seeded shop, whose sales are spread over the last 365 days. */
export interface SeedSize {
	sales: number;
	products: number;
}

export interface Seed extends SeedSize {
	dataDir: string;
	email: string;
	password: string;
}

const account = {
	name: "Seed",
	email: "seed@example.com",
	password: "a long year of sales",
};
const timeZone = "Africa/Nairobi";
const batchSize = 1_000;
const daysBack = 365;
const dayMs = 24 * 3_600_000;
/** One sale in this many is refunded in part, or voided. */
const refundEvery = 60;
const voidEvery = 200;

/**
 * Makes a shop with a year of sales in its own data directory, through mutations like those that a till pushes. An existing
 * one is reused.
 */
export async function openSeed(
	dir: string,
	size: SeedSize,
	onProgress: (sales: number) => void = () => {},
): Promise<Seed> {
	const dataDir = join(dir, `${size.sales}-sales-${size.products}-products`);
	const seed = { ...size, dataDir, ...account };
	const isWhole = join(dataDir, "whole");
	if (existsSync(isWhole)) return seed;
	rmSync(dataDir, { recursive: true, force: true });
	mkdirSync(dataDir, { recursive: true });
	await fill(dataDir, size, onProgress);
	writeFileSync(isWhole, "");
	return seed;
}

async function fill(
	dataDir: string,
	{ sales, products }: SeedSize,
	onProgress: (sales: number) => void,
): Promise<void> {
	const store = await openSqlite(databaseFile({ dataDir }));
	const start = Date.now() - daysBack * dayMs;
	let now = start;
	const env = { ...systemEnv, now: () => now };
	const shop = openShop({ store, env });
	const passwords = openPasswords();
	const passwordHash = await passwords.hash(account.password);
	await passwords.close();
	const { email, name } = account;
	const { id: userId, businessId } = await createUser(
		store,
		env,
		{ email, name, passwordHash },
		{ business: { name, currency: "KES", timeZone } },
	);
	const caller: Caller = { businessId, userId, role: "OWNER", deviceId: null };
	const { below } = openDice(7);

	const shelf = productsOf(products);
	await push(
		shop,
		caller,
		shelf.map((args) => ({ name: "product.create", args })),
	);
	const made: object[] = [];
	for (let n = 0; n < sales; n += 1) {
		now = start + Math.floor(((n + 1) / sales) * daysBack * dayMs);
		const at = toIso(now);
		const id = newId(env);
		const message = (name: string, args: object, id = newId(env)) =>
			made.push({ id, name, at, args });
		const sold = {
			id,
			items: [0, 1, 2].map((line) => {
				// A tenth of the products make more than half of the sales.
				const range = below(2) === 0 ? Math.ceil(products / 10) : products;
				const sold = shelf[below(range)] as Product;
				return {
					id: String(line + 1),
					name: sold.name,
					quantity: 1 + below(4),
					price: sold.sellingPrice,
					cost: sold.buyingPrice,
					productId: sold.id,
				};
			}),
			paymentMethod: ["CASH", "MPESA", "CARD"][below(3)],
			receiptNumber: `A-${String(n + 1).padStart(6, "0")}`,
			businessDay: businessDay(at, timeZone, 0),
		};
		// Like a till's, a sale's mutation has its id.
		message("sale.create", sold, id);
		const taken = { id: newId(env), saleId: id, reason: "Brought back" };
		if (n % voidEvery === 0) message("sale.void", taken);
		else if (n % refundEvery === 0)
			message("sale.refund", {
				...taken,
				items: [{ id: "1", itemId: "2", quantity: 1 }],
			});
		if (made.length >= batchSize - 2) {
			await shop.push(caller, { mutations: made.splice(0) });
			onProgress(n + 1);
		}
	}
	await shop.push(caller, { mutations: made });
	// Fold the tallies now, which the first report would do.
	await shop.ask(caller, dashboardGet, {});
	await store.close();
	onProgress(sales);
}

async function push(
	shop: SyncServer,
	caller: Caller,
	all: { name: string; args: object }[],
): Promise<void> {
	const at = toIso(shop.env.now());
	for (let from = 0; from < all.length; from += batchSize)
		await shop.push(caller, {
			mutations: all
				.slice(from, from + batchSize)
				.map((made) => ({ id: newId(shop.env), at, ...made })),
		});
}

interface Product {
	id: string;
	name: string;
	buyingPrice: number;
	sellingPrice: number;
}

/** Repeats the sample catalogue under different makes; one product in fifty is low on stock. */
function productsOf(count: number): Product[] {
	const file = join(
		import.meta.dirname,
		"../../server/operations/demo/catalogue.csv",
	);
	const rows: Record<string, string>[] = parse(readFileSync(file), {
		columns: true,
	});
	return Array.from({ length: count }, (_, i) => {
		const row = rows[i % rows.length] as Record<string, string>;
		const make = Math.floor(i / rows.length);
		return {
			id: `p-${String(i).padStart(6, "0")}`,
			name: make === 0 ? String(row.name) : `${row.name}, make ${make}`,
			sku: `${row.sku}-${make}`,
			buyingPrice: Number(row.buyingPrice) + make / 100,
			sellingPrice: Number(row.sellingPrice) + make / 100,
			quantity: i % 50 === 0 ? 1 : 1_000_000,
			lowStock: i % 50 === 0 ? 1_000 : 5,
		};
	});
}
