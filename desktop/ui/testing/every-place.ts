import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	adminCookie,
	openShopServer,
	openWindow,
	type ShopServer,
	signIn,
} from "./browser.ts";

/** Each page, and the dialogs that open on it. */
const steps: Record<string, (page: Page, url: string) => Promise<void>> = {
	async till(page, url) {
		await page.goto(url);
		await page.getByRole("button", { name: /^Milk/ }).click();
	},
	/** On a phone, the sale has a screen to itself. */
	async cart(page) {
		if (isNarrow(page))
			await page.getByRole("button", { name: /1 line/ }).click();
		await page.getByTestId("total").waitFor();
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
		await page.getByText("A list from Excel").waitFor();
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
	async "settings of one's PIN"(page, url) {
		await page.goto(`${url}/settings?part=pin`);
		await page.getByRole("heading", { level: 2 }).first().waitFor();
	},
	async "settings of tills"(page, url) {
		await page.goto(`${url}/settings?part=tills`);
		await page.getByRole("heading", { level: 2 }).first().waitFor();
	},
	async "settings of money"(page, url) {
		await page.goto(`${url}/settings?part=money`);
		await page.getByRole("heading", { level: 2 }).first().waitFor();
	},
	async "settings of notifications"(page, url) {
		await page.goto(`${url}/settings?part=notifications`);
		await page.getByRole("heading", { level: 2 }).first().waitFor();
	},
	async "settings of backups"(page, url) {
		await page.goto(`${url}/settings?part=backup`);
		await page.getByRole("heading", { level: 2 }).first().waitFor();
	},
	async "a review"(page, url) {
		await page.goto(`${url}/settings?part=review`);
		await page.getByRole("heading", { level: 2 }).first().waitFor();
	},
	async "first run"(page, url) {
		await page.goto(`${url}/start`);
		await page.getByText("What do you sell?").waitFor();
	},
	async "a list"(page, url) {
		await page.goto(`${url}/start/list`);
		await page.getByText("A list from Excel").waitFor();
	},
	async shelf(page, url) {
		await page.goto(`${url}/start/shelf`);
		await page.getByRole("button", { name: "It has no code" }).click();
		await page.getByLabel("Selling price").waitFor();
	},
	async notifications(page, url) {
		// The first run has no frame, and so no bell.
		await page.goto(`${url}/sales`);
		await page.getByRole("button", { name: "Notifications" }).click();
		await page.getByText("Nothing new").waitFor();
	},
	async statements(page, url) {
		await page.goto(`${url}/statements`);
		await page.getByText("No statement yet").waitFor();
	},
	async "an import of a statement"(page) {
		await page.getByRole("button", { name: "Import" }).first().click();
		await page
			.getByLabel("Messages")
			.fill("UKK1A2B3C4 Confirmed. You have received Ksh65.00 from JANE");
		await page.getByText("1 line can't be read").waitFor();
	},
	async counts(page, url) {
		await page.goto(`${url}/counts`);
		await page.getByText("No counts yet").waitFor();
		await page.getByRole("button", { name: "Start a count" }).click();
		await page.getByLabel("What do you count?").fill("Shelf 1");
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: /^Milk/ }).click();
		await page.getByLabel("Counted").fill("5");
	},
	async "a count's differences"(page) {
		await page.getByRole("button", { name: /^Next/ }).click();
		await page.getByText(/fewer/).first().waitFor();
		await page.getByRole("button", { name: /^Finish, 1/ }).click();
		await page.getByRole("button", { name: /^Correct the stock/ }).waitFor();
	},
	async deliveries(page, url) {
		await page.goto(`${url}/deliveries`);
		await page.getByText("No deliveries yet").waitFor();
		await page.getByRole("radio", { name: "Suppliers" }).click();
		await page.getByRole("button", { name: "Add a supplier" }).click();
		await page.getByLabel("Name").fill("Brookside");
	},
	async "a supplier"(page) {
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByRole("button", { name: "Pay" }).click();
		await page.getByLabel("Amount").waitFor();
	},
	async "a delivery"(page, url) {
		await page.goto(`${url}/deliveries?new`);
		await page.getByLabel("Search").fill("milk");
		await page.getByRole("button", { name: /^Milk/ }).click();
		await page.getByLabel("Paid at once").fill("5");
	},
	async sync(page, url) {
		await page.goto(`${url}/sync`);
		await page.getByRole("button", { name: "Sync now" }).waitFor();
	},
};

const isNarrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 700;

/** Someone looks at a page after everything has moved in. */
type Look = (page: Page, where: string) => Promise<void>;

/**
 * Walks through every page of a small shop, and the dialogs that open on them, and lets `look` see each one: signed out, as
 * the owner and as the administrator.
 *
 * @returns console messages and page errors, each with the place where it came
 */
export async function visitEveryPlace(
	options: BrowserContextOptions,
	look: Look,
	/** Runs in each page before its own scripts. */
	initScript: () => void = () => undefined,
): Promise<string[]> {
	const server = await openShopServer();
	const caller = await server.fill();
	await server.now().shop.mutate(caller, saleCreate, {
		id: "odd",
		items: ["sugar", "ghee"].map((productId) => ({
			...{ id: productId, name: productId, productId },
			...{ quantity: 5, price: 60, cost: 40 },
		})),
	});
	const noise: string[] = [];
	const owners = await openListening({ options, look, initScript, noise });
	await visitSignedOut(owners, server);
	await visitPages(owners, server);
	const admins = await openListening({ options, look, initScript, noise });
	await admins.page.context().addCookies([await adminCookie(server)]);
	await admins.page.goto(server.url);
	await admins.page.getByText("Businesses").waitFor();
	await admins.see("platform");
	return noise;
}

type Visitor = Awaited<ReturnType<typeof openListening>>;

async function openListening({
	options,
	look,
	initScript,
	noise,
}: {
	options: BrowserContextOptions;
	look: Look;
	initScript: () => void;
	noise: string[];
}) {
	const { page } = await openWindow(options);
	await page.addInitScript(initScript);
	let where = "the first page";
	page.on("console", (message) =>
		noise.push(`${where}: ${message.type()}: ${message.text()}`),
	);
	page.on("pageerror", ({ message }) => noise.push(`${where}: ${message}`));
	return {
		page,
		goTo(place: string) {
			where = place;
		},
		async see(place: string) {
			// Wait until everything has moved in.
			await page.waitForTimeout(400);
			await look(page, place);
		},
	};
}

async function visitSignedOut(
	{ page, goTo, see }: Visitor,
	server: ShopServer,
) {
	const { url } = server;
	for (const [path, label] of Object.entries({
		"/": "Email",
		"/setup": "Your name",
		"/join": "Server address",
	})) {
		goTo(path);
		await page.goto(url + path);
		await page.getByLabel(label).waitFor();
		await see(path);
	}
	goTo("sign in");
	await signIn(page, server);
}

async function visitPages({ page, goTo, see }: Visitor, { url }: ShopServer) {
	const visited = new Set<string>();
	for (const [name, go] of Object.entries(steps)) {
		goTo(name);
		await go(page, url);
		await see(name);
		visited.add(new URL(page.url()).pathname);
	}
	// Pages of the menu that need no further steps.
	const paths = await page.evaluate<string[]>(
		"[...document.querySelectorAll('nav a')].map(({ pathname }) => pathname)",
	);
	expect(paths).toContain("/products");
	for (const path of paths.filter((path) => !visited.has(path))) {
		goTo(path);
		await page.goto(url + path);
		await page.getByRole("heading", { level: 1 }).waitFor();
		await see(path);
	}
}
