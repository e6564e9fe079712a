import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
	inBrowser,
	openLine,
	openShopServer,
	openWindow,
	ownerCookie,
	textOf,
} from "../testing/browser.ts";

async function openTill() {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(server.url);
	for (const name of [/^Milk/, /^Milk/, /^Milk/, /^Bread/])
		await page.getByRole("button", { name }).click();
	await expect.poll(() => textOf(page, "total")).toBe("KES 255");
	return { server, page, problems };
}

const sheet = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) =>
	page.getByRole("button", { name, exact: true });
const total = (page: Page) => expect.poll(() => textOf(page, "total"));

/** Types a discount into its sheet, in per cent or, with a currency, as an amount. */
async function discount(
	page: Page,
	opener: string,
	kind: "Per cent" | "KES",
	off: string,
): Promise<void> {
	await button(page, opener).click();
	await sheet(page).getByRole("radio", { name: kind }).click();
	const field = kind === "KES" ? "Amount off" : "Per cent off";
	await sheet(page).getByLabel(field).fill(off);
	await button(page, "Apply").click();
	await sheet(page).waitFor({ state: "detached" });
}

describe("discounts, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a line is discounted in per cent or by an amount, and the other lines keep their prices",
		async () => {
			const { server, page, problems } = await openTill();
			await openLine(page, "Milk");
			await discount(page, "Discount: Milk", "Per cent", "10");
			await total(page).toBe("KES 235.50");
			await page.getByText("Before discount 255").waitFor();
			// The next one takes the place of the last.
			await openLine(page, "Milk");
			await discount(page, "Discount: Milk", "KES", "25");
			await total(page).toBe("KES 230");
			await button(page, "Exact cash").click();
			await page.getByText("On the server").waitFor();
			const [sold] = await server
				.now()
				.rows(
					"SELECT s.total, (SELECT sum(price * quantity / 1000000) FROM sale_items i WHERE i.product_id = 'milk') AS milk FROM sales s",
				);
			expect(sold).toEqual({ total: 230e6, milk: 170e6 });
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a cart is discounted by one tap, by an amount to the cent, and not at all again",
		async () => {
			const { server, page, problems } = await openTill();
			await button(page, "Discount").click();
			await button(page, "20 %").click();
			await total(page).toBe("KES 204");
			await discount(page, "Discount", "KES", "0.01");
			await total(page).toBe("KES 254.99");
			await button(page, "Discount").click();
			await button(page, "No discount").click();
			await total(page).toBe("KES 255");
			expect(await page.getByText("Before discount").count()).toBe(0);
			await discount(page, "Discount", "KES", "0.01");
			await button(page, "Exact cash").click();
			await page.getByText("On the server").waitFor();
			expect(await server.now().rows("SELECT total, paid FROM sales")).toEqual([
				{ total: 254.99e6, paid: 254.99e6 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser("more than 100 per cent can't be taken off", async () => {
		const { page } = await openTill();
		await button(page, "Discount").click();
		const field = sheet(page).getByLabel("Per cent off");
		await field.fill("101");
		await page.getByText("A discount can be 100 per cent at most.").waitFor();
		await field.press("Enter");
		expect(await button(page, "Apply").isDisabled()).toBe(true);
		await field.fill("100");
		await field.press("Enter");
		await total(page).toBe("KES 0");
	});
});
