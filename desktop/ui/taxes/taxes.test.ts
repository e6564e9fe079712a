import { describe, expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

describe("taxes, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"an owner starts with a country's taxes, and sold lines, receipts and the report have them",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			const { page, context, problems } = await openWindow();
			const button = (name: string | RegExp) =>
				page.getByRole("button", { name });
			const onReceipt = (text: string) =>
				page.getByRole("article").getByText(text).waitFor();
			const sell = async () => {
				await page.getByRole("link", { name: "Till", exact: true }).click();
				await button(/^Milk/).click();
				await button("Exact cash").click();
				await page.getByText("On the server").waitFor();
			};
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(`${server.url}/settings?part=tax`);
			await button("Kenya").click();
			await button(/B: VAT.*16%/).waitFor();
			await button("Add a tax class").click();
			await page.getByLabel("Letter").fill("l");
			await page.getByLabel("Name").fill("Levy");
			await page.getByLabel("Percent").fill("2.5");
			await page.getByLabel("Not in cash").fill("2");
			await button("Save").click();
			await button(/L: Levy.*2.5%/).waitFor();

			await sell();
			await onReceipt("Tax B 16% on 56.03");
			await button(/Next sale/).click();

			await page.getByRole("link", { name: "Settings" }).click();
			await page.getByRole("link", { name: "Tax", exact: true }).click();
			const adds = { name: "Prices are without tax" };
			await page.getByRole("switch", adds).click();
			await page.getByRole("switch", { ...adds, checked: true }).waitFor();
			const usual = page.getByLabel("Most goods");
			await usual.selectOption("L");
			await expect.poll(() => usual.inputValue()).toBe("L");
			await sell();
			// 65 with 2.5 % of tax.
			await onReceipt("Tax L 2.5% on 65.00");
			await button(/Next sale/).click();

			await page.getByRole("link", { name: "Overview" }).click();
			for (const row of ["B 16% 56.03 8.97 65", "L 2.5% 65 1.63 66.63"])
				await page
					.getByRole("row", { name: new RegExp(row.replaceAll(".", "\\.")) })
					.waitFor();
			expect(
				await server.now().rows("SELECT rates FROM taxes WHERE id = 'L'"),
			).toMatchObject([
				{ rates: expect.stringContaining('"methods":["MPESA","CARD"]') },
			]);
			expect(
				await server
					.now()
					.rows("SELECT price, tax_class, tax FROM sale_items WHERE tax > 0"),
			).toEqual([
				{ price: 65e6, tax_class: "B", tax: 8.97e6 },
				{ price: 66.63e6, tax_class: "L", tax: 1.63e6 },
			]);
			expect(problems).toEqual([]);
		},
	);
});
