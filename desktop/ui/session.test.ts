import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { createUser } from "../../server/accounts/users.ts";
import { cheapHash } from "../../server/testing/server.ts";
import { businessUpdate } from "../../sync/entities/business.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	type ShopServer,
	signIn,
	textOf,
	ticketOf,
	totalsOf,
} from "./testing/browser.ts";

async function sellMilk(page: Page): Promise<void> {
	await page.getByRole("button", { name: /^Milk/ }).click();
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
	await page.getByRole("button", { name: "Next sale" }).click();
}

async function signOut(page: Page): Promise<void> {
	await page.getByRole("button", { name: /account/ }).click();
	await page.getByRole("button", { name: "Sign out" }).click();
	await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** Signs in through the notice above the till. */
async function signInHere(page: Page, { account }: ShopServer): Promise<void> {
	await page.getByRole("button", { name: "Sign in" }).click();
	const dialog = page.getByRole("dialog");
	await dialog.getByLabel("Email").fill(account.email);
	await dialog.getByLabel("Password").first().fill(account.password);
	await dialog.getByRole("button", { name: "Sign in" }).click();
	await dialog.waitFor({ state: "detached" });
}

/** Another shop on the same server, and its owner. */
async function openOtherShop(server: ShopServer) {
	const { store, env } = server.now().shop;
	const account = {
		...server.account,
		email: "baraka@example.com",
		name: "Baraka",
	};
	const { businessId } = await createUser(
		store,
		env,
		{ email: account.email, name: account.name, passwordHash: cheapHash },
		{
			business: {
				name: "Kibanda cha Baraka",
				currency: "TZS",
				timeZone: "Africa/Dar_es_Salaam",
			},
		},
	);
	return { ...server, account, businessId };
}

const salesByShop = (server: ShopServer) =>
	server
		.now()
		.rows(
			"SELECT business_id, count(*) AS sales FROM sales GROUP BY business_id",
		);

describe("sessions of a browser, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"the page is drawn out of sight while its shop opens, and shows once it is open",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, problems } = await openWindow();
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			const mayStart = Promise.withResolvers<void>();
			await page.route("**/*.wasm", async (route) => {
				await mayStart.promise;
				await route.continue();
			});
			await page.reload();
			const till = page.getByPlaceholder("Search or scan");
			await till.waitFor({ state: "attached" });
			const loading = page.getByRole("status", { name: "Loading…" });
			await loading.waitFor();
			expect(await till.isVisible()).toBe(false);
			mayStart.resolve();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			expect(await loading.count()).toBe(0);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a browser that never signed in asks nothing that the server refuses, then signs in",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, problems } = await openWindow();
			page.on("console", (message) => {
				if (message.type() === "error") problems.push(message.text());
			});
			await page.goto(server.url);
			await page.getByRole("heading", { name: "Sign in" }).waitFor();
			expect(problems).toEqual([]);
			await signIn(page, server);
			await page.reload();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each([
		["hears of it", true],
		["hears of it from the server alone", false],
	])(
		"a window of one shop that %s sends nothing to another shop that signs in, and delivers its sales later",
		async (_, isTold) => {
			const server = await openShopServer();
			const { businessId } = await server.fill();
			const other = await openOtherShop(server);
			const { page: first, context, problems } = await openWindow();
			await signIn(first, server);
			await first.getByRole("button", { name: /^Milk/ }).waitFor();
			await first.route("**/api/sync", (route) =>
				route.request().method() === "POST" ? route.abort() : route.continue(),
			);
			await sellMilk(first);
			await sellMilk(first);
			const second = await context.newPage();
			second.setDefaultTimeout(15_000);
			if (!isTold)
				await second.addInitScript(
					"BroadcastChannel.prototype.postMessage = () => {};",
				);
			await context.clearCookies();
			await second.addInitScript(
				'localStorage.removeItem("counterfoil-session")',
			);
			await signIn(second, other);
			await second.getByText("No products yet").waitFor();
			await first.unroute("**/api/sync");
			await first.bringToFront();
			await sellMilk(first);
			// Sync at once, as when the connection is back, without waiting out the backoff.
			await first.evaluate("dispatchEvent(new Event('online'))");
			await first
				.getByText("Baraka signed in to another shop in this browser")
				.waitFor();
			await first.getByRole("status", { name: /3 waiting/ }).waitFor();
			await sellMilk(first);
			expect(await salesByShop(server)).toEqual([]);
			// Nothing of the other shop arrives here either.
			await first.getByTitle("Duka la Njeri").waitFor();
			await first.getByRole("link", { name: "Sales" }).click();
			await first.getByText("4 sold, KES 260 in total").waitFor();
			await first.getByRole("link", { name: "AI", exact: true }).click();
			await first.getByText("Sign in to this shop first.").first().waitFor();

			await signInHere(first, server);
			await expect
				.poll(() => salesByShop(server))
				.toEqual([{ business_id: businessId, sales: 4 }]);
			await second
				.getByText("Njeri Kamau signed in to another shop in this browser")
				.waitFor();
			await second
				.getByRole("button", { name: "Go to the other shop" })
				.click();
			await ticketOf(second, "Milk", 16).waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a member who signs in at one window sells in the others too",
		async () => {
			const server = await openShopServer();
			const { businessId } = await server.fill();
			const { store, env } = server.now().shop;
			const { id } = await createUser(
				store,
				env,
				{ email: "o@example.com", name: "Otieno", passwordHash: cheapHash },
				{ businessId, role: "CASHIER" },
			);
			const { page: first, context } = await openWindow();
			await signIn(first, server);
			const second = await context.newPage();
			second.setDefaultTimeout(15_000);
			await second.goto(server.url);
			await second.getByRole("button", { name: /^Milk/ }).click();
			await expect.poll(() => textOf(second, "total")).toBe("KES 65");
			await signOut(first);
			await second.getByRole("heading", { name: "Sign in" }).waitFor();
			const account = { ...server.account, email: "o@example.com" };
			await signIn(first, { ...server, account });
			await second.getByRole("button", { name: /Otieno.*account/ }).waitFor();
			await expect.poll(() => textOf(second, "total")).toBe("KES 65");
			await second.keyboard.press("F8");
			await second.getByRole("button", { name: "Complete sale" }).click();
			await second.getByText("On the server").waitFor();
			expect(await server.now().rows("SELECT user_id FROM sales")).toEqual([
				{ user_id: id },
			]);
		},
	);

	inBrowser(
		"an ended session interrupts neither selling nor a cart, with the server down or back",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, context, problems } = await openWindow();
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await context.clearCookies();
			await page.keyboard.press("F8");
			await page.getByRole("button", { name: "Complete sale" }).click();
			await page.getByText("You have been signed out").waitFor();
			await page.getByRole("button", { name: "Next sale" }).click();
			await page
				.getByRole("status", { name: "Signed out, 1 waiting" })
				.waitFor();
			await sellMilk(page);
			await server.stop();
			await sellMilk(page);
			await page.getByRole("button", { name: "Sign in" }).click();
			const dialog = page.getByRole("dialog");
			await dialog.getByLabel("Email").fill(server.account.email);
			await dialog.getByLabel("Password").first().fill(server.account.password);
			await dialog.getByRole("button", { name: "Sign in" }).click();
			await dialog.getByText("The server can't be reached").waitFor();
			await page.keyboard.press("Escape");
			await dialog.waitFor({ state: "detached" });
			await sellMilk(page);
			await ticketOf(page, "Milk", 16).waitFor();
			await server.start();
			await signInHere(page, server);
			await expect.poll(() => totalsOf(server.now())).toEqual([65, 65, 65, 65]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a new sign-in is not taken for the ended one before it, where the shop has stayed in the browser",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, context } = await openWindow();
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).click();
			await expect.poll(() => textOf(page, "total")).toBe("KES 65");
			await context.clearCookies();
			await page.evaluate("dispatchEvent(new Event('online'))");
			await page.getByText("You have been signed out").waitFor();
			await signOut(page);
			await signIn(page, server);
			await expect.poll(() => textOf(page, "total")).toBe("KES 65");
			expect(await page.getByText("You have been signed out").count()).toBe(0);
		},
	);

	inBrowser(
		"a cashier who signs in on the owner's page sees nothing that only the owner may see",
		async () => {
			const server = await openShopServer();
			const { businessId } = await server.fill();
			const { store, env } = server.now().shop;
			await createUser(
				store,
				env,
				{ email: "o@example.com", name: "Otieno", passwordHash: cheapHash },
				{ businessId, role: "CASHIER" },
			);
			const { page, context } = await openWindow();
			await signIn(page, server);
			await page.getByRole("link", { name: "Settings" }).click();
			await page.getByRole("link", { name: "People" }).click();
			const shown = page.getByText(server.account.email);
			await shown.waitFor();
			await context.clearCookies();
			await page.evaluate("dispatchEvent(new Event('online'))");
			await page.getByText("You have been signed out").waitFor();
			await shown.waitFor();
			await page.route("**/api/members", (route) => route.abort());
			const account = { ...server.account, email: "o@example.com" };
			await signInHere(page, { ...server, account });
			await page.getByRole("button", { name: /Otieno.*account/ }).waitFor();
			expect(await shown.count()).toBe(0);
		},
	);

	inBrowser(
		"a user sees nothing left over from the previous user",
		async () => {
			const server = await openShopServer();
			const caller = await server.fill();
			const other = await openOtherShop(server);
			await server.now().shop.mutate(caller, businessUpdate, {
				set: { receiptHeader: "Njeri's own header" },
			});
			const { page } = await openWindow();
			await signIn(page, server);
			await page.getByRole("link", { name: "Settings" }).click();
			await page.getByRole("link", { name: "People" }).click();
			await page.getByText(server.account.email).waitFor();
			await signOut(page);
			await page.route("**/api/members", (route) => route.abort());
			await signIn(page, other);
			await page.getByRole("link", { name: "Settings" }).click();
			await page.getByRole("link", { name: "People" }).click();
			await page.getByRole("heading", { name: "People" }).waitFor();
			expect(await page.getByText(server.account.email).count()).toBe(0);
			expect(await page.getByText("Njeri's own header").count()).toBe(0);
		},
	);
});
