import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { businessUpdate } from "../../sync/entities/business.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	tapNext,
} from "./testing/browser.ts";

const height = 700;

async function boxOf(locator: Locator) {
	const box = await locator.boundingBox();
	if (!box) throw new Error("It is not there");
	return {
		left: box.x,
		right: box.x + box.width,
		top: box.y,
		bottom: box.y + box.height,
		width: box.width,
		height: box.height,
	};
}

/** Opens a shop with a long name on a phone, in English or Swahili. */
async function openPhone(width: number, locale: string) {
	const server = await openShopServer();
	const caller = await server.fill();
	await server.now().shop.mutate(caller, businessUpdate, {
		set: { name: "Duka la jumla la Njeri Kamau na wanawe, Nyeri mjini" },
	});
	const { page, context, problems } = await openWindow({
		viewport: { width, height },
		locale,
		hasTouch: true,
		reducedMotion: "reduce",
	});
	await context.addCookies([await ownerCookie(server, caller)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^MMilk|Milk/ }).waitFor();
	// Until then another font has its place, which may be wider.
	await page.evaluate("document.fonts.ready.then(() => {})");
	return { server, page, context, problems };
}

const words = {
	"en-GB": {
		menu: "Njeri Kamau, account",
		signOut: "Sign out",
		pay: "Pay",
		complete: "Complete sale",
		next: "Next sale",
		waiting: /2 waiting/,
		line: /1 line/,
		search: "Search or scan",
		cart: "Sale",
	},
	"sw-KE": {
		menu: "Njeri Kamau, akaunti",
		signOut: "Toka",
		pay: "Lipa",
		complete: "Kamilisha mauzo",
		next: "Mauzo mapya",
		waiting: /2 zinasubiri/,
		line: /Mstari 1/,
		search: "Tafuta au skani",
		cart: "Mauzo",
	},
};

/** The cart's button; the bar below the goods has one, too. */
const payIn = (page: Page, name: string) =>
	page.getByRole("dialog").getByRole("button", { name, exact: true });

async function expectOnScreen(page: Page, locator: Locator): Promise<void> {
	const { width = 0 } = page.viewportSize() ?? {};
	const box = await boxOf(locator);
	expect(box.left).toBeGreaterThanOrEqual(0);
	expect(box.right).toBeLessThanOrEqual(width);
	expect(box.bottom).toBeLessThanOrEqual(height);
	expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
}

const cases = [320, 360, 390].flatMap((width) =>
	(["en-GB", "sw-KE"] as const).map((locale) => [width, locale] as const),
);

describe("a phone, in Chromium (skipped where none is found)", () => {
	inBrowser.each(cases)(
		"at %i px in %s the account menu and the cart's bar fit the screen, with unsent sales and a long name",
		async (width, locale) => {
			const said = words[locale];
			const { server, page, problems } = await openPhone(width, locale);
			const menu = page.getByRole("button", { name: said.menu });
			const bar = page.getByRole("button", { name: said.line });
			const payBelow = page.getByRole("button", {
				name: said.pay,
				exact: true,
			});
			await server.stop();
			for (let sold = 0; sold < 2; sold += 1) {
				await page.getByRole("button", { name: /Milk/ }).tap();
				await bar.tap();
				await payIn(page, said.pay).tap();
				await page.getByRole("button", { name: said.complete }).tap();
				await tapNext(page, said.next);
			}
			const badge = page.getByRole("status", { name: said.waiting });
			await badge.waitFor();
			expect(await badge.textContent()).toContain("2");
			await expectOnScreen(page, menu);
			await menu.tap();
			await expectOnScreen(
				page,
				page.getByRole("button", { name: said.signOut }),
			);
			await page.keyboard.press("Escape");
			await page.getByRole("button", { name: /Milk/ }).tap();

			// The bar is at the bottom of the screen with all products, with one result and with none.
			for (const searched of ["bread", "nothing like it", ""]) {
				await page.getByLabel(said.search).fill(searched);
				await expectOnScreen(page, bar);
				await expectOnScreen(page, payBelow);
				expect((await boxOf(payBelow)).bottom).toBeGreaterThan(height - 30);
			}
			await bar.tap();
			const pay = payIn(page, said.pay);
			await expectOnScreen(page, pay);
			const title = page.getByRole("dialog").getByRole("heading");
			const tools = await boxOf(page.locator(".sale-tools"));
			expect(tools.top).toBeLessThan((await boxOf(title)).bottom);
			expect((await boxOf(pay)).bottom).toBeGreaterThan(height - 30);
			expect(
				await page
					.getByRole("heading", { name: said.cart, exact: true })
					.count(),
			).toBe(1);
			expect(
				await page.evaluate(
					"[...document.querySelectorAll('dialog *')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible').map((one) => one.className)",
				),
			).toEqual([]);
			expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(
				width,
			);
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each(["en-GB", "sw-KE"] as const)(
		"at 320 px in %s no text, amount or time is cut off in a sale, its payment, its receipt or the list",
		async (locale) => {
			const said = words[locale];
			const { server, page } = await openPhone(320, locale);
			await expect.poll(() => cutOff(page)).toEqual([]);
			await page.getByRole("button", { name: /Milk/ }).tap();
			await page.getByRole("button", { name: said.line }).tap();
			await payIn(page, said.pay).tap();
			await page.getByRole("button", { name: said.complete }).waitFor();
			await expect.poll(() => cutOff(page)).toEqual([]);
			await page.setViewportSize({ width: 320, height: 560 });
			await page.getByRole("button", { name: said.complete }).tap();
			await page.getByRole("button", { name: said.next }).waitFor();
			await expect.poll(() => cutOff(page)).toEqual([]);
			const paid = await boxOf(page.getByTestId("amount-paid"));
			const title = page.getByRole("dialog").getByRole("heading").first();
			expect(paid.top).toBeGreaterThan((await boxOf(title)).bottom);
			await page.goto(`${server.url}/sales`);
			await page.locator(".row").waitFor();
			await expect.poll(() => cutOff(page)).toEqual([]);
			for (const field of await page.locator("input[type=date]").all())
				expect((await boxOf(field)).right).toBeLessThanOrEqual(320);
		},
	);
});

/** Elements too small for their text. Only product names may be truncated. */
function cutOff(page: Page): Promise<string[]> {
	return page.evaluate(`
		[...document.querySelectorAll(".ticket-foot, .row, .btn, .chip, .line-head, .rail-link")]
			.flatMap((part) => [...part.querySelectorAll("*")].map((one) => [one, part.getBoundingClientRect()]))
			.filter(([one, around]) => {
				const { left, right, top, bottom, width } = one.getBoundingClientRect();
				return one.textContent && width > 0 && (left < around.left - 1 || right > around.right + 1
					|| top < around.top - 1 || bottom > around.bottom + 1);
			})
			.map(([one]) => one.className + ": " + one.textContent)`);
}
