import { describe, expect } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	textOf,
} from "./testing/browser.ts";
import { contrastOf } from "./testing/contrast.ts";

async function openShop(options?: Parameters<typeof openWindow>[0]) {
	const server = await openShopServer();
	const caller = await server.fill();
	await server.now().shop.mutate(caller, saleCreate, {
		id: "s1",
		items: [{ id: "1", name: "Tea", quantity: 2, price: 5, cost: 1 }],
		paymentMethod: "CASH",
	});
	const { page, context, problems } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, caller)]);
	return { page, problems, go: (path: string) => page.goto(server.url + path) };
}

describe("everyday details, in Chromium (skipped where none is found)", () => {
	inBrowser("Enter in the discount field applies the discount", async () => {
		const { page, go } = await openShop();
		await go("/");
		await page.getByRole("button", { name: /Milk/ }).first().click();
		await page.getByRole("button", { name: "Discount", exact: true }).click();
		await page.getByLabel("Per cent off").fill("20");
		await page.keyboard.press("Enter");
		await expect.poll(() => textOf(page, "total")).toBe("KES 52");
	});

	inBrowser(
		"a sales search without results says that none were found, not that there are none",
		async () => {
			const { page, go } = await openShop();
			await go("/sales");
			await page.getByRole("searchbox").fill("nothing like it");
			await page.getByText("No sale found").waitFor();
			expect(await page.getByText("No sales yet").count()).toBe(0);
		},
	);

	inBrowser(
		"sales and the overview name payment methods in the user's language",
		async () => {
			const { page, go } = await openShop({ locale: "sw-KE" });
			await go("/sales");
			await page.getByText("Taslimu").waitFor();
			await go("/dashboard");
			await page.getByText("Taslimu").first().waitFor();
			expect(await page.getByText("CASH").count()).toBe(0);
		},
	);

	inBrowser.each(["light", "dark"] as const)(
		"chart bars stand out from their card in %s mode",
		async (colorScheme) => {
			const { page, go } = await openShop({ colorScheme });
			await go("/dashboard");
			await page.locator(".bar-chart-bar").first().waitFor({
				state: "attached",
			});
			const [front, back] = (await page.evaluate(`
				(() => {
					const bar = document.querySelector(".bar-chart-bar");
					return [bar, bar.closest(".leaf")].map((one) => getComputedStyle(one).backgroundColor);
				})()`)) as [string, string];
			expect(contrastOf(front, back)).toBeGreaterThan(3);
		},
	);
});
