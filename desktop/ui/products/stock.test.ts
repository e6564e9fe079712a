import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { productUpdate } from "../../../sync/entities/product.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

/** Opens the form of milk, with 20 in stock. */
async function openMilk() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, caller)]);
	await page.goto(`${server.url}/products`);
	await page.getByRole("button", { name: /^Milk/ }).click();
	const { shop } = server.now();
	return {
		page,
		context,
		problems,
		field: page.getByLabel("In stock"),
		stored: async () => {
			const [milk] = await server
				.now()
				.rows("SELECT quantity FROM products WHERE id = 'milk'");
			return Number(milk?.quantity) / 1e6;
		},
		setMilk: (set: object, seenQuantity?: number) =>
			shop.mutate(caller, productUpdate, {
				id: "milk",
				set,
				...(seenQuantity === undefined ? {} : { seenQuantity }),
			}),
		sellMilk: (quantity: number) =>
			shop.mutate(caller, saleCreate, {
				id: "s1",
				items: [
					{
						id: "1",
						name: "Milk",
						quantity,
						price: 65,
						cost: 40,
						productId: "milk",
					},
				],
			}),
	};
}

async function changeStock(page: Page, by: string): Promise<void> {
	await page.getByLabel("Change by").fill(by);
	await page.getByRole("button", { name: "Change stock" }).click();
}

/** What the table shows of milk. */
const shelf = (page: Page) => page.getByLabel("On shelf: Milk").inputValue();
const shownPrice = (page: Page) => page.getByLabel("Price: Milk").inputValue();

const save = (page: Page) => page.getByRole("button", { name: "Save" }).click();

describe("stock in the product form, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a stock change shows at once, and a count typed after it becomes the stock",
		async () => {
			const { page, problems, field, stored } = await openMilk();
			await changeStock(page, "10");
			await expect.poll(() => field.inputValue()).toBe("30");
			await field.fill("28");
			await page.getByText("30 now").waitFor();
			await save(page);
			await expect.poll(stored).toBe(28);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a stock change shows at once offline, and a count typed after it becomes the stock later",
		async () => {
			const { page, context, field, stored } = await openMilk();
			await context.setOffline(true);
			await page.getByRole("status", { name: "Offline" }).waitFor();
			await changeStock(page, "10");
			await expect.poll(() => field.inputValue()).toBe("30");
			await field.fill("28");
			await save(page);
			await expect.poll(() => shelf(page)).toBe("28");
			await context.setOffline(false);
			await expect.poll(stored).toBe(28);
		},
	);

	inBrowser("a count typed before a stock change stays the count", async () => {
		const { page, field, stored } = await openMilk();
		await field.fill("25");
		await changeStock(page, "10");
		await page.getByText("30 now").waitFor();
		expect(await field.inputValue()).toBe("25");
		await save(page);
		await expect.poll(stored).toBe(25);
	});

	inBrowser(
		"sales after a count was typed are subtracted from the count",
		async () => {
			const { page, field, stored, sellMilk } = await openMilk();
			await field.fill("30");
			await sellMilk(3);
			await page.getByText("17 now").waitFor();
			await save(page);
			await expect.poll(stored).toBe(27);
		},
	);

	inBrowser(
		"an untouched field follows changes made elsewhere, and doesn't revert them",
		async () => {
			const { page, field, stored, setMilk, problems } = await openMilk();
			const price = page.getByLabel("Selling price");
			await page.getByLabel("Buying price").fill("41");
			await setMilk({ sellingPrice: 72, quantity: 33 }, 20);
			await expect.poll(() => price.inputValue()).toBe("72");
			await expect.poll(() => field.inputValue()).toBe("33");
			expect(await page.getByLabel("Buying price").inputValue()).toBe("41");
			await save(page);
			await expect.poll(() => shownPrice(page)).toBe("72.00");
			await expect.poll(stored).toBe(33);
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each(["Escape", "a tap outside"])(
		"unsaved changes survive %s that closed the form",
		async (slip) => {
			const { page, field, stored, sellMilk } = await openMilk();
			await page.getByLabel("Selling price").fill("77");
			await field.fill("30");
			if (slip === "Escape") await page.keyboard.press("Escape");
			else await page.mouse.click(200, 500);
			await page.getByText("Edit product").waitFor({ state: "detached" });
			await sellMilk(2);
			await expect.poll(() => shelf(page)).toBe("18");
			await page.getByRole("button", { name: /^Bread/ }).click();
			expect(await page.getByLabel("Selling price").inputValue()).toBe("60");
			await page.keyboard.press("Escape");
			await page.getByText("Edit product").waitFor({ state: "detached" });
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByText("These changes haven't been saved yet.").waitFor();
			expect(await page.getByLabel("Selling price").inputValue()).toBe("77");
			await save(page);
			await expect.poll(() => shownPrice(page)).toBe("77.00");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await expect.poll(stored).toBe(28);
			await page.getByLabel("Selling price").waitFor();
			expect(await page.getByText("haven't been saved yet").count()).toBe(0);
		},
	);
});
