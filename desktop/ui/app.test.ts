import { gunzipSync } from "node:zlib";
import type { Request } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openTestServer } from "../../server/testing/server.ts";
import { categoryCreate } from "../../sync/entities/category.ts";
import { formatReceipt } from "../../sync/log/devices.ts";
import { compactType, fromCompact } from "../../sync/protocol/compact.ts";
import {
	chromiumPath,
	inBrowser,
	openShopServer,
	openWindow,
	scan,
	scanByKeys,
	signIn,
	tapNext,
	textOf,
	ticketOf,
	totalsOf,
} from "./testing/browser.ts";

describe("the web app in Chromium (skipped where none is found)", () => {
	// With every commit.
	test.skipIf(chromiumPath === undefined)(
		"an empty server opens the setup page, and the new owner sells",
		async () => {
			const server = await openTestServer();
			const { page, problems } = await openWindow({ serviceWorkers: "allow" });
			await page.goto(server.url);
			await page.getByLabel("Your name").fill("Njeri");
			await page.getByLabel("Email").fill("njeri@example.com");
			await page.getByLabel("Password").first().fill("correct horse");
			await page.getByLabel("Name of the shop").fill("Duka la Njeri");
			await page.getByRole("button", { name: "Open the shop" }).click();
			await page
				.getByRole("link", { name: "start with an empty till" })
				.click();
			await page.getByRole("link", { name: "Add the first product" }).click();
			await page.getByLabel("Name").fill("Milk");
			await page.getByLabel("Selling price").fill("65");
			await page.getByLabel("In stock").fill("10");
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByRole("link", { name: "Till", exact: true }).click();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByRole("button", { name: "Pay" }).click();
			await page.getByRole("button", { name: "100", exact: true }).click();
			await page.getByRole("button", { name: "Complete sale" }).click();
			expect(await textOf(page, "change-due")).toBe("KES 35");
			await page.getByText("On the server").waitFor();
			expect(await totalsOf(server)).toEqual([65]);
			// What start-worker.js starts before the page is the worker that the page takes.
			await page.addInitScript(
				`addEventListener("DOMContentLoaded", () => { window.early = Boolean(window.shopWorker); });`,
			);
			await page.reload();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			expect(await page.evaluate("window.early")).toBe(true);
			expect(page.workers()).toHaveLength(1);
			expect(problems).toEqual([]);
		},
	);

	inBrowser("a sale is made with scanner and keyboard alone", async () => {
		const server = await openShopServer();
		await server.fill();
		const { page, problems } = await openWindow();
		await signIn(page, server);
		await page.getByRole("button", { name: /^Bread/ }).waitFor();
		await scan(page, "6001087340014");
		// A scan into the search field is removed from it again.
		await page.keyboard.press("/");
		// A person types more slowly than any scanner.
		await page.keyboard.type("sug", { delay: 80 });
		await page.waitForTimeout(300);
		await scanByKeys(page, "6001087340014");
		expect(await page.getByLabel("Search or scan").inputValue()).toBe("sug");
		await page.keyboard.press("Enter");
		await expect.poll(() => textOf(page, "total")).toBe("KES 279.50");
		expect(await page.getByLabel("Search or scan").inputValue()).toBe("");
		await page.keyboard.press("F8");
		await page.keyboard.type("300");
		await page.keyboard.press("Enter");
		// There is no coin for half a shilling.
		expect(await textOf(page, "change-due")).toBe("KES 20");
		await page.getByText("On the server").waitFor();
		// A scan on the receipt starts the next sale.
		await scan(page, "5901234123457");
		await page.getByTestId("change-due").waitFor({ state: "detached" });
		await expect.poll(() => textOf(page, "total")).toBe("KES 60");
		expect(await totalsOf(server.now())).toEqual([279.5]);
		expect(problems).toEqual([]);
	});

	inBrowser(
		"a misread code is reported as such, and an unknown one can be sold as a new item",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await scan(page, "6001087340015");
			await page.getByText("half a code").waitFor();
			await scan(page, "4006381333931");
			await page
				.getByRole("dialog", { name: "New item" })
				.getByText("4006381333931")
				.waitFor();
		},
	);

	inBrowser(
		"the app keeps selling while the server is down, also after a reload, and nothing is lost or doubled",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, problems } = await openWindow({ serviceWorkers: "allow" });
			await signIn(page, server);
			// The service worker saves the app for offline use.
			await page.evaluate(() => navigator.serviceWorker.ready);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await server.stop();
			const sell = async (times: number) => {
				for (let i = 0; i < times; i += 1) {
					await page.getByRole("button", { name: /^Milk/ }).click();
					await page.keyboard.press("F8");
					await page.getByRole("button", { name: "Complete sale" }).click();
					await page.getByText("Saved on this till").waitFor();
					await page.getByRole("button", { name: "Next sale" }).click();
				}
			};
			await sell(2);
			await page.getByRole("status", { name: /Offline, 2 waiting/ }).waitFor();
			await page.reload();
			await page.getByRole("status", { name: /Offline, 2 waiting/ }).waitFor();
			await ticketOf(page, "Milk", 18).waitFor();
			// The cart survives a reload.
			await page.getByRole("button", { name: /^Bread/ }).click();
			await page.reload();
			await page.getByText("KES 60").first().waitFor();
			await page.getByRole("button", { name: "Clear" }).click();
			await sell(1);
			await server.start();
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Sync now" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			expect(await totalsOf(server.now())).toEqual([65, 65, 65]);
			await page.getByRole("button", { name: "Compare" }).click();
			await page.getByText("They match.").waitFor();
			expect(await page.getByText("3 sales").count()).toBe(2);
			const [milk] = await server
				.now()
				.rows("SELECT quantity FROM products WHERE id = 'milk'");
			expect(Number(milk?.quantity) / 1e6).toBe(17);
			const receipts = await server
				.now()
				.rows("SELECT receipt_number FROM sales ORDER BY created_at");
			const [{ prefix }] = (await server
				.now()
				.rows("SELECT prefix FROM devices")) as [{ prefix: string }];
			expect(receipts.map((row) => row.receipt_number)).toEqual(
				[1, 2, 3].map((count) => formatReceipt(prefix, count)),
			);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a connection too weak for a batch carries smaller ones",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await server.stop();
			for (let i = 1; i <= 14; i += 1) {
				for (const code of ["6001087340014", "CF-CASH"]) await scan(page, code);
				const waiting = new RegExp(`Offline, ${i} waiting`);
				await page.getByRole("status", { name: waiting }).waitFor();
			}
			const sizes: number[] = [];
			await page.route("**/api/sync", (route) => {
				if (route.request().method() === "GET") return route.continue();
				const { mutations, limit } = pushIn(route.request());
				sizes.push(mutations.length);
				return mutations.length > 7 || limit > 500
					? route.abort()
					: route.continue();
			});
			await server.start();
			await page.getByRole("button", { name: "Next sale" }).click();
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Sync now" }).click();
			await expect.poll(() => sizes[0]).toBe(14);
			await page.getByRole("button", { name: "Sync now" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			expect(await totalsOf(server.now())).toEqual(Array(14).fill(65));
			// If it had already retried on its own, there was nothing more to send.
			expect(sizes.filter((size) => size > 0)).toEqual([14, 7, 7]);
		},
	);

	inBrowser("an expired session keeps the cart", async () => {
		const server = await openShopServer();
		await server.fill();
		const { page, context } = await openWindow();
		await signIn(page, server);
		await page.getByRole("button", { name: /^Sugar/ }).click();
		await context.clearCookies();
		await page.getByRole("link", { name: "Sync", exact: true }).click();
		await page.getByRole("button", { name: "Sync now" }).click();
		await page.getByText("You have been signed out").waitFor();
		await page.getByRole("button", { name: "Sign in" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Email").fill(server.account.email);
		await dialog.getByLabel("Password").first().fill(server.account.password);
		await dialog.getByRole("button", { name: "Sign in" }).click();
		await page
			.getByText("You have been signed out")
			.waitFor({ state: "hidden" });
		await page.getByRole("link", { name: "Till", exact: true }).click();
		await expect.poll(() => textOf(page, "total")).toBe("KES 149.50");
	});

	inBrowser(
		"a sale is held and resumed, discounted, noted, sold below zero and paid by M-Pesa, by touch alone",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, problems } = await openWindow({
				hasTouch: true,
				viewport: { width: 390, height: 800 },
			});
			await signIn(page, server);
			const cart = () => page.getByRole("button", { name: /line.*KES/ }).tap();
			await page.getByRole("button", { name: /Milk/ }).tap();
			await cart();
			await page.getByRole("button", { name: "Hold" }).tap();
			const sheet = page.getByRole("dialog");
			await sheet.getByRole("button", { name: "1 held sale" }).waitFor();
			await page.getByRole("button", { name: "Close" }).tap();
			// The sheet takes its lines along.
			await page
				.getByRole("button", { name: "Hold" })
				.waitFor({ state: "hidden" });
			for (let i = 0; i < 3; i += 1)
				await page.getByRole("button", { name: /Sugar/ }).tap();
			await cart();
			await page.getByText("More than there is in stock").waitFor();
			await page.getByRole("button", { name: "Discount", exact: true }).tap();
			await page.getByLabel("Per cent off").fill("10");
			await page.getByRole("button", { name: "Apply" }).tap();
			expect(await textOf(page, "total")).toBe("KES 403.65");
			await page.getByRole("button", { name: "Note" }).tap();
			await page.getByRole("textbox", { name: "Note" }).fill("For the school");
			await page.getByRole("button", { name: "Done" }).tap();
			await sheet.getByRole("button", { name: "Pay" }).tap();
			await page.getByRole("radio", { name: "M-PESA" }).tap();
			await page.getByLabel("M-PESA code").fill("TIA9B1U5VV");
			await page.getByRole("button", { name: "Complete sale" }).tap();
			await page.getByText("On the server").waitFor();
			await tapNext(page, "Next sale");
			await page.getByRole("button", { name: /1 held sale/ }).tap();
			await sheet.getByRole("button", { name: /Milk/ }).tap();
			await cart();
			await expect.poll(() => textOf(page, "total")).toBe("KES 65");
			const [sale] = await server
				.now()
				.rows("SELECT total, payment_method, payment_code, notes FROM sales");
			expect(sale).toEqual({
				total: 403.65e6,
				payment_method: "MPESA",
				payment_code: "TIA9B1U5VV",
				notes: "For the school",
			});
			const [sugar] = await server
				.now()
				.rows("SELECT quantity FROM products WHERE id = 'sugar'");
			expect(sugar).toEqual({ quantity: -1e6 });
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a rejected mutation is shown with its reason, and can be sent again or discarded",
		async () => {
			const server = await openShopServer();
			const { userId } = await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await page.getByRole("link", { name: "Products" }).click();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.getByLabel("Selling price").fill("70");
			// Their role changes before the mutation arrives.
			const setRole = (role: string) =>
				server
					.now()
					.shop.store.write((tx) =>
						tx.run(
							"UPDATE memberships SET role = ? WHERE user_id = ?",
							role,
							userId,
						),
					);
			await setRole("CASHIER");
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByRole("status", { name: /1 needs attention/ }).click();
			const shown = page.getByText(/^Change to a product ·/);
			const before = await shown.elementHandle();
			await page.getByRole("button", { name: "Send again" }).click();
			const refused = () =>
				server.now().rows("SELECT id FROM mutations WHERE status = 'rejected'");
			await expect.poll(async () => (await refused()).length).toBe(2);
			// The server has refused it before the page knows.
			await before?.waitForElementState("hidden");
			await shown.waitFor();
			await setRole("OWNER");
			await page.getByRole("button", { name: "Discard" }).click();
			await page.getByText("Nothing needs attention.").waitFor();
			const [milk] = await server
				.now()
				.rows("SELECT selling_price FROM products WHERE id = 'milk'");
			expect(milk).toEqual({ selling_price: 65e6 });
		},
	);

	inBrowser("a sign-out leaves no shop on screen", async () => {
		const server = await openShopServer();
		await server.fill();
		const { page, context } = await openWindow();
		await signIn(page, server);
		await page.getByRole("button", { name: /Njeri.*account/ }).click();
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		const cookies = await context.cookies();
		expect(cookies.filter(({ name }) => name === "session")).toEqual([]);
		await page.reload();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
	});

	inBrowser("two sales in a row are made with the scanner alone", async () => {
		const server = await openShopServer();
		await server.fill();
		const { page } = await openWindow();
		await signIn(page, server);
		await page.getByRole("button", { name: /Milk/ }).waitFor();
		await scan(page, "CF-CASH");
		for (const code of ["6001087340014", "SUGAR-1", "cf-cash"])
			await scan(page, code);
		await page.getByText("On the server").waitFor();
		// Scanned twice at once, the code makes one sale.
		for (const code of ["5901234123457", "CF-MPESA", "CF-MPESA"])
			await scan(page, code);
		await expect
			.poll(() =>
				server
					.now()
					.rows("SELECT total, payment_method FROM sales ORDER BY created_at"),
			)
			.toEqual([
				{ total: 214.5e6, payment_method: "CASH" },
				{ total: 60e6, payment_method: "MPESA" },
			]);
	});

	inBrowser("touch targets on the till are at least 44 pixels", async () => {
		const server = await openShopServer();
		const caller = await server.fill();
		await server.now().shop.mutate(caller, categoryCreate, {
			id: "c",
			name: "Ice",
		});
		const { page } = await openWindow();
		await signIn(page, server);
		await page.getByRole("button", { name: /Milk/ }).click();
		const small = () =>
			page.evaluate(
				`[...document.querySelectorAll(".till button, .till input, .till label, dialog button, dialog input")]
           .filter((one) => one.checkVisibility({ opacityProperty: true }) && one.offsetParent && getComputedStyle(one).clip === "auto")
           .map((one) => ({ text: one.outerHTML.slice(0, 120), box: one.getBoundingClientRect() }))
           .filter(({ box }) => box.width > 4 && box.height > 4 && (box.width < 44 || box.height < 44))
           .map(({ text, box }) => Math.round(box.width) + "x" + Math.round(box.height) + " " + text)`,
			);
		await page.getByText("Ice").waitFor();
		expect(await small()).toEqual([]);
		await page.keyboard.press("F8");
		await page.getByLabel("Cash received").waitFor();
		expect(await small()).toEqual([]);
	});
});

/** Reads what a till pushes, in each form that it has for it. */
function pushIn(request: Request): { mutations: object[]; limit: number } {
	const body = request.postDataBuffer() as Buffer;
	const { "content-type": type, "content-encoding": encoding } =
		request.headers();
	if (type === compactType) return JSON.parse(fromCompact(body));
	const text = encoding === "gzip" ? gunzipSync(body) : body;
	return JSON.parse(text.toString());
}
