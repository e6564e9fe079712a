import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
	changeWorkers,
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
	textOf,
	totalsOf,
} from "../testing/browser.ts";

import { brokenFiles } from "../worker/testing/page.ts";

/** What a browser keeps of shops, by kind. */
const keptIn = (page: Page) =>
	page.evaluate(async () => {
		const root = await navigator.storage.getDirectory();
		const shops = await root.getDirectoryHandle("shops").catch(() => undefined);
		const files: string[] = [];
		for await (const name of shops?.keys() ?? []) files.push(name);
		const notes = Object.keys(localStorage).filter((key) =>
			key.startsWith("counterfoil-kept-"),
		);
		return { files, notes };
	});

/** Entries in the journal of unsent mutations, by kind. */
const journalOf = (page: Page) =>
	page.evaluate(async () => {
		const opening = indexedDB.open("counterfoil-journal");
		await new Promise((resolve) => {
			opening.onsuccess = resolve;
		});
		const { result: journal } = opening;
		const counts: Record<string, number> = {};
		const tx = journal.transaction([...journal.objectStoreNames]);
		for (const name of journal.objectStoreNames) {
			const counting = tx.objectStore(name).count();
			counting.onsuccess = () => {
				counts[name] = counting.result;
			};
		}
		await new Promise((resolve) => {
			tx.oncomplete = resolve;
		});
		journal.close();
		return counts;
	});

const nothing = { files: [], notes: [] };

async function sellMilk(page: Page): Promise<void> {
	await page.getByRole("button", { name: /^Milk/ }).click();
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
	await page.getByRole("button", { name: "Next sale" }).click();
}

async function signOut(page: Page): Promise<void> {
	await page.getByRole("button", { name: /account/ }).click();
	await page.getByRole("button", { name: "Sign out" }).click();
	await signedOut(page);
}

const signedOut = (page: Page) =>
	page.getByRole("heading", { name: "Sign in" }).waitFor();

/** Waits until the page has closed its shop; after that the browser's data stays. */
async function letGo(page: Page): Promise<void> {
	await expect.poll(() => page.workers().length).toBe(0);
}

/** A browser with the shop in it and its owner signed in. */
async function openBrowser() {
	const server = await openShopServer();
	const { businessId } = await server.fill();
	const { page, context, problems } = await openWindow();
	await signIn(page, server);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	const all = {
		files: [businessId],
		notes: [`counterfoil-kept-${businessId}`],
	};
	await expect.poll(() => keptIn(page)).toEqual(all);
	return { server, page, context, problems, all, businessId };
}

describe("signing out of a browser, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a shop with nothing unsent is removed from the browser, and comes back with the next sign-in",
		async () => {
			const { server, page, problems } = await openBrowser();
			await sellMilk(page);
			await signOut(page);
			await letGo(page);
			expect(await keptIn(page)).toEqual(nothing);
			expect(await totalsOf(server.now())).toEqual([65]);
			await signIn(page, server);
			await page.getByRole("link", { name: "Products" }).click();
			const shelf = page.getByLabel("On shelf: Milk");
			await expect.poll(() => shelf.inputValue()).toBe("19");
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a browser that the owner makes a till keeps the shop, until the owner reverts it",
		async () => {
			const { server, page, all } = await openBrowser();
			const mark = page.getByLabel("This browser is a till of the shop");
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await mark.check();
			await signOut(page);
			await letGo(page);
			expect(await keptIn(page)).toEqual(all);
			await signIn(page, server);
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			expect(await mark.isChecked()).toBe(true);
			await mark.uncheck();
			await signOut(page);
			await letGo(page);
			expect(await keptIn(page)).toEqual(nothing);
		},
	);

	inBrowser(
		"a shop with an unsent sale stays, and the next sign-in sends the sale",
		async () => {
			const { server, page, all } = await openBrowser();
			await page.route("**/api/sync", (route) => route.abort());
			await sellMilk(page);
			await signOut(page);
			await letGo(page);
			expect(await keptIn(page)).toEqual(all);
			expect(await totalsOf(server.now())).toEqual([]);
			await page.unroute("**/api/sync");
			await signIn(page, server);
			await expect.poll(() => totalsOf(server.now())).toEqual([65]);
			await page.getByRole("status", { name: "Online" }).waitFor();
			await signOut(page);
			await letGo(page);
			expect(await keptIn(page)).toEqual(nothing);
		},
	);

	inBrowser(
		"a sign-out sends unsent sales before the session ends",
		async () => {
			const { server, page } = await openBrowser();
			// It wouldn't retry within a minute on its own.
			await page.route(
				"**/api/sync",
				(route) =>
					route.fulfill({
						...{ status: 503, headers: { "retry-after": "60" } },
						json: { error: "The server is busy" },
					}),
				{ times: 1 },
			);
			await sellMilk(page);
			await page.getByRole("status", { name: "Offline, 1 waiting" }).waitFor();
			await signOut(page);
			expect(await totalsOf(server.now())).toEqual([65]);
			await letGo(page);
			expect(await keptIn(page)).toEqual(nothing);
		},
	);

	inBrowser("a shop with a cart or a held sale stays", async () => {
		const { server, page, all } = await openBrowser();
		await page.getByRole("button", { name: /^Milk/ }).click();
		await expect.poll(() => textOf(page, "total")).toBe("KES 65");
		await page.keyboard.press("F9");
		await page.getByRole("button", { name: "1 held sale" }).waitFor();
		await signOut(page);
		await letGo(page);
		expect(await keptIn(page)).toEqual(all);
		await signIn(page, server);
		await page.getByRole("button", { name: "1 held sale" }).waitFor();
	});

	inBrowser(
		"a shop whose files can't be read stays, and is complete once they can",
		async () => {
			const { server, page, context, all } = await openBrowser();
			await page.route("**/api/sync", (route) => route.abort());
			await sellMilk(page);
			const mend = await changeWorkers(context, brokenFiles);
			await page.reload();
			await page.unroute("**/api/sync");
			await sellMilk(page);
			await expect.poll(() => totalsOf(server.now())).toEqual([65]);
			await signOut(page);
			await letGo(page);
			expect(await keptIn(page)).toEqual(all);
			await mend();
			await signIn(page, server);
			await expect.poll(() => totalsOf(server.now())).toEqual([65, 65]);
		},
	);

	inBrowser(
		"a sign-out on an insecure address clears the journal, except for unsent mutations",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const url = server.url.replace(/(?<=\/\/)[^:]+/, "shop.test");
			const { page } = await openWindow();
			await signIn(page, { ...server, url });
			await page.route("**/api/sync", (route) => route.abort());
			await sellMilk(page);
			await signOut(page);
			await letGo(page);
			expect(await journalOf(page)).toEqual({
				about: 1,
				unsent: 1,
				devices: 1,
				carts: 0,
			});
			await page.unroute("**/api/sync");
			await signIn(page, { ...server, url });
			await expect.poll(() => totalsOf(server.now())).toEqual([65]);
			await expect.poll(async () => (await journalOf(page)).unsent).toBe(0);
			await signOut(page);
			await letGo(page);
			expect(await journalOf(page)).toEqual({
				about: 1,
				unsent: 0,
				devices: 0,
				carts: 0,
			});
		},
	);

	inBrowser(
		"a browser that saves nothing refuses a sign-out before everything is sent",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, context } = await openWindow();
			await changeWorkers(
				context,
				`${brokenFiles}
				IDBFactory.prototype.open = () => { throw new DOMException("Denied", "SecurityError"); };`,
			);
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await page.route("**/api/sync", (route) => route.abort());
			await sellMilk(page);
			await page.getByRole("button", { name: /account/ }).click();
			await page.getByRole("button", { name: "Sign out" }).click();
			const told = page.getByRole("dialog");
			await told.getByText("You are still signed in").waitFor();
			await told.getByText("1 change hasn't been sent yet").waitFor();
			await page.keyboard.press("Escape");
			await told.waitFor({ state: "detached" });
			await page.unroute("**/api/sync");
			await signOut(page);
			expect(await totalsOf(server.now())).toEqual([65]);
		},
	);

	inBrowser(
		"all tabs close the shop, and it is removed with the last of them",
		async () => {
			const { server, page, context } = await openBrowser();
			const second = await context.newPage();
			second.setDefaultTimeout(15_000);
			await second.goto(server.url);
			await sellMilk(second);
			await signOut(second);
			await signedOut(page);
			for (const one of [page, second]) await letGo(one);
			expect(await keptIn(page)).toEqual(nothing);
			expect(await totalsOf(server.now())).toEqual([65]);
		},
	);
});
