import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	type ShopServer,
	signIn,
	totalsOf,
} from "../testing/browser.ts";

/** A page that a proxy serves in place of a server that is down. */
async function openProxyPage(
	{ url }: ShopServer,
	status: number,
	headers: Record<string, string> = {},
) {
	const proxy = createServer((_, response) => {
		response.writeHead(status, { "content-type": "text/html", ...headers });
		response.end("<h1>Bad gateway</h1>");
	});
	await new Promise<void>((resolve) =>
		proxy.listen(Number(new URL(url).port), "127.0.0.1", resolve),
	);
	const close = () =>
		new Promise<void>((resolve) => {
			proxy.close(() => resolve());
			proxy.closeAllConnections();
		});
	onTestFinished(close);
	return { close };
}

function countRequests(page: Page, ...paths: string[]): () => number {
	let count = 0;
	page.on("request", (request) => {
		if (paths.includes(new URL(request.url()).pathname)) count += 1;
	});
	return () => count;
}

async function sellMilk(page: Page): Promise<void> {
	await page.getByRole("button", { name: /^Milk/ }).click();
	await page.keyboard.press("F8");
	await page.getByRole("button", { name: "Complete sale" }).click();
	await page.getByRole("button", { name: "Next sale" }).click();
}

describe("the connection to the server, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"each window on an insecure address sells and syncs, as another machine of the shop does",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, context, problems } = await openWindow();
			const url = server.url.replace(/(?<=\/\/)[^:]+/, "shop.test");
			await signIn(page, { ...server, url });
			expect(await page.evaluate("isSecureContext")).toBe(false);
			await sellMilk(page);
			await expect.poll(() => totalsOf(server.now())).toEqual([65]);
			const second = await context.newPage();
			await second.goto(url);
			await second.getByRole("status", { name: "Online" }).waitFor();
			await Promise.all([sellMilk(second), sellMilk(page)]);
			await expect.poll(() => totalsOf(server.now())).toEqual([65, 65, 65]);
			await second.getByRole("link", { name: "Sync", exact: true }).click();
			await second.getByRole("button", { name: "Sync now" }).click();
			await second
				.getByRole("button", { name: "Sync now", disabled: false })
				.waitFor();
			expect(problems).toEqual([]);
		},
	);

	inBrowser(
		"a proxy's page in place of the server stops neither a reload nor selling",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, problems } = await openWindow({ serviceWorkers: "allow" });
			await signIn(page, server);
			await page.evaluate(() => navigator.serviceWorker.ready);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await server.stop();
			const proxy = await openProxyPage(server, 502);
			await page.reload();
			await page.getByRole("status", { name: "Offline" }).waitFor();
			await sellMilk(page);
			await page.getByRole("status", { name: "Offline, 1 waiting" }).waitFor();
			expect(await page.getByText("You have been signed out").count()).toBe(0);
			await proxy.close();
			await server.start();
			await page.getByRole("link", { name: "Sync", exact: true }).click();
			await page.getByRole("button", { name: "Sync now" }).click();
			await page.getByRole("status", { name: "Online" }).waitFor();
			expect(await totalsOf(server.now())).toEqual([65]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each([500, 503])(
		"an answer of %i to the session request leaves the session open",
		async (status) => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await page.route("**/api/session", (route) =>
				route.fulfill({ status, json: { error: "Something went wrong" } }),
			);
			await page.reload();
			await page.getByRole("status", { name: "Online" }).waitFor();
			expect(await page.getByText("You have been signed out").count()).toBe(0);
		},
	);

	inBrowser(
		"a server that never answers the session request doesn't stop selling",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await page.route("**/api/session", () => {});
			await page.reload();
			await sellMilk(page);
			await expect.poll(() => totalsOf(server.now())).toEqual([65]);
		},
	);

	inBrowser.each<{ status: number; headers: Record<string, string> }>([
		{ status: 502, headers: {} },
		{ status: 503, headers: { "retry-after": "30" } },
	])(
		"a server that answers $status $headers gets requests less and less often",
		async ({ status, headers }) => {
			const server = await openShopServer();
			await server.fill();
			const { page } = await openWindow();
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			// After a failure, it asks whether the server is back before it syncs.
			const requests = countRequests(page, "/api/sync", "/healthz");
			const begun = performance.now();
			await server.stop();
			await openProxyPage(server, status, headers);
			await page.getByRole("status", { name: "Offline" }).waitFor();
			await sellMilk(page);
			await sellMilk(page);
			await page.waitForTimeout(3_000);
			expect(requests()).toBeGreaterThan(0);
			// Each wait is twice as long, from half a second on: 5 requests in 5 s, and one more whenever the time doubles.
			const seconds = (performance.now() - begun) / 1_000;
			expect(requests()).toBeLessThan(2.5 + Math.log2(1 + 2 * seconds));
		},
	);

	inBrowser(
		"after the session ends, the page sends no sync until someone signs in",
		async () => {
			const server = await openShopServer();
			await server.fill();
			const { page, context } = await openWindow();
			await signIn(page, server);
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			await context.clearCookies();
			await page.getByRole("button", { name: /^Milk/ }).click();
			await page.keyboard.press("F8");
			await page.getByRole("button", { name: "Complete sale" }).click();
			await page.getByText("You have been signed out").waitFor();
			const syncs = countRequests(page, "/api/sync");
			await page.reload();
			await page.getByText("You have been signed out").waitFor();
			await page.waitForTimeout(2_500);
			expect(syncs()).toBeLessThan(2);
			await page.getByRole("button", { name: "Sign in" }).click();
			await page.getByLabel("Email").fill(server.account.email);
			await page.getByLabel("Password").first().fill(server.account.password);
			await page
				.getByRole("dialog")
				.getByRole("button", { name: "Sign in" })
				.click();
			await expect.poll(() => totalsOf(server.now())).toEqual([65]);
		},
	);

	inBrowser("a failed sign-out shows an error", async () => {
		const server = await openShopServer();
		await server.fill();
		const { page } = await openWindow();
		await signIn(page, server);
		await server.stop();
		await page.getByRole("button", { name: /Njeri.*account/ }).click();
		await page.getByRole("button", { name: "Sign out" }).click();
		const account = page.getByRole("dialog");
		await account.getByText("You are still signed in").waitFor();
		await account.getByRole("alert").waitFor();
		await server.start();
		await page.getByRole("button", { name: "Close" }).click();
		await page.getByRole("button", { name: /Njeri.*account/ }).click();
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
	});

	inBrowser("the till sells at a price that was set offline", async () => {
		const server = await openShopServer();
		await server.fill();
		const { page, context } = await openWindow();
		await signIn(page, server);
		await page.getByRole("link", { name: "Products" }).click();
		await page.getByRole("button", { name: /^Milk/ }).waitFor();
		await context.setOffline(true);
		await page.getByRole("status", { name: "Offline" }).waitFor();
		await page.getByRole("button", { name: /^Milk/ }).click();
		await page.getByLabel("Selling price").fill("99");
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByRole("link", { name: "Till", exact: true }).click();
		await page.getByRole("button", { name: /^Milk.*99/ }).waitFor();
		await sellMilk(page);
		await context.setOffline(false);
		await expect.poll(() => totalsOf(server.now())).toEqual([99]);
	});
});
