import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { openLogger } from "../../../server/operations/logger.ts";
import { readSettings } from "../../../server/settings.ts";
import { testPasswords } from "../../../server/testing/passwords.ts";
import { demoOwner } from "../../../sync/protocol/demo.ts";
import { testDir } from "../../../sync/testing/shop.ts";
import { openDesktopShop } from "../../shop/desktop-shop.ts";
import { secretHeader } from "../../shop/guard.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	textOf,
} from "../testing/browser.ts";
import {
	databasesOf,
	soldAt,
	writeOldStorage,
} from "../testing/old-storage.ts";

const secret = "the secret of one start of a window";

/** A till's shop process, and a window that presents the secret as the shell does. */
async function openTillWindow() {
	const settings = readSettings({
		PORT: "0",
		DATA_DIR: join(testDir(), "till"),
	});
	const till = await openDesktopShop({
		settings,
		secret,
		log: openLogger("silent"),
		passwords: testPasswords,
	});
	onTestFinished(() => till.close());
	const { page, problems } = await openWindow({
		extraHTTPHeaders: { [secretHeader]: secret },
		serviceWorkers: "block",
	});
	await page.goto(till.url);
	/** Reloads the page and waits for the shop. */
	const elsewhere = () => page.goto(`${till.url}/healthz`);
	const back = () => page.goto(till.url);
	const call = async (name: string, ...args: unknown[]) => {
		const { answer } = await page.evaluate(
			async (call) => {
				const body = JSON.stringify(call);
				const headers = { "content-type": "application/json" };
				const init = { method: "POST", headers, body };
				return (await fetch("/api/till/calls", init)).json();
			},
			{ name, args },
		);
		return answer;
	};
	return { till, page, problems, elsewhere, back, call };
}
type TillWindow = Awaited<ReturnType<typeof openTillWindow>>;
type Server = Awaited<ReturnType<typeof openShopServer>>;

async function fillServer({ page }: TillWindow, { url, account }: Server) {
	await page.getByLabel("Server address").fill(url);
	await page.getByLabel("Email").fill(account.email);
	await page.getByLabel("Password").first().fill(account.password);
}

async function setUp({ page }: TillWindow, { account }: Server) {
	await page.getByLabel("Your name").fill("Njeri Kamau");
	await page.getByLabel("Email").fill(account.email);
	await page.getByLabel("Password").first().fill("another horse");
	await page.getByLabel("Name of the shop").fill("Kibanda");
	await page.getByRole("button", { name: "Open the shop" }).click();
	await page.getByRole("link", { name: "start with an empty till" }).click();
	await page.getByRole("link", { name: "Products" }).click();
	await page.getByRole("button", { name: "Add product" }).click();
	await page.getByLabel(/^Name/).fill("Milk");
	await page.getByLabel("Selling price").fill("65");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByRole("link", { name: "Till", exact: true }).click();
}

async function sell({ page }: TillWindow): Promise<void> {
	await page.getByRole("button", { name: /^Milk/ }).click();
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
}

const salesOf = async (server: Server) =>
	(await server.now().rows("SELECT id FROM sales")).length;

describe("a desktop till's window, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a till leaves its demo shop and opens its own",
		{ timeout: 60_000 },
		async () => {
			const server = await openShopServer();
			const { account } = server;
			const window = await openTillWindow();
			const { page, problems } = window;
			// The app knows the demo by its owner; three months of sales would take a while.
			const demo = { ...server, account: { ...account, ...demoOwner } };
			await setUp(window, demo);
			await page.getByRole("button", { name: "Demo", exact: true }).click();
			await page.getByText("This computer holds one shop").waitFor();
			await page.getByRole("button", { name: /^Remove the demo/ }).click();
			await setUp(window, server);
			await sell(window);
			await page.getByText("Sale complete").waitFor();
			expect(
				await page.getByRole("button", { name: "Demo", exact: true }).count(),
			).toBe(0);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a till joins a shop, sells, and shows for each sale whether the server has it",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const window = await openTillWindow();
			const { page, problems } = window;
			await page.getByRole("link", { name: "Join a shop" }).click();
			await fillServer(window, server);
			await page.getByRole("button", { name: "Join" }).click();
			await sell(window);
			await page.getByText("On the server").first().waitFor();
			expect(await salesOf(server)).toBe(1);

			await server.stop();
			await page.getByRole("button", { name: /Next sale/ }).click();
			await sell(window);
			await page.getByText("Saved on this till").waitFor();
			await page.getByRole("button", { name: /Next sale/ }).click();
			await page
				.getByRole("status", { name: "Offline, 1 waiting to be sent" })
				.click();
			await page.getByRole("heading", { name: "The shop's server" }).waitFor();
			await page.getByText(server.url).waitFor();
			expect(await page.getByText("this browser").count()).toBe(0);
			await page.getByRole("button", { name: "Compare" }).click();
			await page
				.getByRole("alert", { name: "Not on the server yet:" })
				.getByText(/^[A-Z]+-000002$/)
				.waitFor();

			await server.start();
			await page.getByRole("button", { name: "Sync now" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			await expect.poll(() => salesOf(server)).toBe(2);
			await page.getByRole("button", { name: "Compare" }).click();
			await page.getByText("They match.").waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a till opens a shop without a server, and moves it to a server later",
		async () => {
			const server = await openShopServer();
			await server.fill({});
			const window = await openTillWindow();
			const { page, problems } = window;
			await setUp(window, server);
			await sell(window);
			await page.getByRole("button", { name: /Next sale/ }).click();

			await page.getByRole("link", { name: "Sync" }).click();
			await page.getByText("This shop is only on this computer").waitFor();
			// Without a server there is nothing to compare.
			expect(await page.getByText("End of day").count()).toBe(0);
			await page.getByRole("button", { name: "Connect to a server" }).click();
			await fillServer(window, server);
			// A wrong password for the server doesn't end the session here.
			await page.getByLabel("Password").first().fill("a wrong horse");
			await page.getByRole("button", { name: "Connect to a server" }).click();
			await page.getByText("Wrong email or password").waitFor();
			expect(await page.getByText("You have been signed out").count()).toBe(0);
			// On a slow computer the till's program answers that it is still starting.
			await page.route(
				"**/api/till",
				(route) =>
					route.fulfill({
						status: 503,
						json: { error: "The server is starting" },
					}),
				{ times: 2 },
			);
			await page.getByLabel("Password").first().fill(server.account.password);
			await page.getByRole("button", { name: "Connect to a server" }).click();
			await page.getByLabel("Server address").waitFor({ state: "detached" });
			await expect.poll(() => salesOf(server)).toBe(1);
			await page.getByLabel("Email").fill(server.account.email);
			await page.getByLabel("Password").first().fill(server.account.password);
			await page.getByRole("button", { name: "Sign in" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			await page.getByTitle("Kibanda").waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a joined till takes over the previous client's data, and removes the old storage once the server has everything",
		async () => {
			const server = await openShopServer();
			const owner = await server.fill();
			const window = await openTillWindow();
			const { page, problems, call } = window;
			await page.getByRole("link", { name: "Join a shop" }).click();
			await fillServer(window, server);
			await page.getByRole("button", { name: "Join" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			const { prefix } = await call("standing");
			await server.stop();
			await window.elsewhere();
			await writeOldStorage(page, { ...owner, prefix });
			await window.back();
			await page
				.getByRole("status", { name: "Offline, 1 waiting to be sent" })
				.waitFor();
			await page.getByRole("button", { name: "1 held sale" }).waitFor();
			const name = `counterfoil-${owner.businessId}`;
			expect(await databasesOf(page)).toContain(name);
			await window.elsewhere();
			await window.back();
			await sell(window);
			await page.getByText(`${prefix}-000043`).first().waitFor();
			expect(await call("standing")).toMatchObject({ pending: 2 });
			expect(await call("heldCarts")).toHaveLength(1);

			await server.start();
			await call("tryNow");
			await expect.poll(() => databasesOf(page)).not.toContain(name);
			expect(
				await server
					.now()
					.rows("SELECT created_at, receipt_number FROM sales ORDER BY 1"),
			).toMatchObject([
				{ created_at: soldAt, receipt_number: `${prefix}-000042` },
				{ receipt_number: `${prefix}-000043` },
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a till without a server takes over the previous client's data and removes the old storage at once",
		async () => {
			const server = await openShopServer();
			const window = await openTillWindow();
			const { page, problems, call } = window;
			await setUp(window, server);
			const session = await page.evaluate(async () =>
				(await fetch("/api/session")).json(),
			);
			const { businessId, id: userId } = session.user;
			await window.elsewhere();
			await writeOldStorage(page, { businessId, userId, prefix: "OLD" });
			await window.back();
			await page.getByRole("button", { name: "1 held sale" }).waitFor();
			const name = `counterfoil-${businessId}`;
			await expect.poll(() => databasesOf(page)).not.toContain(name);
			expect(
				await call("ask", "sale.get", { id: "sold-before" }),
			).toMatchObject({
				...{ createdAt: soldAt, receiptNumber: "OLD-000042", userId },
			});
			expect(await call("heldCarts")).toMatchObject([{ note: "Blue" }]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a sale goes on after its till was away for a moment, and is held only where it can be",
		async () => {
			const server = await openShopServer();
			const window = await openTillWindow();
			const { page } = window;
			await setUp(window, server);
			const missed = new Set<string>();
			await page.route("**/api/till/calls", async (route) => {
				const { name } = route.request().postDataJSON();
				if (!missed.delete(name)) return route.fallback();
				// Done without an answer, or not at all.
				if (isDone) await route.fetch();
				return route.abort();
			});
			let isDone = false;
			const milk = page.getByRole("button", { name: /^Milk/ });
			const total = (sum: string) =>
				expect.poll(() => textOf(page, "total")).toBe(sum);
			await milk.waitFor();
			missed.add("keepCart");
			await milk.click();
			await total("KES 65");
			await milk.click();
			await total("KES 130");
			// What is stored now would show.
			await page.waitForTimeout(300);
			await total("KES 130");
			missed.add("holdCart");
			await page.keyboard.press("F9");
			await page.waitForTimeout(300);
			await total("KES 130");
			await sell(window);
			await expect.poll(() => textOf(page, "amount-paid")).toBe("KES 195");
			await page.getByRole("button", { name: "Next sale" }).click();
			missed.add("keepCart");
			await sell(window);
			await expect.poll(() => textOf(page, "amount-paid")).toBe("KES 65");
			await page.getByRole("button", { name: "Next sale" }).click();
			isDone = true;
			missed.add("keepCart");
			await milk.click();
			await page.waitForTimeout(500);
			await page.keyboard.press("F8");
			await page.getByRole("button", { name: "Complete sale" }).click();
			await expect.poll(() => textOf(page, "amount-paid")).toBe("KES 65");
			await window.back();
			await milk.waitFor();
			await total("KES 0");
		},
	);
});
