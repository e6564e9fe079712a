import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	textOf,
} from "../testing/browser.ts";

const unknown = "4006381333931";

/** A shop with one till for its owner and one for a cashier. */
async function openShop() {
	const server = await openShopServer();
	const owner = await server.fill({
		Milk: { sku: "6001087340014", sellingPrice: 65 },
		Gift: { sku: "GIFT-1", sellingPrice: null },
	});
	const { store, env } = server.now().shop;
	const { id: userId } = await createUser(
		store,
		env,
		{ email: "c@example.com", name: "Chege", passwordHash: cheapHash },
		{ businessId: owner.businessId, role: "CASHIER" },
	);
	const open = async (who: { userId: string; businessId: string }) => {
		const { page, context, problems } = await openWindow();
		await context.addCookies([await ownerCookie(server, who)]);
		await page.goto(server.url);
		await page.getByRole("button", { name: /^Milk/ }).waitFor();
		return { page, problems };
	};
	return { server, owner, cashier: { ...owner, userId }, open };
}

const sheetOf = (page: Page, name = "New item") =>
	page.getByRole("dialog", { name });
const button = (page: Page, name: string) =>
	page.getByRole("button", { name, exact: true });

describe("the item sheet, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"an unknown barcode is named, priced and sold without leaving the sale, and kept as a product",
		async () => {
			const { server, owner, open } = await openShop();
			const { page, problems } = await open(owner);
			await scan(page, "6001087340014");
			await scan(page, unknown);
			const sheet = sheetOf(page);
			await sheet.getByText(unknown).waitFor();
			// Enter moves to the next missing field and sells nothing without a price.
			await page.keyboard.press("Enter");
			await sheet.getByText("Type a name.").waitFor();
			await sheet.getByLabel("Name").fill("Soap");
			await page.keyboard.press("Enter");
			await sheet.getByText("Type a price greater than 0.").waitFor();
			await page.locator(":focus").fill("0");
			await page.keyboard.press("Enter");
			await sheet.getByText("Type a price greater than 0.").waitFor();
			// Scans while the sheet is open go into the sale, and the sheet stays.
			await scan(page, "6001087340014");
			for (const code of [unknown, "9780201379624", "CF-CASH"])
				await scan(page, code);
			await sheet.getByLabel("Price").fill("35");
			await page.keyboard.press("Enter");
			await sheet.waitFor({ state: "detached" });
			expect(new URL(page.url()).pathname).toBe("/");
			await expect.poll(() => textOf(page, "total")).toBe("KES 165");
			await scan(page, unknown);
			await expect.poll(() => textOf(page, "total")).toBe("KES 200");
			await scan(page, "CF-CASH");
			await page.getByText("On the server").waitFor();
			expect(
				await server
					.now()
					.rows(
						"SELECT p.name, p.sku, p.selling_price, i.quantity FROM products p JOIN sale_items i ON i.product_id = p.id WHERE p.name = 'Soap'",
					),
			).toEqual([
				{ name: "Soap", sku: unknown, selling_price: 35e6, quantity: 2e6 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"an unknown barcode scanned during payment joins the sale and leaves the payment as it was",
		async () => {
			const { server, owner, open } = await openShop();
			const { page, problems } = await open(owner);
			await scan(page, "6001087340014");
			await page.keyboard.press("F8");
			const received = page.getByLabel("Cash received");
			await received.fill("200");
			await scan(page, unknown);
			await sheetOf(page).waitFor();
			await page.keyboard.press("Escape");
			await sheetOf(page).waitFor({ state: "detached" });
			expect(await received.inputValue()).toBe("200");
			await scan(page, unknown);
			await sheetOf(page).getByLabel("Name").fill("Soap");
			await sheetOf(page).getByLabel("Price").fill("35");
			await button(page, "Sell once").click();
			await sheetOf(page).waitFor({ state: "detached" });
			expect(await received.inputValue()).toBe("200");
			await expect.poll(() => textOf(page, "change")).toBe("KES 100");
			await button(page, "Complete sale").click();
			await page.getByText("On the server").waitFor();
			expect(
				await server
					.now()
					.rows("SELECT name, price, product_id FROM sale_items ORDER BY id"),
			).toEqual([
				{ name: "Milk", price: 65e6, product_id: "milk" },
				{ name: "Soap", price: 35e6, product_id: null },
			]);
			expect(
				await server.now().rows("SELECT id FROM products WHERE name = 'Soap'"),
			).toEqual([]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a cashier learns whom to ask about an unknown barcode, and sells open items once the owner allows it",
		async () => {
			const { server, owner, cashier, open } = await openShop();
			const { page, problems } = await open(cashier);
			await scan(page, "6001087340014");
			await scan(page, unknown);
			const line = page.getByText("Ask the owner or a manager to add it.");
			await line.waitFor();
			expect(await button(page, "Item without a product").count()).toBe(0);
			await page.keyboard.press("F8");
			await page.getByLabel("Cash received").waitFor();
			await scan(page, unknown);
			await line.waitFor();
			await page.keyboard.press("Escape");
			expect(await textOf(page, "total")).toBe("KES 65");

			const { page: owners } = await open(owner);
			await owners.getByRole("link", { name: "Settings" }).click();
			await owners
				.getByRole("switch", { name: /Cashiers can sell an item/ })
				.click();
			await owners.getByText("Saved", { exact: true }).waitFor();

			await button(page, "Item without a product").waitFor();
			await scan(page, unknown);
			await sheetOf(page).getByLabel("Name").fill("Soap");
			await sheetOf(page).getByLabel("Price").fill("35");
			expect(await button(page, "Sell and keep").count()).toBe(0);
			await page.keyboard.press("Enter");
			await expect.poll(() => textOf(page, "total")).toBe("KES 100");
			// A search without a result is sold by its name.
			await page.getByLabel("Search or scan").fill("Haircut");
			await button(page, "Sell “Haircut” without a product").click();
			await page.keyboard.type("150");
			await page.keyboard.press("Enter");
			await expect.poll(() => textOf(page, "total")).toBe("KES 250");
			await scan(page, "CF-CASH");
			await page.getByText("On the server").waitFor();
			expect(
				await server
					.now()
					.rows(
						"SELECT name, price FROM sale_items WHERE product_id IS NULL ORDER BY id",
					),
			).toEqual([
				{ name: "Soap", price: 35e6 },
				{ name: "Haircut", price: 150e6 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a product without a price asks for one once per sale, and keeps it if its owner says so",
		async () => {
			const { server, owner, cashier, open } = await openShop();
			const { page } = await open(cashier);
			const gift = page.getByRole("button", { name: /^Gift/ });
			await gift.click();
			const sheet = sheetOf(page, "Price of Gift");
			await sheet.waitFor();
			await page.keyboard.press("Enter");
			await sheet.getByText("Type a price greater than 0.").waitFor();
			expect(await button(page, "Sell and keep").count()).toBe(0);
			await page.keyboard.type("120");
			await page.keyboard.press("Enter");
			await expect.poll(() => textOf(page, "total")).toBe("KES 120");
			await scan(page, "GIFT-1");
			await expect.poll(() => textOf(page, "total")).toBe("KES 240");
			await scan(page, "CF-CASH");
			await page.getByText("On the server").waitFor();
			const prices = () =>
				server
					.now()
					.rows("SELECT selling_price FROM products WHERE id = 'gift'");
			expect(await prices()).toEqual([{ selling_price: null }]);

			const { page: owners } = await open(owner);
			await scan(owners, "GIFT-1");
			await sheetOf(owners, "Price of Gift").waitFor();
			await expect
				.poll(() => owners.evaluate("document.activeElement?.tagName"))
				.toBe("INPUT");
			await owners.keyboard.type("99");
			await button(owners, "Sell and keep").click();
			await expect.poll(() => textOf(owners, "total")).toBe("KES 99");
			await expect.poll(prices).toEqual([{ selling_price: 99e6 }]);
		},
	);

	inBrowser(
		"no button text is cut off on a phone, in English or Swahili",
		async () => {
			const { owner, open } = await openShop();
			const { page } = await open(owner);
			await page.setViewportSize({ width: 390, height: 800 });
			const cut = () =>
				page.evaluate(
					`[...document.querySelectorAll(".btn:not(.btn-icon)")]
						.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
						.map((one) => one.textContent)`,
				);
			for (const language of ["en", "sw"]) {
				await page.evaluate(
					(value) => localStorage.setItem("counterfoil-language", value),
					language,
				);
				await page.reload();
				await page.getByRole("button", { name: /^Milk/ }).click();
				await scan(page, unknown);
				await page.getByRole("dialog").getByText(unknown).waitFor();
				await expect.poll(cut).toEqual([]);
				await page.keyboard.press("Escape");
				await page.getByRole("dialog").waitFor({ state: "detached" });
				await page.keyboard.press("F8");
				const received = page.getByRole("dialog").locator("[data-autofocus]");
				await received.fill("50");
				await received.press("Enter");
				const questions = page.getByRole("alert").getByRole("button");
				await expect.poll(() => questions.count()).toBe(2);
				await expect.poll(cut).toEqual([]);
				await questions.first().click();
				await page.getByTestId("change-due").waitFor();
				await expect.poll(cut).toEqual([]);
				await page.keyboard.press("Escape");
				await page.getByTestId("change-due").waitFor({ state: "detached" });
			}
		},
	);
});
