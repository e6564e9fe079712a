import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { categoryCreate } from "../../../sync/entities/category.ts";
import { productCreate } from "../../../sync/entities/product.ts";
import { saleRefund } from "../../../sync/entities/refund.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { addDays, businessDay, toIso } from "../../../sync/protocol/clock.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

const axe = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);

/** The rules of axe-core that the page breaks. */
async function faultsOf(page: Page): Promise<string[]> {
	if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
	const violations = (await page.evaluate(
		`axe.run(".overview", { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
	)) as { id: string; nodes: { html: string }[] }[];
	return violations.flatMap(({ id, nodes }) =>
		nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`),
	);
}

/** Hours between UTC and a zone in which it is noon: no day ends during a test. */
const hoursAhead = 12 - new Date().getUTCHours();
const timeZone = `Etc/GMT${hoursAhead > 0 ? "-" : "+"}${Math.abs(hoursAhead)}`;
const today = businessDay(toIso(Date.now()), timeZone, 0);

async function openShop({
	products = {},
	...options
}: Parameters<typeof openWindow>[0] & {
	products?: Record<string, object>;
} = {}) {
	const server = await openShopServer();
	const caller = await server.fill(products);
	const { shop } = server.now();
	await shop.mutate(caller, businessUpdate, { set: { timeZone } });
	let last = 0;
	async function sell(businessDay: string, lines: object[], more = {}) {
		last += 1;
		await shop.mutate(caller, saleCreate, {
			...{ id: `s${last}`, businessDay, ...more },
			items: lines.map((line, i) => ({
				...{ id: String(i + 1), name: "Tea", quantity: 1, price: 100 },
				...{ cost: 60, productId: null, ...line },
			})),
		});
		return `s${last}`;
	}
	const { page, context, problems } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, caller)]);
	return {
		...{ caller, shop, page, problems, sell },
		/** Dates a sale to nine in the morning of its day, as if it had been made then. */
		dateToNine: (id: string, day: string) =>
			shop.store.write((tx) =>
				tx.run(
					"UPDATE stored_sales SET made_ms = ? WHERE id = ?",
					Date.parse(`${day}T09:00:00.000Z`) - hoursAhead * 3_600_000,
					id,
				),
			),
		/** The hour of a sale in the shop: noon, or the next one where that has just begun. */
		async hourOf(id: string): Promise<number> {
			const [sale] = await server
				.now()
				.rows("SELECT made_ms FROM stored_sales WHERE id = ?", id);
			const ms = Number(sale?.made_ms) + hoursAhead * 3_600_000;
			return new Date(ms).getUTCHours();
		},
		go: (path = "/dashboard") => page.goto(server.url + path),
	};
}

/** An element's text with plain spaces. */
async function readText(page: Page, selector: string): Promise<string> {
	const text = await page.locator(selector).first().innerText();
	return text.replaceAll("\u00a0", " ").replaceAll(/\s+/g, " ");
}

describe("the overview in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a shop without a sale is shown its first steps, and no empty chart",
		async () => {
			const { page, problems, go } = await openShop();
			await go();
			await page.getByRole("link", { name: "Make the first sale" }).waitFor();
			expect(await page.locator(".bar-chart").count()).toBe(0);
			expect(await faultsOf(page)).toEqual([]);
			await page.getByRole("link", { name: "Scan your shelf" }).click();
			await page.waitForURL("**/start/shelf");
			await page.getByLabel("Code").waitFor();
			await go();
			await page.getByRole("link", { name: "Bring a list" }).click();
			await page.waitForURL("**/start/list");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the letter says what was taken, what ran out, what to order and what looks odd, and its figure opens its sales",
		async () => {
			const { page, problems, go, sell, dateToNine, hourOf } = await openShop({
				products: {
					Sugar: { quantity: 6, lowStock: 5 },
					Milk: { quantity: 50 },
				},
			});
			for (const weeks of [1, 2, 3, 4]) {
				const day = addDays(today, -7 * weeks);
				await dateToNine(await sell(day, [{ price: 900 }]), day);
			}
			const hour = await hourOf(
				await sell(today, [{ productId: "sugar", name: "Sugar", quantity: 6 }]),
			);
			await sell(today, [{ productId: "milk", name: "Milk", price: 30 }]);
			await go();
			await page.getByTestId("letter").waitFor();
			expect(await readText(page, "[data-testid=letter]")).toMatch(
				new RegExp(
					`^You took KES 630, 30% less than by now on a usual \\w+day\\. Sugar ran out at ${hour}:\\d\\d\\.$`,
				),
			);
			expect(await page.locator(".letter-causes li").allInnerTexts()).toEqual([
				expect.stringMatching(/^\+900\s+2 sales, usually 1 by now$/),
				expect.stringMatching(/^−1,170\s+KES.315 a sale, usually KES.900$/),
			]);
			const order = page.getByRole("region", { name: "To order" });
			expect(await order.innerText()).toContain("None left, 0.2 sold a day");
			expect(await order.locator("li .strong").innerText()).toBe("7");
			await order.getByRole("button", { name: "Send the order" }).click();
			expect(
				await page.getByRole("textbox", { name: "To order" }).inputValue(),
			).toMatch(/^Order of Duka la Njeri, .+:\n7 × Sugar$/);
			await page.keyboard.press("Escape");
			const odd = page.getByRole("region", { name: "Also worth a minute" });
			expect(await odd.innerText()).toContain("Milk was sold under cost");
			expect(await odd.locator(".danger").innerText()).toBe("−30");
			await page.getByTestId("letter").getByRole("link").first().click();
			await page.waitForURL(`**/sales?from=${today}&to=${today}`);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a figure, a bar, a payment method, a category and a product each open down to their sales",
		async () => {
			const { page, go, sell, shop, caller } = await openShop();
			await shop.mutate(caller, categoryCreate, { id: "dairy", name: "Dairy" });
			const add = { buyingPrice: 60, sellingPrice: 100, quantity: 90 };
			await shop.mutate(caller, productCreate, {
				...{ ...add, id: "milk", name: "Milk", categoryId: "dairy" },
			});
			await shop.mutate(caller, productCreate, {
				...{ ...add, id: "rope", name: "Rope" },
			});
			const lines = [
				{ productId: "milk", name: "Milk", listPrice: 110 },
				{ productId: "rope", name: "Rope", price: 40 },
			];
			await sell(today, lines, { paymentMethod: "MPESA" });
			const days = `from=${today}&to=${today}`;
			await go(`/dashboard?${days}`);
			const open = async (name: string | RegExp, address: string) => {
				await page.getByRole("link", { name }).first().click();
				await page.waitForURL(`**/sales?${address}`);
				await page.goBack();
			};
			await open(/^KES.140$/, days);
			await open(/^\d\d:00: KES.140$/, days);
			await open("M-PESA", `${days}&method=MPESA`);
			const table = page.getByRole("table", { name: "Products" });
			await table.getByRole("link", { name: "Rope" }).waitFor();
			expect(await table.getByRole("row").allInnerTexts()).toEqual([
				expect.stringMatching(
					/^Name\s+Sold\s+Discounts\s+Revenue ↓\s+Profit\s+Margin$/,
				),
				expect.stringMatching(/^Milk\s+1\s+10\s+100\s+40\s+40%$/),
				expect.stringMatching(/^Rope\s+1\s+40\s+−20\s+-50%$/),
			]);
			await page.getByRole("button", { name: "Dairy" }).click();
			const dairy = page.getByRole("table", { name: "Products: Dairy" });
			await expect
				.poll(() => dairy.getByRole("link").allInnerTexts())
				.toEqual(["Milk"]);
			await dairy.getByRole("link", { name: "Milk" }).click();
			await page.waitForURL(`**/sales?${days}&product=milk`);
		},
	);

	inBrowser(
		"a period is compared with the one before, by its days, with refunds and unknown costs",
		async () => {
			const { page, problems, go, sell, shop, caller } = await openShop();
			for (const ago of [2, 3, 4])
				await sell(addDays(today, -ago), [{ listPrice: 125 }]);
			const sold = await sell(addDays(today, -1), [{ price: 500, cost: 0 }]);
			await shop.mutate(caller, saleRefund, {
				...{ id: "r", saleId: sold, reason: "broken", restock: true },
				...{ businessDay: addDays(today, -1) },
				items: [{ id: "1", itemId: "1", quantity: 0.2 }],
			});
			await go();
			await page.getByRole("radio", { name: "Other days" }).click();
			for (const [field, ago] of [2, 1].entries()) {
				await page.locator(".day-button").nth(field).press("Enter");
				const day = page.locator(".day:focus");
				for (let i = 0; i < ago; i += 1) await day.press("ArrowLeft");
				await day.press("Enter");
				await day.waitFor({ state: "detached" });
			}
			await page.getByText("Before means").waitFor();
			const figures = page.locator(".figures > div");
			await expect
				.poll(async () =>
					(await figures.allInnerTexts()).map((text) =>
						text.replaceAll("\u00a0", " ").split("\n").filter(Boolean),
					),
				)
				.toEqual([
					["Revenue", "KES 500", "+150%, before 200"],
					["Sales", "2", "0%, before 2"],
					["A sale on average", "KES 250", "+150%, before 100"],
					["Profit", "KES 440", "+450%, before 80", "88% margin"],
					["Refunds", "KES 100", "before 0"],
					["Discounts", "KES 25"],
				]);
			await page.getByText("1 line has no cost (KES").waitFor();
			const money = page.getByRole("table", { name: "Money" });
			// All is without tax, and was taken.
			expect(
				await money.getByRole("row").nth(1).locator("td").allInnerTexts(),
			).toEqual(["500", "500", "0", "500", "0"]);
			expect(await page.locator(".bar-chart-column").count()).toBe(2);
			// The table for screen readers says what the bars show.
			const rows = await page
				.locator(".visually-hidden tbody tr")
				.allTextContents();
			expect(rows.map((row) => row.replaceAll("\u00a0", " "))).toEqual([
				expect.stringMatching(/KES 100$/),
				expect.stringMatching(/KES 400$/),
			]);
			await page.getByRole("radio", { name: "Last 30 days" }).click();
			await expect
				.poll(() => page.locator(".bar-chart-column").count())
				.toBe(30);
			await page.reload();
			await page
				.getByRole("radio", { name: "Last 30 days", checked: true })
				.waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"on a phone the hour that has sold shows early in the day, though later hours usually sell",
		async () => {
			const opened = await openShop({
				viewport: { width: 390, height: 844 },
			});
			const { page, go, sell, dateToNine, hourOf, shop, caller } = opened;
			await shop.mutate(caller, businessUpdate, { set: { cutOffHour: 12 } });
			for (const ago of [28, 21, 14, 7]) {
				const late = await sell(addDays(today, -ago), [{}]);
				await dateToNine(late, addDays(today, 1 - ago));
			}
			const soldAt = await hourOf(await sell(today, [{}]));
			await go();
			const hour = page.getByRole("link", {
				name: new RegExp(`^${soldAt}:00: KES`),
			});
			const last = page.getByRole("link", { name: /^9:00: KES/ });
			await last.waitFor({ state: "attached" });
			const isShown = (bar: typeof hour) =>
				bar.evaluate((one) => {
					const [{ left, right }, chart] = [
						one,
						one.parentElement as Element,
					].map((element) => element.getBoundingClientRect()) as [
						DOMRect,
						DOMRect,
					];
					return left >= chart.left && right <= chart.right;
				});
			await expect.poll(() => isShown(hour)).toBe(true);
			expect(await isShown(last)).toBe(false);
		},
	);

	inBrowser.each([
		["light", 1366],
		["dark", 1366],
		["light", 390],
	] as const)(
		"the overview breaks no rule of accessibility and doesn't scroll sideways (%s, %i px)",
		async (colorScheme, width) => {
			const { page, go, sell } = await openShop({
				...{ colorScheme, viewport: { width, height: 844 } },
				products: { Sugar: { quantity: 3, lowStock: 5 }, Milk: {} },
			});
			for (let ago = 28; ago >= 0; ago -= 1)
				await sell(addDays(today, -ago), [
					{ productId: "milk", name: "Milk", quantity: 1 + (ago % 4) },
				]);
			await sell(today, [
				{ productId: "sugar", name: "Sugar", quantity: 3, price: 10 },
			]);
			await go("/dashboard?period=last30");
			await page.getByRole("table", { name: "Products" }).waitFor();
			await page.locator(".bar-chart-usual").first().waitFor();
			expect(await faultsOf(page)).toEqual([]);
			expect(
				await page.evaluate(
					"[...document.querySelectorAll('.overview, body')].map((one) => one.scrollWidth - one.clientWidth)",
				),
			).toEqual([0, 0]);
		},
	);
});
