import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "undici";
import { openTokens } from "../../server/accounts/tokens.ts";
import { createUser } from "../../server/accounts/users.ts";
import { databaseFile } from "../../server/operations/database.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { newId, systemEnv } from "../../sync/protocol/ids.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import type { Figure } from "./bench-kept.ts";
import { addProducts } from "./bench-products.ts";
import {
	residentMb,
	type ServerProcess,
	startServerProcess,
} from "./server-process.ts";

interface ShopsSize {
	/** Numbers of shops, ascending; each stage adds to the shops of the one before. */
	stages: readonly number[];
	/** How long the shops of a stage sell. */
	seconds: number;
	/** Between two sales of a shop. */
	saleEveryMs: number;
}

const usualShops: ShopsSize = {
	stages: [10, 100, 1_000],
	seconds: 30,
	saleEveryMs: 10_000,
};

const products = 50;
/** How long the last sale may take to the other till. */
const lastHeardMs = 5_000;
const acknowledgedMaxMs = 100;
const authSecret = "a secret of a benchmark, long enough to be one";
const serverEnv = { AUTH_SECRET: authSecret };

/** A shop with one till that sells and one that only listens. */
interface Shop {
	token: string;
	/** When a sale was sent that the listener has not heard of. */
	sentAt: number | undefined;
}

/**
 * Measures what many small shops cost one server on one SQLite file: its start, its memory, the time of a sale while each
 * shop sells now and then, the time until the shop's other till hears of it, and the database.
 */
export async function benchShops(size = usualShops): Promise<Figure[]> {
	const results = join(import.meta.dirname, "../../bench-results");
	mkdirSync(results, { recursive: true });
	const dataDir = mkdtempSync(join(results, "shops-"));
	const shops: Shop[] = [];
	const figures: Figure[] = [];
	try {
		for (const count of size.stages) {
			const tokens = await addShops(dataDir, count - shops.length, count);
			shops.push(...tokens.map((token) => ({ token, sentAt: undefined })));
			const begun = performance.now();
			const server = await startServerProcess(dataDir, serverEnv);
			const startMs = performance.now() - begun;
			try {
				const measured = await runStage(server, shops, size);
				const named = [
					{ what: "start", value: startMs, unit: "ms" },
					...measured,
					{ what: "database", value: databaseMb(dataDir), unit: "MB" },
				];
				for (const one of named)
					figures.push({ ...one, what: `${count} shops: ${one.what}` });
			} finally {
				await server.stop();
			}
		}
		return figures;
	} finally {
		rmSync(dataDir, { recursive: true, force: true });
	}
}

/** Adds shops with their products, while no server runs. @returns their owners' tokens */
async function addShops(
	dataDir: string,
	count: number,
	upTo: number,
): Promise<string[]> {
	const tokens = await openTokens(new TextEncoder().encode(authSecret));
	const store = await openSqlite(databaseFile({ dataDir }));
	const made: string[] = [];
	for (let i = 0; i < count; i += 1) {
		const email = `owner-${upTo}-${i}@example.com`;
		const person = { email, name: "Owner", passwordHash: "none" };
		const { id, businessId } = await createUser(store, systemEnv, person, {
			business: { name: `Shop ${i}`, currency: "KES", timeZone: "UTC" },
		});
		const user = {
			id,
			email,
			name: "Owner",
			role: "user",
			businessId,
		} as const;
		made.push(await tokens.sign({ user, tokenVersion: 0 }, "bearer"));
	}
	await store.close();
	const server = await startServerProcess(dataDir, serverEnv);
	for (const token of made) await addProducts(server, token, products);
	await server.stop();
	return made;
}

function headersOf(token: string): Record<string, string> {
	return {
		authorization: `Bearer ${token}`,
		"content-type": "application/json",
	};
}

/** Lets all shops listen, and each sell at its moments. */
async function runStage(
	{ url, pid }: ServerProcess,
	shops: Shop[],
	{ seconds, saleEveryMs }: ShopsSize,
): Promise<Figure[]> {
	const agent = new Agent({ connections: shops.length * 2 });
	const ending = new AbortController();
	const waits: number[] = [];
	const heard: number[] = [];
	let failed = 0;

	async function listen(shop: Shop): Promise<void> {
		const { statusCode, body } = await agent.request({
			...{ origin: url, path: "/api/sync", method: "GET", bodyTimeout: 0 },
			headers: { ...headersOf(shop.token), accept: "text/event-stream" },
			signal: ending.signal,
		});
		if (statusCode !== 200) throw new Error(`No stream: ${statusCode}`);
		const first = Promise.withResolvers<void>();
		const listening = (async () => {
			for await (const chunk of body) {
				if (!(chunk as Buffer).includes("event: head")) continue;
				first.resolve();
				if (shop.sentAt === undefined) continue;
				heard.push(performance.now() - shop.sentAt);
				shop.sentAt = undefined;
			}
		})();
		listening.catch(() => {
			if (!ending.signal.aborted) failed += 1;
		});
		await first.promise;
	}

	async function sell(shop: Shop, n: number): Promise<void> {
		const sentAt = performance.now();
		shop.sentAt = sentAt;
		const { statusCode, body } = await agent.request({
			...{ origin: url, path: "/api/sync", method: "POST" },
			headers: headersOf(shop.token),
			body: JSON.stringify({ mutations: [saleOf(n)] }),
		});
		const text = await body.text();
		if (statusCode === 200 && text.includes('"status":"applied"'))
			waits.push(performance.now() - sentAt);
		else failed += 1;
	}

	const idleMb = residentMb(pid);
	for (const shop of shops) await listen(shop);
	const begun = performance.now();
	const sales = Math.floor((shops.length * seconds * 1_000) / saleEveryMs);
	const selling: Promise<void>[] = [];
	for (let n = 0; n < sales; n += 1) {
		const dueAt = begun + (n * saleEveryMs) / shops.length;
		if (dueAt > performance.now()) await sleep(dueAt - performance.now());
		selling.push(sell(shops[n % shops.length] as Shop, n));
	}
	await Promise.all(selling);
	const isUnheard = () => shops.some(({ sentAt }) => sentAt !== undefined);
	const giveUpAt = performance.now() + lastHeardMs;
	while (isUnheard() && performance.now() < giveUpAt) await sleep(10);
	if (isUnheard()) failed += 1;
	const busyMb = residentMb(pid);
	ending.abort();
	await agent.destroy();
	return [
		{ what: "memory after the start", value: idleMb, unit: "MB" },
		{ what: "memory with all shops selling", value: busyMb, unit: "MB" },
		{ what: "sales", value: waits.length, unit: "" },
		{ what: "failed", value: failed, unit: "", limit: 0 },
		{ what: "sale, median", value: percentile(waits, 0.5), unit: "ms" },
		{
			what: "sale, 95th percentile",
			value: percentile(waits, 0.95),
			unit: "ms",
			limit: acknowledgedMaxMs,
		},
		{
			what: "heard by the other till, 95th percentile",
			value: percentile(heard, 0.95),
			unit: "ms",
		},
	];
}

function saleOf(n: number): object {
	const items = [0, 1, 2].map((line) => {
		const product = (n * 7 + line * 13) % products;
		return {
			...{ id: `${line + 1}`, name: `Product ${product}`, quantity: 1 },
			...{ price: 49.5, cost: 40, productId: `p-${product}` },
		};
	});
	return {
		id: newId(systemEnv),
		name: "sale.create",
		at: toIso(systemEnv.now()),
		args: { id: newId(systemEnv), items, paid: 200, paymentMethod: "CASH" },
	};
}

function percentile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** The file with its write-ahead log. */
function databaseMb(dataDir: string): number {
	const file = databaseFile({ dataDir });
	const bytes = [file, `${file}-wal`].map(
		(path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
	);
	return bytes.reduce((sum, size) => sum + size, 0) / 1e6;
}
