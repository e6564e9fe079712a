import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

describe("the products page, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a long product list is counted, scrolled to its end, edited there, and searched",
		async () => {
			const server = await openShopServer();
			const names = Array.from({ length: 450 }, (_, i) => `Tea ${1001 + i}`);
			const owner = await server.fill(
				Object.fromEntries(names.map((name) => [name, {}])),
			);
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(`${server.url}/products`);
			const row = (name: string) =>
				page.getByRole("button", { name: new RegExp(`^${name}`) });
			await row("Tea 1001").waitFor();
			await page.getByText("450 products").waitFor();
			await expect
				.poll(async () => {
					await page.evaluate(
						`document.querySelector(".scroll").scrollTo(0, 1e6)`,
					);
					return row("Tea 1450").count();
				})
				.toBe(1);
			await row("Tea 1450").click();
			await page.getByLabel("Selling price").fill("77");
			await page.getByRole("button", { name: "Save" }).click();
			const price = page.getByLabel("Price: Tea 1450");
			await expect.poll(() => price.inputValue()).toBe("77");
			await row("Tea 1449").click();
			await page.getByRole("button", { name: "Stop selling" }).click();
			await page.getByText("449 products").waitFor();
			await row("Tea 1449").waitFor({ state: "detached" });
			await page.getByLabel("Search or scan").fill("1234 tea");
			await page.getByText("1 product", { exact: true }).waitFor();
			await row("Tea 1234").waitFor();
			expect(problems).toEqual([]);
		},
	);
});
