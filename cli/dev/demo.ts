import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProductCsv } from "../../server/products/import/product-file.ts";
import { importProducts } from "../../server/products/import/products.ts";
import { readSettings } from "../../server/settings.ts";
import { type RunningServer, startServer } from "../../server/start.ts";
import { toDecimal, toMicros } from "../../sync/entities/money.ts";
import { productCreate } from "../../sync/entities/product.ts";
import { saleRefund, saleVoid } from "../../sync/entities/refund.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { stockAdjust } from "../../sync/entities/stock.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { newId } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica, type Replica } from "../../sync/replica/replica.ts";
import type { Transport } from "../../sync/replica/transport.ts";
import type { Caller } from "../../sync/shop.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import type { Store } from "../../sync/store/store.ts";
import { openAccount } from "./account.ts";
import {
	catalogueOf,
	type Invoice,
	matchCancellations,
	readTradingDay,
	type TradingDay,
} from "./trading-day.ts";
import { expectedOf, movedOf } from "./trading-sums.ts";

const openingStock = 100;
const triesMax = 1_000;

interface DemoOptions {
	/** A file for `counterfoil import products`; without it, the products are taken from the sales. */
	catalogue?: string;
	sales: string[];
	/** Called with a sentence for each step. */
	tell(text: string): void;
}

/** Sums over the data of a till or the server. */
interface Holding {
	who: string;
	sales: number;
	sold: number;
	refunded: number;
	units: number;
	digest: string;
}

export interface DemoResult {
	/** Sums computed from the files only. */
	expected: { sales: number; sold: number; refunded: number; units: number };
	/** The totals of the voided sale and of the cancelled sales of earlier days, both included in `expected`. */
	voided: number;
	earlier: number;
	holdings: Holding[];
	/** SKUs of products whose stock doesn't match the files. */
	wrongStock: string[];
	lostReplies: number;
	rejected: number;
	/** The server's digest after the same days were pushed again. */
	digestAfterRepeat: string;
}

interface Till {
	name: string;
	till: Replica;
	store: Store;
	line: Wire;
}

/** The network between the tills and the server. */
interface Wire {
	online: boolean;
	losing: boolean;
	trips: number;
	lost: number;
}

/**
 * Runs a server and two tills, each with its own database, over real HTTP. The tills go offline, share the days' invoices,
 * refund the cancellations and void one sale; then they reconnect over a network that loses every third reply.
 */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
	const { tell } = options;
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-demo-"));
	const server = await startServer(
		readSettings({
			PORT: "0",
			DATA_DIR: join(dir, "server"),
			LOG_LEVEL: "warn",
		}),
	);
	const tills: Till[] = [];
	try {
		tell(`A server runs at ${server.url}`);
		const { id, businessId, token } = await openAccount(server.url, "Demo");
		const caller: Caller = {
			businessId,
			userId: id,
			role: "OWNER",
			deviceId: null,
		};
		const days = options.sales.map(readTradingDay);
		const catalogue = await importCatalogue(server, caller, days, options);
		tell(`Imported ${catalogue.size} products, ${openingStock} of each`);
		for (const name of ["till A", "till B"])
			tills.push(await openTill(name, dir, server, caller, token));
		for (const { till } of tills) await till.sync();

		for (const { line } of tills) line.online = false;
		tell("Both tills are offline");
		const voided = await trade(days, tills, caller, catalogue);
		tell(
			`They sold, refunded and wrote off goods, and voided sale ${voided.number}`,
		);

		for (const { line } of tills)
			Object.assign(line, { online: true, losing: true });
		tell("They are online again, but every third reply is lost");
		await syncAll(tills);
		const holdings = await holdingsOf(server, caller, tills);
		const statuses = await Promise.all(tills.map(({ till }) => till.status()));

		tell("The tills push the same days again");
		await trade(days, tills, caller, catalogue);
		await syncAll(tills);
		const again = await server.shop.digest(caller);
		return {
			...expectedOf(days, voided),
			holdings,
			wrongStock: await wrongStockOf(
				server,
				caller,
				movedOf(days, voided),
				catalogue,
			),
			lostReplies: tills.reduce((sum, { line }) => sum + line.lost, 0),
			rejected: statuses.reduce((sum, { rejected }) => sum + rejected, 0),
			digestAfterRepeat: again.digest,
		};
	} finally {
		for (const { store } of tills) await store.close();
		await server.close();
		rmSync(dir, { recursive: true, force: true });
	}
}

/** @returns product ids by SKU */
async function importCatalogue(
	{ shop }: RunningServer,
	caller: Caller,
	days: TradingDay[],
	{ catalogue }: DemoOptions,
): Promise<Map<string, string>> {
	if (catalogue !== undefined) {
		const csv = readProductCsv(readFileSync(catalogue));
		await importProducts(shop, caller, csv, {
			onPlan({ refused }) {
				if (refused.length > 0)
					throw new Error(
						`The catalogue has invalid lines: ${JSON.stringify(refused[0])}`,
					);
			},
		});
	}
	const read = async () => {
		const rows = await shop.store.read((tx) =>
			tx.all(
				"SELECT id, sku FROM products WHERE business_id = ?",
				caller.businessId,
			),
		);
		return new Map(rows.map(({ id, sku }) => [String(sku), String(id)]));
	};
	const known = await read();
	// Create the products that are sold but not in the catalogue; set every product to the opening stock.
	const missing = days
		.flatMap(catalogueOf)
		.filter(
			({ sku }, i, all) => all.findIndex((other) => other.sku === sku) === i,
		)
		.filter(({ sku }) => !known.has(sku));
	await shop.mutateAll(
		caller,
		missing.map(({ sku, name, price }) => ({
			mutation: productCreate,
			args: {
				id: newId(shop.env),
				sku,
				name,
				sellingPrice: price,
				buyingPrice: costOf(price),
			},
		})),
	);
	const all = await read();
	const stocks = await shop.store.read((tx) =>
		tx.all(
			"SELECT id, quantity FROM products WHERE business_id = ?",
			caller.businessId,
		),
	);
	await shop.mutateAll(
		caller,
		stocks.map(({ id, quantity }) => ({
			mutation: stockAdjust,
			args: {
				id: newId(shop.env),
				productId: id,
				delta: openingStock - toDecimal(Number(quantity)),
				reason: "count",
			},
		})),
	);
	return all;
}

/** The files have no costs, so take two thirds of the price in whole cents. */
function costOf(price: number): number {
	return Math.round((price * 200) / 3) / 100;
}

async function openTill(
	name: string,
	dir: string,
	server: RunningServer,
	caller: Caller,
	token: string,
): Promise<Till> {
	const line: Wire = { online: true, losing: false, trips: 0, lost: 0 };
	const store = await openSqlite(join(dir, `${name.replace(" ", "-")}.db`));
	const { businessId } = caller;
	const http = httpTransport({
		baseUrl: server.url,
		businessId,
		token: () => token,
	});
	async function over<T>(ask: () => Promise<T>): Promise<T> {
		if (!line.online) throw new ShopError("unreachable", "Offline");
		const answer = await ask();
		line.trips += 1;
		if (!line.losing || line.trips % 3 !== 0) return answer;
		line.lost += 1;
		throw new ShopError("unreachable", "The reply was lost");
	}
	const transport: Transport = {
		...http,
		push: (request) => over(() => http.push(request)),
		pull: (cursor, limit) => over(() => http.pull(cursor, limit)),
	};
	const till = await openReplica({ store, businessId, transport });
	return { name, till, store, line };
}

/** Sells the invoices on the two tills alternately. @returns the voided invoice */
async function trade(
	days: TradingDay[],
	tills: Till[],
	caller: Caller,
	productIds: Map<string, string>,
): Promise<Invoice> {
	const tillOf = new Map<string, Replica>();
	const sell = async ({ number, lines }: Invoice, n: number) => {
		const { till } = tills[n % tills.length] as Till;
		tillOf.set(number, till);
		await till.mutate(caller, saleCreate, {
			id: number,
			items: lines.map(({ id, sku, name, quantity, price }) => ({
				id,
				name,
				quantity,
				price,
				cost: costOf(price),
				productId: productIds.get(sku) ?? null,
			})),
		});
	};
	let n = 0;
	for (const day of days) {
		const { earlier, refunds } = matchCancellations(day);
		for (const invoice of [...earlier, ...day.invoices]) {
			await sell(invoice, n);
			n += 1;
		}
		for (const { number, saleNumber, items } of refunds)
			await tillOf.get(saleNumber)?.mutate(caller, saleRefund, {
				id: `${number}-${saleNumber}`,
				saleId: saleNumber,
				reason: "Cancelled",
				restock: true,
				items,
			});
		for (const { id, sku, quantity } of day.writeOffs)
			await (tills[0] as Till).till.mutate(caller, stockAdjust, {
				id,
				productId: productIds.get(sku) as string,
				delta: -quantity,
				reason: "damage",
			});
	}
	const voided = toVoid(days);
	await tillOf.get(voided.number)?.mutate(caller, saleVoid, {
		id: `void-${voided.number}`,
		saleId: voided.number,
		reason: "Wrong customer",
	});
	return voided;
}

/** Picks the sale to void: the first without a cancellation. */
function toVoid(days: TradingDay[]): Invoice {
	const cancelled = new Set(
		days.flatMap((day) =>
			matchCancellations(day).refunds.map(({ saleNumber }) => saleNumber),
		),
	);
	const found = days
		.flatMap(({ invoices }) => invoices)
		.find(({ number }) => !cancelled.has(number));
	if (!found) throw new Error("Every sale of these days was cancelled");
	return found;
}

/** Retries each till's sync until it succeeds; then both pull the other's sales. */
async function syncAll(tills: Till[]): Promise<void> {
	for (const { till } of [...tills, ...tills])
		for (let tries = 1; ; tries += 1)
			try {
				await till.sync();
				break;
			} catch (error) {
				const isLost =
					error instanceof ShopError && error.code === "unreachable";
				if (!isLost || tries === triesMax) throw error;
			}
}

async function holdingsOf(
	{ shop }: RunningServer,
	caller: Caller,
	tills: Till[],
): Promise<Holding[]> {
	const { digest } = await shop.digest(caller);
	const holdings = [await holdingOf("server", shop.store, caller, digest)];
	for (const { name, store, till } of tills)
		holdings.push(await holdingOf(name, store, caller, await till.digest()));
	return holdings;
}

async function holdingOf(
	who: string,
	store: Store,
	{ businessId }: Caller,
	digest: string,
): Promise<Holding> {
	return store.read(async (tx) => {
		const one = async (sql: string) => {
			const row = await tx.get(sql, businessId);
			return Number(row?.value ?? 0);
		};
		return {
			who,
			sales: await one(
				"SELECT count(*) AS value FROM sales WHERE business_id = ?",
			),
			sold: toDecimal(
				await one(
					"SELECT sum(total) AS value FROM sales WHERE business_id = ?",
				),
			),
			refunded: toDecimal(
				await one(
					"SELECT sum(total) AS value FROM refunds WHERE business_id = ?",
				),
			),
			units: toDecimal(
				-(await one(
					"SELECT sum(delta) AS value FROM stock_ledger WHERE business_id = ? AND reason IN ('sale', 'refund', 'void')",
				)),
			),
			digest,
		};
	});
}

/** @returns SKUs whose stock doesn't match the files to the millionth of a unit */
async function wrongStockOf(
	{ shop }: RunningServer,
	{ businessId }: Caller,
	moved: Map<string, number>,
	productIds: Map<string, string>,
): Promise<string[]> {
	const rows = await shop.store.read((tx) =>
		tx.all(
			"SELECT id, quantity FROM products WHERE business_id = ?",
			businessId,
		),
	);
	const stock = new Map(rows.map(({ id, quantity }) => [id, quantity]));
	return [...productIds]
		.filter(
			([sku, id]) =>
				stock.get(id) !== toMicros(openingStock) + (moved.get(sku) ?? 0),
		)
		.map(([sku]) => sku);
}
