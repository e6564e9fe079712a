import { execFileSync } from "node:child_process";
import {
	cpSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	statSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { Browser } from "puppeteer-core";
import {
	type BrowserKind,
	browserPath,
	openBrowser,
	pageMemoryOf,
} from "../../server/testing/real-browser.ts";
import {
	openTillPage,
	type SignedIn,
	signIn,
	type TillPage,
} from "../../server/testing/till-page.ts";
import type { Figure } from "./bench-kept.ts";
import { openSeed } from "./seed.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const root = join(import.meta.dirname, "../..");
const results = join(root, "bench-results");
/** Sizes of a small new shop and of one that has sold for months. */
const small = { sales: 0, products: 10 };
const large = { sales: 73_000, products: 20_000 };
const catalogue = { sales: 1_000, products: 100_000 };
const arriving = 50_000;
const sales = 60;
const scans = 100;
const searches = ["m", "ma", "maz", "unga", "unga wa", "soap", "make 4", "zzz"];
const rounds = 10;
const firstLoads = 5;

/** Browser names as the figures show them. */
const shownAs = { chrome: "Chromium", firefox: "Firefox" };

/** Measures the till in this machine's browsers, from its first load to a shop of 73,000 sales. */
export async function benchUi(): Promise<Figure[]> {
	const kinds = (["chrome", "firefox"] as const).filter(browserPath);
	if (kinds.length === 0)
		throw new Error(
			"This benchmark needs a browser, and none was found: set CHROMIUM_PATH or FIREFOX_PATH",
		);
	execFileSync(process.execPath, [join(root, "desktop/build.ts")]);
	mkdirSync(results, { recursive: true });
	const figures: Figure[] = [];
	for (const kind of kinds)
		for (const bench of [benchDemo, benchArrival, benchCatalogue, benchLarge])
			for (const it of named(kind, await bench(kind))) {
				console.log(`${it.what}: ${Math.round(it.value)} ${it.unit}`);
				figures.push(it);
			}
	return figures;
}

const named = (kind: BrowserKind, figures: Figure[]): Figure[] =>
	figures.map((it) => ({ ...it, what: `${shownAs[kind]}: ${it.what}` }));

/** Measures the demo shop's first load in a new browser, then a reload without its server. */
async function benchDemo(kind: BrowserKind): Promise<Figure[]> {
	const dataDir = mkdtempSync(join(results, "demo-"));
	let server = await startServerProcess(dataDir);
	try {
		const made = await fetch(`${server.url}/api/setup/demo`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: "{}",
		});
		const { user, password } = (await made.json()) as {
			user: { email: string };
			password: string;
		};
		const owner = await signIn(server.url, { email: user.email, password });
		const first: number[] = [];
		const offline: number[] = [];
		let sizes: Figure[] = [];
		for (let round = 0; round < firstLoads; round += 1) {
			if (round > 0) server = await startAgain(server, dataDir);
			await inBrowser(kind, owner, async (till) => {
				first.push((await till.sell()).sinceLoadMs);
				sizes = await sizesOf(till);
				await until(() => isKeptOffline(till));
				await server.kill();
				await till.reload();
				offline.push((await till.sell()).sinceLoadMs);
			});
		}
		return [
			{
				what: `first load to first sale, demo shop, median of ${firstLoads}`,
				value: percentile(first, 0.5),
				unit: "ms",
				limit: 2_000,
			},
			{
				what: `reload without the server to first sale, median of ${firstLoads}`,
				value: percentile(offline, 0.5),
				unit: "ms",
				limit: 600,
			},
			...(kind === "chrome" ? sizes : []),
		];
	} finally {
		await server.stop();
		rmSync(dataDir, { recursive: true });
	}
}

/** Restarts the server at the same address, where the page expects it. */
async function startAgain(
	{ url }: ServerProcess,
	dataDir: string,
): Promise<ServerProcess> {
	return startServerProcess(dataDir, { PORT: new URL(url).port });
}

/** Measures payments in a new shop while 50,000 products arrive. */
async function benchArrival(kind: BrowserKind): Promise<Figure[]> {
	return inShop(small, async (server, seed) => {
		const owner = await signIn(server.url, seed);
		return inBrowser(kind, owner, async (till) => {
			const calm = await pay(till, sales);
			const imported = importProducts(owner, arriving);
			const busy: number[] = [];
			while (!(await till.finds(nameOf(arriving - 1))))
				busy.push(...(await pay(till, 1)));
			await imported;
			return [
				figure(
					`pay to done, no sale kept, 95th percentile of ${sales}`,
					calm,
					30,
				),
				figure(
					`pay to done while ${arriving} products arrive, 95th percentile of ${busy.length}`,
					busy,
					120,
				),
				...(await lookUp(till, owner, arriving, 80)),
			];
		});
	});
}

/** Measures how soon a till that has 100,000 products opens. */
async function benchCatalogue(kind: BrowserKind): Promise<Figure[]> {
	return inShop(catalogue, async (server, seed) => {
		const owner = await signIn(server.url, seed);
		return inBrowser(kind, owner, async (till) => {
			await till.untilFilled();
			const opened: number[] = [];
			for (let n = 0; n < firstLoads; n += 1) {
				await till.reload();
				opened.push((await till.sell()).sinceLoadMs);
			}
			return [
				{
					what: `reload to first sale, ${catalogue.products} products, median of ${firstLoads}`,
					value: percentile(opened, 0.5),
					unit: "ms",
					limit: 2_000,
				},
			];
		});
	});
}

async function benchLarge(kind: BrowserKind): Promise<Figure[]> {
	return inShop(large, async (server, seed) => {
		const owner = await signIn(server.url, seed);
		return inBrowser(kind, owner, async (till, browser) => {
			await till.untilFilled();
			const { sales: kept, products } = large;
			const paid = await pay(till, sales);
			const found = await lookUp(till, owner, products, 50);
			return [
				figure(
					`pay to done, ${kept} sales kept, 95th percentile of ${sales}`,
					paid,
					30,
				),
				...found,
				{
					what: `memory of the page's process, ${products} products and ${kept} sales`,
					value: pageMemoryOf(browser) / 1e6,
					unit: "MB",
					limit: 300,
				},
			];
		});
	});
}

async function lookUp(
	till: TillPage,
	owner: SignedIn,
	products: number,
	limit: number,
): Promise<Figure[]> {
	const codes = await codesOf(owner);
	return [
		figure(
			`scan to line in cart, ${products} products, 95th percentile of ${codes.length}`,
			await till.scan(codes),
			limit,
		),
		figure(
			`search key to painted result, ${products} products, 95th percentile of ${searches.length * rounds}`,
			await till.search(searches, rounds),
			limit,
		),
	];
}

async function pay(till: TillPage, count: number): Promise<number[]> {
	const times: number[] = [];
	for (let n = 0; n < count; n += 1) times.push((await till.sell()).paidMs);
	return times;
}

/** Runs `work` with a server on a copy of a shop. */
async function inShop<T>(
	size: typeof small,
	work: (
		server: ServerProcess,
		seed: { email: string; password: string },
	) => Promise<T>,
): Promise<T> {
	const seed = await openSeed(join(results, "shops"), size);
	const dataDir = mkdtempSync(join(results, "ui-"));
	cpSync(seed.dataDir, dataDir, { recursive: true });
	const server = await startServerProcess(dataDir);
	try {
		return await work(server, seed);
	} finally {
		await server.stop();
		rmSync(dataDir, { recursive: true });
	}
}

async function inBrowser<T>(
	kind: BrowserKind,
	owner: SignedIn,
	work: (till: TillPage, browser: Browser) => Promise<T>,
): Promise<T> {
	const profile = mkdtempSync(join(results, "profile-"));
	const browser = await openBrowser(kind, profile);
	try {
		return await work(await openTillPage(browser, owner), browser);
	} finally {
		await browser.close();
		rmSync(profile, { recursive: true, force: true });
	}
}

/** Compressed bytes that the page fetched until it could sell. */
async function sizesOf({ page }: TillPage): Promise<Figure[]> {
	const fetched = await page.evaluate(() =>
		performance
			.getEntriesByType("resource")
			.map(({ name }) => new URL(name).pathname),
	);
	const packed = (names: readonly string[]) =>
		names
			.flatMap((name) => globSync(join(root, "desktop/dist/**", `${name}.br`)))
			.reduce((sum, file) => sum + statSync(file).size, 0);
	const scripts = fetched
		.filter((path) => path.endsWith(".js"))
		.map((path) => basename(path));
	const ofWorker = globSync(join(root, "desktop/dist/assets/worker-*.js")).map(
		(path) => basename(path),
	);
	const wasm = globSync(join(root, "desktop/dist/assets/*.wasm")).map((path) =>
		basename(path),
	);
	const ofPage = scripts.filter((name) => !ofWorker.includes(name));
	return [
		{
			what: "script before the till is usable, compressed",
			value: packed(ofPage),
			unit: "bytes",
			limit: 250_000,
		},
		{
			what: "script, worker and WASM, compressed",
			value: packed([...ofPage, ...ofWorker, ...wasm]),
			unit: "bytes",
			limit: 700_000,
		},
	];
}

/** Waits until the app can open without its server. */
const isKeptOffline = ({ page }: TillPage) =>
	page.evaluate(async () => {
		const { active } = (await navigator.serviceWorker.getRegistration()) ?? {};
		return active?.state === "activated";
	});

const nameOf = (n: number) => `Make ${n} soap`;

/** Imports products from a file, as an owner does. */
async function importProducts(
	{ url, cookie }: SignedIn,
	count: number,
): Promise<void> {
	const lines = Array.from(
		{ length: count },
		(_, i) => `${nameOf(i)},${i + 1}.5,${i + 2},${200_000_000 + i},100`,
	);
	const response = await fetch(`${url}/api/imports/products`, {
		method: "POST",
		headers: {
			"content-type": "text/csv",
			cookie: `${cookie.name}=${cookie.value}`,
		},
		body: ["name,buyingPrice,sellingPrice,sku,quantity", ...lines].join("\n"),
	});
	if (!response.ok) throw new Error(await response.text());
}

async function codesOf({ url, cookie }: SignedIn): Promise<string[]> {
	const answer = await fetch(`${url}/api/products?search=make%201`, {
		headers: { cookie: `${cookie.name}=${cookie.value}` },
	});
	const products = (await answer.json()) as { sku: string }[];
	return products.slice(0, scans).map(({ sku }) => sku);
}

const figure = (what: string, times: number[], limit: number): Figure => ({
	what,
	value: percentile(times, 0.95),
	unit: "ms",
	limit,
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
	while (!(await isSo())) await new Promise((done) => setTimeout(done, 20));
}

function percentile(values: number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.ceil(sorted.length * part) - 1] as number;
}
