import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { categoryCreate } from "../../../sync/entities/category.ts";
import { productUpdate } from "../../../sync/entities/product.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	inBrowser,
	openLine,
	openShopServer,
	openWindow,
	ownerCookie,
	refuseNext,
	textOf,
} from "../testing/browser.ts";

async function openShop() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, caller)]);
	// The app never uses the browser's own dialogs.
	page.on("dialog", (dialog) => problems.push(dialog.message()));
	const { shop } = server.now();
	return {
		page,
		problems,
		caller,
		shop,
		userId: caller.userId,
		go: (path: string) => page.goto(server.url + path),
		rows: (sql: string) => server.now().rows(sql),
	};
}

const undo = (page: Page) => page.getByRole("button", { name: "Undo" }).click();

describe("undo, in Chromium (skipped where none is found)", () => {
	inBrowser("undo restores a cleared sale and a removed line", async () => {
		const { page, problems, go } = await openShop();
		await go("/");
		await page.getByRole("button", { name: /Milk/ }).click();
		await page.getByRole("button", { name: /Milk/ }).first().click();
		await page.getByRole("button", { name: /Bread/ }).first().click();
		await expect.poll(() => textOf(page, "total")).toBe("KES 190");
		await page.getByRole("button", { name: "Clear" }).click();
		await expect.poll(() => textOf(page, "total")).toBe("KES 0");
		await page.getByRole("button", { name: /Sugar/ }).first().click();
		await undo(page);
		await expect.poll(() => textOf(page, "total")).toBe("KES 339.50");
		await page.getByText("Sale cleared").waitFor({ state: "detached" });
		await openLine(page, "Bread");
		await page.getByRole("button", { name: "Remove: Bread" }).click();
		await page.getByText("Bread taken out").waitFor();
		await expect.poll(() => textOf(page, "total")).toBe("KES 279.50");
		await undo(page);
		await expect.poll(() => textOf(page, "total")).toBe("KES 339.50");
		expect(problems).toEqual([]);
	});

	inBrowser("undo puts a discontinued product back on sale", async () => {
		const { page, problems, go, rows } = await openShop();
		await go("/products");
		await page.getByRole("button", { name: /^Sugar/ }).click();
		await page.getByRole("button", { name: "Stop selling" }).click();
		await page.getByText("2 products").waitFor();
		await undo(page);
		await page.getByText("3 products").waitFor();
		await expect
			.poll(() => rows("SELECT is_active FROM products WHERE id = 'sugar'"))
			.toEqual([{ is_active: 1 }]);
		expect(problems).toEqual([]);
	});

	inBrowser("an undo that fails says so", async () => {
		const { page, go } = await openShop();
		await go("/products");
		await page.getByRole("button", { name: /^Sugar/ }).click();
		await page.getByRole("button", { name: "Stop selling" }).click();
		await page.getByText("2 products").waitFor();
		await refuseNext(page, "mutate");
		await undo(page);
		await page.locator(".toast").getByText(/full/).waitFor();
		expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
	});

	inBrowser(
		"undo restores a removed category with its name, its position and its products",
		async () => {
			const { page, problems, go, rows, shop, caller } = await openShop();
			await shop.mutate(caller, categoryCreate, {
				id: "dairy",
				name: "Dairy",
				sortOrder: 3,
			});
			await shop.mutate(caller, productUpdate, {
				id: "milk",
				set: { categoryId: "dairy" },
			});
			await go("/products");
			await page.getByRole("button", { name: "Categories" }).click();
			await page.getByRole("button", { name: "Remove Dairy" }).click();
			await page
				.getByRole("button", { name: "Remove Dairy" })
				.waitFor({ state: "detached" });
			await undo(page);
			await page.getByRole("button", { name: "Remove Dairy" }).waitFor();
			await expect
				.poll(() =>
					rows(
						"SELECT p.id, c.name, c.sort_order FROM products p JOIN categories c ON c.id = p.category_id AND c.deleted = 0",
					),
				)
				.toEqual([{ id: "milk", name: "Dairy", sort_order: 3 }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser("undo restores a discarded rejected change", async () => {
		const { page, problems, go, shop, userId } = await openShop();
		await go("/products");
		await page.getByRole("button", { name: /^Milk/ }).click();
		await page.getByLabel("Selling price").fill("70");
		await shop.store.write((tx) =>
			tx.run(
				"UPDATE memberships SET role = 'CASHIER' WHERE user_id = ?",
				userId,
			),
		);
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByRole("status", { name: /1 needs attention/ }).click();
		await refuseNext(page, "discard");
		await page.getByRole("button", { name: "Discard" }).click();
		await page
			.locator(".alert")
			.getByText(/disk is full/)
			.waitFor();
		await page.getByRole("button", { name: "Discard" }).click();
		await page.getByText("Nothing needs attention.").waitFor();
		await undo(page);
		await page.getByText(/^Change to a product ·/).waitFor();
		expect(problems).toEqual([]);
	});

	inBrowser(
		"undo restores discarded form changes, and a reason typed for a refund survives Escape",
		async () => {
			const { page, problems, go, shop, caller } = await openShop();
			await shop.mutate(caller, saleCreate, {
				id: "s1",
				items: [{ id: "1", name: "Tea", quantity: 2, price: 5, cost: 1 }],
			});
			await go("/products");
			await page.getByRole("button", { name: /^Milk/ }).click();
			const price = page.getByLabel("Selling price");
			await price.fill("77");
			await page.getByLabel("Change by").fill("4");
			await page.keyboard.press("Escape");
			await price.waitFor({ state: "detached" });
			await page.getByRole("button", { name: /^Milk/ }).click();
			expect(await page.getByLabel("Change by").inputValue()).toBe("4");
			await page.getByRole("button", { name: "Discard the changes" }).click();
			await expect.poll(() => price.inputValue()).toBe("65");
			await undo(page);
			await expect.poll(() => price.inputValue()).toBe("77");
			await go("/sales");
			await page.getByRole("button", { name: /-000001/ }).click();
			await page.getByLabel("Refund: Tea").fill("1");
			await page.getByLabel("Reason").fill("Cold");
			await page.keyboard.press("Escape");
			await page.getByLabel("Reason").waitFor({ state: "detached" });
			await page.getByRole("button", { name: /-000001/ }).click();
			expect(await page.getByLabel("Reason").inputValue()).toBe("Cold");
			expect(await page.getByLabel("Refund: Tea").inputValue()).toBe("1");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a void, which can't be undone, asks for confirmation in its place",
		async () => {
			const { page, problems, go, shop, caller, rows } = await openShop();
			await shop.mutate(caller, saleCreate, {
				id: "s1",
				items: [{ id: "1", name: "Tea", quantity: 2, price: 5, cost: 1 }],
			});
			await go("/sales");
			await page.getByRole("button", { name: /-000001/ }).click();
			await page.getByLabel("Reason").fill("By mistake");
			const voids = page.getByRole("button", { name: "Void" });
			await voids.click();
			await page.getByText("Void the whole sale?").waitFor();
			await page.getByRole("button", { name: "Cancel" }).click();
			expect(await rows("SELECT id FROM refunds")).toEqual([]);
			await voids.click();
			await voids.click();
			await page.getByText("VOIDED").first().waitFor();
			// The page shows it before the server has it.
			await expect
				.poll(() => rows("SELECT kind FROM refunds"))
				.toEqual([{ kind: "void" }]);
			expect(problems).toEqual([]);
		},
	);
});
