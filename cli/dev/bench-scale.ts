import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "./bench-kept.ts";
import { openSeed, type Seed, type SeedSize } from "./seed.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const small: SeedSize = { sales: 10_000, products: 500 };
const large: SeedSize = { sales: 1_000_000, products: 50_000 };
/** The greatest acceptable cost of a large shop, as a multiple of a small one's. */
const ratioMax = 1.5;
const rounds = 40;
const warmUps = 5;

const seedsDir = join(import.meta.dirname, "../../bench-results/seeds");

/** Makes the two shops that `bench -- scale` compares again. */
export async function benchSeed(): Promise<Figure[]> {
	rmSync(seedsDir, { recursive: true, force: true });
	const figures: Figure[] = [];
	for (const size of [small, large]) {
		const started = performance.now();
		await openSeed(seedsDir, size, tell(size));
		figures.push({
			what: `${size.sales} sales, ${size.products} products`,
			value: (performance.now() - started) / 1_000,
			unit: "s",
		});
	}
	return figures;
}

/** Shows progress while a shop is made, which takes minutes and happens once. */
function tell({ sales }: SeedSize): (done: number) => void {
	let isTold = false;
	return (done) => {
		if (!isTold) console.error(`Making a shop of ${sales} sales …`);
		isTold = true;
		if (!process.stderr.isTTY) return;
		process.stderr.write(
			done < sales ? `\r${done} of ${sales} sales` : "\r\x1b[K",
		);
	};
}

interface Case {
	what: string;
	/** Makes one request. @returns the number of rows in the answer */
	ask(shop: Visited): Promise<number>;
	isUnbounded?: true;
}

const search = (words: string) => async (shop: Visited) =>
	((await shop.get(`/api/products?search=${words}`)) as object[]).length;

const cases: Case[] = [
	{ what: "product search, 2 letters", ask: search("ma") },
	{ what: "product search, a word", ask: search("unga") },
	{ what: "product search, a whole name", ask: search("unga wa ugali 2 kg") },
	// A search without matches scans all names; the limit is per returned row, so it can't apply.
	{
		what: "product search without a match",
		ask: search("zzz"),
		isUnbounded: true,
	},
	{
		what: "page of 50 sales with the total",
		async ask(shop) {
			const { sales } = (await shop.get("/api/sales")) as { sales: object[] };
			return sales.length;
		},
	},
	{
		what: "sale of 3 lines",
		async ask(shop) {
			await shop.post("/api/sales", {
				items: [11, 222, 333].map((n) => ({
					name: "Sold",
					quantity: 1,
					price: 50,
					cost: 40,
					productId: `p-${String(n).padStart(6, "0")}`,
				})),
			});
			return 1;
		},
	},
	{
		what: "receipt",
		async ask(shop) {
			await shop.get(`/api/receipts/${shop.saleId()}`);
			return 1;
		},
	},
	{
		what: "dashboard",
		async ask(shop) {
			await shop.get("/api/dashboard");
			return 1;
		},
	},
];

/** A seeded shop behind its own server, with a signed-in user. */
interface Visited {
	get(path: string): Promise<unknown>;
	post(path: string, body: object): Promise<unknown>;
	/** Ids of sales spread over the year. */
	saleId(): string;
	server: ServerProcess;
}

/**
 * Compares a shop of a million sales with one of ten thousand: the cost over HTTP per returned row. The two servers take
 * turns, so that a noisy minute of the machine affects both.
 */
export async function benchScale(): Promise<Figure[]> {
	const shops = [
		await visit(await openSeed(seedsDir, small, tell(small))),
		await visit(await openSeed(seedsDir, large, tell(large))),
	] as const;
	try {
		const figures: Figure[] = [];
		for (const one of cases) {
			const [few, many] = await compare(one, shops);
			figures.push(
				{ what: `${one.what}: small`, value: few, unit: "µs/row" },
				{ what: `${one.what}: large`, value: many, unit: "µs/row" },
				{
					what: `${one.what}: large / small`,
					value: many / few,
					unit: "ratio",
					...(one.isUnbounded ? {} : { limit: ratioMax }),
				},
			);
		}
		return figures;
	} finally {
		for (const { server } of shops) await server.stop();
	}
}

/** @returns each shop's median cost of a row, in microseconds */
async function compare(
	{ ask }: Case,
	shops: readonly [Visited, Visited],
): Promise<[number, number]> {
	const costs: [number[], number[]] = [[], []];
	for (let round = 0; round < rounds + warmUps; round += 1)
		for (const [i, shop] of shops.entries()) {
			const started = performance.now();
			const rows = await ask(shop);
			const cost = ((performance.now() - started) * 1_000) / Math.max(rows, 1);
			if (round >= warmUps) costs[i]?.push(cost);
		}
	const median = (values: number[]) =>
		values.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number;
	return [median(costs[0]), median(costs[1])];
}

async function visit(seed: Seed): Promise<Visited> {
	const server = await startServerProcess(seed.dataDir);
	const headers: Record<string, string> = {
		"content-type": "application/json",
	};
	async function ask(method: string, path: string, body?: object) {
		const response = await fetch(new URL(path, server.url), {
			method,
			headers,
			body: body ? JSON.stringify(body) : null,
		});
		if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
		return response.json();
	}
	const signedIn = await ask("POST", "/api/auth/mobile-login", {
		email: seed.email,
		password: seed.password,
	});
	headers.authorization = `Bearer ${(signedIn as { token: string }).token}`;
	const ids: string[] = [];
	for (let page = 0; page < rounds + warmUps; page += 1) {
		const offset = Math.floor((page * seed.sales) / (rounds + warmUps));
		const found = await ask("GET", `/api/sales?limit=1&offset=${offset}`);
		ids.push((found as { sales: { id: string }[] }).sales[0]?.id ?? "");
	}
	return {
		server,
		get: (path) => ask("GET", path),
		post: (path, body) => ask("POST", path, body),
		saleId: () => ids.pop() as string,
	};
}
