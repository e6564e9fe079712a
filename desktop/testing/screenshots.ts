import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { readSettings } from "../../server/settings.ts";
import { startServer } from "../../server/start.ts";
import { browserPath } from "../../server/testing/real-browser.ts";
import buildWebApp from "../build.ts";
import { type Cookie, openAdmin, openPicturedShop } from "./pictured-shops.ts";

/*
 * A picture of every page, at four widths, light and dark, of shops of several sizes: `npm run screenshots`, then look at
 * docs/screenshots. `npm run screenshots -- 326 others` pictures the shop of 326 products, and the pages without a shop.
 */
const widths = { 390: 844, 768: 1024, 1366: 768, 1920: 1080 };
const schemes = ["light", "dark"] as const;
const outDir = join(import.meta.dirname, "../../docs/screenshots");
const adminEmail = "root@example.com";

interface Pictured {
	path: string;
	/** What is done there first. */
	prepare?(page: Page): Promise<void>;
}

const till: Pictured = { path: "/", prepare: fillCart };
const pages: Record<string, Pictured> = {
	till,
	cart: {
		path: "/",
		async prepare(page) {
			await fillCart(page);
			const bar = page.locator(".bar-sale");
			if (await bar.isVisible()) await bar.click();
		},
	},
	payment: {
		path: "/",
		async prepare(page) {
			await fillCart(page);
			await page.keyboard.press("F8");
		},
	},
	receipt: {
		path: "/",
		async prepare(page) {
			await fillCart(page);
			await page.keyboard.press("F8");
			await page.getByRole("button", { name: "Complete sale" }).click();
			await page.getByText("On the server").waitFor();
		},
	},
	products: { path: "/products" },
	product: { path: "/products", prepare: openFirstRow },
	sales: { path: "/sales" },
	sale: { path: "/sales", prepare: openFirstRow },
	dashboard: { path: "/dashboard" },
	inbox: { path: "/inbox" },
	ai: { path: "/ai" },
	settings: { path: "/settings?part=receipt" },
	people: { path: "/settings?part=people" },
	money: { path: "/settings?part=money" },
	limits: { path: "/settings?part=limits" },
	tax: { path: "/settings?part=tax" },
	tills: { path: "/settings?part=tills" },
	scale: { path: "/settings?part=scale" },
	sessions: { path: "/settings?part=sessions" },
	server: { path: "/settings?part=server" },
	labels: {
		path: "/products",
		async prepare(page) {
			await page.getByRole("checkbox").nth(1).check();
			await page.getByRole("button", { name: "Print labels" }).click();
		},
	},
	customers: { path: "/customers" },
	customer: { path: "/customers", prepare: openFirstRow },
	shifts: { path: "/shifts" },
	shift: { path: "/shifts", prepare: openFirstRow },
	statements: { path: "/statements" },
	counts: { path: "/counts" },
	deliveries: { path: "/deliveries" },
	sync: { path: "/sync" },
	start: { path: "/start" },
};

/** What is pictured of each shop, by its number of products. */
const shops: Record<string, (keyof typeof pages)[]> = {
	0: [
		...["till", "products", "sales", "dashboard", "inbox", "start"],
		...["customers", "shifts", "statements"],
	],
	10: ["till", "products"],
	326: [
		...["till", "cart", "payment", "receipt", "products", "product"],
		...["sales", "sale", "dashboard", "inbox", "settings"],
	],
	20000: ["till", "products", "dashboard"],
};

async function fillCart(page: Page): Promise<void> {
	const tickets = page.locator(".ticket");
	if ((await page.locator(".ticket-count").count()) > 0) return;
	for (const n of [0, 2, 3])
		if ((await tickets.count()) > n) await tickets.nth(n).click();
}

async function openFirstRow(page: Page): Promise<void> {
	await page
		.locator(":is(.row, .customers-list, .shifts-list) button")
		.first()
		.click();
}

/** Pictures what a page shows now, at each width in both schemes. */
async function picture(page: Page, name: string, width: string): Promise<void> {
	for (const colorScheme of schemes) {
		await page.emulateMedia({ colorScheme });
		await page
			.locator(`html[data-scheme=${colorScheme}]`)
			.waitFor({ state: "attached" });
		await page.waitForTimeout(200);
		await page.screenshot({
			path: join(outDir, `${name}-${width}-${colorScheme}.png`),
		});
	}
}

/** Pictures pages of one shop, whose goods the browser fetches once. */
async function pictureShop(
	browser: Browser,
	url: string,
	shop: { name: string; cookie: Cookie; shown: (keyof typeof pages)[] },
): Promise<void> {
	const context = await browser.newContext({
		locale: "en-GB",
		timezoneId: "Africa/Nairobi",
	});
	await context.addCookies([{ ...shop.cookie, url }]);
	const page = await context.newPage();
	// A browser's first page fetches the whole shop.
	page.setDefaultTimeout(240_000);
	for (const [width, height] of Object.entries(widths)) {
		await page.setViewportSize({ width: Number(width), height });
		for (const name of shop.shown) {
			const { path, prepare } = pages[name] as Pictured;
			await page.goto(new URL(path, url).href);
			await page.getByRole("heading", { level: 1 }).first().waitFor({
				// The till's is for screen readers.
				state: "attached",
			});
			if (path !== "/start")
				await page.getByRole("status", { name: /Online/ }).waitFor();
			await page.waitForTimeout(600);
			await prepare?.(page);
			await page.waitForTimeout(400);
			await picture(page, `${shop.name}-${name}`, width);
		}
	}
	await context.close();
}

/** Pictures the pages without a shop: those of visitors and the administrator's. */
async function pictureOthers(
	browser: Browser,
	url: string,
	admin: Cookie,
): Promise<void> {
	for (const [width, height] of Object.entries(widths)) {
		const page = await browser.newPage({
			locale: "en-GB",
			viewport: { width: Number(width), height },
		});
		await page.goto(url);
		await page.getByLabel("Email").waitFor();
		await picture(page, "login", width);
		await page.goto(`${url}/setup`);
		await page.getByLabel("Your name").waitFor();
		await picture(page, "setup", width);
		await page.context().addCookies([{ ...admin, url }]);
		await page.goto(url);
		await page.getByText("Businesses").waitFor();
		await page.waitForTimeout(400);
		await picture(page, "admin", width);
		await page.close();
	}
}

const executablePath = browserPath("chrome");
if (!executablePath) {
	console.error(
		"Screenshots need Chromium (on Debian: apt-get install chromium), or CHROMIUM_PATH",
	);
	process.exit(1);
}
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
await buildWebApp();
const dataDir = mkdtempSync(join(tmpdir(), "counterfoil-pictures-"));
const settings = readSettings({
	PORT: "0",
	DATA_DIR: dataDir,
	LOG_LEVEL: "warn",
	ADMIN_EMAILS: adminEmail,
});
const server = await startServer(settings);
const browser = await chromium.launch({
	executablePath,
	args: ["--no-sandbox"],
});
if (wanted.length === 0) rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });
try {
	const { url } = server;
	if (isWanted("demo")) {
		const first = await browser.newPage({
			viewport: { width: 1366, height: 768 },
		});
		await first.goto(url);
		await first.getByRole("button", { name: /demo/ }).click();
		await first.getByText("ready").waitFor({ timeout: 240_000 });
		await first.screenshot({ path: join(outDir, "setup-demo.png") });
		const [cookie] = await first.context().cookies();
		await first.context().close();
		if (cookie)
			await pictureShop(browser, url, {
				name: "demo",
				cookie: { name: cookie.name, value: cookie.value },
				shown: Object.keys(pages),
			});
	}
	for (const [count, shown] of Object.entries(shops))
		if (isWanted(count))
			await pictureShop(browser, url, {
				name: count,
				cookie: await openPicturedShop(server, settings, Number(count)),
				shown,
			});
	// Once there is a shop, so that visitors are asked to sign in.
	if (isWanted("others")) {
		const admin = await openAdmin(server, settings, adminEmail);
		await pictureOthers(browser, url, admin);
	}
	console.log(`Look at ${outDir}`);
} finally {
	await browser.close();
	await server.close();
	rmSync(dataDir, { recursive: true, force: true });
}
