import { describe, expect } from "vitest";
import { compactType } from "../../../sync/protocol/compact.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	quantityOf,
} from "../testing/browser.ts";

describe("a browser's till, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a browser's till pushes its sale in the compact form [COMPACT-2]",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			const { page, context } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			const forms = new Set<string | undefined>();
			context.on("request", (request) => {
				const { pathname } = new URL(request.url());
				if (request.method() === "POST" && pathname === "/api/sync")
					forms.add(request.headers()["content-type"]);
			});
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await expect.poll(() => quantityOf(page, "Milk")).toBe("1");
			for (const key of ["F8", "Enter"]) await page.keyboard.press(key);
			await expect
				.poll(() => server.now().rows("SELECT total FROM sales"))
				.toHaveLength(1);
			// The snapshot's answer had said that the server reads it.
			expect([...forms]).toEqual([compactType]);
		},
	);
});
