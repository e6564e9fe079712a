import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
	chromiumPath,
	openShopServer,
	openWindow,
	signIn,
	textOf,
	totalsOf,
} from "./test-browser.ts";

const inBrowser = test.skipIf(chromiumPath === undefined);

/** Ways in which a browser lets nothing be kept. */
const denials = {
	"denies all storage": `
		IDBFactory.prototype.open = () => { throw new DOMException("Denied", "SecurityError"); };
		for (const kind of ["localStorage", "sessionStorage"])
			Object.defineProperty(window, kind, { get() { throw new DOMException("Denied", "SecurityError"); } });`,
	"fails to open its database": `
		const open = IDBFactory.prototype.open;
		IDBFactory.prototype.open = function (name) {
			open.call(this, name, 1_000_000);
			return open.call(this, name, 1);
		};`,
};

/** Ways in which a disk fails while the app is open. */
const breakages = {
	"is full": `
		for (const write of ["add", "put"])
			IDBObjectStore.prototype[write] = () => { throw new DOMException("Full", "QuotaExceededError"); };`,
	"is gone": `
		IDBDatabase.prototype.transaction = () => { throw new DOMException("Lost", "InvalidStateError"); };`,
	"loses what it is told to write": `
		const put = IDBObjectStore.prototype.put;
		IDBObjectStore.prototype.put = function (...all) {
			const request = put.apply(this, all);
			this.transaction.abort();
			return request;
		};`,
};

const warning = (page: Page) =>
	page.getByRole("alert").getByText("This browser can't save your sales");

async function complete(page: Page): Promise<void> {
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
	await page.getByRole("button", { name: "Next sale" }).click();
}

async function sellMilk(page: Page): Promise<void> {
	await page.getByRole("button", { name: /^Milk/ }).click();
	await complete(page);
}

describe("a browser's storage, in Chromium (skipped where none is found)", () => {
	inBrowser.each(Object.entries(denials))(
		"a browser that %s warns, sells offline, and sends when the server is back",
		async (_, script) => {
			const server = await openShopServer();
			await server.fill();
			const { page, problems } = await openWindow();
			await page.addInitScript(script);
			await signIn(page, server);
			await warning(page).waitFor();
			await server.stop();
			await sellMilk(page);
			await sellMilk(page);
			await page.getByRole("status", { name: /Offline, 2 waiting/ }).waitFor();
			await page.getByRole("button", { name: /^Milk.*18 left/ }).waitFor();
			await server.start();
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Sync now" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			expect(await totalsOf(server.now())).toEqual([65, 65]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each(Object.entries(breakages))(
		"a sale is made, and each arrives once, when the disk %s during the sale",
		async (_, script) => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow({ serviceWorkers: "allow" });
			await signIn(page, server);
			await page.evaluate(() => navigator.serviceWorker.ready);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await server.stop();
			await sellMilk(page);
			await page.getByRole("status", { name: /Offline, 1 waiting/ }).waitFor();
			expect(await warning(page).count()).toBe(0);
			await page.getByRole("button", { name: /^Bread/ }).click();
			await page.evaluate(script);
			await page.getByRole("button", { name: /^Bread/ }).click();
			await warning(page).waitFor();
			expect(await textOf(page, "total")).toBe("KES 120");
			await complete(page);
			expect(await textOf(page, "total")).toBe("KES 0");
			await page.getByRole("status", { name: /Offline, 2 waiting/ }).waitFor();
			await server.start();
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Sync now" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			expect(await totalsOf(server.now())).toEqual([65, 120]);
			// The disk works again, and still holds the first sale.
			await page.goto(server.url);
			await page.getByRole("status", { name: "Online" }).waitFor();
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Sync now" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			expect(await totalsOf(server.now())).toEqual([65, 120]);
			expect(await warning(page).count()).toBe(0);
		},
	);

	inBrowser(
		"a page whose unsent sales are in memory asks before it is closed",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await page.addInitScript(denials["denies all storage"]);
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await server.stop();
			await sellMilk(page);
			await page.getByRole("status", { name: /Offline, 1 waiting/ }).waitFor();
			const asked = page.waitForEvent("dialog");
			await page.close({ runBeforeUnload: true });
			expect((await asked).type()).toBe("beforeunload");
		},
	);

	inBrowser.each([true, false])(
		"the sync page says how safe unsent sales are, where the browser's promise to keep them is %s",
		async (isGranted) => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await page.addInitScript(
				`StorageManager.prototype.persist = async () => ${isGranted};`,
			);
			await signIn(page, server);
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByText("are kept in this browser").waitFor();
			expect(
				await page.getByText("a private window deletes them").count(),
			).toBe(isGranted ? 0 : 1);
		},
	);

	inBrowser(
		"a sale reads as much of what the browser keeps after 3,000 sales as after one",
		async () => {
			const server = await openShopServer();
			const { businessId } = await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await sellMilk(page);
			await expect.poll(() => totalsOf(server.now())).toEqual([65]);
			const readBySale = async () => {
				await page.reload();
				await page.getByRole("button", { name: /^Milk/ }).waitFor();
				await page.evaluate(countReads);
				await page.evaluate("rowsRead = 0");
				await sellMilk(page);
				await page.getByRole("link", { name: "Sync", exact: true }).click();
				await page.getByRole("button", { name: "Sync now" }).click();
				await page.getByRole("status", { name: "Online" }).waitFor();
				const rows = Number(await page.evaluate("rowsRead"));
				await page.getByRole("link", { name: "Till" }).click();
				return rows;
			};
			expect(await readBySale()).toBeLessThan(60);
			await page.evaluate(keepMany(businessId));
			expect(await readBySale()).toBeLessThan(60);
		},
	);
});

/** Counts the rows that the page reads from its storage. */
const countReads = `
	globalThis.rowsRead = 0;
	const count = (request) => request.addEventListener("success", () => {
		const { result } = request;
		globalThis.rowsRead += Array.isArray(result) ? result.length : Number(result !== undefined && result !== null);
	});
	for (const store of [IDBObjectStore, IDBIndex])
		for (const read of ["get", "getAll", "openCursor"]) {
			const original = store.prototype[read];
			store.prototype[read] = function (...all) {
				const request = original.apply(this, all);
				count(request);
				return request;
			};
		}`;

/** Copies the sale that is kept, 3,000 times. */
function keepMany(businessId: string): string {
	return `new Promise((resolve) => {
		const opening = indexedDB.open("counterfoil-${businessId}");
		opening.onsuccess = () => {
			const tx = opening.result.transaction("outbox", "readwrite");
			const outbox = tx.objectStore("outbox");
			outbox.getAll().onsuccess = ({ target }) => {
				const { position, ...kept } = target.result[0];
				for (let i = 0; i < 3_000; i += 1) outbox.add({ ...kept, id: "copy-" + i });
			};
			tx.oncomplete = () => {
				opening.result.close();
				resolve();
			};
		};
	})`;
}

/** Leaves the database as a version of the app that knew less of a product would have: with an old price. */
function leaveByOlderApp(businessId: string): string {
	return `new Promise((resolve) => {
		const opening = indexedDB.open("counterfoil-${businessId}");
		opening.onsuccess = () => {
			const tx = opening.result.transaction(["device", "products"], "readwrite");
			const change = (store, set) => {
				store.openCursor().onsuccess = ({ target: { result: row } }) => {
					row?.update({ ...row.value, ...set });
					row?.continue();
				};
			};
			change(tx.objectStore("device"), { feedForm: "an older app" });
			change(tx.objectStore("products"), { sellingPrice: 1 });
			tx.oncomplete = () => {
				opening.result.close();
				resolve();
			};
		};
	})`;
}

inBrowser(
	"a browser whose app was updated reads again what it sells",
	async () => {
		const server = await openShopServer();
		const { businessId } = await server.fill();
		const { page } = await openWindow();
		await signIn(page, server);
		const milk = page.getByRole("button", { name: /^Milk/ });
		const before = (await milk.textContent()) ?? "";
		await page.evaluate(leaveByOlderApp(businessId));
		await page.reload();
		await expect.poll(() => milk.textContent()).toBe(before);
	},
);
