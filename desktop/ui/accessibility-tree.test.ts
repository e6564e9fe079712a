import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "./testing/browser.ts";

/**
 * Compares what a screen reader is given with the reviewed file of that name in `accessibility-trees`; `vitest -u` writes it
 * again. What differs between runs is a placeholder there: days, times, and the letters of a device's receipts. What is in the
 * menu is its pages' own.
 */
async function expectTree(part: Locator, name: string): Promise<void> {
	const tree = await part.ariaSnapshot();
	const stable = tree
		.replaceAll(/\n *- \/(url|placeholder): .*/g, "")
		.replace(/(?<=navigation "Menu":)(\n {2}- link .*)+/, "")
		// An hour below a bar.
		.replaceAll(/text: "\d{1,2}"/g, 'text: "0"')
		.replaceAll(/\b[A-Z]{4}-(\d{6})/g, "XXXX-$1")
		.replaceAll(/\b\d{1,2}:\d\d\b/g, "00:00")
		.replaceAll(/\b[A-Z]\w+day(?= \d)/g, "Someday")
		.replaceAll(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, "Day")
		.replaceAll(
			/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*( \d{4})?\b/g,
			"1 January",
		);
	await expect(`${stable}\n`).toMatchFileSnapshot(
		`accessibility-trees/${name}.yaml`,
	);
}

async function openShop() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page, context } = await openWindow({ reducedMotion: "reduce" });
	const go = async (path: string, text: string) => {
		await page.goto(server.url + path);
		await page.getByText(text).first().waitFor();
	};
	return { server, caller, page, context, go };
}

describe("the accessibility tree, in Chromium (skipped where none is found)", () => {
	inBrowser("before someone is signed in", async () => {
		const { page, go } = await openShop();
		await go("/", "Password");
		await expectTree(page.getByRole("main"), "sign-in");
		await go("/setup", "Your name");
		await expectTree(page.getByRole("main"), "setup");
	});

	inBrowser("of a sale, from its first line to the next sale", async () => {
		const { server, caller, page, context, go } = await openShop();
		await context.addCookies([await ownerCookie(server, caller)]);
		await go("/", "Milk");
		await page.getByRole("status", { name: "Online" }).waitFor();
		await page.getByRole("button", { name: /^Milk/ }).click();
		await page.getByRole("button", { name: /^Bread/ }).click();
		await page.getByText("KES\u00a0125").waitFor();
		await expectTree(page.locator("body"), "till");
		await page.keyboard.press("F8");
		await page.getByLabel("Cash received").fill("200");
		await page.getByText("KES\u00a075").first().waitFor();
		await expectTree(page.getByRole("dialog"), "payment");
		await page.getByRole("button", { name: "Complete sale" }).click();
		await page.getByText("On the server").waitFor();
		await expectTree(page.getByRole("dialog"), "done");
	});

	inBrowser("of the pages of the menu, and of the first run", async () => {
		const { server, caller, page, context, go } = await openShop();
		await server.now().shop.mutate(caller, saleCreate, {
			id: "odd",
			items: ["sugar", "ghee"].map((productId) => ({
				...{ id: productId, name: productId, productId },
				...{ quantity: 5, price: 60, cost: 40 },
			})),
		});
		await context.addCookies([await ownerCookie(server, caller)]);
		await go("/products", "Milk");
		await page.getByRole("status", { name: "Online" }).waitFor();
		await expectTree(page.getByRole("main"), "products");
		await go("/sales", "1 sold");
		await expectTree(page.getByRole("main"), "sales");
		await go("/dashboard", "Cash");
		await page.locator("[aria-labelledby=chart]").waitFor();
		await expectTree(page.getByRole("main"), "overview");
		await go("/inbox", "Add to products");
		await expectTree(page.getByRole("main"), "inbox");
		await go("/settings?part=receipt", "Receipt header");
		await expectTree(page.getByRole("main"), "settings");
		await go("/start", "What do you sell?");
		await expectTree(page.getByRole("main"), "start");
	});
});
