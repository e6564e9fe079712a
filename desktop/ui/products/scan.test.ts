import { describe, expect } from "vitest";
import { productCreate } from "../../../sync/entities/product.ts";
import {
	goods,
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	scanByKeys,
	textOf,
	totalsOf,
} from "../testing/browser.ts";

const unknown = "4006381333931";

async function openPage(path: string) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	const productsOf = () =>
		server.now().rows("SELECT name FROM products ORDER BY name");
	const go = async () => {
		await page.getByRole("link", { name: path, exact: true }).click();
		await page.getByRole("heading", { name: path }).waitFor();
	};
	return { server, owner, page, problems, productsOf, go };
}

describe("a scanner on other pages, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a scan into a new product fills its barcode, then its further codes, moves on to the price and doesn't save",
		async () => {
			const { server, page, productsOf, go, problems } =
				await openPage("Products");
			await go();
			for (const gap of [5, 50, 100, 120]) {
				await page.getByRole("button", { name: "Add product" }).click();
				const name = page.getByLabel("Name");
				await name.fill("Biscuits");
				const code = page.getByLabel("Barcode or SKU");
				for (const field of [name, code]) {
					await code.fill("");
					await field.focus();
					await scanByKeys(page, unknown, gap);
					await page
						.getByLabel("Selling price")
						.and(page.locator(":focus"))
						.waitFor();
					expect(await code.inputValue()).toBe(unknown);
					expect(await name.inputValue()).toBe("Biscuits");
				}
				await page.getByRole("dialog").getByLabel("Close").click();
				await code.waitFor({ state: "detached" });
			}
			expect(await productsOf()).toHaveLength(3);
			// A code of letters looks like typing there; it doesn't save either.
			await page.getByRole("button", { name: "Add product" }).click();
			await page.getByLabel("Name").focus();
			await scanByKeys(page, "SUGAR-9", 110);
			await page
				.getByLabel("Selling price")
				.and(page.locator(":focus"))
				.waitFor();
			await scan(page, goods.Milk.sku);
			await page.getByText("Milk already has this code.").waitFor();
			expect(await productsOf()).toHaveLength(3);
			// A further scan is a further code, as it is of a saved product.
			await scan(page, "96385074");
			const further = page.getByLabel("Another barcode");
			await expect.poll(() => further.count()).toBe(2);
			expect(await further.first().inputValue()).toBe("96385074");
			await further.last().fill(goods.Bread.sku);
			await page.getByLabel("Name").fill("Biscuits");
			await page.getByLabel("Selling price").fill("20");
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByText("Bread already has this code.").waitFor();
			await further.nth(1).fill("BIS-7");
			await page.getByRole("button", { name: "Save" }).click();
			await expect.poll(productsOf).toContainEqual({ name: "Biscuits" });
			const codesOf = () =>
				server
					.now()
					.rows(
						"SELECT p.sku, c.code FROM product_codes c JOIN products p ON p.id = c.product_id ORDER BY c.code",
					);
			await expect.poll(codesOf).toEqual([
				{ sku: unknown, code: "96385074" },
				{ sku: unknown, code: "BIS-7" },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a scan on the products page opens a known product and starts a new one for an unknown code",
		async () => {
			const { page, go } = await openPage("Products");
			await go();
			await scanByKeys(page, goods.Milk.sku, 60);
			await page.getByRole("dialog", { name: "Edit product" }).waitFor();
			expect(await page.getByLabel("Name").inputValue()).toBe("Milk");
			await page.getByRole("dialog").getByLabel("Close").click();
			await page.getByLabel("Name").waitFor({ state: "detached" });
			await scanByKeys(page, unknown, 60);
			await page.getByRole("dialog", { name: "Add product" }).waitFor();
			expect(await page.getByLabel("Barcode or SKU").inputValue()).toBe(
				unknown,
			);
		},
	);

	inBrowser(
		"a product gets further codes by scan or typed, and a till asks which of two products with one code is meant",
		async () => {
			const { server, owner, page, go, problems } = await openPage("Products");
			await go();
			await scan(page, goods.Milk.sku);
			const sheet = page.getByRole("dialog", { name: "Edit product" });
			await sheet.waitFor();
			await scan(page, unknown);
			await sheet.getByText("4006 3813 3393 1").waitFor();
			// Another form of Bread's code.
			await scan(page, `0${goods.Bread.sku}`);
			await sheet.getByText("Another product on sale has").waitFor();
			await sheet.getByLabel("Another barcode").fill("4006381333932");
			await sheet.getByText("The last digit").waitFor();
			await sheet.getByRole("button", { name: "Add the code" }).click();
			await sheet.getByText("4006 3813 3393 2").waitFor();
			await sheet.getByLabel("Remove the code 4006381333932").click();
			await sheet.getByText("4006 3813 3393 2").waitFor({ state: "detached" });
			await sheet.getByLabel("Close").click();

			await page.getByRole("link", { name: "Till", exact: true }).click();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await scan(page, unknown);
			await expect.poll(() => textOf(page, "total")).toBe("KES 65");
			await server.now().shop.mutate(owner, productCreate, {
				...{ id: "oat", name: "Oat milk", sku: unknown },
				...{ buyingPrice: 40, sellingPrice: 90 },
			});
			await page.getByRole("button", { name: /^Oat milk/ }).waitFor();
			await scan(page, unknown);
			await page.getByText("Which one is it?").waitFor();
			await page.keyboard.press("Tab");
			await page.keyboard.press("Enter");
			await scan(page, "CF-CASH");
			await expect.poll(() => totalsOf(server.now())).toEqual([155]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a scan on the sales page finds the sales of a product",
		async () => {
			const { server, page, go } = await openPage("Sales");
			for (const code of [goods.Milk.sku, "CF-CASH"]) await scan(page, code);
			await page.getByText("On the server").waitFor();
			for (const code of [goods.Bread.sku, "CF-CASH"]) await scan(page, code);
			await expect.poll(() => totalsOf(server.now())).toEqual([65, 60]);
			await page.getByRole("button", { name: "Next sale" }).click();
			await go();
			const sold = (amount: string) =>
				page.getByRole("cell", { name: amount, exact: true });
			await sold("60").waitFor();
			await scanByKeys(page, goods.Milk.sku, 60);
			await sold("60").waitFor({ state: "detached" });
			await sold("65").waitFor();
			expect(await page.getByLabel("Search or scan").inputValue()).toBe("Milk");
		},
	);
});
