import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { openTestServer } from "../../../server/testing/server.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
	scanByKeys,
} from "../testing/browser.ts";

async function openShop(page: Page): Promise<void> {
	await page.getByLabel("Name of the shop").fill("Duka la Njeri");
	await page.getByLabel("Your name").fill("Njeri");
	await page.getByLabel("Email").fill("njeri@example.com");
	await page.getByLabel("Password").first().fill("correct horse");
	await page.getByRole("button", { name: "Open the shop" }).click();
	await page.getByRole("heading", { name: "What do you sell?" }).waitFor();
}

async function openNewShop() {
	const server = await openTestServer();
	const { page, context, problems } = await openWindow();
	await page.goto(server.url);
	await openShop(page);
	const productsOf = () =>
		server.rows(
			"SELECT name, sku, selling_price FROM products WHERE is_active = 1 ORDER BY name",
		);
	return { server, page, context, problems, productsOf };
}

/** A signed-in owner's shop with products, at the page where they scan their shelf. */
async function openShelf(
	options: Parameters<typeof openWindow>[0] = {},
	products: Record<string, object> = {
		Milk: { sku: "6001087340014", sellingPrice: 65 },
		"Brown bread": { sku: null, sellingPrice: 60 },
	},
) {
	const server = await openShopServer();
	const caller = await server.fill(products);
	const { page, context, problems } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, caller)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	if (options.serviceWorkers)
		await page.evaluate(() => navigator.serviceWorker.ready);
	await page.goto(`${server.url}/start/shelf`);
	await page.getByLabel("Code").waitFor();
	const productsOf = () =>
		server
			.now()
			.rows(
				"SELECT name, sku, selling_price FROM products WHERE is_active = 1 ORDER BY name",
			);
	return { server, page, context, problems, productsOf };
}

const keep = (page: Page) =>
	page.getByRole("button", { name: "Keep, and next" }).click();

describe("the first run in Chromium (skipped where none is found)", () => {
	inBrowser(
		"the language is chosen before anything else, and the receipt book fills in as the owner types",
		async () => {
			const server = await openTestServer();
			const { page, problems } = await openWindow();
			await page.goto(server.url);
			await page.getByRole("radio", { name: "Kiswahili" }).click();
			await page.getByRole("heading", { name: "Fungua duka lako" }).waitFor();
			expect(await page.evaluate("document.documentElement.lang")).toBe("sw");
			const book = page.locator(".book");
			await page.getByLabel("Jina la duka").fill("Duka la Asha");
			await book.getByText("Duka la Asha").waitFor();
			await page.getByRole("radio", { name: "TZS" }).click();
			await book.getByText("TZS").waitFor();
			await page.reload();
			await page.getByRole("heading", { name: "Fungua duka lako" }).waitFor();
			await page.getByRole("radio", { name: "English" }).click();
			await page.getByRole("heading", { name: "Open your shop" }).waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser("a shop opens in any currency, chosen by its name", async () => {
		const server = await openTestServer();
		const { page } = await openWindow();
		await page.goto(server.url);
		await page.getByRole("radio", { name: "…" }).click();
		await page
			.getByRole("combobox", { name: "Currency" })
			.selectOption({ label: "Rwandan Franc (RWF)" });
		await openShop(page);
		expect(await server.rows("SELECT currency FROM businesses")).toEqual([
			{ currency: "RWF" },
		]);
	});

	inBrowser(
		"a new owner brings a list, says what its columns are, and sells from it",
		async () => {
			const { page, productsOf, problems } = await openNewShop();
			await page.locator("input[type=file]").setInputFiles({
				name: "list.csv",
				mimeType: "text/csv",
				buffer: Buffer.from(
					"Thing,price,Retail,code\nTea,20,30,T-1\nMilk,50,65,6001087340014\n",
				),
			});
			const rows = page.getByRole("table", { name: "The first rows" });
			await rows.getByRole("cell", { name: "6001087340014" }).waitFor();
			await page.getByText("Choose the column with the names").waitFor();
			expect(await page.getByRole("button", { name: "Import" }).count()).toBe(
				0,
			);
			const column = (name: string) =>
				rows.getByRole("combobox", { name, exact: true });
			expect(await column("price").inputValue()).toBe("sellingPrice");
			expect(await column("code").inputValue()).toBe("sku");
			await column("Thing").selectOption("Name");
			await column("Retail").selectOption("Selling price");
			// A field has one column: the one before is left out.
			expect(await column("price").inputValue()).toBe("");
			await column("price").selectOption("Buying price");
			await page
				.getByText("2 new, 0 changed, 0 unchanged, 0 refused")
				.waitFor();
			expect(await productsOf()).toEqual([]);
			await page.getByRole("button", { name: "Import" }).click();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			expect(await productsOf()).toEqual([
				{ name: "Milk", sku: "6001087340014", selling_price: 65e6 },
				{ name: "Tea", sku: "T-1", selling_price: 30e6 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a new owner looks around a demo shop that takes long to make, and their own stays empty",
		async () => {
			const { server, page, problems } = await openNewShop();
			// A demo shop takes longer than the page waits for other answers, as on a slow computer.
			await page.evaluate(`{
				const { timeout } = AbortSignal;
				window.waitAsUsual = () => { AbortSignal.timeout = timeout; };
				AbortSignal.timeout = (ms) =>
					timeout.call(AbortSignal, ms > 60_000 ? ms : ms / 30);
			}`);
			await page.getByRole("button", { name: "Open the example" }).click();
			await page.getByText("demo@example.com").waitFor({ timeout: 60_000 });
			await page.evaluate("waitAsUsual()");
			await page
				.getByRole("button", { name: "Look around a demo shop" })
				.click();
			await page
				.getByRole("button", { name: /Fresh milk/ })
				.waitFor({ timeout: 60_000 });
			const counts = await server.rows(
				"SELECT name, (SELECT count(*) FROM products WHERE business_id = businesses.business_id) > 0 AS sells FROM businesses ORDER BY name",
			);
			expect(counts).toEqual([
				{ name: "Duka la Mfano", sells: 1 },
				{ name: "Duka la Njeri", sells: 0 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser("a new owner may start with an empty till", async () => {
		const { page } = await openNewShop();
		await page.getByRole("link", { name: "start with an empty till" }).click();
		await page.getByRole("link", { name: "Add the first product" }).waitFor();
	});

	inBrowser("an empty page of a new shop leads to its next step", async () => {
		const server = await openShopServer();
		const owner = await server.fill({});
		const { page, context, problems } = await openWindow();
		await context.addCookies([await ownerCookie(server, owner)]);
		for (const [path, name, next] of [
			["/", "Fill the shop", "/start"],
			["/products", "Fill the shop", "/start"],
			["/sales", "Open the till", "/"],
			["/dashboard", "Bring a list", "/start/list"],
			["/inbox", "Open the till", "/"],
		] as const) {
			await page.goto(server.url + path);
			await page.getByRole("link", { name }).first().click();
			await page.waitForURL(server.url + next);
		}
		expect(problems).toEqual([]);
	});
});

describe("scanning the shelf, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"products are added by scanner and keyboard alone, and the last can be undone",
		async () => {
			const { page, productsOf, problems } = await openShelf();
			const price = page
				.getByLabel("Selling price")
				.and(page.locator(":focus"));
			await scanByKeys(page, "4006381333931");
			await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
			await page.keyboard.type("Pencil", { delay: 80 });
			await page.keyboard.press("Enter");
			await price.waitFor();
			await page.keyboard.type("15", { delay: 150 });
			await page.keyboard.press("Enter");
			await page.getByText("1 thing kept").waitFor();
			// A scan keeps what is complete and begins the next.
			await scanByKeys(page, "5449000000996");
			await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
			await page.keyboard.type("Soda", { delay: 80 });
			await page.keyboard.press("Enter");
			await price.waitFor();
			await page.keyboard.type("60", { delay: 150 });
			// A person types more slowly than any scanner.
			await page.waitForTimeout(300);
			await scanByKeys(page, "5449000131805");
			await page.getByText("2 things kept").waitFor();
			await expect.poll(productsOf).toEqual([
				{ name: "Brown bread", sku: null, selling_price: 60e6 },
				{ name: "Milk", sku: "6001087340014", selling_price: 65e6 },
				{ name: "Pencil", sku: "4006381333931", selling_price: 15e6 },
				{ name: "Soda", sku: "5449000000996", selling_price: 60e6 },
			]);
			expect(await page.getByLabel("Code").inputValue()).toBe("5449000131805");
			await page.getByRole("button", { name: "Undo: Soda" }).click();
			await page.getByText("1 thing kept").waitFor();
			await expect
				.poll(async () => (await productsOf()).map(({ name }) => name))
				.toEqual(["Brown bread", "Milk", "Pencil"]);
			await page.getByRole("button", { name: "Undo: Pencil" }).waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a known code brings its product, a misread one nothing, and a product without a code can get it",
		async () => {
			const { page, productsOf } = await openShelf();
			await scan(page, "6001087340015");
			await page.getByText("Half a code. Scan again.").waitFor();
			await scan(page, "6001087340014");
			await page.getByText("Already in your shop.").waitFor();
			const price = page.getByLabel("Selling price");
			expect(await price.inputValue()).toBe("65");
			await price.fill("70");
			await keep(page);
			await scan(page, "5901234123457");
			await page.getByLabel("Name").fill("bre");
			// An unfinished thing isn't lost to the next scan.
			await scan(page, "4006381333931");
			await page.getByText("Type a price greater than 0.").waitFor();
			await page.getByRole("button", { name: "Brown bread" }).click();
			await page.getByText("2 things kept").waitFor();
			await expect.poll(productsOf).toEqual([
				{ name: "Brown bread", sku: "5901234123457", selling_price: 60e6 },
				{ name: "Milk", sku: "6001087340014", selling_price: 70e6 },
			]);
		},
	);

	inBrowser(
		"on a phone the shelf is filled by touch without a network, and arrives later",
		async () => {
			const { server, page, context, productsOf, problems } = await openShelf({
				serviceWorkers: "allow",
				viewport: { width: 390, height: 844 },
				hasTouch: true,
			});
			await context.setOffline(true);
			await page.reload();
			await page.getByRole("button", { name: "It has no code" }).tap();
			await page.getByLabel("Name").fill("Tomatoes");
			await page.getByLabel("Selling price").fill("10");
			await page.getByRole("button", { name: "Keep, and next" }).tap();
			await page.getByText("Scan the next thing").waitFor();
			await page.getByLabel("Code").fill("4006381333931");
			await page.getByLabel("Code").press("Enter");
			await page.getByLabel("Name").fill("Pencil");
			await page.getByLabel("Selling price").fill("15");
			await page.getByRole("button", { name: "Keep, and next" }).tap();
			await page.getByText("2 things kept").waitFor();
			expect(await productsOf()).toHaveLength(2);
			await context.setOffline(false);
			await page.goto(server.url);
			await page.getByRole("button", { name: /Tomatoes/ }).waitFor();
			await expect
				.poll(async () => (await productsOf()).map(({ name }) => name))
				.toEqual(["Brown bread", "Milk", "Pencil", "Tomatoes"]);
			expect(problems).toEqual([]);
		},
	);
});
