import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	textOf,
} from "../testing/browser.ts";

describe("number fields of a line, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"the till charges exactly what the price and quantity fields show",
		async () => {
			const server = await openShopServer();
			const caller = await server.fill({
				Milk: { sellingPrice: 65.2 },
				Gift: { sellingPrice: null },
			});
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, caller)]);
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Milk/ }).click();
			const price = page.getByLabel("Price: Milk");
			const quantity = page.getByLabel("Quantity: Milk");
			const total = () => expect.poll(() => textOf(page, "total"));
			for (const [typed, charged] of [
				["65.50", "KES 65.50"],
				["65.00", "KES 65"],
				["0.50", "KES 0.50"],
				["50", "KES 50"],
			] as const) {
				await price.fill(typed);
				await total().toBe(charged);
			}
			await quantity.fill("12.05");
			await quantity.press("Backspace");
			expect(await quantity.inputValue()).toBe("12.0");
			await total().toBe("KES 600");
			for (const [typed, shown] of [
				["0", "0"],
				["", ""],
				["5000000000", "5000000000"],
			] as const) {
				await quantity.fill(typed);
				expect(await quantity.inputValue()).toBe(shown);
				expect(await quantity.getAttribute("aria-invalid")).toBe("true");
				await quantity.blur();
				expect(await quantity.inputValue()).toBe("12");
				expect(await quantity.getAttribute("aria-invalid")).toBeNull();
			}
			await quantity.fill("-3");
			await total().toBe("KES 150");
			expect(await quantity.inputValue()).toBe("3");
			// A change made elsewhere replaces what was typed.
			await quantity.fill("3.0");
			await page.getByRole("button", { name: "One more: Milk" }).click();
			expect(await quantity.inputValue()).toBe("4");
			await total().toBe("KES 200");
			await page.getByRole("button", { name: /^Gift/ }).click();
			await page.keyboard.type("100");
			await page.keyboard.press("Enter");
			const discount = async (percent: string) => {
				await page
					.getByRole("button", { name: "Discount", exact: true })
					.click();
				await page.getByLabel("Per cent off").fill(percent);
				await page.getByRole("button", { name: "Apply" }).click();
			};
			await discount("10");
			await total().toBe("KES 270");
			await discount("0");
			await total().toBe("KES 300");
			await page.getByRole("button", { name: "Discount", exact: true }).click();
			await page.getByLabel("Per cent off").fill("");
			expect(
				await page.getByRole("button", { name: "Apply" }).isDisabled(),
			).toBe(true);
			expect(problems).toEqual([]);
		},
	);
});
