import { describe, expect, test } from "vitest";
import {
	chromiumPath,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

const inBrowser = test.skipIf(chromiumPath === undefined);

describe("customers, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a customer that one till adds, changes and removes appears, changes and goes on another",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			const open = async () => {
				const { page, context, problems } = await openWindow();
				await context.addCookies([await ownerCookie(server, owner)]);
				await page.goto(server.url);
				await page.getByRole("link", { name: "Customers" }).click();
				await page.getByText("No customers yet").waitFor();
				return { page, problems };
			};
			const [one, other] = [await open(), await open()];
			const { page } = one;

			await page.getByRole("button", { name: "Add a customer" }).click();
			await page.getByLabel("Name").fill("One");
			await page.getByRole("button", { name: "Save" }).click();
			await other.page.getByRole("button", { name: "One" }).waitFor();

			await page.getByRole("button", { name: "One" }).click();
			await page.getByLabel("Note").fill("Bring a bag");
			await page.getByRole("button", { name: "Save" }).click();
			await other.page.getByText("Bring a bag").waitFor();

			await page.getByRole("button", { name: "One" }).click();
			await page.getByRole("button", { name: "Remove" }).click();
			await other.page.getByText("No customers yet").waitFor();
			await page.getByRole("button", { name: "Undo" }).click();
			await other.page.getByText("Bring a bag").waitFor();
			expect([...one.problems, ...other.problems]).toEqual([]);
		},
	);
});
