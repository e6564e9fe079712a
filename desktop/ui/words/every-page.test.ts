import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { openTestServer } from "../../../server/testing/server.ts";
import { textsIn } from "../testing/all-words.ts";
import { inTour, openWindow } from "../testing/browser.ts";
import { foreignLinesIn, textsOf } from "../testing/foreign-lines.ts";
import { fr } from "./fr.ts";

const languages = { sw: textsIn("sw"), fr };
type Texts = Record<string, string>;

/** Where to look, and what to do there first; each page of the menu is opened too. */
const places: Record<string, (page: Page, texts: Texts) => Promise<void>> = {
	"/?payment": async (page) => {
		for (const n of [0, 1]) await page.locator(".ticket").nth(n).click();
		await page.locator(".line").nth(1).waitFor();
		await page.keyboard.press("F8");
		await page.locator(".sheet").waitFor();
	},
	"/?keys": async (page) => {
		await page.locator(".ticket").first().waitFor();
		await page.keyboard.press("F1");
		await page.locator(".sheet").waitFor();
	},
	"/?discount": async (page) => {
		await page.locator(".ticket").first().click();
		await page.locator(".line").first().waitFor();
		await page.keyboard.press("F6");
		await page.locator(".sheet").waitFor();
	},
	"/products?product": async (page) => {
		await page.locator(".cell-name button").first().click();
		await page.locator(".sheet").waitFor();
	},
	"/products?bulk": async (page) => {
		await page.locator(".cell-choose input").nth(1).check();
		await page.locator(".bulk").waitFor();
	},
	"/products?import": async (page, texts) => {
		await page
			.getByRole("button", { name: texts["import.do"] as string })
			.click();
		await page.locator("input[type=file]").setInputFiles({
			name: "list.csv",
			mimeType: "text/csv",
			buffer: Buffer.from(
				'name,sku,price\nTea,1,ten\nRice,2\nSalt,1e+12,1\nA,9,1\nB,9,2\n"x"y,3,1\n',
			),
		});
		await page.locator(".import-refused").waitFor();
	},
	"/sales?sale": async (page) => {
		await page.locator(".sales-table .row").first().click();
		await page.locator(".sale-beside").waitFor();
	},
	"/inbox?reasons": async (page, texts) => {
		await page
			.getByRole("button", { name: texts["inbox.dismiss"] as string })
			.first()
			.click();
	},
	"/?demo": async (page) => {
		await page.locator(".demo-tag").click();
		await page.locator(".sheet").waitFor();
	},
	"/dashboard?period=last30": async (page) => {
		await page.locator(".report").waitFor();
	},
	"/?bell": async (page) => {
		// Notifications are read when the app opens.
		await page.reload();
		await page.locator(".frame-foot button:has(svg.lucide-bell)").click();
	},
	"/?account": async (page, texts) => {
		await page
			.getByRole("button", { name: texts["app.account"] as string })
			.click();
	},
	"/counts": async (page) => {
		await page.locator(".counts-list > .btn").first().click();
		await page.locator(".counting").waitFor();
	},
	"/deliveries?new": async (page) => {
		await page.locator(".receive input[type=search]").fill("soda 500");
		await page.locator(".receive .btn-wide").first().click();
		await page.locator(".receive-lines > li").waitFor();
	},
	"/start": async () => {},
	"/start/list": async () => {},
	"/start/shelf": async () => {},
};

/** Sells more than there is, and something that isn't in the shop, so that the bell and the inbox have something to say. */
async function sellOddly(page: Page): Promise<void> {
	const statuses = await page.evaluate(async () => {
		const ask = (path: string, body?: object) =>
			fetch(path, {
				...(body && { method: "POST", body: JSON.stringify(body) }),
				headers: { "content-type": "application/json" },
			});
		const products: { id: string; name: string; quantity: number }[] = await (
			await ask("/api/products")
		).json();
		const stocked = products.find(({ quantity }) => quantity > 10);
		const lines = [
			{ name: stocked?.name, productId: stocked?.id, quantity: 10_000 },
			{ name: "Kahawa", productId: "gone", quantity: 1 },
		];
		return Promise.all(
			lines.map(
				async (line) =>
					(
						await ask("/api/sales", {
							items: [{ ...line, price: 10, cost: 5 }],
						})
					).status,
			),
		);
	});
	expect(statuses).toEqual([201, 201]);
}

/** Opens a page within the app, as it is when it is first opened. */
async function go(page: Page, path: string): Promise<void> {
	await page.keyboard.press("Escape");
	for (const place of ["/sync", path])
		await page.evaluate(`history.pushState(null, "", "${place}")`);
}

/** Waits until the page says the same for a while. */
async function settle(page: Page): Promise<void> {
	let before: string[] = [];
	await expect
		.poll(
			async () => {
				const now = await textsOf(page);
				const isSame = String(now) === String(before);
				before = now;
				return isSame;
			},
			{ timeout: 10_000, interval: 300 },
		)
		.toBe(true);
}

describe("every page, in Chromium (skipped where none is found)", () => {
	for (const [language, texts] of Object.entries(languages))
		inTour(
			`no page of the demo shop shows English or a code in ${language}`,
			async () => {
				const server = await openTestServer();
				const { page, context, problems } = await openWindow({
					viewport: { width: 1366, height: 900 },
				});
				// The demo is made on two busy cores, too.
				page.setDefaultTimeout(60_000);
				await context.addInitScript(
					`localStorage.setItem("counterfoil-language", "${language}")`,
				);
				const found: string[] = [];
				const look = async (where: string) => {
					await settle(page);
					const lines = foreignLinesIn(await textsOf(page), texts);
					found.push(...lines.map((line) => `${where}: ${line}`));
				};
				await page.goto(server.url);
				await page.getByRole("textbox").first().waitFor();
				await look("setup");
				await page
					.getByRole("button", { name: texts["setup.demo"] as string })
					.click();
				await page.getByText(texts["setup.demoReady"] as string).waitFor();
				await look("setup, ready");
				await page
					.getByRole("button", { name: texts["setup.demo"] as string })
					.click();
				await page.locator(".ticket").first().waitFor();
				await sellOddly(page);
				const menu = await page
					.locator("nav a")
					.evaluateAll((all) =>
						all.map((one) => (one as HTMLAnchorElement).pathname),
					);
				expect(menu.length).toBeGreaterThan(6);
				for (const path of menu) {
					await go(page, path);
					await look(path);
				}
				for (const [path, prepare] of Object.entries(places)) {
					await go(page, path);
					await prepare(page, texts);
					await look(path);
				}
				await context.clearCookies();
				await page.evaluate("localStorage.removeItem('counterfoil-session')");
				for (const path of ["/", "/setup", "/join"]) {
					await page.goto(server.url + path);
					await page.getByRole("textbox").first().waitFor();
					await look(`signed out, ${path}`);
				}
				expect([...new Set(found)]).toEqual([]);
				expect(problems).toEqual([]);
			},
			240_000,
		);
});
