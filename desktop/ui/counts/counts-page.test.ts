import { describe, expect } from "vitest";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	goods,
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
} from "../testing/browser.ts";

describe("counts, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a shelf is counted by scanner and keys without a network, over a reload, and closed with what was sold meanwhile",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(`${server.url}/counts`);
			const button = (name: string | RegExp) =>
				page.getByRole("button", { name });
			await button("Start a count").first().click();
			await page.getByLabel("What do you count?").fill("Shelf 1");
			await page.keyboard.press("Enter");
			await page.getByRole("heading", { name: "Counting: Shelf 1" }).waitFor();

			await context.setOffline(true);
			await page.getByRole("button", { name: /^Milk.*Never counted/ }).click();
			const number = page.getByLabel("Counted");
			await number.fill("17");
			// Sold elsewhere after the look.
			const { shop } = server.now();
			await shop.mutate(owner, saleCreate, {
				id: "meanwhile",
				items: [
					{
						...{ id: "1", productId: "milk", name: "Milk" },
						...{ quantity: 2, price: 60, cost: 40 },
					},
				],
			});
			await context.setOffline(false);
			await page.reload();
			await expect.poll(() => number.inputValue()).toBe("17");
			await button(/^Next/).click();
			await page.getByText("3 fewer").waitFor();
			await scan(page, goods.Bread.sku);
			await scan(page, goods.Bread.sku);
			await expect.poll(() => number.inputValue()).toBe("2");
			await page.keyboard.press("Enter");

			await button(/^Finish, 2/).click();
			await button(/^Correct the stock of 2/).click();
			await page.getByText(/^Closed/).waitFor();
			await expect
				.poll(async () => {
					const [milk] = await server
						.now()
						.rows("SELECT quantity FROM products WHERE id = 'milk'");
					return milk?.quantity;
				})
				.toBe(15e6);
			expect(problems).toEqual([]);
		},
	);
});
