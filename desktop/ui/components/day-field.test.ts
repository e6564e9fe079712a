import { describe, expect } from "vitest";
import { faultsOf } from "../testing/axe.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

describe("a day field, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"days are chosen in the app's language, by keys and by touch",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			// The browser speaks English, the app Swahili.
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await context.addInitScript(
				'localStorage.setItem("counterfoil-language", "sw")',
			);
			await page.goto(`${server.url}/sales?from=2026-11-24&to=2026-11-25`);
			const from = page.getByRole("button", { name: "Kuanzia" }).first();
			await expect.poll(() => from.innerText()).toBe("24 Nov 2026");
			await from.focus();
			await page.keyboard.press("Enter");
			await page.getByText("Novemba 2026").waitFor();
			await page.getByRole("columnheader", { name: "Jumatatu" }).waitFor();
			expect(await faultsOf(page, "day field")).toEqual([]);
			for (const { width, height } of await page
				.locator(".day-calendar button")
				.evaluateAll((all) => all.map((one) => one.getBoundingClientRect())))
				expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);

			for (const key of ["PageUp", "ArrowUp", "End", "Enter"])
				await page.keyboard.press(key);
			await expect.poll(() => page.url()).toContain("from=2026-10-18");
			await expect.poll(() => from.innerText()).toBe("18 Okt 2026");
			const isFocused = () =>
				from.evaluate((one) => one === document.activeElement);
			expect(await isFocused()).toBe(true);

			await from.click();
			await page.getByRole("button", { name: "Mwezi unaofuata" }).click();
			await page.getByText("Novemba 2026").waitFor();
			await page.keyboard.press("Escape");
			expect(await page.locator(".day-calendar").count()).toBe(0);
			expect(await isFocused()).toBe(true);

			await page.setViewportSize({ width: 390, height: 844 });
			await page.getByRole("button", { name: "Hadi" }).first().click();
			await page.getByRole("button", { name: /30 Novemba/ }).click();
			await expect.poll(() => page.url()).toContain("to=2026-11-30");
			expect(problems).toEqual([]);
		},
	);
});
