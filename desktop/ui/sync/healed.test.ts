import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
} from "../testing/browser.ts";

describe("records that differ from the server's, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a browser's till puts records right that differ from the server's, and the sync page says so [HEAL-1] [HEAL-4]",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await page.getByRole("link", { name: "Products" }).click();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			// Under the same version, so that no feed brings it.
			await server
				.now()
				.shop.store.write((tx) =>
					tx.run("UPDATE products SET name = 'Maziwa' WHERE id = 'milk'"),
				);
			await page.reload();
			await page.getByRole("button", { name: /^Maziwa/ }).waitFor();
			await page.getByRole("link", { name: "Sync" }).click();
			const note = page.getByText(
				/^1 record differed from the server and was put right: /,
			);
			await note.waitFor();
			expect(await page.getByRole("alert").count()).toBe(0);
		},
	);
});
