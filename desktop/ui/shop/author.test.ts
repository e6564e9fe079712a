import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
} from "../testing/browser.ts";

async function signOut(page: Page): Promise<void> {
	await page.getByRole("button", { name: /account/ }).click();
	await page.getByRole("button", { name: "Sign out" }).click();
	await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

describe("the author of a change, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a change that the owner made before a cashier signed in stays the owner's, and waits if the cashier may not make it",
		async () => {
			const server = await openShopServer();
			const { userId: ownerId, businessId } = await server.fill();
			const { store, env } = server.now().shop;
			const { id: cashierId } = await createUser(
				store,
				env,
				{
					email: "otieno@example.com",
					name: "Otieno",
					passwordHash: cheapHash,
				},
				{ businessId, role: "CASHIER" },
			);
			const { page } = await openWindow();
			await signIn(page, server);
			const sell = async () => {
				await page.getByRole("button", { name: /^Milk/ }).click();
				await page.keyboard.press("F8");
				await page.getByRole("button", { name: "Complete sale" }).click();
				await page.getByRole("button", { name: "Next sale" }).click();
			};
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			// Nothing is sent until the cashier has signed in.
			await page.route("**/api/sync", (route) =>
				route.request().method() === "POST" ? route.abort() : route.continue(),
			);
			await sell();
			await page.getByRole("link", { name: "Products" }).click();
			await page.getByRole("button", { name: /^Bread/ }).click();
			await page.getByLabel("Selling price").fill("70");
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByRole("status", { name: /2 waiting/ }).waitFor();
			await signOut(page);
			await page.unroute("**/api/sync");
			const account = { ...server.account, email: "otieno@example.com" };
			await page.getByLabel("Email").fill(account.email);
			await page.getByLabel("Password").first().fill(account.password);
			await page.getByRole("button", { name: "Sign in" }).click();
			await sell();
			const sellers = () =>
				server.now().rows("SELECT user_id FROM sales ORDER BY created_at");
			await expect
				.poll(sellers)
				.toEqual([{ user_id: ownerId }, { user_id: cashierId }]);
			await page.getByRole("status", { name: /1 waiting/ }).waitFor();
			const price = () =>
				server
					.now()
					.rows("SELECT selling_price FROM products WHERE id = 'bread'");
			expect(await price()).toEqual([{ selling_price: 60e6 }]);
			await signOut(page);
			await signIn(page, server);
			await expect.poll(price).toEqual([{ selling_price: 70e6 }]);
		},
	);
});
