import { describe, expect } from "vitest";
import {
	goods,
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
} from "../testing/browser.ts";

describe("deliveries, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"goods are received by scanner without a network, over a reload, from a new supplier who is paid later",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(`${server.url}/deliveries`);
			await page.getByRole("link", { name: "Receive goods" }).click();
			const button = (name: string) => page.getByRole("button", { name });

			await page.getByPlaceholder(/type its name/).waitFor();
			await context.setOffline(true);
			await button("Add a supplier").click();
			await page.getByLabel("Name").fill("Brookside");
			await page.getByRole("dialog").getByText("Save").click();
			await expect
				.poll(() => page.getByLabel("Supplier").locator(":checked").innerText())
				.toBe("Brookside");
			for (let i = 0; i < 3; i += 1) await scan(page, goods.Milk.sku);
			const quantity = page.getByLabel("Quantity: Milk");
			await expect.poll(() => quantity.inputValue()).toBe("3");
			await page.getByLabel("Cost of one: Milk").fill("42.5");
			await context.setOffline(false);
			await page.reload();
			await expect.poll(() => quantity.inputValue()).toBe("3");
			await expect
				.poll(() => page.getByTestId("delivery-total").innerText())
				.toMatch(/127\.50/);
			await button("Save").click();

			await page.getByText("1 line").waitFor();
			await page.getByRole("radio", { name: "Suppliers" }).click();
			await page.getByRole("button", { name: /^Brookside/ }).click();
			await button("Pay").click();
			await page.getByRole("radio", { name: "Bank" }).click();
			await page.getByLabel("Amount").fill("100");
			await button("Pay").click();
			await page.getByText("You owe 27.50").first().waitFor();
			await expect
				.poll(() =>
					server
						.now()
						.rows(
							"SELECT quantity, buying_price, (SELECT count(*) FROM payments WHERE kind = 'supplier') AS paid FROM products WHERE id = 'milk'",
						),
				)
				.toEqual([{ quantity: 23e6, buying_price: 42.5e6, paid: 1 }]);
			expect(problems).toEqual([]);
		},
	);
});
