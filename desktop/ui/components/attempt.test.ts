import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { saleVoid } from "../../../sync/entities/refund.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

async function openShop() {
	const server = await openShopServer();
	const caller = await server.fill();
	const { page, context, problems } = await openWindow();
	await context.addCookies([await ownerCookie(server, caller)]);
	const go = (path: string) => page.goto(server.url + path);
	return { server, caller, page, problems, go };
}

/** Answers requests for an address in the server's place. */
async function answer(
	page: Page,
	path: string,
	status: number,
	body: string,
	method?: string,
): Promise<void> {
	await page.route(path, (route) =>
		method === undefined || route.request().method() === method
			? route.fulfill({ status, body })
			: route.continue(),
	);
}

const refused = JSON.stringify({ error: "Not for you" });

describe("failures, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"a failure is shown as a refusal, a server error or an unreachable server",
		async () => {
			const { page, problems, go } = await openShop();
			const offline = page.getByText("which can't be reached now");
			await answer(page, "**/api/usage", 500, "{}");
			await go("/ai");
			await page.getByText("The app made a mistake.").waitFor();
			expect(await offline.count()).toBe(0);
			await answer(page, "**/api/members", 403, refused);
			await page.getByRole("link", { name: "Settings" }).click();
			await page.getByRole("link", { name: "People" }).click();
			await page.getByText("Your role doesn't allow this.").waitFor();
			expect(await offline.count()).toBe(0);
			await page.unroute("**/api/members");
			await page.route("**/api/members", (route) => route.abort());
			await go("/settings?part=people");
			await offline.waitFor();

			await answer(page, "**/preferences", 403, refused, "PATCH");
			await page.getByRole("link", { name: "Notify me about" }).click();
			await page.getByLabel("Stock", { exact: true }).click();
			await page
				.getByRole("alert")
				.getByText("Your role doesn't allow this.")
				.waitFor();

			await page.getByRole("link", { name: "Products" }).click();
			await page.getByRole("button", { name: "Import" }).click();
			const choose = () =>
				page.locator("input[type=file]").setInputFiles({
					name: "new.csv",
					mimeType: "text/csv",
					buffer: Buffer.from("name\nTea\n"),
				});
			await answer(page, "**/api/imports/**", 502, "<html>Bad gateway");
			await choose();
			await page.getByText("The server is busy.").waitFor();
			await page.unroute("**/api/imports/**");
			await page.route("**/api/imports/**", (route) => route.abort());
			await page.locator("input[type=file]").setInputFiles([]);
			await choose();
			await page.getByText("The server can't be reached").waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a refund of a sale that another till has just voided is refused in the refund form",
		async () => {
			const { server, caller, page, problems, go } = await openShop();
			const { shop } = server.now();
			await shop.mutate(caller, saleCreate, {
				id: "s1",
				items: [{ id: "1", name: "Tea", quantity: 2, price: 5, cost: 1 }],
			});
			await go("/sales");
			await page.getByRole("button", { name: /-000001/ }).click();
			await page.getByLabel("Refund: Tea").fill("1");
			await page.getByLabel("Reason").fill("Cold");
			// What this till asks for by itself has come.
			await page.getByRole("status", { name: "Online" }).waitFor();
			const args = { id: "v1", saleId: "s1", reason: "Elsewhere" };
			let voided: Promise<unknown> | undefined;
			await page.route("**/api/sync", async (route) => {
				if (route.request().method() === "POST") {
					voided ??= shop.mutate(caller, saleVoid, args);
					await voided;
				}
				await route.continue();
			});
			await page.getByRole("button", { name: "Refund", exact: true }).click();
			await page.getByText("This sale was voided before").waitFor();
			await page.getByText("VOIDED").first().waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"an account without a shop sees a message and can sign in with another account",
		async () => {
			const { page, go } = await openShop();
			const user = { id: "u", email: "u@example.com", name: "U", role: "user" };
			const session = { user: { ...user, businessId: null }, role: null };
			await answer(page, "**/api/session", 200, JSON.stringify(session));
			await go("/");
			await page.getByText("This account isn't in any shop.").waitFor();
			await page.getByRole("button", { name: "Sign in" }).waitFor();
		},
	);

	inBrowser(
		"settings confirm that they were saved, can be undone, and show changes made elsewhere except in a field being edited",
		async () => {
			const { server, caller, page, problems, go } = await openShop();
			await go("/settings?part=receipt");
			const top = page.getByLabel("Receipt header");
			const bottom = page.getByLabel("Receipt footer");
			const saved = page
				.getByRole("status")
				.getByText("Saved", { exact: true });
			const settings = () =>
				server
					.now()
					.rows("SELECT name, receipt_header, receipt_footer FROM businesses");
			await bottom.fill("Asante");
			await saved.waitFor();
			await page.getByText("Receipt footer changed").waitFor();
			await page.getByRole("button", { name: "Undo" }).click();
			await expect.poll(() => bottom.inputValue()).toBe("");
			await expect
				.poll(async () => (await settings())[0]?.receipt_footer)
				.toBe(null);
			await top.fill("Karibu");
			// The receipt beside the form follows every key.
			await page
				.getByRole("complementary", { name: "As it prints" })
				.getByText("Karibu")
				.waitFor();
			const set = { receiptFooter: "Kwaheri", name: "Duka jipya" };
			await server.now().shop.mutate(caller, businessUpdate, { set });
			await expect.poll(() => bottom.inputValue()).toBe("Kwaheri");
			expect(await top.inputValue()).toBe("Karibu");
			await bottom.fill("");
			await expect.poll(settings).toEqual([
				{
					name: "Duka jipya",
					receipt_header: "Karibu",
					receipt_footer: null,
				},
			]);
			expect(problems).toEqual([]);
		},
	);
});
