import { describe, expect } from "vitest";
import { openFakeProvider } from "../../../server/gateway/testing/providers.ts";
import {
	adminCookie,
	inBrowser,
	openShopServer,
	openWindow,
	signIn,
} from "../testing/browser.ts";

async function open() {
	const openai = await openFakeProvider("chat", { path: "/v1" });
	const server = await openShopServer({
		OPENAI_API_KEY: "sk-fake-openai-0123456789",
		OPENAI_BASE_URL: openai.url,
	});
	await server.fill();
	const { page, problems } = await openWindow();
	await signIn(page, server);
	await page.getByRole("link", { name: "AI" }).click();
	await page.getByRole("heading", { name: "Keys" }).waitFor();
	return { openai, server, page, problems };
}

describe("the AI page in Chromium (skipped where none is found)", () => {
	inBrowser(
		"the owner creates a key that is shown once and works, sees what it spent, and revokes it",
		async () => {
			const { server, page, problems } = await open();
			await page.getByLabel("What it is for").fill("Stock report");
			await page.getByLabel("USD a month (empty: no limit)").fill("2.5");
			await page.getByRole("button", { name: "Create a key" }).click();
			const key = await page.getByText(/^cfk_[\w-]{43}$/).textContent();
			const ask = () =>
				fetch(`${server.url}/v1/chat/completions`, {
					method: "POST",
					headers: {
						authorization: `Bearer ${key}`,
						"content-type": "application/json",
					},
					body: JSON.stringify({
						model: "gpt-4o",
						messages: [{ role: "user", content: "Habari?" }],
					}),
				});
			expect((await ask()).status).toBe(200);

			await page.reload();
			await page.getByText(/USD\s0\.000098 of USD\s2\.50 this month/).waitFor();
			expect(await page.getByText(key ?? "").count()).toBe(0);
			await page.getByRole("cell", { name: "openai/gpt-4o" }).waitFor();
			await page.getByRole("cell", { name: "Stock report" }).waitFor();
			await page.getByText(/ · 11 \+ 7 tokens · [\d.]+ s · named$/).waitFor();
			expect(await page.getByText("Habari?").count()).toBe(0);
			await page.getByLabel("Who asked").selectOption("Stock report");
			await page.getByText(/ · 11 \+ 7 tokens/).waitFor();

			await page.getByRole("button", { name: "Set limits: Stock" }).click();
			const sheet = page.getByRole("dialog");
			await sheet.getByLabel(/^USD a month/).fill(".");
			await sheet.getByRole("button", { name: "Save" }).click();
			await sheet.getByRole("alert").waitFor();
			await sheet.getByLabel(/^USD a month/).fill("0.000001");
			await sheet.getByRole("button", { name: "Save" }).click();
			await page.getByText(/USD\s0\.000098 of USD\s0\.000001/).waitFor();
			expect((await ask()).status).toBe(429);
			await page.getByRole("button", { name: "Revoke: Stock report" }).click();
			await page.getByRole("button", { name: "Revoke: Stock report" }).click();
			await page.getByText("Revoked").waitFor();
			expect((await ask()).status).toBe(401);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the administrator limits AI for a shop, and turns it off while that is saved",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, context, problems } = await openWindow();
			await context.addCookies([await adminCookie(server)]);
			await page.goto(server.url);
			const stored = () =>
				server
					.now()
					.shop.store.read((tx) =>
						tx.all(
							"SELECT allowed, monthly_budget, requests_per_minute FROM ai_access JOIN ai_limits USING (business_id)",
						),
					);
			const limits = {
				...{ monthly_budget: 20_000_000_000, requests_per_minute: 90 },
			};
			await page.getByLabel(/^USD a month/).fill("20");
			const reload = Promise.withResolvers<void>();
			await page.route("**/api/admin/ai", async (route) => {
				await reload.promise;
				await route.continue();
			});
			await page.getByLabel(/^Requests a minute/).fill("90");
			await page.getByRole("button", { name: /^Save: / }).click();
			await expect.poll(stored).toEqual([{ allowed: 1, ...limits }]);
			await page.getByLabel(/^AI: /).click();
			await expect.poll(stored).toEqual([{ allowed: 0, ...limits }]);
			reload.resolve();
			await page
				.getByRole("switch", { name: /^AI: /, checked: false })
				.waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the owner sets who may use AI in the app, how much, and where answers may go",
		async () => {
			const { server, page, problems } = await open();
			await page.getByText(/USD\s0\.00 of USD\s5\.00 this month/).waitFor();
			await page
				.getByRole("textbox", { name: "USD a month", exact: true })
				.fill("2.5");
			await page.getByLabel("Requests a minute, each person").fill("7");
			await page
				.getByRole("radiogroup", { name: "Who may use it" })
				.getByRole("radio", { name: "Everyone" })
				.click();
			await page.getByLabel(/^Keep responses when/).click();
			await page.getByRole("button", { name: "Save" }).click();
			await page.getByText(/of USD\s2\.50 this month/).waitFor();
			await page.getByText("Saved", { exact: true }).waitFor();
			await page.getByRole("button", { name: /^Set limits: / }).click();
			const sheet = page.getByRole("dialog");
			await sheet.getByLabel(/^Requests a minute/).fill("3");
			await sheet.getByRole("button", { name: "Save" }).click();
			await page.getByText("this month · 3 requests a minute").waitFor();
			const address = "https://erp.example/hooks";
			await page.getByLabel("Address (https)").fill(address);
			await page.getByRole("button", { name: "Allow address" }).click();
			await page.getByText(/^whsec_/).waitFor();
			await page.getByRole("button", { name: `allow ${address}` }).click();
			await page.getByText(address).waitFor({ state: "detached" });
			const { shop } = server.now();
			expect(
				await shop.store.read((tx) =>
					tx.all(
						"SELECT monthly_budget, requests_per_minute, least_role, keeps_responses FROM ai_access JOIN ai_limits USING (business_id) ORDER BY 2",
					),
				),
			).toEqual([
				{
					...{ monthly_budget: null, requests_per_minute: 3 },
					...{ least_role: "CASHIER", keeps_responses: 1 },
				},
				{
					...{ monthly_budget: 2_500_000_000, requests_per_minute: 7 },
					...{ least_role: "CASHIER", keeps_responses: 1 },
				},
			]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"the playground streams an answer, stops it on request and shows errors",
		async () => {
			const { openai, page, problems } = await open();
			await page.getByLabel("Question").fill("Habari?");
			await page.getByRole("button", { name: "Ask" }).click();
			await page.getByText(/^Habari ya.*mkate$/).waitFor();
			await page.getByText(/^openai\/.* · policy=balanced/).waitFor();
			// Beside it, the call and what is left.
			await page.getByText(/ · \d+ \+ \d+ tokens · /).waitFor();
			await page.getByText(/USD\s0\.0\d+ of USD\s5\.00 this month/).waitFor();

			// It says no more than its first words.
			openai.act({ stopAfter: 4 });
			await page.getByLabel("Question").fill("Na wewe?");
			await page.getByRole("button", { name: "Ask" }).click();
			await page.getByText(/^Habari ya/).waitFor();
			expect(await page.getByText("mkate").count()).toBe(0);
			await page.getByRole("button", { name: "Stop" }).click();
			await expect.poll(() => openai.received.at(-1)?.isAborted).toBe(true);

			openai.act({ status: 400, body: { error: { message: "Too odd" } } });
			await page.getByLabel("Question").fill("???");
			await page.getByRole("button", { name: "Ask" }).click();
			await page.getByRole("alert").getByText("OpenAI: Too odd").waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser("only the owner sees the AI page", async () => {
		const server = await openShopServer();
		const { businessId } = await server.fill();
		const cashier = await server
			.now()
			.addUser("Chege", { businessId, role: "CASHIER" });
		const { page, context } = await openWindow();
		const [name = "", value = ""] = cashier.cookie.split("=");
		await context.addCookies([{ name, value, url: server.url }]);
		await page.goto(server.url);
		await page.getByRole("link", { name: "Settings" }).waitFor();
		expect(await page.getByRole("link", { name: "AI" }).count()).toBe(0);
	});
});
