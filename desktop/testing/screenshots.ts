import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { cookieName } from "../../server/accounts/authenticator.ts";
import { openTokens } from "../../server/accounts/tokens.ts";
import { createAdmin } from "../../server/accounts/users.ts";
import { readSettings, type Settings } from "../../server/settings.ts";
import { type RunningServer, startServer } from "../../server/start.ts";
import buildWebApp from "../build.ts";

/*
 * A picture of every page, at four widths, light and dark, of a demo shop: `npm run screenshots`, then look at
 * docs/screenshots.
 */
const widths = { 390: 844, 768: 1024, 1366: 768, 1920: 1080 };
const schemes = ["light", "dark"] as const;
const outDir = join(import.meta.dirname, "../../docs/screenshots");

/** What is pictured: where, and what is done there first. */
const pages: Record<
	string,
	{ path: string; prepare?(page: Page): Promise<void> }
> = {
	till: { path: "/", prepare: fillCart },
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
	product: {
		path: "/products",
		async prepare(page) {
			await page.locator(".row").first().click();
		},
	},
	sales: { path: "/sales" },
	sale: {
		path: "/sales",
		async prepare(page) {
			await page.locator(".row").first().click();
		},
	},
	dashboard: { path: "/dashboard" },
	inbox: { path: "/inbox" },
	ai: { path: "/ai" },
	settings: { path: "/settings" },
	sync: { path: "/sync" },
};

/** The pages above, and those of the menu that need no preparation. */
async function pagesWithMenu(page: Page, url: string): Promise<typeof pages> {
	await page.goto(url);
	await page.locator("nav a").first().waitFor({ state: "attached" });
	const paths = (await page.evaluate(
		"[...document.querySelectorAll('nav a')].map(({ pathname }) => pathname)",
	)) as string[];
	const known = Object.values(pages).map(({ path }) => path);
	const others = paths.filter((path) => !known.includes(path));
	return {
		...pages,
		...Object.fromEntries(others.map((path) => [path.slice(1), { path }])),
	};
}

async function fillCart(page: Page): Promise<void> {
	const total = page.getByText(/KES\s0$/).last();
	if (!(await total.isVisible())) return;
	for (const n of [0, 2, 3]) await page.locator(".ticket").nth(n).click();
}

const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(
	existsSync,
);
if (!executablePath) {
	console.error(
		"Screenshots need Chromium (on Debian: apt-get install chromium)",
	);
	process.exit(1);
}
await buildWebApp();
const dataDir = mkdtempSync(join(tmpdir(), "counterfoil-pictures-"));
const adminEmail = "root@example.com";
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
rmSync(outDir, { recursive: true, force: true });
mkdirSync(outDir, { recursive: true });
try {
	const first = await browser.newPage({
		viewport: { width: 1024, height: 768 },
	});
	await first.goto(server.url);
	await first.getByRole("button", { name: /demo/ }).waitFor();
	await first.screenshot({ path: join(outDir, "setup.png"), fullPage: true });
	await first.getByRole("button", { name: /demo/ }).click();
	await first.getByText("ready").waitFor();
	await first.screenshot({ path: join(outDir, "setup-demo.png") });
	const cookies = await first.context().cookies();
	for (const colorScheme of schemes)
		for (const [width, height] of Object.entries(widths)) {
			const context = await browser.newContext({
				viewport: { width: Number(width), height },
				colorScheme,
				locale: "en-GB",
				timezoneId: "Africa/Nairobi",
			});
			await context.addCookies(cookies);
			const page = await context.newPage();
			// A browser's first page fetches three months of sales.
			page.setDefaultTimeout(60_000);
			for (const [name, { path, prepare }] of Object.entries(
				await pagesWithMenu(page, server.url),
			)) {
				await page.goto(new URL(path, server.url).href);
				await page.getByRole("status", { name: /Online/ }).waitFor();
				await page.waitForTimeout(500);
				await prepare?.(page);
				await page.waitForTimeout(400);
				await page.screenshot({
					path: join(outDir, `${name}-${width}-${colorScheme}.png`),
				});
			}
			await context.close();
		}
	const adminCookie = await adminOf(settings, server);
	for (const colorScheme of schemes)
		for (const [width, height] of Object.entries(widths)) {
			const viewport = { width: Number(width), height };
			const page = await browser.newPage({ viewport, colorScheme });
			const picture = (name: string) =>
				page.screenshot({
					path: join(outDir, `${name}-${width}-${colorScheme}.png`),
				});
			await page.goto(server.url);
			await page.getByLabel("Email").waitFor();
			await picture("login");
			await page.goto(`${server.url}/setup`);
			await page.getByLabel("Your name").waitFor();
			await picture("setup");
			await page.context().addCookies([{ ...adminCookie, url: server.url }]);
			await page.goto(server.url);
			await page.getByText("Businesses").waitFor();
			await picture("admin");
			await page.close();
		}
	console.log(`Look at ${outDir}`);
} finally {
	await browser.close();
	await server.close();
	rmSync(dataDir, { recursive: true, force: true });
}

/** An administrator's session, for the page that is theirs alone. */
async function adminOf(
	{ authSecret }: Settings,
	{ shop }: RunningServer,
): Promise<{ name: string; value: string }> {
	const account = { email: adminEmail, name: "Root" };
	const { id } = await createAdmin(shop.store, shop.env, {
		...account,
		passwordHash: "none",
	});
	const identity = { id, ...account, role: "admin", businessId: null } as const;
	const tokens = await openTokens(authSecret);
	return {
		name: cookieName,
		value: await tokens.sign({ user: identity, tokenVersion: 0 }, "session"),
	};
}
