import { expect } from "vitest";
import { openTestServer } from "../../../server/testing/server.ts";
import { inBrowser, openWindow } from "../testing/browser.ts";

inBrowser(
	"the first shop is created from another machine with the setup code, typed or from the link, in Chromium (skipped where none is found)",
	async () => {
		const server = await openTestServer();
		const { page } = await openWindow();
		const elsewhere = `http://shop.test:${server.port}`;
		await page.goto(`${elsewhere}/`);
		const code = page.getByLabel("Setup code");
		await code.fill("WRONG");
		await page.getByRole("button", { name: "Look around a demo shop" }).click();
		await page.getByText("Wrong setup code").waitFor();
		// Start from another page: a link that changes only the fragment wouldn't reload the app.
		await page.goto("about:blank");
		await page.goto(`${elsewhere}/setup#${server.setupCode}`);
		await expect.poll(() => code.inputValue()).toBe(server.setupCode);
		await page.getByLabel("Your name").fill("Njeri");
		await page.getByLabel("Email").fill("njeri@example.com");
		await page
			.getByLabel("Password", { exact: false })
			.first()
			.fill("correct horse");
		await page.getByLabel("Name of the shop").fill("Duka");
		await page.getByRole("button", { name: "Open the shop" }).click();
		await expect
			.poll(() => server.rows("SELECT email FROM users"))
			.toEqual([{ email: "njeri@example.com" }]);
	},
);

inBrowser(
	"the server's own machine needs no setup code, in Chromium (skipped where none is found)",
	async () => {
		const server = await openTestServer();
		const { page } = await openWindow();
		await page.goto(server.url);
		await page.getByLabel("Your name").waitFor();
		await page
			.getByRole("button", { name: "Look around a demo shop" })
			.waitFor();
		expect(await page.getByLabel("Setup code").count()).toBe(0);
	},
);
