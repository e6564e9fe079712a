import { describe, expect } from "vitest";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { checkDigitOf } from "../../../sync/entities/gtin.ts";
import { packCreate, packUpdate } from "../../../sync/entities/pack.ts";
import { codeCreate } from "../../../sync/entities/product-code.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	textOf,
} from "../testing/browser.ts";

/** The sheet of a product with a carton, which has a code. */
async function openSoda() {
	const server = await openShopServer();
	const owner = await server.fill({ Soda: { sellingPrice: 60 } });
	const { shop, rows } = server.now();
	await shop.mutate(owner, packCreate, {
		...{ id: "carton", productId: "soda", name: "Carton", size: 24 },
		sellingPrice: 1_400,
	});
	await shop.mutate(owner, codeCreate, {
		...{ id: "code", productId: "soda", code: "CARTON-1" },
		packId: "carton",
	});
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(`${server.url}/products`);
	await page.getByRole("button", { name: /^Soda/ }).first().click();
	const sheet = page.getByRole("dialog");
	return { owner, shop, rows, page, problems, sheet };
}

describe("packs, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a product gets a carton in its sheet, which is sold by a chip, a key or a scan and taken from stock by the piece",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill({
				Soda: { sku: "5449000000996", sellingPrice: 60, quantity: 100 },
			});
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(`${server.url}/products`);
			await page.getByRole("button", { name: /^Soda/ }).first().click();
			const sheet = page.getByRole("dialog");
			await sheet.getByLabel(/^Pack, such as/).fill("Carton");
			await sheet.getByLabel(/^Holds/).fill("24");
			await sheet.getByLabel("Price of the pack").fill("1400");
			await sheet.getByRole("button", { name: "Add a pack" }).click();
			await sheet.getByText("Carton (24)").waitFor();
			await sheet.getByLabel(/^Another barcode/).fill("CARTON-1");
			await sheet
				.getByLabel("This code sells")
				.selectOption({ label: "Carton" });
			await sheet.getByRole("button", { name: "Add the code" }).click();
			await sheet
				.locator("li")
				.getByText(/CARTON/)
				.first()
				.waitFor();
			const { rows } = server.now();
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Soda/ }).waitFor();
			await scan(page, "5449000000996");
			await expect.poll(() => textOf(page, "total")).toBe("KES 60");
			await page.getByRole("radio", { name: "Carton (24)" }).click();
			await expect.poll(() => textOf(page, "total")).toBe("KES 1,400");
			await page.keyboard.press("F2");
			await expect.poll(() => textOf(page, "total")).toBe("KES 60");
			await scan(page, "CARTON-1");
			await expect.poll(() => textOf(page, "total")).toBe("KES 1,460");
			await scan(page, "CF-CASH");
			await page.getByText("1 × Carton (24) 1,400").first().waitFor();
			await page.getByText("On the server").waitFor();
			expect(await rows("SELECT quantity FROM products")).toEqual([
				{ quantity: 75e6 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a pack that is renamed keeps the price that it was given elsewhere meanwhile",
		async () => {
			const { owner, shop, rows, problems, sheet } = await openSoda();
			await sheet.getByRole("button", { name: "Carton (24)" }).click();
			await shop.mutate(owner, packUpdate, {
				...{ id: "carton", set: { sellingPrice: 1_350 } },
			});
			await sheet.getByText("1,350").waitFor();
			await sheet.getByLabel(/^Pack, such as/).fill("Crate");
			await sheet.getByRole("button", { name: "Change the pack" }).click();
			await sheet.getByText("Crate (24)").waitFor();
			await expect
				.poll(() => rows("SELECT name, selling_price FROM product_packs"))
				.toEqual([{ name: "Crate", selling_price: 1_350e6 }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a code of a removed pack is named as such; once the removal is taken back it finds the pack again, which is not sold if it was not",
		async () => {
			const { rows, page, problems, sheet } = await openSoda();
			const sold = sheet.getByRole("switch", { name: /Carton/ });
			await sold.click();
			await expect.poll(() => sold.isChecked()).toBe(false);
			await sheet.getByRole("button", { name: "Remove Carton" }).click();
			await sheet.getByText("of a removed pack").waitFor();
			await page.getByRole("button", { name: "Undo" }).click();
			await expect
				.poll(() =>
					rows(
						"SELECT code, is_active FROM product_codes JOIN product_packs ON product_packs.id = pack_id WHERE product_codes.deleted = 0 AND product_packs.deleted = 0",
					),
				)
				.toEqual([{ code: "CARTON-1", is_active: 0 }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a scanned pack without any price asks for its own, unless its pieces were priced in this sale, and keeps it where a person says so",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill({
				Soda: { sku: "SODA-1", sellingPrice: null, quantity: 100 },
			});
			const { shop, rows } = server.now();
			for (const [name, size] of [
				["Crate", 12],
				["Carton", 24],
			] as const) {
				await shop.mutate(owner, packCreate, {
					...{ id: name, productId: "soda", name, size },
				});
				await shop.mutate(owner, codeCreate, {
					...{ id: `code ${name}`, productId: "soda", code: `${name}-1` },
					packId: name,
				});
			}
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			// Its codes come after the products.
			await page.goto(`${server.url}/sync`);
			await expect
				.poll(() => page.evaluate("document.body.textContent"))
				.toMatch(
					/^(?!.*Older sales are still arriving).*Last synced: (?!not yet)/s,
				);
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Soda/ }).waitFor();
			const priced = async (what: string, price: string, how: string) => {
				const sheet = page.getByRole("dialog", { name: `Price of ${what}` });
				await sheet.getByLabel("Price").fill(price);
				await sheet.getByRole("button", { name: how }).click();
			};
			const total = () => expect.poll(() => textOf(page, "total"));
			await scan(page, "Carton-1");
			await priced("Soda Carton (24)", "1400", "Sell once");
			await total().toBe("KES 1,400");
			await scan(page, "SODA-1");
			await priced("Soda", "60", "Sell once");
			await total().toBe("KES 1,460");
			for (const sum of ["2,180", "2,900"]) {
				await scan(page, "Crate-1");
				await total().toBe(`KES ${sum}`);
			}
			await scan(page, "CF-CASH");
			await page.getByText("On the server").waitFor();
			expect(await rows("SELECT quantity FROM products")).toEqual([
				{ quantity: 51e6 },
			]);

			await scan(page, "Crate-1");
			await priced("Soda Crate (12)", "700", "Sell and keep");
			await total().toBe("KES 700");
			await expect
				.poll(() =>
					rows("SELECT name, selling_price FROM product_packs ORDER BY name"),
				)
				.toEqual([
					{ name: "Carton", selling_price: null },
					{ name: "Crate", selling_price: 700e6 },
				]);
			expect(await rows("SELECT selling_price FROM products")).toEqual([
				{ selling_price: null },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a scale's label of a product that has a price in packs only asks for the price of its unit, and sells its weight",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill({
				Meat: { sku: "00042", sellingPrice: null, quantity: 10, unit: "kg" },
			});
			const { shop, rows } = server.now();
			await shop.mutate(owner, businessUpdate, {
				set: {
					scaleLabels: [
						{
							...{ prefix: "21", holds: "weight", itemDigits: 5 },
							...{ hasValueCheck: false, decimals: 3 },
						},
					],
				},
			});
			await shop.mutate(owner, packCreate, {
				...{ id: "tray", productId: "meat", name: "Tray", size: 0.5 },
				sellingPrice: 300,
			});
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Meat/ }).waitFor();
			await page.getByRole("status", { name: "Online" }).waitFor();
			const label = "210004201500";
			await scan(page, label + checkDigitOf(label));
			await page
				.getByRole("dialog", { name: "Price of Meat" })
				.getByLabel("Price")
				.fill("600");
			await page.getByRole("button", { name: "Sell once" }).click();
			await expect.poll(() => textOf(page, "total")).toBe("KES 900");
			await scan(page, "CF-CASH");
			await page.getByText("On the server").waitFor();
			expect(await rows("SELECT quantity FROM products")).toEqual([
				{ quantity: 8.5e6 },
			]);
			expect(problems).toEqual([]);
		},
	);
});
