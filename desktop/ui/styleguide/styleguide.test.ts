import { expect } from "vitest";
import { openTestServer } from "../../../server/testing/server.ts";
import { faultsOf } from "../testing/axe.ts";
import { inBrowser, openWindow } from "../testing/browser.ts";

inBrowser(
	"the style guide opens without an account, and axe-core finds nothing in any scheme or contrast, in Chromium",
	{ timeout: 120_000 },
	async () => {
		const server = await openTestServer();
		const { page, problems } = await openWindow({ reducedMotion: "reduce" });
		await page.goto(`${server.url}/styleguide`);
		await page.getByRole("heading", { name: "Style guide" }).waitFor();
		await page.getByText("carbon-soft").waitFor();
		for (const scheme of ["light", "dark"])
			for (const contrast of ["usual", "high"]) {
				for (const name of [scheme, contrast])
					await page.getByRole("radio", { name, exact: true }).click();
				expect(await faultsOf(page, `${scheme}, ${contrast}`)).toEqual([]);
			}
		await page
			.getByRole("button", { name: "Open a sheet", exact: true })
			.click();
		await page.getByRole("dialog", { name: "A sheet" }).waitFor();
		expect(await faultsOf(page, "a sheet")).toEqual([]);
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Show the toast" }).click();
		await page.getByRole("button", { name: "Undo" }).click();
		await page.getByText("Bread removed").waitFor({ state: "detached" });
		expect(problems).toEqual([]);
	},
);
