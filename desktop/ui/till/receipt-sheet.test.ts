import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createUser } from "../../../server/accounts/users.ts";
import { cheapHash } from "../../../server/testing/server.ts";
import { receiptLink } from "../../../sync/receipts/receipt-link.ts";
import {
	goods,
	inBrowser,
	lineOf,
	openShopServer,
	openWindow,
	ownerCookie,
	type ShopServer,
	scan,
	scanByKeys,
	textOf,
} from "../testing/browser.ts";

async function addCashier(server: ShopServer, businessId: string) {
	const { store, env } = server.now().shop;
	const { id } = await createUser(
		store,
		env,
		{ email: "c@example.com", name: "Chege", passwordHash: cheapHash },
		{ businessId, role: "CASHIER" },
	);
	return { userId: id, businessId };
}

/** Sells two goods; then a sale of one is under way. @returns the first sale's ids and receipt number */
async function sellAndGoOn(
	options?: Parameters<typeof openWindow>[0],
	role: "OWNER" | "CASHIER" = "OWNER",
) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow(options);
	const seller =
		role === "OWNER" ? owner : await addCashier(server, owner.businessId);
	await context.addCookies([await ownerCookie(server, seller)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	for (const { sku } of [goods.Milk, goods.Bread]) await scan(page, sku);
	await expect.poll(() => textOf(page, "total")).toBe("KES 125");
	await scan(page, "CF-CASH");
	await page.getByText("On the server").waitFor();
	await scan(page, goods.Bread.sku);
	await expect.poll(() => textOf(page, "total")).toBe("KES 60");
	const [sold] = await server
		.now()
		.rows("SELECT id, business_id, receipt_number FROM sales");
	const { id, business_id, receipt_number } = sold as Record<string, string>;
	const ids = { saleId: String(id), businessId: String(business_id) };
	const sheet = page.getByRole("dialog", { name: String(receipt_number) });
	const refunds = () =>
		server.now().rows("SELECT total, reason FROM refunds ORDER BY total");
	return {
		...{ page, context, problems, sheet, refunds, server },
		number: String(receipt_number),
		link: receiptLink("https://shop.example", ids) as string,
	};
}

/** Refunds one of a line in the open sheet. @returns how often the cashier tapped */
async function refundOne(page: Page, name: string): Promise<number> {
	const taps = [`One more: ${name}`, "Returned", "Refund"];
	for (const label of taps)
		await page
			.getByRole("dialog")
			.getByRole("button", { name: label, exact: true })
			.tap();
	return taps.length;
}

describe("a receipt brought back, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a scanned receipt is refunded over the sale, which waits, with at most four taps",
		async () => {
			const { page, sheet, link, refunds, problems } = await sellAndGoOn({
				hasTouch: true,
			});
			await scan(page, link);
			await sheet.getByText("Milk").waitFor();
			expect(await refundOne(page, "Milk")).toBeLessThanOrEqual(4);
			await expect.poll(refunds).toEqual([{ total: 65e6, reason: "Returned" }]);
			await page.keyboard.press("Escape");
			await sheet.waitFor({ state: "detached" });
			await lineOf(page, "Bread").waitFor();
			expect(await textOf(page, "total")).toBe("KES 60");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a receipt's number is scanned or typed, and refunded offline",
		async () => {
			const { page, context, sheet, number, refunds } = await sellAndGoOn({
				hasTouch: true,
			});
			await context.setOffline(true);
			await scan(page, number);
			await sheet.waitFor();
			await page.keyboard.press("Escape");
			await sheet.waitFor({ state: "detached" });
			await page.getByRole("searchbox").fill(number.toLowerCase());
			await page.getByRole("searchbox").press("Enter");
			await sheet.waitFor();
			await refundOne(page, "Bread");
			await sheet.getByText("Saved on this till").waitFor();
			expect(await refunds()).toEqual([]);
			await context.setOffline(false);
			await expect.poll(refunds).toEqual([{ total: 60e6, reason: "Returned" }]);
		},
	);

	inBrowser(
		"a receipt that the till doesn't have, and one of another shop, are named as such",
		async () => {
			const { page } = await sellAndGoOn();
			await scan(page, "ZZZZ-000001");
			await page
				.getByRole("dialog", { name: "ZZZZ-000001" })
				.getByText("This till doesn't have this receipt.")
				.waitFor();
			await page.keyboard.press("Escape");
			const others = {
				saleId: "01a20ce1-e1ae-7082-a4de-d5fd024d24b2",
				businessId: "019ab510-0fa3-715c-ba90-9488ebf3025a",
			};
			await scan(page, receiptLink("https://shop.example", others) as string);
			await page.getByText("This receipt is from another shop.").waitFor();
		},
	);

	inBrowser(
		"a cashier refunds a scanned receipt, and voids what is left of it",
		async () => {
			const { page, sheet, link, refunds } = await sellAndGoOn(
				{ hasTouch: true },
				"CASHIER",
			);
			await scan(page, link);
			await sheet.getByText("Milk").waitFor();
			await refundOne(page, "Milk");
			// It shows before the server has answered, and meanwhile nothing else is taken back.
			await sheet.getByText("On the server").waitFor();
			await sheet.getByText("Refunded KES").waitFor();
			await sheet.getByRole("button", { name: "Mistake" }).tap();
			const voidIt = sheet.getByRole("button", { name: "Void", exact: true });
			await voidIt.tap();
			await sheet.getByText("Void the whole sale?").waitFor();
			await voidIt.tap();
			await expect.poll(refunds).toEqual([
				{ total: 60e6, reason: "Mistake" },
				{ total: 65e6, reason: "Returned" },
			]);
		},
	);

	inBrowser(
		"while a receipt is shown, scanned goods are chosen to take back, and the sale beneath stays",
		async () => {
			const { page, sheet, link, refunds, server, problems } =
				await sellAndGoOn();
			await scan(page, link);
			const milk = sheet.getByLabel("Refund: Milk");
			await milk.waitFor();
			await scan(page, goods.Milk.sku);
			await expect.poll(() => milk.inputValue()).toBe("1");
			// Another one of it, other goods, an unknown code and a payment change nothing.
			for (const code of [
				goods.Milk.sku,
				goods.Sugar.sku,
				"4006381333931",
				"CF-CASH",
			])
				await scan(page, code);
			await sheet.getByRole("button", { name: "Returned" }).click();
			await sheet.getByRole("button", { name: "Refund", exact: true }).click();
			await expect.poll(refunds).toEqual([{ total: 65e6, reason: "Returned" }]);
			await page.keyboard.press("Escape");
			await sheet.waitFor({ state: "detached" });
			expect(await textOf(page, "total")).toBe("KES 60");
			expect(await server.now().rows("SELECT id FROM sales")).toHaveLength(1);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a scanned receipt opens on the sales page too, and its link is no product's code on the products page",
		async () => {
			const { page, link, number } = await sellAndGoOn();
			await page.getByRole("link", { name: "Products", exact: true }).click();
			await page.getByRole("button", { name: "Add product" }).click();
			const code = page.getByLabel("Barcode or SKU");
			await code.focus();
			await scanByKeys(page, link);
			await scanByKeys(page, number);
			await expect.poll(() => code.inputValue()).toBe(number);
			await page.getByRole("dialog").getByLabel("Close").click();
			await code.waitFor({ state: "detached" });
			await scan(page, link);
			await page.getByRole("link", { name: "Sales", exact: true }).click();
			await page.getByRole("button", { name: new RegExp(number) }).waitFor();
			expect(await code.count()).toBe(0);
			await scan(page, link);
			await page
				.getByRole("complementary", { name: number })
				.getByLabel("Refund: Milk")
				.waitFor();
		},
	);

	inBrowser("a receipt scanned during a payment changes nothing", async () => {
		const { page, sheet, link } = await sellAndGoOn();
		await page.keyboard.press("F8");
		await page.getByRole("dialog", { name: "Payment" }).waitFor();
		await scan(page, link);
		await scan(page, "CF-CASH");
		await page.getByTestId("total").getByText("0").waitFor();
		expect(await sheet.count()).toBe(0);
	});
});
