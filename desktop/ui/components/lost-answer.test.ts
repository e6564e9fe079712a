import { describe, expect } from "vitest";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	goods,
	holdNext,
	inBrowser,
	loseNext,
	openShopServer,
	openWindow,
	ownerCookie,
	scan,
} from "../testing/browser.ts";

async function openShop() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, caller)]);
	const rows = (sql: string) => server.now().rows(sql);
	const go = (path: string) => page.goto(server.url + path);
	return { server, caller, page, context, problems, rows, go };
}

describe("a form that is changed after a lost answer, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a product kept from the shelf or at the till is made once, as it was typed last",
		async () => {
			const { page, problems, rows, go } = await openShop();
			await go("/start/shelf");
			await page.getByRole("button", { name: "It has no code" }).click();
			await page.getByLabel("Name").fill("Tomatoes");
			const price = page.getByLabel("Selling price");
			await price.fill("10");
			const next = page.getByRole("button", { name: "Keep, and next" });
			await loseNext(page);
			await next.click();
			await page.getByRole("alert").waitFor();
			await price.fill("12");
			await next.click();
			await page.getByText("1 thing kept").waitFor();

			await go("/");
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await scan(page, "4006381333931");
			await page.getByLabel("Name").fill("Soap");
			const asked = page.getByRole("dialog").getByLabel("Price");
			await asked.fill("35");
			const keep = page.getByRole("button", { name: "Sell and keep" });
			await loseNext(page);
			await keep.click();
			await page.getByRole("alert").waitFor();
			await keep.click();
			await keep.waitFor({ state: "detached" });
			const made = () =>
				rows(
					"SELECT name, selling_price FROM products WHERE name IN ('Soap', 'Tomatoes') ORDER BY name",
				);
			await expect.poll(made).toEqual([
				{ name: "Soap", selling_price: 35e6 },
				{ name: "Tomatoes", selling_price: 12e6 },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a new product and a new supplier are made once, as they were typed last",
		async () => {
			const { page, rows, go } = await openShop();
			await go("/products");
			await page.getByRole("button", { name: "Add product" }).click();
			await page.getByLabel("Name").fill("Tea");
			await page.getByLabel("Selling price").fill("72");
			const save = page.getByRole("button", { name: "Save" });
			await loseNext(page);
			await save.click();
			await page.getByRole("alert").waitFor();
			await page.getByLabel("Selling price").fill("75");
			await save.click();
			await save.waitFor({ state: "detached" });
			await go("/deliveries?new");
			await page.getByRole("button", { name: "Add a supplier" }).click();
			const sheet = page.getByRole("dialog");
			await sheet.getByLabel("Name").fill("Brookside");
			await loseNext(page);
			await sheet.getByText("Save").click();
			await page.getByRole("alert").waitFor();
			await sheet.getByLabel("Name").fill("Brookside Dairy");
			await sheet.getByText("Save").click();
			await sheet.waitFor({ state: "detached" });
			const tea = () =>
				rows("SELECT selling_price FROM products WHERE name = 'Tea'");
			await expect.poll(tea).toEqual([{ selling_price: 75e6 }]);
			const suppliers = () => rows("SELECT name FROM suppliers");
			await expect.poll(suppliers).toEqual([{ name: "Brookside Dairy" }]);
		},
	);

	inBrowser(
		"a new category and a new pack are made once, as they were typed last",
		async () => {
			const { page, rows, go } = await openShop();
			await go("/products");
			await page.getByRole("button", { name: "Categories" }).click();
			const name = page.getByLabel("Add a category");
			for (const [i, typed] of ["Diary", "Dairy"].entries()) {
				await name.fill(typed);
				if (i === 0) await loseNext(page);
				await name.press("Enter");
				if (i === 0) await page.getByRole("alert").waitFor();
			}
			await page.getByRole("button", { name: "Remove Dairy" }).waitFor();
			await page.keyboard.press("Escape");
			await page.getByRole("button", { name: /^Milk/ }).first().click();
			const sheet = page.getByRole("dialog");
			await sheet.getByLabel(/^Pack, such as/).fill("Crate");
			await sheet.getByLabel(/^Holds/).fill("24");
			const add = sheet.getByRole("button", { name: "Add a pack" });
			await loseNext(page);
			await add.click();
			await page.getByRole("alert").waitFor();
			await sheet.getByLabel(/^Holds/).fill("12");
			await add.click();
			await sheet.getByText("Crate (12)").waitFor();
			const made = () =>
				rows(
					"SELECT name, NULL AS size FROM categories UNION ALL SELECT name, size FROM product_packs",
				);
			await expect.poll(made).toEqual([
				{ name: "Dairy", size: null },
				{ name: "Crate", size: 12e6 },
			]);
		},
	);

	inBrowser(
		"a fact says what was recorded before, and then takes what is missing",
		async () => {
			const { page, rows, go } = await openShop();
			await go("/products");
			await page.getByRole("button", { name: /^Milk/ }).click();
			const by = page.getByLabel("Change by");
			await by.fill("7");
			await loseNext(page);
			const change = page.getByRole("button", { name: "Change stock" });
			await change.click();
			await page.getByRole("alert").waitFor();
			await by.fill("9");
			const told = page.getByText("This was saved before, with 7.");
			for (let i = 0; i < 2; i += 1) {
				await change.click();
				await told.waitFor();
			}
			await by.fill("2");
			await change.click();
			await expect.poll(() => by.inputValue()).toBe("");
			const moved = () =>
				rows(
					"SELECT delta FROM stock_movements WHERE reason = 'received' ORDER BY version",
				);
			await expect.poll(moved).toEqual([{ delta: 7e6 }, { delta: 2e6 }]);
		},
	);

	inBrowser(
		"a refund that was recorded is not made again for other words, until a person has seen it",
		async () => {
			const { server, caller, page, rows, go } = await openShop();
			const milk = { id: "1", productId: "milk", name: "Milk" };
			await server.now().shop.mutate(caller, saleCreate, {
				...{ id: "s", items: [{ ...milk, quantity: 3, price: 60, cost: 40 }] },
			});
			await go("/sales");
			await page.getByRole("button", { name: /-000001/ }).click();
			const refund = page.getByRole("button", { name: "Refund", exact: true });
			const choose = async (reason: string) => {
				await page.getByLabel("Refund: Milk").fill("1");
				await page.getByLabel("Reason").fill(reason);
			};
			await choose("Sour");
			await loseNext(page);
			await refund.click();
			await page.getByRole("alert").waitFor();
			await choose("Sour milk");
			await refund.click();
			await page.getByText("This was saved before").waitFor();
			await page.getByText("Refunded KES 60").waitFor();
			await expect.poll(() => page.getByLabel("Reason").inputValue()).toBe("");
			await choose("Sour milk");
			await refund.click();
			await page.getByText("Refunded KES 120").waitFor();
			const made = () => rows("SELECT reason FROM refunds ORDER BY version");
			await expect
				.poll(made)
				.toEqual([{ reason: "Sour" }, { reason: "Sour milk" }]);
		},
	);

	inBrowser(
		"a delivery that another tab has saved is not saved again: what only this tab has goes on as a new one",
		async () => {
			const { page, context, rows, go, server } = await openShop();
			await go("/deliveries?new");
			await page.getByPlaceholder(/type its name/).waitFor();
			await scan(page, goods.Milk.sku);
			await page.getByLabel("Cost of one: Milk").fill("42");
			const other = await context.newPage();
			await other.goto(`${server.url}/deliveries?new`);
			await other.getByLabel("Quantity: Milk").waitFor();
			const save = { name: "Save" };
			await page.getByRole("button", save).click();
			await page.getByText("1 line").waitFor();
			await scan(other, goods.Bread.sku);
			await other.getByLabel("Cost of one: Bread").fill("30");
			await other.getByRole("button", save).click();
			await other.getByText(/This was saved before, with KES\s42/).waitFor();
			expect(await other.getByLabel("Quantity: Milk").count()).toBe(0);
			await other.getByRole("button", save).click();
			await other.getByText("1 line").first().waitFor();
			const brought = () =>
				rows("SELECT total FROM deliveries ORDER BY version");
			await expect.poll(brought).toEqual([{ total: 42e6 }, { total: 30e6 }]);
		},
	);
});

inBrowser(
	"a scan that comes while the number before it is being saved is counted next",
	async () => {
		const { page, rows, go, problems } = await openShop();
		await go("/counts");
		await page.getByRole("button", { name: "Start a count" }).first().click();
		await page.getByLabel("What do you count?").fill("Shelf 1");
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: /^Milk.*Never counted/ }).click();
		await page.getByLabel("Counted").fill("17");
		const letGo = await holdNext(page, "mutate");
		await page.keyboard.press("Enter");
		await page.waitForFunction("window.letGo");
		await scan(page, goods.Bread.sku);
		// Its product is found, and it waits.
		await page.waitForTimeout(500);
		await letGo();
		await page.getByRole("heading", { name: "Bread" }).waitFor();
		const counted = () =>
			rows("SELECT product_id, counted FROM count_looks ORDER BY version");
		await expect.poll(counted).toEqual([
			{ product_id: "milk", counted: 17e6 },
			{ product_id: "bread", counted: null },
		]);
		expect(problems).toEqual([]);
	},
);
