import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { productUpdate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import {
	adminCookie,
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	signIn,
} from "./testing/browser.ts";

/** A server with products and sales, and its owner signed in. */
async function openShop(options?: Parameters<typeof openWindow>[0]) {
	const server = await openShopServer();
	const caller = await server.fill();
	const { shop } = server.now();
	for (const [id, name] of Object.entries({ s1: "Milk", s2: "Bread" }))
		await shop.mutate(caller, saleCreate, {
			id,
			items: [
				{
					id: "1",
					name,
					quantity: 2,
					price: 60,
					cost: 40,
					productId: name.toLowerCase(),
				},
			],
		});
	const { page, problems, context } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, caller)]);
	const go = (path: string) => page.goto(server.url + path);
	return { server, caller, page, problems, context, go };
}

describe("the pages in Chromium (skipped where none is found)", () => {
	inBrowser(
		"products are edited, counted, discontinued and found by barcode",
		async () => {
			const { server, page, problems, go } = await openShop();
			await go("/products");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Selling price").fill("70");
			await page.getByRole("button", { name: "Save" }).click();
			const price = page.getByLabel("Price: Milk");
			await expect.poll(() => price.inputValue()).toBe("70.00");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Change by").fill("-3");
			await page.getByLabel("Reason").selectOption("Damaged");
			await page.getByLabel("Note").fill("Fell down");
			await page.getByRole("button", { name: "Change stock" }).click();
			await page.getByText("Fell down").waitFor();
			const milk =
				"SELECT selling_price, quantity FROM products WHERE id = 'milk'";
			// The page shows it before the server has it.
			await expect
				.poll(() => server.now().rows(milk))
				.toEqual([{ selling_price: 70e6, quantity: 15e6 }]);
			await page.keyboard.press("Escape");
			await page.getByRole("button", { name: /^Sugar/ }).click();
			await page.getByRole("button", { name: "Stop selling" }).click();
			await page.getByText("2 products").waitFor();
			await page.getByText("No longer sold").click();
			await page.getByRole("button", { name: /^Sugar/ }).click();
			await page.getByRole("button", { name: "Sell again" }).click();
			await page.getByText("No longer sold").waitFor({ state: "detached" });
			await page.getByRole("button", { name: "Categories" }).click();
			await page.getByLabel("Add a category").fill("Dairy");
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByRole("button", { name: "Remove Dairy" }).waitFor();
			await expect
				.poll(() => server.now().rows("SELECT name FROM categories"))
				.toEqual([{ name: "Dairy" }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a product's picture is shrunk, stored on the server and shown on the till",
		async () => {
			const { server, page, problems, go } = await openShop();
			await go("/products");
			await page.getByRole("button", { name: /^Milk/ }).click();
			const picture = await page.screenshot();
			await page.locator("input[type=file]").last().setInputFiles({
				name: "milk.png",
				mimeType: "image/png",
				buffer: picture,
			});
			await page.getByRole("img", { name: "Milk" }).waitFor();
			await go("/");
			const shown = page.getByRole("button", { name: /Milk/ }).locator("img");
			await shown.waitFor();
			await expect
				.poll(() => shown.evaluate((one) => Reflect.get(one, "naturalWidth")))
				.toBe(160);
			const [milk] = await server
				.now()
				.rows(
					"SELECT image_url, thumbnail_url FROM products WHERE id = 'milk'",
				);
			expect(milk?.image_url).toMatch(/^\/api\/pictures\/.+\.webp$/);
			expect(milk?.thumbnail_url).not.toBe(milk?.image_url);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"an import shows a preview first, and names refused lines",
		async () => {
			const { server, page, go } = await openShop();
			await go("/products");
			await page.getByRole("button", { name: "Import" }).click();
			await page.locator("input[type=file]").setInputFiles({
				name: "new.csv",
				mimeType: "text/csv",
				buffer: Buffer.from(
					"name,sku,sellingPrice\nTea,T-1,30\nMilk,6001087340014,66\nBad,B-1,much\n",
				),
			});
			await page
				.getByText("1 new, 1 changed, 0 unchanged, 1 refused")
				.waitFor();
			await page.getByText("Line 4:").waitFor();
			const names = async () => {
				const rows = await server
					.now()
					.rows("SELECT name FROM products ORDER BY search_name");
				return rows.map(({ name }) => name);
			};
			expect(await names()).toEqual(["Bread", "Milk", "Sugar"]);
			await page.getByRole("button", { name: "Import" }).last().click();
			await page.getByRole("button", { name: /^Tea/ }).waitFor();
			expect(await names()).toEqual(["Bread", "Milk", "Sugar", "Tea"]);
			const download = page.waitForEvent("download");
			await page.getByRole("link", { name: "Export" }).click();
			const file = await (await download).path();
			expect(readFileSync(file, "utf8")).toContain("Tea,T-1,,30,0,5,0,,");
		},
	);

	inBrowser("a list with too many lines names the limit", async () => {
		const { page, problems, go } = await openShop();
		await go("/products");
		await page.getByRole("button", { name: "Import" }).click();
		await page.locator("input[type=file]").setInputFiles({
			...{ name: "long.csv", mimeType: "text/csv" },
			buffer: Buffer.from(`name\n${"Tea\n".repeat(120_001)}`),
		});
		await page.getByText("more than 120,000 lines").waitFor();
		expect(problems).toEqual([]);
	});

	inBrowser("sales are searched, refunded in part and voided", async () => {
		const { server, page, problems, go } = await openShop();
		await go("/sales");
		await page.getByRole("button", { name: /-000002/ }).waitFor();
		await page.getByRole("searchbox").fill("milk");
		await page.getByRole("button", { name: /-000002/ }).waitFor({
			state: "detached",
		});
		await page.getByRole("button", { name: /-000001/ }).click();
		await page.getByLabel("Refund: Milk").fill("1");
		await page.getByLabel("Reason").fill("Sour");
		const hasTyped = Promise.withResolvers<void>();
		await page.route(
			"**/api/sync",
			async (route) => {
				await hasTyped.promise;
				await route.continue();
			},
			{ times: 1 },
		);
		await page.getByRole("button", { name: "Refund", exact: true }).click();
		await page.getByText("Refunded KES").waitFor();
		await page.getByLabel("Reason").fill("All of it");
		hasTyped.resolve();
		await page.getByText("On the server").waitFor();
		await page.getByRole("button", { name: "Void" }).click();
		await page.getByRole("button", { name: "Void" }).click();
		await page.getByText("VOIDED").first().waitFor();
		// The page shows it before the server has it.
		await expect
			.poll(() =>
				server.now().rows("SELECT kind, total FROM refunds ORDER BY version"),
			)
			.toEqual([
				{ kind: "refund", total: 60e6 },
				{ kind: "void", total: 60e6 },
			]);
		expect(problems).toEqual([]);
	});

	inBrowser(
		"the settings name the shop's time zone by its city, without codes of regions",
		async () => {
			const { page, problems, go } = await openShop();
			await go("/settings?part=shop");
			const zones = page.getByLabel("Time zone").locator("option");
			await zones.first().waitFor({ state: "attached" });
			const labels = await zones.allTextContents();
			expect(labels.some((label) => /^Nairobi\b/.test(label))).toBe(true);
			expect(labels.filter((label) => /\d{3}$/.test(label))).toEqual([]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the overview shows revenue, and links low stock to the product",
		async () => {
			const { server, caller, page, problems, go } = await openShop();
			// It sells, and 18 are left.
			await server.now().shop.mutate(caller, productUpdate, {
				id: "bread",
				set: { lowStock: 18 },
			});
			await go("/dashboard");
			await page.getByText("KES 240").first().waitFor();
			await page.getByText("2 sales").first().waitFor();
			await page
				.getByRole("region", { name: "To order" })
				.getByRole("link", { name: "Bread" })
				.click();
			await page.getByText("Edit product").waitFor();
			expect(await page.getByLabel("Name").inputValue()).toBe("Bread");
			expect(problems).toEqual([]);
		},
	);

	inBrowser("an added cashier may sell but not manage", async () => {
		const { server, page, go } = await openShop();
		await go("/settings?part=people");
		await page
			.getByRole("textbox", { name: "Name", exact: true })
			.fill("Chege");
		await page.getByLabel("Email").fill("chege@example.com");
		await page.getByLabel("Password").first().fill("another horse");
		await page.getByRole("button", { name: "Add a person" }).click();
		await page.getByText("chege@example.com").waitFor();
		const cashier = await openWindow();
		await signIn(cashier.page, {
			...server,
			account: {
				...server.account,
				email: "chege@example.com",
				password: "another horse",
			},
		});
		await cashier.page.getByRole("button", { name: /^Milk/ }).click();
		await cashier.page.getByText("KES 65").first().waitFor();
		expect(await cashier.page.getByLabel("Price: Milk").count()).toBe(0);
		expect(
			await cashier.page.getByRole("button", { name: "Discount" }).count(),
		).toBe(0);
		await scan(cashier.page, "4006381333931");
		await cashier.page.getByText("No product has the code").waitFor();
		await cashier.page.goto(`${server.url}/products`);
		await cashier.page.getByRole("button", { name: /^Milk/ }).waitFor();
		expect(
			await cashier.page.getByRole("button", { name: "Add product" }).count(),
		).toBe(0);
	});

	inBrowser(
		"notifications are counted, read, deleted, and switched off by type",
		async () => {
			const { server, page, context, go } = await openShop();
			const cookie = (await context.cookies())
				.map(({ name, value }) => `${name}=${value}`)
				.join("; ");
			for (const title of ["One", "Two"])
				await server.now().ask("POST", "/api/notifications", {
					headers: { cookie },
					body: { type: "sales", title, message: "m" },
				});
			await go("/");
			await page
				.getByRole("button", { name: "2 unread notifications" })
				.click();
			// One is deleted while the server still marks them.
			const mayMark = Promise.withResolvers<void>();
			await page.route("**/api/notifications", async (route) => {
				if (route.request().method() === "PATCH") await mayMark.promise;
				await route.continue();
			});
			const markAll = page.getByRole("button", { name: "Mark all as read" });
			await markAll.click();
			await page.getByRole("button", { name: "Delete: Two" }).click();
			await page.getByText("Two").waitFor({ state: "detached" });
			mayMark.resolve();
			await markAll.waitFor({ state: "detached" });
			await page.keyboard.press("Escape");
			await go("/settings?part=notifications");
			await page.getByLabel("Stock").click();
			await expect
				.poll(() =>
					server
						.now()
						.rows("SELECT type, enabled FROM notification_preferences"),
				)
				.toEqual([{ type: "inventory", enabled: 0 }]);
		},
	);

	inBrowser("an administrator sees only figures and reviews", async () => {
		const { server, page, go } = await openShop();
		await go("/settings?part=review");
		await page.getByRole("radio", { name: "5 / 5" }).last().focus();
		await page.keyboard.press("Space");
		await page
			.getByRole("textbox", { name: "What do you think" })
			.fill("Works in the dark");
		await page.getByRole("button", { name: "Send" }).click();
		await page.getByText("Thank you!").waitFor();
		const admin = await openWindow();
		await admin.context.addCookies([await adminCookie(server)]);
		await admin.page.goto(server.url);
		await admin.page.getByText("Works in the dark").waitFor();
		await admin.page.getByText("Businesses").waitFor();
		expect(
			await admin.page.getByRole("link", { name: "Till", exact: true }).count(),
		).toBe(0);
	});

	inBrowser("the app switches to Kiswahili", async () => {
		const { page, go } = await openShop({ serviceWorkers: "allow" });
		await go("/");
		await page.evaluate(() => navigator.serviceWorker.ready);
		await page.getByRole("button", { name: /account/ }).click();
		await page.getByText("Kiswahili").click();
		await page.getByRole("link", { name: "Mauzo" }).waitFor();
		await go("/sales");
		await page.getByRole("heading", { name: "Mauzo" }).waitFor();
		expect(await page.evaluate("document.documentElement.lang")).toBe("sw");
	});
});
