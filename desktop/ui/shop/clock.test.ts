import { describe, expect } from "vitest";
import { productUpdate } from "../../../sync/entities/product.ts";
import { businessDay } from "../../../sync/protocol/clock.ts";
import {
	changeWorkers,
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
} from "../testing/browser.ts";

const hourMs = 3_600_000;

/** A page on a computer whose clock is wrong. */
async function openWithClock(aheadMs: number) {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page, problems, context } = await openWindow();
	const wrong = `
		const Right = Date;
		Date = class extends Right {
			constructor(...all) { all.length > 0 ? super(...all) : super(Right.now() + ${aheadMs}); }
			static now() { return Right.now() + ${aheadMs}; }
		};`;
	await page.addInitScript(wrong);
	await changeWorkers(context, wrong);
	await signIn(page, server);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	await page.getByRole("status", { name: "Online" }).waitFor();
	return { server, caller, page, problems, context };
}

describe("a browser whose clock is wrong, in Chromium (skipped where none is found)", () => {
	inBrowser.each([
		["a day and two hours slow", -26 * hourMs],
		["two days fast", 48 * hourMs],
		["in 1970, its battery being dead", -Date.now()],
	])(
		"a sale gets the server's time, also offline, when the browser's clock is %s",
		async (_, aheadMs) => {
			const { server, page, problems, context } = await openWithClock(aheadMs);
			await context.setOffline(true);
			await page.getByRole("status", { name: "Offline" }).waitFor();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await page.getByRole("button", { name: "Complete sale" }).click();
			await page.getByText("Saved on this till").waitFor();
			const today = new Intl.DateTimeFormat("en-GB", {
				dateStyle: "medium",
				timeZone: "Africa/Nairobi",
			}).format();
			expect(await page.getByRole("article").textContent()).toContain(today);
			await context.setOffline(false);
			await page.getByText("On the server").waitFor();
			const [sale] = await server
				.now()
				.rows("SELECT created_at, business_day FROM sales");
			const awayMs = Date.parse(sale?.created_at as string) - Date.now();
			expect(Math.abs(awayMs)).toBeLessThan(hourMs / 4);
			expect(sale?.business_day).toBe(
				businessDay(new Date().toISOString(), "Africa/Nairobi", 0),
			);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a price set in a browser with a slow clock replaces an older price",
		async () => {
			const { server, caller, page } = await openWithClock(-2 * hourMs);
			await server.now().shop.mutate(caller, productUpdate, {
				id: "milk",
				set: { sellingPrice: 61 },
			});
			await page.getByRole("button", { name: /^Milk.*61/ }).waitFor();
			await page.getByRole("link", { name: "Products" }).click();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Selling price").fill("88");
			await page.getByRole("button", { name: "Save" }).click();
			await expect
				.poll(() =>
					server
						.now()
						.rows("SELECT selling_price FROM products WHERE id = 'milk'"),
				)
				.toEqual([{ selling_price: 88e6 }]);
		},
	);
});
