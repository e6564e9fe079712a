import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { saleCreate } from "../../sync/entities/sale.ts";
import { faultsOf } from "./testing/axe.ts";
import {
	adminCookie,
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
} from "./testing/browser.ts";

/** The violations in the light and the dark scheme, which differ only in colours. */
async function faultsInBoth(page: Page, where: string): Promise<string[]> {
	const faults = await faultsOf(page, where);
	await wear(page, "dark");
	const colours = await faultsOf(page, `${where}, dark`, {
		runOnly: ["color-contrast", "link-in-text-block"],
	});
	await wear(page, "light");
	return [...faults, ...colours];
}

/** Changes the scheme and waits for the colour transitions. */
async function wear(page: Page, colorScheme: "light" | "dark"): Promise<void> {
	await page.emulateMedia({ colorScheme });
	await page
		.locator(`html[data-scheme=${colorScheme}]`)
		.waitFor({ state: "attached" });
	await page.evaluate(
		"Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished.catch(() => undefined)))",
	);
}

/** Each page, and the dialogs that open on it. */
const places: Record<string, (page: Page, url: string) => Promise<void>> = {
	async till(page, url) {
		await page.goto(url);
		await page.getByRole("button", { name: /^Milk/ }).click();
	},
	async payment(page) {
		await page.keyboard.press("F8");
		await page.getByLabel("Cash received").waitFor();
	},
	async receipt(page) {
		await page.getByRole("button", { name: "Complete sale" }).click();
		await page.getByText("On the server").waitFor();
	},
	async help(page, url) {
		await page.goto(url);
		await page.getByRole("button", { name: /^Milk/ }).waitFor();
		await page.keyboard.press("?");
		await page.getByText("Hold the sale").waitFor();
	},
	async products(page, url) {
		await page.goto(`${url}/products`);
		await page.getByRole("button", { name: /^Milk/ }).waitFor();
	},
	async "a product"(page) {
		await page.getByRole("button", { name: /^Milk/ }).click();
		await page.getByLabel("Selling price").waitFor();
		await page.getByText("Opening stock").waitFor();
	},
	async "an import"(page, url) {
		await page.goto(`${url}/products`);
		await page.getByRole("button", { name: "Import" }).click();
		await page.getByText("A CSV file").waitFor();
	},
	async categories(page, url) {
		await page.goto(`${url}/products`);
		await page.getByRole("button", { name: "Categories" }).click();
		await page.getByLabel("Add a category").waitFor();
	},
	async sales(page, url) {
		await page.goto(`${url}/sales`);
		await page.locator(".row").first().waitFor();
	},
	async "a sale"(page) {
		await page.locator(".row").first().click();
		await page.getByLabel("Reason").waitFor();
	},
	async dashboard(page, url) {
		await page.goto(`${url}/dashboard`);
		await page.locator("[aria-labelledby=chart]").waitFor();
	},
	async inbox(page, url) {
		await page.goto(`${url}/inbox`);
		await page.getByRole("button", { name: "Add to products" }).click();
		await page.getByText("Sorted out today").waitFor();
		await page.getByRole("button", { name: "Nothing to do" }).click();
		await page.getByRole("button", { name: "Other reason" }).click();
	},
	async ai(page, url) {
		await page.goto(`${url}/ai`);
		await page.getByLabel("What it is for").fill("Till");
		await page.getByRole("button", { name: "Create a key" }).click();
		await page.getByText("won't be shown again").waitFor();
	},
	async settings(page, url) {
		await page.goto(`${url}/settings?part=shop`);
		await page.getByLabel("Name of the shop").waitFor();
	},
	async "settings of receipts"(page, url) {
		await page.goto(`${url}/settings?part=receipt`);
		await page.getByLabel("Receipt header").waitFor();
	},
	async "settings of people"(page, url) {
		await page.goto(`${url}/settings?part=people`);
		await page.getByLabel("Role: Njeri Kamau").waitFor();
	},
	async "settings of the scanner"(page, url) {
		await page.goto(`${url}/settings?part=scanner`);
		await page.getByText("Scan something here").waitFor();
	},
	async "first run"(page, url) {
		await page.goto(`${url}/start`);
		await page.getByText("What do you sell?").waitFor();
	},
	async shelf(page, url) {
		await page.goto(`${url}/start/shelf`);
		await page.getByRole("button", { name: "It has no code" }).click();
		await page.getByLabel("Selling price").waitFor();
	},
	async notifications(page) {
		await page.getByRole("button", { name: "Notifications" }).click();
		await page.getByText("Nothing new").waitFor();
	},
	async sync(page, url) {
		await page.goto(`${url}/sync`);
		await page.getByRole("button", { name: "Sync now" }).waitFor();
	},
};

describe("axe-core finds no serious violation (skipped where no Chromium is found)", () => {
	inBrowser.each([
		["light and dark", 1280, faultsInBoth],
		["light", 390, faultsOf],
	] as const)(
		"on any page, %s, %i wide",
		{ timeout: 240_000 },
		async (_scheme, width, look) => {
			const server = await openShopServer();
			const caller = await server.fill();
			await server.now().shop.mutate(caller, saleCreate, {
				id: "odd",
				items: ["sugar", "ghee"].map((productId) => ({
					...{ id: productId, name: productId, productId },
					...{ quantity: 5, price: 60, cost: 40 },
				})),
			});
			const options = {
				colorScheme: "light",
				viewport: { width, height: 800 },
				reducedMotion: "reduce",
			} as const;
			const { page, problems } = await openWindow(options);
			const faults: string[] = [];
			await page.goto(server.url);
			await page.getByLabel("Email").waitFor();
			faults.push(...(await look(page, "login")));
			await page.goto(`${server.url}/setup`);
			await page.getByLabel("Your name").waitFor();
			faults.push(...(await look(page, "setup")));
			await signIn(page, server);
			const visited = new Set<string>();
			for (const [name, go] of Object.entries(places)) {
				if (width < 400 && name === "payment") {
					await page.getByRole("button", { name: /1 line/ }).click();
					await page.getByTestId("total").waitFor();
					faults.push(...(await look(page, "cart")));
				}
				await go(page, server.url);
				// Wait until everything has moved in.
				await page.waitForTimeout(400);
				faults.push(...(await look(page, name)));
				visited.add(new URL(page.url()).pathname);
			}
			// Pages of the menu that need no further steps.
			const paths = (await page.evaluate(
				"[...document.querySelectorAll('nav a')].map(({ pathname }) => pathname)",
			)) as string[];
			expect(paths).toContain("/products");
			for (const path of paths.filter((path) => !visited.has(path))) {
				await page.goto(server.url + path);
				await page.getByRole("heading", { level: 1 }).waitFor();
				faults.push(...(await look(page, path)));
			}
			const admin = await openWindow(options);
			await admin.context.addCookies([await adminCookie(server)]);
			await admin.page.goto(server.url);
			await admin.page.getByText("Businesses").waitFor();
			faults.push(...(await look(admin.page, "platform")));
			expect(faults).toEqual([]);
			expect(problems).toEqual([]);
		},
	);
});
