import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
	goods,
	inBrowser,
	lineOf,
	openLine,
	openShopServer,
	openWindow,
	ownerCookie,
	pressAtOnce,
	quantityOf,
	scanByKeys,
	textOf,
} from "../testing/browser.ts";

const milk = goods.Milk.sku;

/** Gaps of real scanners: wired, wired with a delay, wireless. */
const gaps = [5, 20, 30, 40, 50, 60, 100, 120];

/** Gaps of a fast typist. */
const typingGaps = [92, 131, 78, 110, 64, 137, 101, 88, 125, 70, 119, 95, 140];

async function openApp(path = "/") {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(new URL(path, server.url).href);
	return { server, page, problems };
}

async function openTill() {
	const opened = await openApp();
	await opened.page.getByRole("button", { name: /^Bread/ }).waitFor();
	return opened;
}

/** Holds the page's queries back. @returns a function that releases them */
async function holdQuestions(page: Page) {
	await page.evaluate(`{
		const { postMessage } = Worker.prototype;
		const held = [];
		Worker.prototype.postMessage = function (...all) {
			held.push(() => postMessage.apply(this, all));
		};
		window.release = () => {
			Worker.prototype.postMessage = postMessage;
			for (const one of held) one();
		};
	}`);
	return () => page.evaluate("release()");
}

describe("a scanner in Chromium (skipped where none is found)", () => {
	for (const [where, focus, leave] of [
		[
			"with nothing focused",
			async (page: Page) => page.evaluate("document.activeElement?.blur()"),
		],
		[
			"after a tap on another product",
			async (page: Page) =>
				page.getByRole("button", { name: /^Bread/ }).click(),
		],
		[
			"from the quantity of another line",
			async (page: Page) => {
				await openLine(page, "Sugar");
				await page.getByLabel("Quantity: Sugar").focus();
			},
		],
		[
			"from the price of another line",
			async (page: Page) => {
				await openLine(page, "Sugar");
				await page.getByLabel("Price: Sugar").focus();
			},
		],
		[
			"from the cash received",
			async (page: Page) => {
				await page.keyboard.press("F8");
				await page.getByLabel("Cash received").fill("20");
			},
			async (page: Page) => {
				expect(await page.getByLabel("Cash received").inputValue()).toBe("20");
				await page.keyboard.press("Escape");
				await page.getByLabel("Cash received").waitFor({ state: "detached" });
			},
		],
		[
			"from the search",
			async (page: Page) => page.getByLabel("Search or scan").fill("su"),
			async (page: Page) => {
				const search = page.getByLabel("Search or scan");
				expect(await search.inputValue()).toBe("su");
				await search.fill("");
			},
		],
	] as const)
		inBrowser(
			`a scanner of any speed sells what it scans and nothing else, ${where}`,
			async () => {
				const { page, problems } = await openTill();
				for (const name of [/^Bread/, /^Sugar/])
					await page.getByRole("button", { name }).click();
				for (const [i, gap] of gaps.entries()) {
					await focus(page);
					await scanByKeys(page, milk, gap);
					const sold = `${gap} ms: ${i + 1}`;
					await expect
						.poll(async () => `${gap} ms: ${await quantityOf(page, "Milk")}`)
						.toBe(sold);
					await leave?.(page);
				}
				const taps = where.includes("tap") ? gaps.length : 0;
				expect(await quantityOf(page, "Bread")).toBe(String(1 + taps));
				expect(await quantityOf(page, "Sugar")).toBe("1");
				const total = 60 * (1 + taps) + 149.5 + 65 * gaps.length;
				expect((await textOf(page, "total")).replace(",", "")).toBe(
					`KES ${total.toFixed(2)}`,
				);
				expect(problems).toEqual([]);
			},
		);

	inBrowser(
		"a scanner, also a slow one, sells by a code of letters and pays by the till's codes",
		async () => {
			const { server, page } = await openTill();
			for (const gap of [5, 60, 110]) {
				await page.getByRole("button", { name: /^Bread/ }).click();
				await scanByKeys(page, "SUGAR-1", gap);
				await scanByKeys(page, "CF-CASH", gap);
				await page.getByText("On the server").waitFor();
				await page.getByRole("button", { name: "Next sale" }).click();
			}
			expect(await server.now().rows("SELECT total FROM sales")).toEqual(
				Array(3).fill({ total: 209.5e6 }),
			);
		},
	);

	inBrowser(
		"a fast typist in the search field or the cash field is not taken for a scanner",
		async () => {
			const { page } = await openTill();
			const search = page.getByLabel("Search or scan");
			for (const [typed, sold, total] of [
				["brea", "Bread", "KES 60"],
				["sugar", "Sugar", "KES 209.50"],
				["milk", "Milk", "KES 274.50"],
			] as const) {
				await search.focus();
				await scanByKeys(page, typed, typingGaps);
				await expect.poll(() => lineOf(page, sold).count()).toBe(1);
				expect(await textOf(page, "total")).toBe(total);
			}
			await page.keyboard.press("F8");
			await scanByKeys(page, "1000", 100);
			// There is no coin for half a shilling.
			await expect.poll(() => textOf(page, "change-due")).toBe("KES 725");
		},
	);

	inBrowser(
		"a typist as even as a scanner is told apart, and Enter does what it always does",
		async () => {
			const { server, page, problems } = await openTill();
			await page.getByLabel("Search or scan").focus();
			await scanByKeys(page, "bread", 100);
			await expect.poll(() => lineOf(page, "Bread").count()).toBe(1);
			expect(await page.getByLabel("Search or scan").inputValue()).toBe("");
			await page.getByRole("button", { name: "Note" }).click();
			await page.getByRole("textbox", { name: "Note" }).focus();
			const release = await holdQuestions(page);
			await scanByKeys(page, "Asha", 100);
			// Keys typed while the code is being looked up arrive after its Enter.
			await page.keyboard.type("at 5");
			await release();
			await expect
				.poll(() => page.getByRole("textbox", { name: "Note" }).inputValue())
				.toBe("Asha\nat 5");
			await page.keyboard.press("Escape");
			await page.keyboard.press("F8");
			await page.getByRole("radio", { name: "M-PESA" }).click();
			await page.getByLabel("M-PESA code").focus();
			await scanByKeys(page, "TIA9B1U5VV", 100);
			await page.getByText("On the server").waitFor();
			expect(
				await server.now().rows("SELECT notes, payment_code FROM sales"),
			).toEqual([{ notes: "Asha\nat 5", payment_code: "TIA9B1U5VV" }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"scans and keys take effect in order, however fast they come",
		async () => {
			const { server, page, problems } = await openTill();
			const scanned = (...codes: string[]) =>
				codes.flatMap((code) => [...code, "Enter"]);
			await pressAtOnce(page, ...scanned(milk), "F8");
			await page.getByLabel("Cash received").waitFor();
			expect(await textOf(page, "total")).toBe("KES 65");
			await page.keyboard.press("Escape");
			await page.getByLabel("Cash received").waitFor({ state: "detached" });
			// A scan while a sale is being recorded starts the next sale.
			await pressAtOnce(
				page,
				...scanned("SUGAR-1", "CF-CASH", goods.Bread.sku),
			);
			await expect
				.poll(() => server.now().rows("SELECT total FROM sales"))
				.toEqual([{ total: 214.5e6 }]);
			await expect.poll(() => textOf(page, "total")).toBe("KES 60");
			expect(await page.getByTestId("amount-paid").count()).toBe(0);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a tap leaves the focus off tickets, which the keyboard can still reach and press",
		async () => {
			const { page } = await openTill();
			const bread = page.getByRole("button", { name: /^Bread/ });
			await bread.click();
			expect(await page.evaluate("document.activeElement.tagName")).toBe(
				"BODY",
			);
			await page.getByLabel("Search or scan").focus();
			// Past the button next to it.
			for (let i = 0; i < 2; i += 1) await page.keyboard.press("Tab");
			const grid = page.getByRole("group", { name: "Products to tap" });
			await grid.and(page.locator(":focus")).waitFor();
			expect(await grid.getAttribute("aria-activedescendant")).toBe(
				await bread.getAttribute("id"),
			);
			await page.keyboard.press("Enter");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("2");
			// Even with a ticket active, a scan presses nothing.
			await scanByKeys(page, milk, 120);
			await scanByKeys(page, "UNKNOWN", typingGaps);
			await expect.poll(() => quantityOf(page, "Milk")).toBe("1");
			expect(await quantityOf(page, "Bread")).toBe("2");
		},
	);

	for (const [speed, delay] of [
		["fast", 30],
		["slow", 190],
	] as const)
		inBrowser(
			`letters typed in the grid go to the search with the focus, typed ${speed}`,
			async () => {
				const { page } = await openTill();
				const search = page.getByLabel("Search or scan");
				await search.focus();
				await page.keyboard.press("ArrowDown");
				await page.keyboard.type("mil", { delay });
				await search.and(page.locator(":focus")).waitFor();
				await expect.poll(() => search.inputValue()).toBe("mil");
				await page.keyboard.type("k");
				await page.keyboard.press("Enter");
				await expect.poll(() => quantityOf(page, "Milk")).toBe("1");
				expect(await search.inputValue()).toBe("");
			},
		);

	inBrowser(
		"Enter right after letters typed in the grid sells nothing that wasn't meant",
		async () => {
			const { page } = await openTill();
			const search = page.getByLabel("Search or scan");
			for (const word of ["mi", "sugar"]) {
				await search.fill("");
				await page.keyboard.press("ArrowDown");
				await scanByKeys(page, word, typingGaps);
				await expect.poll(() => search.inputValue()).toBe(word);
			}
			expect(await lineOf(page, "Bread").count()).toBe(0);
		},
	);

	inBrowser(
		"a code is scanned whole from the grid, also if its keys arrive late after the first",
		async () => {
			const { page } = await openTill();
			const search = page.getByLabel("Search or scan");
			for (const late of [0, 1, 5, 12]) {
				await search.focus();
				await page.keyboard.press("ArrowDown");
				await scanByKeys(page, milk, 5, async (i) => {
					if (i === late && i > 0) await page.waitForTimeout(400);
				});
				const sold = [0, 1, 5, 12].indexOf(late) + 1;
				await expect.poll(() => quantityOf(page, "Milk")).toBe(`${sold}`);
				await expect.poll(() => search.inputValue()).toBe("");
			}
			expect(await textOf(page, "total")).toBe("KES 260");
		},
	);

	inBrowser("a quantity above 10,000 needs confirmation", async () => {
		const { page } = await openTill();
		await page.getByRole("button", { name: /^Bread/ }).click();
		const quantity = page.getByLabel("Quantity: Bread");
		await quantity.fill("10000");
		expect(await textOf(page, "total")).toBe("KES 600,000");
		await quantity.fill("12000");
		expect(await textOf(page, "total")).toBe("KES 600,000");
		await page.keyboard.press("F8");
		const question = page.getByRole("dialog", { name: "12,000 × Bread" });
		await question.waitFor();
		expect(await page.getByLabel("Cash received").count()).toBe(0);
		await page.keyboard.press("Enter");
		await question.waitFor({ state: "detached" });
		expect(await quantity.inputValue()).toBe("10000");
		await quantity.fill("12000");
		await quantity.press("Enter");
		await page.getByRole("button", { name: "Yes, 12,000" }).click();
		await question.waitFor({ state: "detached" });
		expect(await textOf(page, "total")).toBe("KES 720,000");
		expect(await quantity.inputValue()).toBe("12000");
		await page.keyboard.press("F8");
		await page.getByLabel("Cash received").waitFor();
	});

	inBrowser(
		"Settings reads a scanner at any speed, and says if it is too slow",
		async () => {
			const { page } = await openApp("/settings?part=scanner");
			await page.getByText("Scan something here").waitFor();
			for (const gap of [5, 50, 120]) {
				await scanByKeys(page, milk, gap);
				await page
					.getByText(`13 characters, ${gap} ms apart. The till`)
					.waitFor();
			}
			await scanByKeys(page, milk, 300);
			await page.getByText("too slow for the till").waitFor();
		},
	);
});
