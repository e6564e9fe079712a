import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { categoryCreate } from "../../../sync/entities/category.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	refuseNext,
} from "../testing/browser.ts";

/** Opens the products page of a shop whose bread has no price and no code, and whose sugar runs low. */
async function openTable(products?: Record<string, object>) {
	const server = await openShopServer();
	const caller = await server.fill(
		products ?? {
			Bread: { sellingPrice: null },
			Milk: { sku: "6001087340014", sellingPrice: 65 },
			Sugar: { sku: "S", sellingPrice: 149.5, buyingPrice: 150, quantity: 2 },
		},
	);
	await server.now().shop.mutate(caller, categoryCreate, {
		...{ id: "dairy", name: "Dairy" },
	});
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, caller)]);
	await page.goto(`${server.url}/products`);
	const [first = "Bread"] = Object.keys(products ?? {});
	await page.getByLabel(`Price: ${first}`).waitFor();
	return {
		...{ server, page, context, problems },
		stored: async (column: string) => {
			const rows = await server
				.now()
				.rows(`SELECT ${column} AS value FROM products ORDER BY name`);
			return rows.map(({ value }) =>
				typeof value === "number" ? value / 1e6 : value,
			);
		},
	};
}

const cell = (page: Page, label: string) => page.getByLabel(label).inputValue();
const undo = (page: Page) => page.getByRole("button", { name: "Undo" }).click();
/** Points at a toast, so that it stays until it is undone. */
async function pointAt(page: Page, text: string): Promise<void> {
	await expect.poll(() => page.getByText(text).count()).toBe(1);
	await page.getByText(text).hover();
}

describe("the table of products, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"prices typed down a column are saved, Escape gives one back, and Undo the last",
		async () => {
			const { page, stored, problems } = await openTable();
			await page.getByLabel("Price: Bread").click();
			await page.keyboard.type("60");
			await page.keyboard.press("Enter");
			await page
				.getByLabel("Price: Milk")
				.and(page.locator(":focus"))
				.waitFor();
			// As slowly as a person, whom the scanner must not be taken for.
			await page.keyboard.type("70,5", { delay: 120 });
			await page.keyboard.press("Enter");
			await page
				.getByLabel("Price: Sugar")
				.and(page.locator(":focus"))
				.waitFor();
			await page.keyboard.type("1");
			await page.keyboard.press("Escape");
			expect(await cell(page, "Price: Sugar")).toBe("149.50");
			await pointAt(page, "Milk: price 65 → 70.50");
			await expect
				.poll(() => stored("selling_price"))
				.toEqual([60, 70.5, 149.5]);
			await undo(page);
			await expect.poll(() => stored("selling_price")).toEqual([60, 65, 149.5]);
			await expect.poll(() => cell(page, "Price: Milk")).toBe("65.00");
			await page.getByLabel("Category: Milk").selectOption("Dairy");
			await page.locator(".toast").hover();
			await expect
				.poll(() => stored("category_id"))
				.toEqual([null, "dairy", null]);
			await undo(page);
			await expect
				.poll(() => stored("category_id"))
				.toEqual([null, null, null]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a count typed offline becomes a movement from what was seen, and Undo takes it back",
		async () => {
			const { server, page, context, stored } = await openTable();
			await context.setOffline(true);
			await page.getByRole("status", { name: "Offline" }).waitFor();
			await page.getByLabel("On shelf: Milk").fill("17.5");
			await page.keyboard.press("Enter");
			await expect.poll(() => cell(page, "On shelf: Milk")).toBe("17.5");
			await page.getByLabel("On shelf: Sugar").fill("5");
			await page.keyboard.press("Enter");
			await page.getByText("Sugar: counted 5, was 2").waitFor();
			await undo(page);
			await expect.poll(() => cell(page, "On shelf: Sugar")).toBe("2");
			await context.setOffline(false);
			await expect.poll(() => stored("quantity")).toEqual([20, 17.5, 2]);
			const counts =
				"SELECT delta, reason FROM stock_movements WHERE reason = 'count' ORDER BY version";
			await expect
				.poll(() => server.now().rows(counts))
				.toEqual([
					{ delta: -2.5e6, reason: "count" },
					{ delta: 3e6, reason: "count" },
					{ delta: -3e6, reason: "count" },
				]);
		},
	);

	inBrowser(
		"filters count what is to put right, and a search narrows them",
		async () => {
			const { page } = await openTable();
			const filter = (name: string) => page.getByRole("radio", { name });
			const names = async () => {
				const all = await page.locator(".cell-name button").allTextContents();
				return all.map((text) => text.match(/^[A-Z][a-z]+/)?.[0]);
			};
			await filter("All 3").waitFor();
			expect(await filter("Below zero").count()).toBe(0);
			await filter("Low 1").click();
			await expect.poll(names).toEqual(["Sugar"]);
			await filter("Under cost 1").click();
			await expect.poll(names).toEqual(["Sugar"]);
			await filter("No code 1").click();
			await expect.poll(names).toEqual(["Bread"]);
			await filter("No price 1").click();
			await page.getByLabel("Search or scan").fill("milk");
			await page.getByText("No product found").waitFor();
			await page.getByLabel("Search or scan").fill("bre");
			await page.getByLabel("Price: Bread").fill("60");
			await page.keyboard.press("Enter");
			await page.getByRole("button", { name: "Show all products" }).click();
			await expect.poll(names).toEqual(["Bread", "Milk", "Sugar"]);
		},
	);

	inBrowser(
		"chosen products show their new prices before they are set, and Undo restores each old price",
		async () => {
			const { page, stored, problems } = await openTable();
			const all = page.getByLabel("Choose all");
			const mixed = page.locator("thead input:indeterminate");
			for (const name of ["Bread", "Milk", "Sugar"]) {
				await page.getByLabel(`Choose ${name}`).click();
				await expect.poll(() => mixed.count()).toBe(name === "Sugar" ? 0 : 1);
			}
			expect(await all.isChecked()).toBe(true);
			await page.getByText("3 chosen").waitFor();
			await page.getByRole("button", { name: "+ 5 %" }).click();
			expect(await cell(page, "New price: Milk")).toBe("68.25");
			expect(await cell(page, "New price: Bread")).toBe("");
			await page.getByRole("button", { name: "Round to 5" }).click();
			expect(await cell(page, "New price: Milk")).toBe("70");
			expect(await cell(page, "New price: Sugar")).toBe("155");
			await page.getByLabel("New price: Bread").fill("62");
			expect(await stored("selling_price")).toEqual([null, 65, 149.5]);
			const set = page.getByRole("button", { name: "Set 3 prices" });
			await refuseNext(page, "product.some");
			await set.click();
			await page.getByText(/disk is full/).waitFor();
			await set.click();
			await pointAt(page, "3 prices set");
			await expect.poll(() => stored("selling_price")).toEqual([62, 70, 155]);
			expect(await page.getByText("3 chosen").count()).toBe(0);
			await undo(page);
			await expect
				.poll(() => stored("selling_price"))
				.toEqual([null, 65, 149.5]);
			await page.getByLabel("Choose all").click();
			await page.getByRole("button", { name: "Stop selling" }).click();
			await page.getByText("3 products are no longer sold").waitFor();
			await undo(page);
			await page.getByRole("radio", { name: "All 3" }).waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each([
		[1366, 768],
		[390, 844],
	])(
		"at %i px prices of eight digits and their cents are shown whole, also while new ones are set",
		async (width, height) => {
			const { page, problems } = await openTable({
				Truck: { sellingPrice: 98_765_432.5, buyingPrice: 98_000_000 },
			});
			await page.setViewportSize({ width, height });
			const cut = () =>
				page.evaluate(() =>
					[
						...document.querySelectorAll(
							".cell-price, .cell-price *, .cell-new *",
						),
					]
						.filter((one) => one.scrollWidth > one.clientWidth)
						.map((one) => one.outerHTML),
				);
			expect(await cell(page, "Price: Truck")).toBe("98,765,432.50");
			await expect.poll(cut).toEqual([]);
			await page.getByLabel("Choose Truck").click();
			await page.getByRole("button", { name: "+ 5 %" }).click();
			await page.getByLabel("New price: Truck").waitFor();
			await expect.poll(cut).toEqual([]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser("300 prices are set at once and restored by one Undo", async () => {
		const names = Array.from({ length: 300 }, (_, i) => `Tea ${1001 + i}`);
		const { page, stored } = await openTable(
			Object.fromEntries(names.map((name) => [name, {}])),
		);
		const prices = async () => [...new Set(await stored("selling_price"))];
		await page.getByLabel("Choose all").click();
		await page.getByText("300 chosen").waitFor();
		await page.getByRole("button", { name: "+ 10", exact: true }).click();
		await page.getByRole("button", { name: "Set 300 prices" }).click();
		await pointAt(page, "300 prices set");
		await expect.poll(prices).toEqual([60]);
		await undo(page);
		await expect.poll(prices).toEqual([50]);
	});
});
