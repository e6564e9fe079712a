import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
} from "../testing/browser.ts";

async function openTill() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page, context, problems } = await openWindow({
		serviceWorkers: "allow",
	});
	await context.addCookies([await ownerCookie(server, caller)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	// The service worker has saved the other pages for offline use.
	await page.evaluate(() => navigator.serviceWorker.ready);
	return { server, page, problems };
}

/** Sells one milk. @param arrival the state that the receipt then shows */
async function sell(page: Page, receipt: RegExp, arrival: string) {
	await scan(page, "6001087340014");
	await scan(page, "CF-CASH");
	await page.getByText(arrival).waitFor();
	await page
		.getByRole("article", { name: "Receipt" })
		.getByText(receipt)
		.waitFor();
	await page.getByRole("button", { name: "Next sale" }).click();
}

const compare = (page: Page) =>
	page.getByRole("button", { name: "Compare" }).click();

describe("End of day in Chromium (skipped where none is found)", () => {
	inBrowser(
		"End of day lists a sale that the server doesn't have, online or offline, until it arrives",
		async () => {
			const { server, page, problems } = await openTill();
			await sell(page, /-000001/, "On the server");
			await server.stop();
			await sell(page, /-000002/, "Saved on this till");
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await compare(page);
			const missing = page.getByRole("alert");
			await missing.getByText(/-000002/).waitFor();
			expect(await missing.getByText(/-000001/).count()).toBe(0);
			await page.getByRole("row", { name: /^On this till 2 sales/ }).waitFor();
			await page.getByRole("row", { name: /^On the server 1 sale/ }).waitFor();
			await server.start();
			await compare(page);
			await page.getByText("They match.").waitFor();
			expect(await page.getByText("2 sales").count()).toBe(2);
			expect(await missing.count()).toBe(0);
			expect(problems).toEqual([]);
		},
	);
});
