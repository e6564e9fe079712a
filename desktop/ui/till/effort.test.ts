import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import { makePinKey } from "../../../sync/protocol/pin-key.ts";
import { writePinKey } from "../../../sync/till/staff.ts";
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
	/** Gives the shop a cashier, Otieno, whose PIN is 1234, and opens the till again. */
	async function employ(): Promise<void> {
		const { businessId } = owner;
		const { store, env } = server.now().shop;
		const account = { email: "otieno@example.com", name: "Otieno" };
		const { id } = await createUser(
			store,
			env,
			{ ...account, passwordHash: cheapHash },
			{ businessId, role: "CASHIER" },
		);
		const key = await makePinKey("1234");
		await store.write((tx) =>
			writePinKey(tx, businessId, id, key, "2026-11-20T09:00:00.000Z"),
		);
		await page.reload();
		await button("Njeri Kamau sells. Switch").waitFor();
	}
	return { page, button, expectSold, employ, stop: server.stop };
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

describe("the effort of switching the cashier, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"without the server, a tap on the person and four digits switch within two seconds",
		async () => {
			const { page, button, employ, stop } = await openTill({ hasTouch: true });
			await employ();
			await stop();
			await button("Njeri Kamau sells. Switch").tap();
			expect(await pressesOf(page)).toBe(1);
			await page.getByRole("button", { name: /^Otieno/ }).tap();
			for (const digit of "1234") await button(digit).tap();
			const lastAt = Date.now();
			await button("Otieno sells. Switch").waitFor();
			expect(Date.now() - lastAt).toBeLessThan(2_000);
			expect(await pressesOf(page)).toBe(1 + 1 + 4);
		},
	);

	inBrowser(
		"a keyboard switches with F3, Enter on the first person and four digits",
		async () => {
			const { page, button, employ } = await openTill();
			await employ();
			for (const key of ["F3", "Enter", "1", "2", "3", "4"])
				await page.keyboard.press(key);
			await button("Otieno sells. Switch").waitFor();
			expect(await pressesOf(page)).toBe(6);
		},
	);
});
