import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
	type Browser,
	type BrowserContext,
	chromium,
	type Page,
} from "playwright-core";
import {
	onTestFinished,
	type RunnerTestCase,
	type RunnerTestSuite,
	type TestContext,
} from "vitest";
import { createAdmin, createUser } from "../../../server/accounts/users.ts";
import {
	cheapHash,
	cheapPassword,
	credentialsOf,
	openTestServer,
	type TestServer,
} from "../../../server/testing/server.ts";
import { productCreate } from "../../../sync/entities/product.ts";
import { openRandom } from "../../../sync/simulation/random.ts";
import { oneIn, testSeed, withSome } from "../../../sync/testing/lane.ts";
import { ownPort } from "../../../sync/testing/own-port.ts";
import { testDir } from "../../../sync/testing/shop.ts";

const places = [
	process.env.CHROMIUM_PATH,
	// The same browser without windows: a third less work.
	"/usr/bin/chromium-headless-shell",
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
];

/** The path of this machine's Chromium; browser tests are skipped, by name, if there is none. */
export const chromiumPath = places.find((path) => path && existsSync(path));

/** A browser test. Each costs five seconds of work, so a commit runs one of every fourth folder. */
export const inBrowser = withSome(
	isTurnOf,
	"one commit in four runs one browser test of this folder",
).skipIf(chromiumPath === undefined);

/** A browser test that walks through every page, which takes a minute. */
export const inTour = oneIn(40).skipIf(chromiumPath === undefined);

/** Picks a quarter of the folders, a file with browser tests in the test's folder, and one of its tests. A file with browser tests has no others. */
function isTurnOf({ file, id }: TestContext["task"]): boolean {
	const dir = dirname(file.filepath);
	const files = globSync("*.test.ts", { cwd: dir })
		.filter((name) =>
			/\binBrowser\b/.test(readFileSync(join(dir, name), "utf8")),
		)
		.sort();
	const random = openRandom(dirname(file.name), testSeed);
	if (!random.chance(1 / 4)) return false;
	if (random.pick(files) !== basename(file.name)) return false;
	return random.pick(testsIn(file)).id === id;
}

function testsIn({ tasks }: RunnerTestSuite): RunnerTestCase[] {
	return tasks.flatMap((task) =>
		task.type === "suite" ? testsIn(task) : task,
	);
}

/** Shared by all test files of a process, and closed with it. */
let browser: Promise<Browser> | undefined;

/**
 * Opens a window with its own cookies and storage. Service workers download the whole app into each window, so they are off
 * unless asked for.
 */
export async function openWindow(
	options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ page: Page; context: BrowserContext; problems: string[] }> {
	browser ??= chromium.launch({
		executablePath: chromiumPath as string,
		// Another test in this process may be about signals.
		handleSIGINT: false,
		handleSIGTERM: false,
		handleSIGHUP: false,
		// No spare renderer and no GPU process.
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--renderer-process-limit=1",
			// An insecure address, like that of another machine.
			"--host-resolver-rules=MAP shop.test 127.0.0.1",
			// A page made up by a test has no origin, but may call a local server.
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
	// A violation of the content security policy isn't a page error.
	page.on("console", (message) => {
		if (/content security policy/i.test(message.text()))
			problems.push(message.text());
	});
	page.on("dialog", (dialog) => dialog.accept());
	return { page, context, problems };
}

/**
 * Makes each page's worker run a script before its own, or a modified program.
 *
 * @returns a function that ends it
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

/** Keeps what the page, once it is loaded again, asks its shop with some text in it from being sent for so long. */
export async function delayQuestions(
	page: Page,
	text: string,
	ms: number,
): Promise<void> {
	await page.addInitScript(`{
		const { postMessage } = Worker.prototype;
		Worker.prototype.postMessage = function (message, ...rest) {
			const send = () => postMessage.call(this, message, ...rest);
			if (JSON.stringify(message).includes(${JSON.stringify(text)})) setTimeout(send, ${ms});
			else send();
		};
	}`);
}

/** A server that can be stopped and restarted at the same address, with its data. */
export async function openShopServer(env: NodeJS.ProcessEnv = {}) {
	const own = {
		...{ ...env, DATA_DIR: join(testDir(), "data") },
		PORT: String(await ownPort()),
	};
	let server = await openTestServer(own);
	const { url } = server;
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
			server = await openTestServer(own);
		},
		/** Creates an account with a shop and products. */
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

/** A session cookie for the owner made by `fill`. */
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

/** A session cookie for the installation's administrator. */
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

/** Types a code and Enter in one go, as a scanner does. */
export async function scan(page: Page, code: string): Promise<void> {
	await pressAtOnce(page, ...code, "Enter");
}

/** Presses keys in one go, each a millisecond after the last by its timestamp: a busy machine would add pauses between them. */
export async function pressAtOnce(
	page: Page,
	...keys: readonly string[]
): Promise<void> {
	await page.evaluate(`{
		const { timeStamp } = new Event("now");
		for (const [i, key] of ${JSON.stringify(keys)}.entries()) {
			const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
			Object.defineProperty(event, "timeStamp", { value: timeStamp + i });
			(document.activeElement ?? document.body).dispatchEvent(event);
		}
	}`);
}

let lastKeyAt = 0;

/**
 * Scans with real keys, which also write into the focused field. They carry the timestamps that a scanner's keys would
 * have, and none waits for the one before to be handled: a busy machine would be taken for a person who pauses.
 *
 * @param gapMs between two keys, or one before each key after the first
 * @param beforeKey what delays a key's delivery, by its place in the code
 */
export async function scanByKeys(
	page: Page,
	code: string,
	gapMs: number | readonly number[] = 5,
	beforeKey?: (i: number) => Promise<void>,
): Promise<void> {
	const session = await page.context().newCDPSession(page);
	// One second after the last keys.
	lastKeyAt = Math.max(Date.now(), lastKeyAt + 1_000);
	const sent: Promise<unknown>[] = [];
	for (const [i, key] of [...code, "Enter"].entries()) {
		if (i > 0)
			lastKeyAt += typeof gapMs === "number" ? gapMs : (gapMs[i - 1] ?? 0);
		await beforeKey?.(i);
		const timestamp = lastKeyAt / 1_000;
		const text = key === "Enter" ? "\r" : key;
		const event = { key, text, unmodifiedText: text, timestamp };
		sent.push(
			session.send("Input.dispatchKeyEvent", { type: "keyDown", ...event }),
			session.send("Input.dispatchKeyEvent", { type: "keyUp", key, timestamp }),
		);
	}
	await Promise.all(sent);
	await session.detach();
}

/** Taps where another button was tapped before; any sooner, it would be the second tap of a double one. */
export async function tapNext(page: Page, button: string): Promise<void> {
	const next = page.getByRole("button", { name: button, exact: true });
	await next.waitFor();
	await page.waitForTimeout(400);
	await next.tap();
}

/** The totals of the server's sales. */
export async function totalsOf(server: TestServer): Promise<number[]> {
	const rows = await server.rows("SELECT total FROM sales ORDER BY created_at");
	return rows.map(({ total }) => Number(total) / 1e6);
}

/** The ticket of a product of which so many are left. */
export function ticketOf(page: Page, name: string, left: number) {
	return page
		.getByRole("button", { name: new RegExp(`^${name}`) })
		.and(page.getByTitle(`${left} left`, { exact: true }));
}

/** The cart's line of a product. */
export function lineOf(page: Page, name: string) {
	return page
		.getByRole("region", { name: "Sale" })
		.getByRole("listitem")
		.filter({ has: page.getByText(name, { exact: true }) });
}

/** A line's quantity, as every line shows it. */
export async function quantityOf(page: Page, name: string): Promise<string> {
	const shown = lineOf(page, name).locator(".line-quantity");
	return (await shown.textContent()) ?? "";
}

/** Shows the tools of a line, which one line at a time does. */
export async function openLine(page: Page, name: string): Promise<void> {
	const head = lineOf(page, name).locator(".line-head");
	if ((await head.getAttribute("aria-expanded")) === "false")
		await head.click();
}

/** An element's text, with plain spaces in its amounts. */
export async function textOf(page: Page, testId: string): Promise<string> {
	const text = await page.getByTestId(testId).textContent();
	return (text ?? "").replaceAll("\u00a0", " ");
}

/** Refuses the page's next call that names a query or a call, as a shop does whose disk is full. */
export async function refuseNext(page: Page, name: string): Promise<void> {
	await page.evaluate(`{
		const { postMessage } = Worker.prototype;
		Worker.prototype.postMessage = function (message, ...others) {
			if (!JSON.stringify(message.call ?? "").includes('"${name}"'))
				return postMessage.call(this, message, ...others);
			Worker.prototype.postMessage = postMessage;
			const outcome = { refusal: { code: "storage_full", message: "Full" } };
			this.onmessage({ data: { kind: "outcome", number: message.number, outcome } });
		};
	}`);
}

/** Lets the shop do the page's next mutation, whose answer the page never gets. */
export async function loseNext(page: Page): Promise<void> {
	await page.evaluate(`{
		const { postMessage } = Worker.prototype;
		Worker.prototype.postMessage = function (message, ...others) {
			if (message.call?.name === "mutate") {
				Worker.prototype.postMessage = postMessage;
				const hear = this.onmessage;
				const outcome = { refusal: { code: "storage_busy", message: "No answer" } };
				this.onmessage = ({ data }) =>
					hear({ data: data.number === message.number ? { ...data, outcome } : data });
			}
			return postMessage.call(this, message, ...others);
		};
	}`);
}

/** Holds back the page's next call of the shop by a name. @returns a function that lets it go */
export async function holdNext(
	page: Page,
	name: string,
): Promise<() => Promise<void>> {
	await page.evaluate(`{
		const { postMessage } = Worker.prototype;
		Worker.prototype.postMessage = function (message, ...others) {
			const send = () => postMessage.call(this, message, ...others);
			if (message.call?.name !== "${name}") return send();
			Worker.prototype.postMessage = postMessage;
			window.letGo = send;
		};
	}`);
	return async () => {
		await page.waitForFunction("window.letGo");
		await page.evaluate("window.letGo(); window.letGo = undefined;");
	};
}
