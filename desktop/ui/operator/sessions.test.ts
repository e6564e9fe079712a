import { expect } from "vitest";
import {
	inBrowser,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";

inBrowser(
	"an owner signs a lost browser out from afar, and sees how the server is",
	async () => {
		const server = await openShopServer();
		const caller = await server.fill();
		const own = await ownerCookie(server, caller);
		const lost = await ownerCookie(server, caller);
		const lookWithLost = () =>
			fetch(new URL("/api/session", server.url), {
				headers: {
					cookie: `${lost.name}=${lost.value}`,
					"user-agent": "Mozilla/5.0 (Android 15; Mobile) Firefox/140.0",
				},
			});
		expect((await lookWithLost()).status).toBe(200);
		const { page, context } = await openWindow();
		await context.addCookies([own]);
		await page.goto(`${server.url}/settings?part=sessions`);
		await page.getByRole("button", { name: /Firefox 140, Android$/ }).click();
		await page.getByText("Firefox 140").waitFor({ state: "detached" });
		expect((await lookWithLost()).status).toBe(401);
		expect(await page.getByText("This one").count()).toBe(1);
		await page.getByRole("link", { name: "Server" }).click();
		await page.getByText("None since the server started.").waitFor();
	},
);
