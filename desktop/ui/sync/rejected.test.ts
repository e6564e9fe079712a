import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
} from "../testing/browser.ts";

describe("rejected mutations, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a rejected mutation is applied when sent again after its cause is gone, and so are later ones",
		async () => {
			const server = await openShopServer();
			const { userId } = await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			const setPrice = async (price: string) => {
				await page.getByRole("link", { name: "Products" }).click();
				await page.getByRole("button", { name: /^Milk/ }).click();
				await page.getByLabel("Selling price").fill(price);
				await page.getByRole("button", { name: "Save" }).click();
			};
			const setRole = (role: string) =>
				server
					.now()
					.shop.store.write((tx) =>
						tx.run(
							"UPDATE memberships SET role = ? WHERE user_id = ?",
							role,
							userId,
						),
					);
			await page.getByRole("link", { name: "Products" }).click();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await setRole("CASHIER");
			await setPrice("70");
			await page.getByRole("status", { name: /1 needs attention/ }).click();
			await page.getByText(/^Change to a product ·/).waitFor();
			await setRole("OWNER");
			await page.getByRole("button", { name: "Send again" }).dblclick();
			await page.getByText("Nothing needs attention.").waitFor();
			const stored = async () => {
				const rows = await server
					.now()
					.rows("SELECT selling_price FROM products WHERE id = 'milk'");
				return Number(rows[0]?.selling_price) / 1e6;
			};
			await expect.poll(stored).toBe(70);
			await setPrice("71");
			await expect.poll(stored).toBe(71);
			const made = await server
				.now()
				.rows("SELECT status FROM mutations WHERE name = 'product.update'");
			expect(made.map(({ status }) => status).toSorted()).toEqual([
				"applied",
				"applied",
				"rejected",
			]);
		},
	);
});
