import { expect } from "vitest";
import { openTestServer } from "../../../server/testing/server.ts";
import { inBrowser, openWindow } from "../testing/browser.ts";

inBrowser(
	"a first shop is opened from elsewhere with the setup code, typed or from the link, in Chromium (skipped where none is found)",
	async () => {
		const server = await openTestServer();
		const { page } = await openWindow();
		const elsewhere = `http://shop.test:${server.port}`;
		await page.goto(`${elsewhere}/`);
		const code = page.getByLabel("Setup code");
		await code.fill("WRONG");
		await page.getByRole("button", { name: "Look around a demo shop" }).click();
		await page.getByText("Wrong setup code").waitFor();
		// From another page: a link that only changes the fragment would not load the app again.
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
			.poll(() => server.rows("SELECT email FROM users"), { timeout: 20_000 })
			.toEqual([{ email: "njeri@example.com" }]);
	},
);

inBrowser(
	"at the machine itself nobody is asked for a setup code, in Chromium (skipped where none is found)",
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
