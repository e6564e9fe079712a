import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import { customerCreate } from "../../../sync/entities/customer.ts";
import { paymentAdjust } from "../../../sync/entities/payment.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { supplierCreate } from "../../../sync/entities/supplier.ts";
import { makePinKey } from "../../../sync/protocol/pin-key.ts";
import { writePinKey } from "../../../sync/till/staff.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

async function openTill() {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	return { server, owner, page, context, problems };
}

const button = (page: Page | Locator, name: string | RegExp) =>
	page.getByRole("button", { name });

/** Moves the focus to a button as a keyboard does, and presses it. */
async function press(page: Page, name: string): Promise<void> {
	await button(page, name).first().waitFor();
	const isThere = () =>
		page.evaluate(
			(name) => document.activeElement?.textContent?.trim() === name,
			name,
		);
	for (let tabs = 0; !(await isThere()); tabs += 1) {
		expect(tabs, `Tabs to ${name}`).toBeLessThan(40);
		await page.keyboard.press("Tab");
	}
	await page.keyboard.press("Enter");
}

describe("shifts, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"opening a shift, and counting and closing it by notes and coins, takes less than a minute at three keys a second",
		async () => {
			const { server, page } = await openTill();
			await page.goto(`${server.url}/shifts`);
			await button(page, "Open a shift").first().waitFor();
			await page.evaluate(() => {
				const counted = window as unknown as { keys: number };
				counted.keys = 0;
				addEventListener("keydown", () => (counted.keys += 1), true);
			});
			const start = performance.now();
			await press(page, "Open a shift");
			await page.getByLabel("Cash in the drawer").waitFor();
			await page.keyboard.type("1785");
			await page.keyboard.press("Enter");
			await press(page, "Count and close");
			// A thousand, a five-hundred, two hundred, fifty, a twenty, a ten and a five: one of each.
			for (const value of ["1,000", 500, 200, 50, 20, 10, 5]) {
				const field = page.getByLabel(String(value), { exact: true });
				await field.waitFor();
				const isThere = () =>
					field.evaluate((one) => one === document.activeElement);
				for (let tabs = 0; !(await isThere()); tabs += 1) {
					expect(tabs).toBeLessThan(20);
					await page.keyboard.press("Tab");
				}
				await page.keyboard.type("1");
			}
			await page.keyboard.press("Enter");
			const report = page.getByRole("article");
			await report.getByText("Shift report (Z)").waitFor();
			expect(await report.textContent()).toContain("Counted, Cash1,785");
			const waited = performance.now() - start;
			const keys = await page.evaluate(
				() => (window as unknown as { keys: number }).keys,
			);
			expect(keys).toBeGreaterThan(20);
			expect(keys / 3 + waited / 1_000).toBeLessThan(60);
		},
	);

	inBrowser(
		"a shift is opened, counted offline and closed by keyboard alone, and its report is on the server as it was shown",
		async () => {
			const { server, page, context, problems } = await openTill();
			await page.getByRole("link", { name: "Shifts" }).click();
			// An empty page offers its next step.
			await button(page.locator(".empty"), "Open a shift").waitFor();
			await press(page, "Open a shift");
			await page.getByLabel("Cash in the drawer").waitFor();
			await page.keyboard.type("500");
			await page.keyboard.press("Enter");
			await button(page, /Open$/).waitFor();

			await page.getByRole("link", { name: "Till" }).click();
			await button(page, /^Milk/).click();
			await page.keyboard.press("Control+Enter");
			await page.getByText("On the server").waitFor();
			await page.keyboard.press("Enter");
			await context.setOffline(true);

			await page.getByRole("link", { name: "Shifts" }).click();
			await press(page, "Cash in or out");
			await page.getByLabel("Amount").fill("15");
			await page.getByLabel("Reason").fill("Charcoal");
			await page.keyboard.press("Enter");
			await page.getByLabel("Reason").waitFor({ state: "detached" });

			await press(page, "Count and close");
			await page.getByLabel("500", { exact: true }).waitFor();
			// Nothing says what should be there.
			expect(await page.locator("dialog").textContent()).not.toContain("550");
			await page.keyboard.press("Tab");
			await page.keyboard.type("1");
			await context.setOffline(false);
			await page.reload();
			await page.getByRole("link", { name: "Shifts" }).click();
			// The page itself has to be loaded first.
			await button(page, "Count and close").first().waitFor();
			await context.setOffline(true);
			await press(page, "Count and close");
			expect(await page.getByLabel("500", { exact: true }).inputValue()).toBe(
				"1",
			);
			await page.getByLabel("20", { exact: true }).fill("2");
			await page.keyboard.press("Enter");
			const report = page.getByRole("article");
			await report.getByText("Shift report (Z)").waitFor();
			const shown = await report.textContent();
			for (const row of ["Expected, Cash550", "Counted, Cash540", "Short10"])
				expect(shown).toContain(row);
			await context.setOffline(false);
			await page.getByText("Everything is on the server").waitFor();

			await expect
				.poll(() =>
					server
						.now()
						.rows(
							"SELECT cause, amount FROM inbox_items WHERE shift_id IS NOT NULL",
						),
				)
				.toEqual([{ cause: "drawer_differs", amount: -10e6 }]);
			expect(
				await server
					.now()
					.rows(
						"SELECT opening_float, sales.total, payments.amount FROM shifts JOIN sales ON sales.shift_id = shifts.id JOIN payments ON payments.shift_id = shifts.id",
					),
			).toEqual([{ opening_float: 500e6, total: 65e6, amount: -15e6 }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a drawer is handed over without a network by one count and the next person's PIN, and the day's report has both shifts",
		async () => {
			const { server, owner, page, context, problems } = await openTill();
			const { store, env } = server.now().shop;
			const { businessId } = owner;
			const otieno = await createUser(
				store,
				env,
				{ email: "o@example.com", name: "Otieno", passwordHash: cheapHash },
				{ businessId, role: "CASHIER" },
			);
			const key = await makePinKey("1234");
			await store.write((tx) =>
				writePinKey(tx, businessId, otieno.id, key, new Date().toISOString()),
			);
			await page.reload();
			// The till knows who has a PIN.
			await button(page, /sells\. Switch/).waitFor();
			await page.getByRole("link", { name: "Shifts" }).click();
			await button(page, "Open a shift").click();
			await page.getByLabel("Cash in the drawer").fill("700");
			await page.keyboard.press("Enter");
			await button(page, "Count and close").waitFor();
			await context.setOffline(true);
			await button(page, "Count and close").click();
			await page.getByLabel("500", { exact: true }).fill("1");
			await button(page, "Hand over").click();
			await button(page, /Otieno/).click();
			await page.keyboard.type("1234");
			const report = page.getByRole("article");
			await report.getByText("Stays in the drawer").waitFor();
			expect(await report.textContent()).toContain("Stays in the drawer500");
			await context.setOffline(false);
			await page.getByText("Everything is on the server").waitFor();
			const shifts = () =>
				server
					.now()
					.rows("SELECT opening_float, user_id FROM shifts ORDER BY id");
			await expect.poll(shifts).toEqual([
				{ opening_float: 700e6, user_id: owner.userId },
				{ opening_float: 500e6, user_id: otieno.id },
			]);
			// A cashier sees no sums.
			expect(await button(page, "Day report").count()).toBe(0);

			const other = await context.newPage();
			await other.goto(`${server.url}/shifts`);
			await button(other, "Day report").click();
			const day = other.getByRole("article");
			await day.getByText("All tills").waitFor();
			const shown = await day.textContent();
			for (const row of ["Njeri", "Otieno", "Counted, Cash500", "Short200"])
				expect(shown).toContain(row);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"an Enter that is held too long closes no shift whose cash nobody counted, and an empty drawer is asked about",
		async () => {
			const { server, page } = await openTill();
			await page.goto(`${server.url}/shifts`);
			await button(page, "Open a shift").first().click();
			await page.getByLabel("Cash in the drawer").fill("500");
			await page.keyboard.press("Enter");
			await press(page, "Count and close");
			const first = page.getByLabel("1,000", { exact: true });
			await first.and(page.locator(":focus")).waitFor();
			await page.keyboard.press("Enter");
			await page.waitForTimeout(500);
			expect(await page.getByText("Shift report (Z)").count()).toBe(0);
			await button(page, "Close the shift").click();
			await page.getByText("Is the drawer empty?").waitFor();
			await button(page, "Close the shift").click();
			await page.getByText("Shift report (Z)").first().waitFor();
		},
	);

	inBrowser(
		"the drawer opens for what a customer pays in cash, and for a refund in cash",
		async () => {
			const { server, owner, page } = await openTill();
			const { shop } = server.now();
			await shop.mutate(owner, customerCreate, { id: "a", name: "Asha" });
			await shop.mutate(owner, paymentAdjust, {
				...{ id: "old", customerId: "a", amount: 80, reason: "Old" },
			});
			const milk = { ...{ id: "1", name: "Milk" }, quantity: 1 };
			await shop.mutate(owner, saleCreate, {
				...{ id: "s", items: [{ ...milk, price: 60, cost: 40 }] },
			});
			await page.addInitScript(`window.opened = 0;
				window.till = {
					printers: async () => ({ chosen: { kind: "network", host: "printer", port: 9100, width: 58 }, system: [] }),
					openDrawer: async () => { window.opened += 1; },
				};`);
			await page.goto(`${server.url}/customers`);
			await button(page, /^Asha/).click();
			for (const [method, amount] of [
				["Card", "30"],
				["Cash", "50"],
			] as const) {
				await button(page, "Take a payment").click();
				await page.getByRole("radio", { name: method }).click();
				await page.getByLabel("Amount").fill(amount);
				await button(page, "Take a payment").click();
				await page.getByLabel("Amount").waitFor({ state: "detached" });
			}
			expect(await page.evaluate("window.opened")).toBe(1);

			await page.goto(`${server.url}/sales`);
			await button(page, /-000001/).click();
			await button(page, "One more: Milk").click();
			await page.getByLabel("Reason").fill("Sour");
			await button(page, "Refund").click();
			await page.getByText(/Refunded KES/).waitFor();
			await expect.poll(() => page.evaluate("window.opened")).toBe(1);
		},
	);

	inBrowser(
		"cash that is taken out or paid to a supplier is recorded once, though the printer that opens the drawer is off",
		async () => {
			const { server, owner, page } = await openTill();
			const { shop, rows } = server.now();
			await shop.mutate(owner, supplierCreate, { id: "b", name: "Brookside" });
			await page.addInitScript(`window.till = {
				printers: async () => ({ chosen: { kind: "network", host: "printer", port: 9100, width: 58 }, system: [] }),
				openDrawer: async () => { throw new Error("The printer can't be reached"); },
			};`);
			await page.goto(`${server.url}/shifts`);
			await button(page, "Cash in or out").click();
			await page.getByLabel("Amount").fill("15");
			await page.getByLabel("Reason").fill("Charcoal");
			await page.keyboard.press("Enter");
			await page.getByLabel("Reason").waitFor({ state: "detached" });

			await page.goto(`${server.url}/deliveries`);
			await page.getByRole("radio", { name: "Suppliers" }).click();
			await button(page, /^Brookside/).click();
			await button(page, "Pay").click();
			await page.getByLabel("Amount").fill("100");
			await page.getByLabel("Amount").press("Enter");
			await page.getByLabel("Amount").waitFor({ state: "detached" });

			await page.goto(`${server.url}/deliveries?new`);
			await page.getByPlaceholder(/type its name/).fill("Milk");
			await button(page, /^Milk/).click();
			await page.getByLabel("Cost of one: Milk").fill("42.5");
			await page.getByLabel("Paid at once").fill("42.5");
			await button(page, "Save").click();
			await page.getByText("1 line").waitFor();
			await expect
				.poll(() =>
					rows(
						"SELECT kind, amount FROM payments WHERE method = 'CASH' ORDER BY amount",
					),
				)
				.toEqual([
					{ kind: "supplier", amount: -100e6 },
					{ kind: "supplier", amount: -42.5e6 },
					{ kind: "cash", amount: -15e6 },
				]);
		},
	);
});
