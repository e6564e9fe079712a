import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";
import { saleVoid } from "../../../sync/entities/refund.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

/** Opens a shop with two sales on each of two days, and one that is voided. */
async function openSales(options?: Parameters<typeof openWindow>[0]) {
	const server = await openShopServer();
	const caller = await server.fill();
	const { shop } = server.now();
	const sales = [
		["s1", "2026-11-20", "Milk", 65, "CASH"],
		["s2", "2026-11-20", "Bread", 60, "MPESA"],
		["s3", "2026-11-21", "Sugar", 149.5, "MPESA"],
		["s4", "2026-11-21", "Milk", 149.75, "CASH"],
		["s5", "2026-11-21", "Milk", 65, "CASH"],
	] as const;
	for (const [id, businessDay, name, price, paymentMethod] of sales)
		await shop.mutate(caller, saleCreate, {
			...{ id, businessDay, paymentMethod },
			items: [
				{
					...{ id: "1", name, price, cost: 40 },
					...{ quantity: id === "s4" ? 2 : 1, productId: name.toLowerCase() },
				},
			],
		});
	await shop.mutate(caller, saleVoid, {
		...{ id: "v", saleId: "s5", reason: "x", businessDay: "2026-11-21" },
	});
	await shop.store.write((tx) =>
		tx.run(
			"UPDATE stored_sales SET made_ms = day_number * 86400000 + 28800000 + 1000 * CAST(substr(id, 2) AS BIGINT)",
		),
	);
	const { page, context, problems } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, caller)]);
	return {
		...{ page, problems, server, caller },
		go: (path: string) => page.goto(server.url + path),
		/** The sales and days as they stand in the list. */
		listed: async () => {
			const rows = await page.locator(".sales-table tbody tr").all();
			return Promise.all(rows.map(textOf));
		},
	};
}

async function textOf(row: Locator): Promise<string> {
	const texts = await row.locator("th span, td").allInnerTexts();
	return texts
		.map((text) => text.replace(/\s+/g, " ").trim())
		.filter(Boolean)
		.join(" | ");
}

describe("the sales page, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"sales stand in columns under the count and total of their day",
		async () => {
			const { go, listed, problems } = await openSales();
			await go("/sales");
			await expect
				.poll(async () =>
					(await listed()).map((row) =>
						row.replace(/\d\d:\d\d \| \w+-0+/, "#").replace(/KES \| /, ""),
					),
				)
				.toEqual([
					expect.stringMatching(/^Saturday.* 21 Nov.* \| 2 sales \| KES 449$/),
					"#5 Voided | Milk | Njeri Kamau | Cash | 65.00",
					"#4 | Milk | Njeri Kamau | Cash | 299.50",
					"#3 | Sugar | Njeri Kamau | M-PESA | 149.50",
					expect.stringMatching(/^Friday.* 20 Nov.* \| 2 sales \| KES 125$/),
					"#2 | Bread | Njeri Kamau | M-PESA | 60.00",
					"#1 | Milk | Njeri Kamau | Cash | 65.00",
				]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the address filters by days, method and product, and a chip takes a filter away",
		async () => {
			const { page, go } = await openSales();
			const numbers = async () => {
				const all = await page.locator(".sale-number button").allInnerTexts();
				return all.map((text) => text.slice(-1));
			};
			await go("/sales?from=2026-11-20&to=2026-11-20&method=MPESA");
			await expect.poll(numbers).toEqual(["2"]);
			await page.getByRole("button", { name: "Remove: M-PESA" }).click();
			await expect.poll(numbers).toEqual(["2", "1"]);
			await page.getByRole("button", { name: /^Remove: To/ }).click();
			await expect.poll(numbers).toEqual(["5", "4", "3", "2", "1"]);
			expect(new URL(page.url()).search).toBe("?from=2026-11-20");
			await go("/sales?product=milk&method=CASH");
			await page.getByRole("button", { name: "Remove: Milk" }).waitFor();
			await expect.poll(numbers).toEqual(["5", "4", "1"]);
			await page.getByRole("searchbox").fill("299.5");
			await expect.poll(numbers).toEqual(["4"]);
			await page.getByRole("searchbox").fill("7");
			await page.getByRole("button", { name: "Show all sales" }).click();
			await expect.poll(numbers).toEqual(["5", "4", "3", "2", "1"]);
		},
	);

	inBrowser.each([1280, 390])(
		"one line is refunded in four taps, and the page says how the money goes back, %i wide",
		async (width) => {
			const { page, go, server } = await openSales({
				viewport: { width, height: 800 },
			});
			await go("/sales");
			let taps = 0;
			const tap = async (target: Locator) => {
				taps += 1;
				await target.click();
			};
			await tap(page.getByRole("button", { name: /-000004/ }));
			await tap(page.getByRole("button", { name: "One more: Milk" }));
			await page.getByText("KES 149.75 goes back in cash.").waitFor();
			await tap(page.getByRole("button", { name: "Returned" }));
			await tap(page.getByRole("button", { name: "Refund", exact: true }));
			await page.getByText("Refunded KES 149.75").waitFor();
			expect(taps).toBeLessThanOrEqual(4);
			await expect
				.poll(() =>
					server
						.now()
						.rows("SELECT reason, total FROM refunds WHERE sale_id = 's4'"),
				)
				.toEqual([{ reason: "Returned", total: 149.75e6 }]);
		},
	);

	inBrowser(
		"a sale that was rounded to coins goes back in the coins that it brought, as the page says",
		async () => {
			const { page, go, server, caller } = await openSales();
			const item = { id: "1", name: "Flour", price: 1_030, cost: 900 };
			await server.now().shop.mutate(caller, saleCreate, {
				...{ id: "rounded", rounding: -20, businessDay: "2026-11-21" },
				items: [{ ...item, quantity: 1 }],
			});
			await go("/sales");
			await page.getByRole("button", { name: /-000006/ }).click();
			await page.getByRole("button", { name: "One more: Flour" }).click();
			await page.getByText("KES 1,050 goes back in cash.").waitFor();
			await page.getByRole("button", { name: "Returned" }).click();
			await page.getByRole("button", { name: "Refund", exact: true }).click();
			await page.getByText("Refunded KES 1,030").waitFor();
			await expect
				.poll(() =>
					server
						.now()
						.rows(
							"SELECT total - rounding AS back FROM refunds WHERE sale_id = 'rounded'",
						),
				)
				.toEqual([{ back: 1_050e6 }]);
		},
	);

	inBrowser(
		"what is chosen to go back next while the server answers stays chosen",
		async () => {
			const { page, go, server, caller } = await openSales();
			const items = ["Beans", "Flour"].map((name, i) => ({
				...{ id: String(i), name, quantity: 1, price: 100, cost: 0 },
			}));
			await server.now().shop.mutate(caller, saleCreate, {
				...{ id: "two", items, businessDay: "2026-11-21" },
			});
			await go("/sales");
			await page.getByRole("button", { name: /-000006/ }).click();
			const mayAnswer = Promise.withResolvers<void>();
			await page.route("**/api/sync", async (route) => {
				if (route.request().method() === "POST") await mayAnswer.promise;
				await route.continue();
			});
			await page.getByRole("button", { name: "One more: Beans" }).click();
			await page.getByLabel("Reason").fill("Old");
			await page.getByRole("button", { name: "Refund", exact: true }).click();
			await page.getByText("Refunded KES 100").waitFor();
			await page.getByRole("button", { name: "One more: Flour" }).click();
			mayAnswer.resolve();
			await expect.poll(() => page.getByLabel("Reason").inputValue()).toBe("");
			const flour = page.getByLabel("Refund: Flour");
			expect(await flour.inputValue()).toBe("1");
			await page.getByRole("button", { name: "Returned" }).click();
			await page.getByRole("button", { name: "Refund", exact: true }).click();
			await expect
				.poll(() =>
					server
						.now()
						.rows(
							"SELECT reason FROM refunds WHERE sale_id = 'two' ORDER BY version",
						),
				)
				.toEqual([{ reason: "Old" }, { reason: "Returned" }]);
		},
	);

	inBrowser(
		"a weighed line of a sale in cash goes back in coins that there are, and the rest with the last line",
		async () => {
			const { page, go, server, caller } = await openSales();
			await server.now().shop.mutate(caller, saleCreate, {
				...{ id: "weighed", paid: 150.25, rounding: 0.25 },
				items: [
					{ id: "1", name: "Beans", quantity: 0.335, price: 150, cost: 0 },
					{ id: "2", name: "Flour", quantity: 1, price: 100, cost: 0 },
				],
				businessDay: "2026-11-21",
			});
			await go("/sales");
			await page.getByRole("button", { name: /-000006/ }).click();
			for (const [name, quantity, back, refunded] of [
				["Beans", "0.335", "50", "50.25"],
				["Flour", "1", "100", "150.25"],
			]) {
				// The form empties once the server has answered, and goes when all is refunded.
				await expect
					.poll(() => page.getByLabel("Reason").inputValue())
					.toBe("");
				await page.getByLabel(`Refund: ${name}`).fill(quantity ?? "");
				await page.getByText(`KES ${back} goes back in cash.`).waitFor();
				await page.getByRole("button", { name: "Returned" }).click();
				await page.getByRole("button", { name: "Refund", exact: true }).click();
				await page.getByText(`Refunded KES ${refunded}`).waitFor();
			}
			await expect
				.poll(() =>
					server
						.now()
						.rows(
							"SELECT total - coalesce(rounding, 0) AS back FROM refunds WHERE sale_id = 'weighed' ORDER BY total",
						),
				)
				.toEqual([{ back: 50e6 }, { back: 100e6 }]);
		},
	);
});
