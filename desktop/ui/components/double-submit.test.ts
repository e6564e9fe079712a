import { describe, expect } from "vitest";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	holdNext,
	inBrowser,
	loseNext,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

/** A server with products and a sale, and its owner signed in. */
async function openShop() {
	const server = await openShopServer();
	const caller = await server.fill();
	await server.now().shop.mutate(caller, saleCreate, {
		id: "s1",
		items: [
			{
				id: "1",
				name: "Milk",
				quantity: 3,
				price: 60,
				cost: 40,
				productId: "milk",
			},
		],
	});
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, caller)]);
	const rows = (sql: string) => server.now().rows(sql);
	const go = (path: string) => page.goto(server.url + path);
	return { page, problems, rows, go };
}

describe("forms in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a form submitted twice writes once, and a number is read in every format",
		async () => {
			const { page, problems, rows, go } = await openShop();
			await go("/products");
			const deltas = async () => {
				const moved = await rows(
					"SELECT delta FROM stock_movements WHERE reason IN ('received', 'count') ORDER BY version",
				);
				return moved.map(({ delta }) => Number(delta) / 1e6);
			};
			await page.getByRole("button", { name: "Add product" }).click();
			await page.getByLabel("Name").fill("Tea");
			const price = page.getByLabel("Selling price");
			await price.fill("72.50");
			await page.getByRole("button", { name: "Save" }).dblclick();
			await page.getByRole("button", { name: /^Tea/ }).first().click();
			await price.fill("73.50");
			await price.press("Enter");
			const shown = page.getByLabel("Price: Tea");
			await expect.poll(() => shown.inputValue()).toBe("73.50");
			const tea = () =>
				rows("SELECT selling_price FROM products WHERE name = 'Tea'");
			await expect.poll(tea).toEqual([{ selling_price: 73.5e6 }]);

			await page.getByRole("button", { name: /^Milk/ }).click();
			const by = page.getByLabel("Change by");
			await by.fill("7");
			await page.getByRole("button", { name: "Change stock" }).dblclick();
			await expect.poll(deltas).toEqual([7]);
			await by.fill("1.50");
			await by.press("Enter");
			await expect.poll(deltas).toEqual([7, 1.5]);
			await by.fill("-2.0");
			await page.evaluate(
				`for (let i = 0; i < 2; i += 1) document.activeElement.form.requestSubmit()`,
			);
			await expect.poll(deltas).toEqual([7, 1.5, -2]);
			await page.keyboard.press("Escape");

			await page.getByRole("button", { name: "Categories" }).click();
			await page.getByLabel("Add a category").fill("Dairy");
			const save = page.getByRole("button", { name: "Save" });
			const { x = 0, y = 0 } = (await save.boundingBox()) ?? {};
			await save.dblclick();
			await page.getByRole("button", { name: "Remove Dairy" }).waitFor();
			// A late second click hits no other button in the first one's place.
			await page.mouse.click(x + 10, y + 10);
			const names = () => rows("SELECT name FROM categories WHERE deleted = 0");
			await expect.poll(names).toEqual([{ name: "Dairy" }]);
			expect(await deltas()).toEqual([7, 1.5, -2]);
			expect(await tea()).toHaveLength(1);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a refund or void whose response was lost is recorded once, however often the button is pressed",
		async () => {
			const { page, rows, go } = await openShop();
			await go("/sales");
			await page.getByRole("button", { name: /-000001/ }).click();
			// Loses the response to the next request.
			const loseRequest = () =>
				page.route(
					"**/api/sync",
					async (route) => {
						await route.fetch();
						await route.abort();
					},
					{ times: 1 },
				);
			const made = () =>
				rows("SELECT kind, total FROM refunds ORDER BY version");
			const refund = page.getByRole("button", { name: "Refund", exact: true });
			// The form empties once the request has been tried.
			const isEmptied = () =>
				expect.poll(() => page.getByLabel("Reason").inputValue()).toBe("");
			await page.getByLabel("Refund: Milk").fill("1");
			await page.getByLabel("Reason").fill("Sour");
			await loseRequest();
			await refund.dblclick();
			await page.getByText("Refunded KES 60").waitFor();
			// The page shows the refund before it is sent.
			await expect.poll(made).toEqual([{ kind: "refund", total: 60e6 }]);
			await isEmptied();
			// The next refund is a different one.
			await page.getByLabel("Refund: Milk").fill("1");
			await page.getByLabel("Reason").fill("Sour");
			await refund.click();
			await page.getByText("Refunded KES 120").waitFor();
			await isEmptied();
			await page.getByLabel("Reason").fill("Sour");
			await loseRequest();
			await page.getByRole("button", { name: "Void" }).click();
			await page.getByRole("button", { name: "Void" }).dblclick();
			await page.getByText("VOIDED").first().waitFor();
			await expect.poll(made).toEqual([
				{ kind: "refund", total: 60e6 },
				{ kind: "refund", total: 60e6 },
				{ kind: "void", total: 60e6 },
			]);
		},
	);

	inBrowser(
		"stock that is changed and a customer who is added again after a lost answer are recorded once",
		async () => {
			const { page, rows, go } = await openShop();
			await go("/products");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Change by").fill("7");
			await loseNext(page);
			const change = page.getByRole("button", { name: "Change stock" });
			await change.click();
			await page.getByRole("alert").waitFor();
			await change.click();
			await expect
				.poll(() => page.getByLabel("Change by").inputValue())
				.toBe("");
			const moved = () =>
				rows("SELECT delta FROM stock_movements WHERE reason = 'received'");
			await expect.poll(moved).toEqual([{ delta: 7e6 }]);
			await page.getByLabel("Change by").fill("7");
			await change.click();
			await expect.poll(moved).toEqual([{ delta: 7e6 }, { delta: 7e6 }]);

			await go("/");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await page.getByRole("radio", { name: "On credit" }).click();
			await page.keyboard.type("Asha");
			const add = page.getByRole("button", { name: "Add Asha" });
			await add.waitFor();
			await loseNext(page);
			await add.click();
			await page.getByRole("alert").waitFor();
			await add.click();
			await add.waitFor({ state: "detached" });
			const names = () => rows("SELECT name FROM customers");
			await expect.poll(names).toEqual([{ name: "Asha" }]);
		},
	);

	inBrowser(
		"what is left while it is being saved is not offered to be saved again, and leads nobody away",
		async () => {
			const { page, rows, go } = await openShop();
			const hold = () => holdNext(page, "mutate");
			await go("/products");
			await page.getByRole("button", { name: /^Milk/ }).click();
			const by = page.getByLabel("Change by");
			await by.fill("7");
			let letGo = await hold();
			await page.getByRole("button", { name: "Change stock" }).click();
			await page.keyboard.press("Escape");
			await by.waitFor({ state: "detached" });
			await letGo();
			const moved = () =>
				rows("SELECT delta FROM stock_movements WHERE reason = 'received'");
			await expect.poll(moved).toEqual([{ delta: 7e6 }]);
			await page.getByRole("button", { name: /^Milk/ }).click();
			expect(await by.inputValue()).toBe("");
			await page.keyboard.press("Escape");

			const add = page.getByRole("button", { name: "Add product" });
			const name = page.getByLabel("Name");
			await add.click();
			await name.fill("Tea");
			letGo = await hold();
			await page.getByRole("button", { name: "Save" }).click();
			await page.keyboard.press("Escape");
			await name.waitFor({ state: "detached" });
			await letGo();
			const tea = () => rows("SELECT id FROM products WHERE name = 'Tea'");
			await expect.poll(async () => (await tea()).length).toBe(1);
			await add.click();
			expect(await name.inputValue()).toBe("");
			await page.keyboard.press("Escape");

			await go("/deliveries?new");
			await page.getByPlaceholder(/type its name/).fill("Milk");
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Cost of one: Milk").fill("42.5");
			letGo = await hold();
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByRole("link", { name: "Sales" }).click();
			await page.getByRole("button", { name: /-000001/ }).click();
			await letGo();
			const brought = () => rows("SELECT total FROM deliveries");
			await expect.poll(brought).toEqual([{ total: 42.5e6 }]);
			expect(new URL(page.url()).pathname).toBe("/sales");

			// A refund is saved at once; that the server answers takes a while.
			const answered = Promise.withResolvers<void>();
			await page.route("**/api/sync", async (route) => {
				await answered.promise;
				await route.continue();
			});
			await page.getByLabel("Refund: Milk").fill("1");
			await page.getByLabel("Reason").fill("Sour");
			await page.getByRole("button", { name: "Refund", exact: true }).click();
			await page.getByText("Refunded KES 60").waitFor();
			await page.getByRole("button", { name: "Close" }).click();
			answered.resolve();
			const refunded = () => rows("SELECT total FROM refunds");
			await expect.poll(refunded).toEqual([{ total: 60e6 }]);
			await page.getByText("Online").waitFor();
			await page.getByRole("button", { name: /-000001/ }).click();
			expect(await page.getByLabel("Refund: Milk").inputValue()).toBe("0");
		},
	);
});
