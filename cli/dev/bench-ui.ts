/// <reference lib="dom" />

import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { chromium, type Page } from "playwright-core";
import type { Figure } from "./bench-kept.ts";
import { openSeed, type Seed } from "./seed.ts";
import { startServerProcess } from "./server-process.ts";

const root = join(import.meta.dirname, "../..");
const size = { sales: 1_000, products: 20_000 };
const scans = 100;
const searches = ["m", "ma", "maz", "unga", "unga wa", "soap", "make 4", "zzz"];
const rounds = 10;
const limitMs = 50;
const limitBytes = 250_000;
const chromiumPlaces = [
	process.env.CHROMIUM_PATH,
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
];

/** The till in Chromium with 20,000 products: from a scan to its line, from a key to what is found, and its first load. */
export async function benchUi(): Promise<Figure[]> {
	const executablePath = chromiumPlaces.find(
		(path) => path && existsSync(path),
	);
	if (!executablePath)
		throw new Error(
			"This benchmark needs Chromium, and none was found: CHROMIUM_PATH names one",
		);
	execFileSync(process.execPath, [join(root, "desktop/build.ts")]);
	const seed = await openSeed(join(root, "bench-results/seeds"), size);
	const server = await startServerProcess(seed.dataDir);
	const browser = await chromium.launch({
		executablePath,
		args: ["--no-sandbox"],
	});
	try {
		const page = await browser.newPage();
		const scripts = new Set<string>();
		page.on("request", (request) => {
			if (request.resourceType() === "script")
				scripts.add(basename(new URL(request.url()).pathname));
		});
		await signIn(page, server.url, seed);
		const bytes = [...scripts]
			.flatMap((name) => globSync(join(root, "desktop/dist/**", name)))
			.reduce(
				(sum, file) => sum + brotliCompressSync(readFileSync(file)).length,
				0,
			);
		return [
			{
				what: `scan to line in cart, 95th percentile of ${scans}`,
				value: percentile(await timeScans(page), 0.95),
				unit: "ms",
				limit: limitMs,
			},
			{
				what: "search key to painted result, 95th percentile",
				value: percentile(await timeSearches(page), 0.95),
				unit: "ms",
				limit: limitMs,
			},
			{
				what: "script of the till's first load, compressed (brotli)",
				value: bytes,
				unit: "bytes",
				limit: limitBytes,
			},
		];
	} finally {
		await browser.close();
		await server.stop();
	}
}

async function signIn(page: Page, url: string, seed: Seed): Promise<void> {
	await page.goto(url);
	await page.getByLabel("Email").fill(seed.email);
	await page.getByLabel("Password").first().fill(seed.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.locator(".product").first().waitFor({ timeout: 60_000 });
}

/** Each from the scanner's Enter to the frame after its line is there. */
async function timeScans(page: Page): Promise<number[]> {
	const codes = await page.evaluate(async () => {
		const products = await (
			await fetch("/api/products?search=make%201")
		).json();
		return products.map((product: { sku: string }) => product.sku);
	});
	return page.evaluate(
		async ({ codes, count }) => {
			const key = (key: string) =>
				dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
			const frame = () =>
				new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			const pause = () => new Promise((done) => setTimeout(done, 60));
			const total = document.querySelector("[data-testid=total]") as Element;
			const times: number[] = [];
			for (const code of codes.slice(0, count)) {
				await pause();
				const before = total.textContent;
				for (const letter of code) key(letter);
				const started = performance.now();
				key("Enter");
				while (total.textContent === before) await frame();
				await frame();
				times.push(performance.now() - started);
			}
			return times;
		},
		{ codes, count: scans },
	);
}

/** Each from the key to the frame after what is found is there. */
async function timeSearches(page: Page): Promise<number[]> {
	return page.evaluate(
		async ({ searches, rounds }) => {
			const field = document.querySelector(
				"input[type=search]",
			) as HTMLInputElement;
			const set = Object.getOwnPropertyDescriptor(
				HTMLInputElement.prototype,
				"value",
			)?.set;
			const frame = () =>
				new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
			const goods = document.querySelector("section.till-goods") as Element;
			const times: number[] = [];
			for (let round = 0; round < rounds; round += 1)
				for (const words of searches) {
					const started = performance.now();
					// Not as before, so that it is asked and not remembered.
					set?.call(field, words + " ".repeat(round));
					field.dispatchEvent(new Event("input", { bubbles: true }));
					do await frame();
					while (goods.ariaBusy === "true");
					times.push(performance.now() - started);
					await new Promise((done) => setTimeout(done, 30));
				}
			return times;
		},
		{ searches, rounds },
	);
}

function percentile(values: number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.ceil(sorted.length * part) - 1] as number;
}
