import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
	goods,
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	textOf,
} from "../testing/browser.ts";

/** Counts what a person does: keys pressed and taps. A scanner's keys are made up, and not counted. */
const countPresses = `
	window.presses = 0;
	for (const type of ["keydown", "pointerdown"])
		addEventListener(type, ({ isTrusted }) => { presses += Number(isTrusted); }, { capture: true });`;

const pressesOf = (page: Page) => page.evaluate<number>("presses");

async function openTill(options?: Parameters<typeof openWindow>[0]) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.addInitScript(countPresses);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	const button = (name: string) =>
		page.getByRole("button", { name, exact: true });
	async function expectSold(): Promise<void> {
		await page.getByText("On the server").waitFor();
		expect(
			await server
				.now()
				.rows("SELECT total, paid, payment_method FROM sales WHERE total > 0"),
		).toEqual([{ total: 125e6, paid: 125e6, payment_method: "CASH" }]);
		expect(problems).toEqual([]);
	}
	return { page, button, expectSold };
}

async function scanBoth(page: Page): Promise<void> {
	for (const { sku } of [goods.Milk, goods.Bread]) await scan(page, sku);
	await expect.poll(() => textOf(page, "total")).toBe("KES 125");
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

describe("the effort of a cash sale of two goods, in Chromium (skipped where none is found)", () => {
	inBrowser("two scanned goods are paid with two keys", async () => {
		const { page, expectSold } = await openTill();
		await scanBoth(page);
		await page.keyboard.press("F8");
		await page.keyboard.press("Enter");
		await expectSold();
		expect(await pressesOf(page)).toBe(2);
	});

	inBrowser("two scanned goods are paid with two taps", async () => {
		const { page, button, expectSold } = await openTill({ hasTouch: true });
		await scanBoth(page);
		await button("Pay").tap();
		await button("Complete sale").tap();
		await expectSold();
		expect(await pressesOf(page)).toBe(2);
	});

	inBrowser(
		"two scanned goods are paid by the scanner, without a key or a tap",
		async () => {
			const { page, expectSold } = await openTill();
			await scanBoth(page);
			await scan(page, "CF-CASH");
			await expectSold();
			expect(await pressesOf(page)).toBe(0);
		},
	);

	inBrowser(
		"on a phone two goods are picked and paid with three taps",
		async () => {
			const { page, button, expectSold } = await openTill(phone);
			await page.getByRole("button", { name: /^Milk/ }).tap();
			await page.getByRole("button", { name: /^Bread/ }).tap();
			await button("Exact cash").tap();
			await expectSold();
			expect(await pressesOf(page)).toBe(3);
		},
	);
});
