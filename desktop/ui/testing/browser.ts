import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
	type Browser,
	type BrowserContext,
	chromium,
	type Page,
} from "playwright-core";
import { onTestFinished } from "vitest";
import { createAdmin, createUser } from "../../../server/accounts/users.ts";
import {
	cheapHash,
	cheapPassword,
	credentialsOf,
	openTestServer,
	type TestServer,
} from "../../../server/testing/server.ts";
import { productCreate } from "../../../sync/entities/product.ts";
import { oneIn } from "../../../sync/testing/lane.ts";
import { testDir } from "../../../sync/testing/shop.ts";

const places = [
	process.env.CHROMIUM_PATH,
	// The same browser without its own windows: a third less work.
	"/usr/bin/chromium-headless-shell",
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
];

/** Where a Chromium is on this machine; tests in a browser are skipped, by name, where there is none. */
export const chromiumPath = places.find((path) => path && existsSync(path));

/** A test in a browser, where each page that opens a shop costs a second of work. */
export const inBrowser = oneIn(5).skipIf(chromiumPath === undefined);

/** Of all files of tests that a process runs, with which it ends. */
let browser: Promise<Browser> | undefined;

/**
 * A window of its own: its cookies and its storage are nobody else's. Service workers fetch the whole app into each, and
 * so have to be asked for.
 */
export async function openWindow(
	options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; context: BrowserContext; problems: string[] }> {
	browser ??= chromium.launch({
		executablePath: chromiumPath as string,
		// Another test of this process may be about a signal.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
		// Without processes that wait for a page, or for a screen.
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--renderer-process-limit=1",
			// An address that is not secure, as that of another machine.
			"--host-resolver-rules=MAP shop.test 127.0.0.1",
			// A page that a test makes up comes from nowhere, and may ask a server here all the same.
			"--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
		],
	});
	const context = await (await browser).newContext({
		viewport: { width: 1280, height: 800 },
		locale: "en-GB",
		timezoneId: "Africa/Nairobi",
		serviceWorkers: "block",
		...options,
	});
	onTestFinished(() => context.close());
	const page = await context.newPage();
	page.setDefaultTimeout(15_000);
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(error.message));
	// What the server's policy forbids a page is not an error to the page.
	page.on("console", (message) => {
		if (/content security policy/i.test(message.text()))
			problems.push(message.text());
	});
	page.on("dialog", (dialog) => dialog.accept());
	return { page, context, problems };
}

/**
 * Has the worker of each page run a script before its own, or a program that is made of its own.
 *
 * @returns what ends that
 */
export async function changeWorkers(
	context: BrowserContext,
	change: string | ((program: string) => string),
) {
	const workers = "**/assets/worker-*.js";
	await context.route(workers, (route) => {
		const { pathname } = new URL(route.request().url());
		const built = join(import.meta.dirname, "../../dist", pathname);
		const program = readFileSync(built, "utf8");
		return route.fulfill({
			body:
				typeof change === "string" ? `${change}\n${program}` : change(program),
			contentType: "text/javascript",
		});
	});
	return () => context.unroute(workers);
}

/** A server that can be stopped and started again in its place, with its data. */
export async function openShopServer(env: NodeJS.ProcessEnv = {}) {
	const dataDir = join(testDir(), "data");
	let server = await openTestServer({ ...env, DATA_DIR: dataDir });
	const { port, url } = server;
	const body = {
		name: "Njeri Kamau",
		email: "njeri@example.com",
		password: cheapPassword,
		businessName: "Duka la Njeri",
	};
	return {
		url,
		account: body,
		now: () => server,
		stop: () => server.close(),
		async start() {
			server = await openTestServer({
				...env,
				DATA_DIR: dataDir,
				PORT: String(port),
			});
		},
		/** An account with a shop, and what it sells. */
		async fill(products: Record<string, object> = goods) {
			const { email, name, businessName } = body;
			const { store, env: shopEnv } = server.shop;
			const made = await createUser(
				store,
				shopEnv,
				{ email, name, passwordHash: cheapHash },
				{
					business: {
						name: businessName,
						currency: "KES",
						timeZone: "Africa/Nairobi",
					},
				},
			);
			const caller = {
				businessId: made.businessId,
				userId: made.id,
				role: "OWNER" as const,
				deviceId: null,
			};
			for (const [name, more] of Object.entries(products))
				await server.shop.mutate(caller, productCreate, {
					id: name.toLowerCase(),
					name,
					buyingPrice: 40,
					sellingPrice: 50,
					quantity: 20,
					...more,
				});
			return caller;
		},
	};
}
export type ShopServer = Awaited<ReturnType<typeof openShopServer>>;

export const goods = {
	Milk: { sku: "6001087340014", sellingPrice: 65 },
	Bread: { sku: "5901234123457", sellingPrice: 60 },
	Sugar: { sku: "SUGAR-1", sellingPrice: 149.5, quantity: 2 },
};

/** Signs in as a person does. */
export async function signIn(page: Page, { url, account }: ShopServer) {
	await page.goto(url);
	await page.getByLabel("Email").fill(account.email);
	await page
		.getByLabel("Password", { exact: false })
		.first()
		.fill(account.password);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("status", { name: "Online" }).waitFor();
}

/** The session of the owner that `fill` made, as a sign-in makes it. */
export async function ownerCookie(
	{ url, account }: ShopServer,
	owner: { userId: string; businessId: string },
) {
	const { cookie } = await credentialsOf({
		id: owner.userId,
		email: account.email,
		name: account.name,
		role: "user",
		businessId: owner.businessId,
	});
	return toCookie(cookie, url);
}

/** The session of an administrator of the installation, made as the first sign-in makes it. */
export async function adminCookie({ now, url }: ShopServer) {
	const { store, env } = now().shop;
	const root = { email: "root@example.com", name: "Root" };
	const { id } = await createAdmin(store, env, {
		...root,
		passwordHash: "none",
	});
	const { cookie } = await credentialsOf({
		id,
		...root,
		role: "admin",
		businessId: null,
	});
	return toCookie(cookie, url);
}

function toCookie(header: string, url: string) {
	const [name = "", value = ""] = header.split("=");
	return { name, value, url };
}

/** Types as a scanner does: at once, and Enter; a busy machine's pauses between two keys are not a scanner's. */
export async function scan(page: Page, code: string): Promise<void> {
	await page.evaluate(
		`for (const key of ${JSON.stringify([...code, "Enter"])}) (document.activeElement ?? document.body).dispatchEvent(
       new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))`,
	);
}

let lastKeyAt = 0;

/**
 * The same by real keys, which also write into the field that has the focus. They carry the moments at which a scanner
 * would have pressed them, however long a busy machine takes to pass them on.
 *
 * @param gapMs between two keys, or that before each key after the first
 */
export async function scanByKeys(
	page: Page,
	code: string,
	gapMs: number | readonly number[] = 5,
): Promise<void> {
	const session = await page.context().newCDPSession(page);
	// A second after what was pressed before.
	lastKeyAt = Math.max(Date.now(), lastKeyAt + 1_000);
	for (const [i, key] of [...code, "Enter"].entries()) {
		if (i > 0)
			lastKeyAt += typeof gapMs === "number" ? gapMs : (gapMs[i - 1] ?? 0);
		const timestamp = lastKeyAt / 1_000;
		const text = key === "Enter" ? "\r" : key;
		const event = { key, text, unmodifiedText: text, timestamp };
		await session.send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
		await session.send("Input.dispatchKeyEvent", {
			type: "keyUp",
			key,
			timestamp,
		});
	}
	await session.detach();
}

/** What the server has of sales, by total. */
export async function totalsOf(server: TestServer): Promise<number[]> {
	const rows = await server.rows("SELECT total FROM sales ORDER BY created_at");
	return rows.map(({ total }) => Number(total) / 1e6);
}

/** What an element says, with plain spaces in its amounts. */
export async function textOf(page: Page, testId: string): Promise<string> {
	const text = await page.getByTestId(testId).textContent();
	return (text ?? "").replaceAll("\u00a0", " ");
}
