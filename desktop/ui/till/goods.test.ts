import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	quantityOf,
	textOf,
} from "../testing/browser.ts";

describe("the product grid, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"scrolling reaches all of 450 products, and Enter sells the first search result",
		async () => {
			const server = await openShopServer();
			const names = Array.from({ length: 450 }, (_, i) => `Tea ${1001 + i}`);
			const owner = await server.fill(
				Object.fromEntries(names.map((name) => [name, {}])),
			);
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Tea 1001/ }).waitFor();
			const last = page.getByRole("button", { name: /^Tea 1450/ });
			expect(await last.count()).toBe(0);
			await expect
				.poll(async () => {
					await page.evaluate(
						`document.querySelector(".till-goods .scroll").scrollTo(0, 1e6)`,
					);
					return last.count();
				})
				.toBe(1);
			await last.click();
			const search = page.getByLabel("Search or scan");
			// Each word and its Enter in one go, before anything can render.
			await search.focus();
			await page.evaluate(`
				for (const words of ["1234", "1440 tea", "1234"]) {
					const field = document.activeElement;
					Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, words);
					field.dispatchEvent(new Event("input", { bubbles: true }));
					field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
				}`);
			await expect.poll(() => textOf(page, "total")).toBe("KES 200");
			expect(await quantityOf(page, "Tea 1234")).toBe("2");
			expect(await quantityOf(page, "Tea 1440")).toBe("1");
			await search.fill("nothing like it");
			await page.getByText("No product found").waitFor();
			await search.press("Enter");
			await expect.poll(() => search.inputValue()).toBe("nothing like it");
			expect(problems).toEqual([]);
		},
	);
});
