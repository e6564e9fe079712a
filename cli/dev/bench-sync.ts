import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "../../sync/protocol/ids.ts";
import { httpTransport } from "../../sync/replica/http.ts";
import { openReplica } from "../../sync/replica/replica.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { type Account, openAccount } from "./account.ts";
import type { Figure } from "./bench-kept.ts";
import { makeSale, products, shopEnv } from "./bench-sales.ts";
import { wireFigures } from "./bench-wire.ts";
import { openRawShop, type RawShop } from "./raw-shop.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const rounds = 5;
const batches = 20;
const batchSize = 100;
const postedAlone = 300;
const postedTogether = 1_600;
const posters = 16;
const pulledSales = 10_000;

/**
 * Measures sales pushed over HTTP against better-sqlite3 alone with the same rows and batches, both with
 * synchronous=FULL; sales posted one by one; a new replica's first pull; and the bytes of a sale on its way. The server
 * runs in a child process.
 */
export async function benchSync(): Promise<Figure[]> {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-bench-"));
	const server = await startServer(join(dir, "server"));
	const alongside = openRawShop(join(dir, "raw.db"));
	try {
		await addProducts(server);
		const wire = await wireFigures(server, dir);
		const raw: number[] = [];
		const pushed: number[] = [];
		// The two take turns, so that a noisy minute of the machine affects both.
		for (let round = 0; round < rounds; round += 1) {
			raw.push(rawSalesPerSecond(alongside));
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
			...wire,
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

function rawSalesPerSecond(shop: RawShop): number {
	const sales = Array.from({ length: batches * batchSize }, (_, n) =>
		makeSale(n),
	);
	const started = performance.now();
	shop.write(sales, batchSize);
	return sales.length / ((performance.now() - started) / 1_000);
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
				args: makeSale(n),
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
		JSON.stringify(makeSale(n)),
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
	const transport = httpTransport({
		baseUrl: url,
		businessId,
		token: () => token,
	});
	const till = await openReplica({ store, businessId, transport });
	const started = performance.now();
	await till.sync();
	const ms = performance.now() - started;
	await store.close();
	return ms;
}
