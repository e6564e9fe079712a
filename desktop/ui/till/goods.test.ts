import { describe, expect } from "vitest";
import { checkDigitOf } from "../../../sync/entities/gtin.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	quantityOf,
	scan,
	textOf,
	ticketOf,
} from "../testing/browser.ts";

inBrowser(
	"a notice at the till moves neither the search, the goods nor the way to pay",
	async () => {
		const server = await openShopServer();
		const owner = await server.fill();
		const { page, context } = await openWindow();
		await context.addCookies([await ownerCookie(server, owner)]);
		await page.goto(server.url);
		await page.getByRole("button", { name: /^Milk/ }).click();
		const places = async () => {
			const all = [
				page.getByLabel("Search or scan"),
				page.getByRole("button", { name: /^Bread/ }),
				page.getByRole("button", { name: "Pay" }),
			];
			return Promise.all(all.map((one) => one.boundingBox()));
		};
		const before = await places();
		// Its check digit is wrong.
		await scan(page, "6001087340015");
		await page.getByRole("alert").getByText("half a code").waitFor();
		expect(await places()).toEqual(before);
		await page.getByRole("alert").getByLabel("Close").click();
		// The next sync finds the session ended.
		await context.clearCookies();
		await scan(page, "CF-CASH");
		await page.getByRole("button", { name: "Next sale" }).click();
		await page.getByRole("button", { name: "Sign in" }).waitFor();
		await page.getByRole("button", { name: /^Milk/ }).click();
		expect(await places()).toEqual(before);
	},
);

inBrowser(
	"an owner says how a scale's labels are built, tries one, and the till sells what a label says: by weight, or for its price",
	async () => {
		const server = await openShopServer();
		const owner = await server.fill({
			Beef: { sku: "42", sellingPrice: 800 },
			Fish: { sku: "43", sellingPrice: null },
		});
		const { page, context, problems } = await openWindow();
		await context.addCookies([await ownerCookie(server, owner)]);
		await page.goto(`${server.url}/settings?part=scale`);
		const ean = (digits: string) => `${digits}${checkDigitOf(digits)}`;
		const add = page.getByRole("button", { name: "Add a kind of label" });
		await add.click();
		await add.click();
		await page
			.getByLabel("Then come")
			.nth(1)
			.selectOption({ label: "IIIII VVVVV: product, price with 2 decimals" });
		await page.getByLabel("Try a code").fill(ean("200004201250"));
		await page.getByText("Beef: 1.25").waitFor();
		await page.getByLabel("Try a code").fill(ean("210009900500"));
		await page.getByText(/5, but no product/).waitFor();
		await page.getByRole("link", { name: "Till", exact: true }).click();
		await page.getByRole("button", { name: /^Beef/ }).waitFor();
		await scan(page, ean("200004201250"));
		await expect.poll(() => textOf(page, "total")).toBe("KES 1,000");
		await scan(page, ean("210004220000"));
		await expect.poll(() => textOf(page, "total")).toBe("KES 1,200");
		expect(await quantityOf(page, "Beef")).toBe("1.5");
		// The weight waits while the cashier types what a kilogram costs.
		await scan(page, ean("200004300500"));
		const sheet = page.getByRole("dialog", { name: "Price of Fish" });
		await sheet.getByLabel("Price").fill("600");
		await page.getByRole("button", { name: "Sell once" }).click();
		await expect.poll(() => textOf(page, "total")).toBe("KES 1,500");
		expect(problems).toEqual([]);
	},
);

describe("the product grid, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"scrolling reaches all of 450 products, and Enter sells the first search result",
		async () => {
			const server = await openShopServer();
			const names = Array.from({ length: 450 }, (_, i) => `Tea ${1001 + i}`);
			const owner = await server.fill(
				Object.fromEntries(names.map((name) => [name, {}])),
			);
			const { page, context, problems } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(server.url);
			await page.getByRole("button", { name: /^Tea 1001/ }).waitFor();
			const last = page.getByRole("button", { name: /^Tea 1450/ });
			expect(await last.count()).toBe(0);
			await expect
				.poll(async () => {
					await page.evaluate(
						`document.querySelector(".till-goods .scroll").scrollTo(0, 1e6)`,
					);
					return last.count();
				})
				.toBe(1);
			await last.click();
			const search = page.getByLabel("Search or scan");
			// Each word and its Enter in one go, before anything can render.
			await search.focus();
			await page.evaluate(`
				for (const words of ["1234", "1440 tea", "1234"]) {
					const field = document.activeElement;
					Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, words);
					field.dispatchEvent(new Event("input", { bubbles: true }));
					field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
				}`);
			await expect.poll(() => textOf(page, "total")).toBe("KES 200");
			expect(await quantityOf(page, "Tea 1234")).toBe("2");
			expect(await quantityOf(page, "Tea 1440")).toBe("1");
			await search.fill("nothing like it");
			await page.getByText("No product found").waitFor();
			await search.press("Enter");
			await expect.poll(() => search.inputValue()).toBe("nothing like it");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a till that shows what is often sold doesn't read all 450 products after each sale",
		async () => {
			const server = await openShopServer();
			const names = Array.from({ length: 450 }, (_, i) => `Tea ${1001 + i}`);
			const owner = await server.fill(
				Object.fromEntries(names.map((name) => [name, {}])),
			);
			const { page, context } = await openWindow();
			await context.addCookies([await ownerCookie(server, owner)]);
			await page.goto(server.url);
			for (const name of names.slice(0, 12))
				await page
					.getByRole("button", { name: new RegExp(`^${name}`) })
					.click();
			await scan(page, "CF-CASH");
			// What the server answers later would have the next page read again what it shows.
			await page.getByText("On the server").waitFor();
			await page.getByRole("button", { name: "Next sale" }).click();
			await page.addInitScript(`
				window.asked = [];
				const { postMessage } = Worker.prototype;
				Worker.prototype.postMessage = function (message, ...rest) {
					window.asked.push(JSON.stringify(message));
					return postMessage.call(this, message, ...rest);
				};`);
			await page.reload();
			await page.getByRole("radio", { name: "Often sold" }).waitFor();
			await page.getByRole("button", { name: /^Tea 1001/ }).click();
			await scan(page, "CF-CASH");
			await page.getByRole("button", { name: "Next sale" }).click();
			await ticketOf(page, "Tea 1001", 18).waitFor();
			const asked = await page.evaluate<string[]>("window.asked");
			expect(asked.some((text) => text.includes("product.some"))).toBe(true);
			// The first page is read until it is known that there are best sellers.
			const lists = asked.filter((text) => text.includes("product.list"));
			expect(lists.length).toBeLessThanOrEqual(1);
		},
	);
});
