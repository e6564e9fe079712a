import { execFileSync } from "node:child_process";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import counterfoil from "../../../package.json" with { type: "json" };
import { productUpdate } from "../../../sync/entities/product.ts";
import { openReplica } from "../../../sync/replica/replica.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { testDir, testLine } from "../../../sync/testing/shop.ts";
import {
	changeWorkers,
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
	signIn,
	textOf,
	ticketOf,
	totalsOf,
} from "../testing/browser.ts";
import { brokenFiles } from "./testing/page.ts";

async function openShop(options?: Parameters<typeof openWindow>[0]) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow(options);
	return {
		...{ server, owner, page, context, problems },
		/** @returns a function that ends it for workers started later */
		change: (how: Parameters<typeof changeWorkers>[1]) =>
			changeWorkers(context, how),
		totals: () => totalsOf(server.now()),
	};
}

const alert = (page: Page, words: string | RegExp) =>
	page.getByRole("alert").getByText(words);
const goods = (page: Page, name: RegExp) => page.getByRole("button", { name });
const standing = (page: Page, name: string | RegExp) =>
	page.getByRole("status", { name }).waitFor();

/** Blocks sync while the server is up: no mutation leaves this browser. */
const holdBack = (context: BrowserContext) =>
	context.route(/\/api\/sync/, (route) => route.abort());
const letThrough = (context: BrowserContext) => context.unroute(/\/api\/sync/);

/** Lets requests through to a new page: one that is still open would send its sales. */
async function openAgain(
	page: Page,
	context: BrowserContext,
	url: string,
): Promise<void> {
	await page.goto("about:blank");
	await letThrough(context);
	await page.goto(url);
}

async function complete(page: Page): Promise<void> {
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
	await page.getByRole("button", { name: "Next sale" }).click();
}

async function sell(page: Page, name = /^Milk/): Promise<void> {
	await goods(page, name).click();
	await complete(page);
}

async function syncNow(page: Page): Promise<void> {
	await page.getByRole("link", { name: "Sync", exact: true }).click();
	await page.getByRole("button", { name: "Sync now" }).click();
	await standing(page, "Online");
}

/** Makes a page and its worker run as in a browser that denies all storage. */
const denial = `
	const denied = () => new DOMException("Denied", "SecurityError");
	IDBFactory.prototype.open = () => { throw denied(); };
	StorageManager.prototype.getDirectory = async () => { throw denied(); };
	for (const kind of ["localStorage", "sessionStorage"])
		Object.defineProperty(self, kind, { get() { throw denied(); } });`;

/** A next version of the app, with another table. */
function toNewer(program: string): string {
	const newer = program.replace(
		'"./migrations/',
		'"./migrations/9999-more.sql":async()=>"CREATE TABLE more (id TEXT)",$&',
	);
	if (newer === program) throw new Error("It has no migrations");
	return newer;
}

const nothingKept =
	/doesn't save anything for this page.* don't close or reload/;
const notUsable = /can't be opened. Nothing was deleted.* is saved here/;

describe("a browser's storage, in Chromium (skipped where none is found)", () => {
	inBrowser.each([
		["denies all storage", denial, denial, nothingKept],
		["can't open the shop's files", "", brokenFiles, notUsable],
		[
			"finds the shop's files taken",
			"",
			brokenFiles.replace("InvalidStateError", "NoModificationAllowedError"),
			/Another tab or window is using.* is saved here/,
		],
	])(
		"a browser that %s warns, sells offline, and sends when the server is back",
		async (_, script, workers, warning) => {
			const { server, page, problems, change, totals } = await openShop();
			await page.addInitScript(script);
			await change(workers);
			await signIn(page, server);
			await alert(page, warning).waitFor();
			await server.stop();
			await sell(page);
			await sell(page);
			await standing(page, /Offline, 2 waiting/);
			await ticketOf(page, "Milk", 18).waitFor();
			await server.start();
			await syncNow(page);
			expect(await totals()).toEqual([65, 65]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each([
		[
			"is full",
			`for (const write of ["add", "put"])
				IDBObjectStore.prototype[write] = () => { throw new DOMException("Full", "QuotaExceededError"); };
			FileSystemSyncAccessHandle.prototype.write = () => { throw new DOMException("Full", "QuotaExceededError"); };`,
			/is full.* don't close or reload/,
			2,
		],
		[
			"is gone",
			`for (const call of ["read", "write", "truncate", "getSize", "flush"])
				FileSystemSyncAccessHandle.prototype[call] = () => { throw new DOMException("Gone", "InvalidStateError"); };`,
			notUsable,
			// The previous sale is on that disk.
			1,
		],
	])(
		"sales are made, and each arrives once, when the disk %s during a sale",
		async (_, script, warning, waiting) => {
			const { server, page, problems, totals } = await openShop({
				serviceWorkers: "allow",
			});
			await signIn(page, server);
			await page.evaluate(() => navigator.serviceWorker.ready);
			await goods(page, /^Milk/).waitFor();
			await server.stop();
			await sell(page);
			await standing(page, /Offline, 1 waiting/);
			expect(await page.getByRole("alert").count()).toBe(0);
			await goods(page, /^Bread/).click();
			await page.workers().at(-1)?.evaluate(script);
			await goods(page, /^Bread/).click();
			await alert(page, warning).waitFor();
			expect(await textOf(page, "total")).toBe("KES 120");
			await complete(page);
			await expect.poll(() => textOf(page, "total")).toBe("KES 0");
			await standing(page, `Offline, ${waiting} waiting to be sent`);
			await server.start();
			await syncNow(page);
			expect((await totals()).at(-1)).toBe(120);
			// The disk works again and still has the first sale.
			await page.goto(server.url);
			await standing(page, "Online");
			await syncNow(page);
			expect(await totals()).toEqual([65, 120]);
			expect(await page.getByRole("alert").count()).toBe(0);
			// Receipt numbers on the disk continue without those printed meanwhile.
			const devices = await server.now().rows("SELECT program FROM devices");
			expect(devices).toContainEqual({ program: counterfoil.version });
			const sold = await server.now().rows("SELECT receipt_number FROM sales");
			const prefixes = sold.map(({ receipt_number }) =>
				String(receipt_number).replace(/-\d+$/, ""),
			);
			expect(new Set(prefixes).size).toBe(2);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a disk that confirmed writes without making them is found out, and the loss is shown",
		async () => {
			const { server, page, context, totals } = await openShop();
			await signIn(page, server);
			await sell(page);
			await expect.poll(totals).toEqual([65]);
			await holdBack(context);
			await page
				.workers()
				.at(-1)
				?.evaluate(
					"FileSystemSyncAccessHandle.prototype.write = (bytes) => bytes.byteLength",
				);
			await sell(page, /^Bread/);
			await standing(page, /Offline, 1 waiting/);
			await openAgain(page, context, server.url);
			await alert(page, /1 sale or change that hadn't been sent/).waitFor();
		},
	);

	inBrowser(
		"a disk too full for the server's rows shows a notice until it has room",
		async () => {
			const { server, owner, page } = await openShop();
			await signIn(page, server);
			const [worker] = page.workers();
			await worker?.evaluate(`
				const { write } = FileSystemSyncAccessHandle.prototype;
				globalThis.makeRoom = () => { FileSystemSyncAccessHandle.prototype.write = write; };
				FileSystemSyncAccessHandle.prototype.write = () => { throw new DOMException("Full", "QuotaExceededError"); };`);
			await server.now().shop.mutate(owner, productUpdate, {
				...{ id: "milk", set: { sellingPrice: 70 } },
			});
			await alert(
				page,
				/^This device is full. Free up some space on it.$/,
			).waitFor();
			await worker?.evaluate("makeRoom()");
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Sync now" }).click();
			await expect.poll(() => page.getByRole("alert").count()).toBe(0);
			await page.getByRole("link", { name: "Till", exact: true }).click();
			await goods(page, /^Milk.*70/).waitFor();
		},
	);

	inBrowser(
		"a page with unsent sales in memory asks before it closes",
		async () => {
			const { server, page, change } = await openShop();
			await change(denial);
			await signIn(page, server);
			await goods(page, /^Milk/).waitFor();
			await server.stop();
			await sell(page);
			await standing(page, /Offline, 1 waiting/);
			const asked = page.waitForEvent("dialog");
			await page.close({ runBeforeUnload: true });
			expect((await asked).type()).toBe("beforeunload");
		},
	);

	inBrowser.each([true, false])(
		"the app asks the browser once, at the first sale, for persistent storage, and the sync page says how safe sales are if the answer is %s",
		async (isGranted) => {
			const { server, page } = await openShop();
			await page.addInitScript(`
				globalThis.asked = 0;
				let isPersisted = false;
				StorageManager.prototype.persisted = async () => isPersisted;
				StorageManager.prototype.persist = async () => {
					asked += 1;
					return (isPersisted = ${isGranted});
				};`);
			const mayBeDeleted = page.getByText("in Safari after seven days");
			await signIn(page, server);
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await mayBeDeleted.waitFor();
			await page.getByRole("link", { name: "Till", exact: true }).click();
			await goods(page, /^Milk/).waitFor();
			expect(await page.evaluate("asked")).toBe(0);
			await sell(page);
			await sell(page);
			expect(await page.evaluate("asked")).toBe(1);
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByText("are saved in this browser").waitFor();
			await expect.poll(() => mayBeDeleted.count()).toBe(isGranted ? 0 : 1);
		},
	);

	inBrowser(
		"data that a browser deleted is reported until someone has seen it, and the till continues as another device",
		async () => {
			const { server, page, context, totals } = await openShop();
			await signIn(page, server);
			const prefixOf = async () => {
				await page.goto(`${server.url}/sync`);
				const text = await page.getByText("Receipts begin with").textContent();
				await page.getByRole("link", { name: "Till", exact: true }).click();
				return text;
			};
			const before = await prefixOf();
			await holdBack(context);
			await sell(page);
			await sell(page);
			await standing(page, /Offline, 2 waiting/);
			await page.goto(`${server.url}/healthz`);
			await page.evaluate(async () => {
				const root = await navigator.storage.getDirectory();
				await root.removeEntry("shops", { recursive: true });
			});
			await letThrough(context);
			const said = alert(page, /2 sales or changes that hadn't been sent/);
			for (let seen = 0; seen < 2; seen += 1) {
				await page.goto(server.url);
				await said.waitFor();
			}
			await sell(page);
			await expect.poll(totals).toEqual([65]);
			await page.getByRole("alert").getByLabel("Close").click();
			await said.waitFor({ state: "detached" });
			expect(await prefixOf()).not.toBe(before);
			expect(await page.getByRole("alert").count()).toBe(0);
		},
	);

	inBrowser(
		"a page learns of a newer build from another tab, and reloads on request or while hidden",
		async () => {
			const { server, owner, page, context } = await openShop();
			await context.addCookies([await ownerCookie(server, owner)]);
			const open = async (tab: Page) => {
				await tab.goto(server.url);
				await goods(tab, /^Milk/).waitFor();
				return tab;
			};
			const hidden = await context.newPage();
			await hidden.addInitScript("globalThis.isNew = true");
			for (const tab of [page, hidden]) await open(tab);
			await hidden.evaluate("isNew = false");
			await context.route(`${server.url}/`, async (route) => {
				const response = await route.fetch();
				const body = (await response.text()).replace(
					'<script type="module"',
					'<script type="module" src="/assets/newer.js"></script>$&',
				);
				await route.fulfill({ response, body });
			});
			await context.route("**/assets/newer.js", (route) =>
				route.fulfill({ contentType: "text/javascript", body: "" }),
			);
			const fresh = await open(await context.newPage());
			const notice = (tab: Page) => tab.getByText("A newer version of the app");
			for (const tab of [page, hidden]) await notice(tab).waitFor();
			expect(await notice(fresh).count()).toBe(0);
			expect(await hidden.evaluate("isNew")).toBe(false);
			await hidden.evaluate(`
				Object.defineProperty(document, "hidden", { get: () => true });
				dispatchEvent(new Event("visibilitychange"));`);
			await page.getByRole("button", { name: "Reload" }).click();
			for (const tab of [page, hidden]) {
				await notice(tab).waitFor({ state: "detached" });
				await goods(tab, /^Milk/).waitFor();
			}
			expect(await hidden.evaluate("isNew")).toBe(true);
		},
	);

	inBrowser(
		"an older build leaves a newer one's files alone and sells without them, and the newer one has everything again later",
		async () => {
			const { server, page, context, change, totals, problems } =
				await openShop();
			const putBack = await change(toNewer);
			await signIn(page, server);
			await holdBack(context);
			await sell(page);
			await standing(page, /Offline, 1 waiting/);

			await putBack();
			await openAgain(page, context, server.url);
			await alert(page, /A newer version.* is saved here/).waitFor();
			await goods(page, /^Bread/).waitFor();
			await standing(page, "Online");
			expect(await totals()).toEqual([]);
			await holdBack(context);
			await sell(page, /^Bread/);
			await standing(page, /Offline, 1 waiting/);

			await change(toNewer);
			await page.reload();
			await standing(page, /Offline, 2 waiting/);
			expect(await page.getByRole("alert").count()).toBe(0);
			await letThrough(context);
			await syncNow(page);
			expect(await totals()).toEqual([65, 60]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the files of a shop that can't be opened can be saved, and unsent mutations can be sent from the saved file",
		async () => {
			const { server, owner, page, context, change, totals } = await openShop();
			await signIn(page, server);
			await holdBack(context);
			await sell(page);
			await standing(page, /Offline, 1 waiting/);
			expect(await page.getByText("Save the shop's file").count()).toBe(0);
			await change(brokenFiles);
			await page.goto(`${server.url}/sync`);
			const downloading = page.waitForEvent("download");
			await page.getByRole("button", { name: "Save the shop's file" }).click();
			const saved = await downloading;
			expect(saved.suggestedFilename()).toBe("shop.tar");
			const dir = testDir();
			execFileSync("tar", ["-xf", await saved.path(), "-C", dir]);
			const shop = new Database(join(dir, "shop.db"), { readonly: true });
			const unsent = shop
				.prepare(
					"SELECT name, state FROM mutations JOIN outbox ON mutation_id = id",
				)
				.all();
			shop.close();
			expect(unsent).toEqual([{ name: "sale.create", state: "pending" }]);

			const store = await openSqlite(join(dir, "shop.db"));
			onTestFinished(() => store.close());
			const { businessId } = owner;
			const transport = testLine(server.now().shop, owner);
			await (await openReplica({ store, businessId, transport })).sync();
			expect(await totals()).toEqual([65]);
		},
	);

	inBrowser(
		"a till that has never reached its server says that there is nothing to sell yet",
		async () => {
			const { server, owner, page, context } = await openShop();
			await context.addCookies([await ownerCookie(server, owner)]);
			await holdBack(context);
			await page.goto(server.url);
			await page.getByText("Nothing to sell yet.").waitFor();
			expect(await page.getByText("Add the first product").count()).toBe(0);
			expect(await page.getByRole("alert").count()).toBe(0);
			await letThrough(context);
			await syncNow(page);
			await page.getByRole("link", { name: "Till", exact: true }).click();
			await goods(page, /^Milk/).waitFor();
		},
	);

	inBrowser(
		"a shop that can't be opened says why, and opens once it can",
		async () => {
			const { server, owner, page, context } = await openShop();
			await context.addCookies([await ownerCookie(server, owner)]);
			const program = "**/assets/sqlite3-*.wasm";
			await context.route(program, (route) => route.abort());
			await page.goto(server.url);
			await alert(
				page,
				/can't be opened in this browser. Will retry/,
			).waitFor();
			await context.unroute(program);
			await goods(page, /^Milk/).waitFor();
			expect(await page.getByRole("alert").count()).toBe(0);
		},
	);

	inBrowser("a page that can't load part of the app says so", async () => {
		const { server, owner, page, context } = await openShop();
		await context.addCookies([await ownerCookie(server, owner)]);
		await context.route("**/assets/worker-*.js", (route) =>
			route.fulfill({ status: 404, body: "" }),
		);
		await page.goto(server.url);
		await alert(page, "Part of the app couldn't be loaded.").waitFor();
	});
});
