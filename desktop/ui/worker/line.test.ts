import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

/** A shop's server, and a browser that its owner is signed in on and that has not opened it yet. */
async function openSignedIn() {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	return { url: server.url, page, context };
}

describe("a browser's line to its server, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a new till asks for the shop once, before its database is there, and an opened one not at all",
		async () => {
			const { url, page, context } = await openSignedIn();
			const asked: string[] = [];
			context.on("request", (request) => {
				const { pathname, searchParams } = new URL(request.url());
				if (pathname === "/api/sync/snapshot")
					asked.push(searchParams.get("part") ?? "");
			});
			const milk = page.getByRole("button", { name: /^Milk/ });
			await page.goto(url);
			await milk.click();
			expect(asked).toEqual(["0"]);
			await page.reload();
			await milk.click();
			expect(asked).toEqual(["0"]);
		},
	);

	inBrowser("a new till whose first question failed asks again", async () => {
		const { url, page, context } = await openSignedIn();
		let asked = 0;
		await context.route("**/api/sync/snapshot?*", (route) => {
			asked += 1;
			return asked === 1 ? route.abort() : route.continue();
		});
		await page.goto(url);
		await page.getByRole("button", { name: /^Milk/ }).click();
		expect(asked).toBe(2);
	});
});
