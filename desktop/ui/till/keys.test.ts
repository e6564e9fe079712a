import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { categoryCreate } from "../../../sync/entities/category.ts";
import {
	delayQuestions,
	inBrowser,
	lineOf,
	openShopServer,
	openWindow,
	ownerCookie,
	pressAtOnce,
	quantityOf,
	scan,
	textOf,
} from "../testing/browser.ts";

async function openTill() {
	const server = await openShopServer();
	const owner = await server.fill();
	await server.now().shop.mutate(owner, categoryCreate, {
		id: "dairy",
		name: "Dairy",
	});
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	await page.getByRole("radio", { name: "Dairy" }).waitFor();
	const press = async (...keys: string[]) => {
		for (const key of keys) await page.keyboard.press(key);
	};
	return { server, page, press, problems };
}

/** What has the focus: its name, or its text. */
const focusOf = (page: Page) =>
	page.evaluate<string>(
		"document.activeElement.ariaLabel ?? document.activeElement.textContent",
	);

/** The product at which the arrow keys are. */
const activeOf = (page: Page) =>
	page.evaluate<string | undefined>(
		"document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')?.querySelector('.ticket-name').textContent",
	);

const total = (page: Page) => expect.poll(() => textOf(page, "total"));

describe("the till's keys, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a question mark lists the keys, and Escape closes them",
		async () => {
			const { page, press, problems } = await openTill();
			await press("?");
			const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
			await sheet.waitFor();
			const listed = await sheet.locator("kbd").allTextContents();
			for (const key of [
				"/",
				"+ −",
				"*",
				"Del",
				"F4",
				"F6",
				"F8",
				"F9",
				"P",
				"?",
			])
				expect(listed).toContain(key);
			expect(listed).toContain("Ctrl Enter");
			await press("Escape");
			await sheet.waitFor({ state: "detached" });
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the key for payment right after a tap pays for what was tapped",
		async () => {
			const { page, problems } = await openTill();
			await page.evaluate(`
				document.querySelector(".ticket").click();
				dispatchEvent(new KeyboardEvent("keydown", { key: "F8", cancelable: true }));`);
			await page.getByRole("button", { name: "Complete sale" }).waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"keys for a line right after a scan are about what was scanned, also where it takes a while to be found",
		async () => {
			const { page, press, problems } = await openTill();
			await delayQuestions(page, "product.byCode", 500);
			await page.reload();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await scan(page, "5901234123457");
			await press("+");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("2");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await scan(page, "5901234123457");
			await press("*");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("3");
			await page.keyboard.type("7");
			await press("Enter");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("7");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await scan(page, "5901234123457");
			await press("Delete");
			await expect.poll(() => lineOf(page, "Bread").count()).toBe(0);
			expect(await quantityOf(page, "Milk")).toBe("3");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a tap and the key for payment are about the saved sale, also before it has been read again",
		async () => {
			const { page, problems } = await openTill();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await total(page).toBe("KES 65");
			await delayQuestions(page, "readCart", 500);
			await page.reload();
			await page.getByRole("button", { name: /^Bread/ }).click();
			await page.keyboard.press("F8");
			await page.getByLabel("Cash received").waitFor();
			await total(page).toBe("KES 125");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"Tab goes from the search past the categories and the products to the sale, and the arrows move through the products",
		async () => {
			const { page, press, problems } = await openTill();
			await press("/");
			expect(await focusOf(page)).toBe("Search or scan");
			await press("Tab");
			expect(await focusOf(page)).toBe("Item without a product");
			await press("Tab");
			expect(await focusOf(page)).toBe("All");
			await press("Tab");
			expect(await focusOf(page)).toBe("Products to tap");
			expect(await activeOf(page)).toBe("Bread");
			await press("ArrowRight", "ArrowRight");
			expect(await activeOf(page)).toBe("Sugar");
			await press("ArrowRight");
			expect(await activeOf(page)).toBe("Sugar");
			await press("ArrowLeft", "Enter");
			await total(page).toBe("KES 65");
			expect(await activeOf(page)).toBe("Milk");
			await press("Tab");
			expect(await focusOf(page)).toBe("Note");
			await press("Shift+Tab", "ArrowUp");
			expect(await focusOf(page)).toBe("Search or scan");
			await press("ArrowDown");
			expect(await focusOf(page)).toBe("Products to tap");
			await press("Escape");
			expect(await focusOf(page)).toBe("Search or scan");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"plus, minus, a typed quantity and Delete change the last line, and a line taken out can be put back",
		async () => {
			const { page, press, problems } = await openTill();
			for (const name of [/^Milk/, /^Bread/])
				await page.getByRole("button", { name }).click();
			await lineOf(page, "Bread").waitFor();
			await press("+", "+", "-");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("2");
			await press("*");
			await page.keyboard.type("7");
			await press("Enter");
			await expect.poll(() => quantityOf(page, "Bread")).toBe("7");
			await press("Delete");
			await expect.poll(() => lineOf(page, "Bread").count()).toBe(0);
			await page.getByRole("button", { name: "Undo" }).click();
			await expect.poll(() => quantityOf(page, "Bread")).toBe("7");
			expect(await quantityOf(page, "Milk")).toBe("1");
			// In a field with text they are text.
			await page.getByLabel("Search or scan").fill("a");
			await press("+", "-", "*");
			expect(await page.getByLabel("Search or scan").inputValue()).toBe("a+-*");
			expect(await quantityOf(page, "Bread")).toBe("7");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"F4 sells a typed item, F6 gives a discount, F9 holds the sale and lists the held ones, Ctrl+Enter takes exact cash",
		async () => {
			const { server, page, press, problems } = await openTill();
			await press("F4");
			await page.getByRole("dialog").waitFor();
			await page.keyboard.type("Haircut");
			await press("Tab");
			await page.keyboard.type("200");
			await press("Enter");
			await total(page).toBe("KES 200");
			await press("F6");
			await page.keyboard.type("10");
			await press("Enter");
			await total(page).toBe("KES 180");
			await press("F9");
			await total(page).toBe("KES 0");
			await page.getByRole("button", { name: "1 held sale" }).waitFor();
			await press("F9");
			await page.getByRole("dialog", { name: "1 held sale" }).waitFor();
			await press("Tab", "Tab", "Enter");
			await total(page).toBe("KES 180");
			await press("Control+Enter");
			await page.getByText("On the server").waitFor();
			expect(
				await server.now().rows("SELECT total, payment_method FROM sales"),
			).toEqual([{ total: 180e6, payment_method: "CASH" }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"Ctrl+Enter in the search takes exact cash and adds nothing",
		async () => {
			const { server, page, press } = await openTill();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Search or scan").fill("bread");
			await press("Control+Enter");
			await page.getByText("On the server").waitFor();
			expect(await server.now().rows("SELECT total FROM sales")).toEqual([
				{ total: 65e6 },
			]);
		},
	);

	inBrowser("P prints after a sale, but not as part of a code", async () => {
		const { page, press } = await openTill();
		await page.evaluate(
			"window.printed = 0; window.print = () => { printed += 1; }",
		);
		const printed = () => page.evaluate<number>("printed");
		await page.getByRole("button", { name: /^Milk/ }).click();
		await press("Control+Enter");
		await page.getByText("On the server").waitFor();
		await pressAtOnce(page, "p", "q");
		await page.waitForTimeout(400);
		expect(await printed()).toBe(0);
		await press("p");
		await expect.poll(printed).toBe(1);
	});

	inBrowser(
		"W sends the receipt by WhatsApp after a sale, but not as part of a code",
		async () => {
			const { page, press } = await openTill();
			// No test opens another server's page.
			await page
				.context()
				.route("https://wa.me/**", (route) =>
					route.fulfill({ contentType: "text/html", body: "WhatsApp" }),
				);
			const opened: string[] = [];
			page.on("popup", (popup) => opened.push(popup.url()));
			await page.getByRole("button", { name: /^Milk/ }).click();
			await press("Control+Enter");
			await page.getByText("On the server").waitFor();
			await pressAtOnce(page, "w", "x");
			await page.waitForTimeout(400);
			expect(opened).toEqual([]);
			const opening = page.waitForEvent("popup");
			await press("w");
			expect(decodeURIComponent((await opening).url())).toMatch(
				/^https:\/\/wa\.me\/\?text=.*Milk/s,
			);
		},
	);

	inBrowser(
		"the focus returns to the search after a sheet that was opened from there",
		async () => {
			const { page, press } = await openTill();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await press("/");
			for (const key of ["?", "F4", "F6", "F8"]) {
				await press(key);
				await page.getByRole("dialog").waitFor();
				await press("Escape");
				await page.getByRole("dialog").waitFor({ state: "detached" });
				expect(await focusOf(page)).toBe("Search or scan");
			}
		},
	);
});
