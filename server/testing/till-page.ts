/// <reference lib="dom" />

import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "puppeteer-core";

/** A signed-in user and the session cookie. */
export interface SignedIn {
	url: string;
	cookie: { name: string; value: string };
}

/** @throws Error if the server refuses the sign-in */
export async function signIn(
	url: string,
	credentials: { email: string; password: string },
): Promise<SignedIn> {
	const response = await fetch(`${url}/login`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(credentials),
	});
	const [, name, value] =
		/^([^=]+)=([^;]+)/.exec(response.headers.get("set-cookie") ?? "") ?? [];
	if (!response.ok || name === undefined || value === undefined)
		throw new Error(`The server answered ${response.status} to a sign-in`);
	return { url, cookie: { name, value } };
}

/** Drives a till in a browser window, taking each step as soon as the page offers it. */
export interface TillPage {
	readonly page: Page;
	/** Sells the first product shown. @returns milliseconds since the page was requested, and those spent on payment */
	sell(): Promise<{ sinceLoadMs: number; paidMs: number }>;
	/**
	 * Makes one sale after another until the page is gone, and then rejects.
	 *
	 * @param onShown called with the receipt number of each sale that the page shows as done
	 */
	sellOn(onShown: (receipt: string) => void): Promise<void>;
	/** Scans codes. @returns milliseconds from the scanner's last key to the frame that shows the line, for each code */
	scan(codes: readonly string[]): Promise<number[]>;
	/** Searches for words. @returns milliseconds from a key to the frame with the results, for each word in each round */
	search(words: readonly string[], rounds: number): Promise<number[]>;
	/** Whether the search finds a product of this name. */
	finds(name: string): Promise<boolean>;
	reload(): Promise<void>;
	/** Resolves once the till has the whole shop, with its history. */
	untilFilled(): Promise<void>;
	/** Resolves once the server has all of the till's mutations. */
	untilSent(): Promise<void>;
}

export async function openTillPage(
	browser: Browser,
	{ url, cookie }: SignedIn,
): Promise<TillPage> {
	const { hostname } = new URL(url);
	await browser.setCookie({ ...cookie, domain: hostname, path: "/" });
	const page = await browser.newPage();
	page.setDefaultTimeout(0);
	await page.goto(url, { waitUntil: "domcontentloaded" });
	return {
		page,
		sell: () => page.evaluate(sellFirst),
		async sellOn(onShown) {
			await page.exposeFunction("receiptShown", onShown);
			await page.evaluate(`window.sellFirst = ${sellFirst}`);
			await page.evaluate(sellForever);
		},
		scan: (codes) => page.evaluate(scanAll, codes),
		async search(words, rounds) {
			const times = await page.evaluate(searchAll, words, rounds);
			await page.evaluate(searchAll, [""], 1);
			return times;
		},
		async finds(name) {
			await page.evaluate(searchAll, [name], 1);
			const names = await page.$$eval(".ticket-name", (all) =>
				all.map(({ textContent }) => textContent),
			);
			await page.evaluate(searchAll, [""], 1);
			return names.includes(name);
		},
		reload: async () => {
			await page.reload({ waitUntil: "domcontentloaded" });
		},
		async untilSent() {
			const isSent = () =>
				document.querySelector("[role=status][aria-label=Online]") !== null;
			while (!(await page.evaluate(isSent))) await sleep(200);
		},
		async untilFilled() {
			await page.goto(`${url}/sync`, { waitUntil: "domcontentloaded" });
			const isFilled = () => {
				const shown = document.body.textContent ?? "";
				return (
					/Last synced: (?!not yet)/.test(shown) &&
					!shown.includes("Older sales are still arriving")
				);
			};
			while (!(await page.evaluate(isFilled))) await sleep(200);
			await page.goto(url, { waitUntil: "domcontentloaded" });
			await page.waitForSelector(".ticket");
			// Sums of the history, which the first look at it makes.
			const areRanked = () =>
				document.body.textContent?.includes("Often sold") === true;
			while (!(await page.evaluate(areRanked))) await sleep(200);
		},
	};
}

// These functions run in the page and can't use this module's scope.

async function sellFirst() {
	const until = <T>(find: () => T | null | undefined | false) =>
		new Promise<T>((resolve) => {
			const look = () => {
				const found = find();
				if (found) resolve(found);
				return Boolean(found);
			};
			if (look()) return;
			// A timer would see what is shown a frame too late.
			const changes = new MutationObserver(() => {
				if (look()) changes.disconnect();
			});
			changes.observe(document, {
				...{ attributes: true, characterData: true },
				...{ childList: true, subtree: true },
			});
		});
	const frame = () =>
		new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
	const button = (words: string) =>
		[...document.querySelectorAll("button")].find(
			// Its key may follow.
			({ textContent, disabled }) =>
				textContent?.startsWith(words) && !disabled,
		);
	const product = () => document.querySelector<HTMLElement>(".ticket");
	(await until(product)).click();
	const total = () => document.querySelector("[data-testid=total]");
	await until(() => /[1-9]/.test(total()?.textContent ?? ""));
	dispatchEvent(new KeyboardEvent("keydown", { key: "F8", cancelable: true }));
	const complete = await until(() => button("Complete sale"));
	// A person presses what is on the screen.
	await frame();
	const pressed = performance.now();
	complete.click();
	const next = await until(() => button("Next sale"));
	await frame();
	const done = performance.now();
	// A receipt waits for the shop's settings, which a till that has just opened may not have read.
	const receipt = () => document.querySelector("[aria-label=Receipt]");
	const [number] = await until(() =>
		/[A-Z]{1,8}-\d{6}/.exec(receipt()?.textContent ?? ""),
	);
	next.click();
	await until(() => !button("Next sale"));
	return { sinceLoadMs: done, paidMs: done - pressed, number };
}

async function sellForever() {
	const page = window as unknown as {
		sellFirst(): Promise<{ number: string }>;
		receiptShown(number: string): void;
	};
	for (;;) page.receiptShown((await page.sellFirst()).number);
}

async function scanAll(codes: readonly string[]) {
	const key = (key: string) =>
		dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
	const frame = () =>
		new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
	const total = document.querySelector("[data-testid=total]") as Element;
	const times: number[] = [];
	for (const code of codes) {
		await new Promise((resolve) => setTimeout(resolve, 60));
		const before = total.textContent;
		for (const letter of code) key(letter);
		const started = performance.now();
		key("Enter");
		while (total.textContent === before) await frame();
		await frame();
		times.push(performance.now() - started);
	}
	return times;
}

async function searchAll(words: readonly string[], rounds: number) {
	const field = document.querySelector(
		"input[type=search]",
	) as HTMLInputElement;
	const write = Object.getOwnPropertyDescriptor(
		HTMLInputElement.prototype,
		"value",
	)?.set;
	const frame = () =>
		new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
	const goods = document.querySelector("section.till-goods") as Element;
	const times: number[] = [];
	for (let round = 0; round < rounds; round += 1)
		for (const typed of words) {
			const started = performance.now();
			// A different text each round, so that no cached result is shown.
			write?.call(field, typed + " ".repeat(round));
			field.dispatchEvent(new Event("input", { bubbles: true }));
			do await frame();
			while (goods.ariaBusy === "true");
			times.push(performance.now() - started);
			await new Promise((resolve) => setTimeout(resolve, 30));
		}
	return times;
}
