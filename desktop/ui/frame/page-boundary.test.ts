import { describe } from "vitest";
import {
	inBrowser,
	lineOf,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

describe("a page that can't be loaded, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"without the server it says so, and the till goes on with its sale",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			// A browser keeps pages for offline use only at secure addresses.
			const { page, context } = await openWindow({ serviceWorkers: "block" });
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await lineOf(page, "Milk").waitFor();
			await context.setOffline(true);
			await page.getByRole("link", { name: "Products" }).click();
			await page.getByText("This page couldn't be opened").waitFor();
			await page.getByRole("link", { name: "Till", exact: true }).click();
			await lineOf(page, "Milk").waitFor();
			await page.getByRole("link", { name: "Products" }).click();
			await context.setOffline(false);
			await page.getByRole("button", { name: "Try again" }).click();
			await page.getByRole("heading", { name: "Products" }).waitFor();
		},
	);
});
