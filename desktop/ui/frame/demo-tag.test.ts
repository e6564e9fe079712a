import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { openTestServer } from "../../../server/testing/server.ts";
import { demoOwner } from "../../../sync/protocol/demo.ts";
import { sampled } from "../../../sync/testing/lane.ts";
import { faultsOf } from "../testing/axe.ts";
import { inBrowser, openWindow } from "../testing/browser.ts";

async function openShop(page: Page, email: string): Promise<void> {
	await page.getByLabel("Name of the shop").fill("Duka la Njeri");
	await page.getByLabel("Your name").fill("Njeri");
	await page.getByLabel("Email").fill(email);
	await page.getByLabel("Password").first().fill("correct horse");
	await page.getByRole("button", { name: "Open the shop" }).click();
	await page.getByRole("heading", { name: "What do you sell?" }).waitFor();
}

describe("the demo's tag, in Chromium (skipped where none is found)", () => {
	inBrowser(
		"the demo shop is marked on every page, and leads to an own shop",
		async () => {
			const server = await openTestServer();
			const { page, problems } = await openWindow();
			await page.goto(server.url);
			// The app knows the demo by its owner; three months of sales would take a while.
			await openShop(page, demoOwner.email);
			const tag = page.getByRole("button", { name: "Demo", exact: true });
			for (const { width, height } of [
				{ width: 1280, height: 800 },
				{ width: 360, height: 640 },
			]) {
				await page.setViewportSize({ width, height });
				for (const path of sampled(
					["/", "/products", "/sales", "/settings"],
					4,
				)) {
					await page.goto(server.url + path);
					await tag.waitFor();
					const box = await tag.boundingBox();
					expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(
						43,
					);
					expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width);
				}
			}
			await tag.click();
			await page.getByText("This is a demo shop").waitFor();
			expect(await faultsOf(page, "demo")).toEqual([]);
			await page.getByRole("button", { name: "Open my own shop" }).click();
			await openShop(page, "njeri@example.com");
			await page.goto(server.url);
			await page.getByText("No products yet").waitFor();
			expect(await tag.count()).toBe(0);
			expect(problems).toEqual([]);
		},
	);
});
