import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { faultsOf } from "../testing/axe.ts";
import {
	inBrowser,
	lineOf,
	openShopServer,
	openWindow,
	ownerCookie,
} from "../testing/browser.ts";
import { contrastOf } from "../testing/contrast.ts";

async function openTill(options?: Parameters<typeof openWindow>[0]) {
	const server = await openShopServer();
	const owner = await server.fill();
	const { page, context, problems } = await openWindow(options);
	await context.addCookies([await ownerCookie(server, owner)]);
	await page.goto(server.url);
	await page.getByRole("button", { name: /^Milk/ }).waitFor();
	return { page, problems };
}

/** Chooses in the account menu, as a person does. */
async function choose(page: Page, choice: string): Promise<void> {
	await page.getByRole("button", { name: "Njeri Kamau, account" }).click();
	await page.getByRole("radio", { name: choice, exact: true }).click();
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Adds a product and opens a sheet at the side. @returns the animations that began */
async function animationsOf(page: Page): Promise<string[]> {
	await page.evaluate(`{
		window.begun = [];
		addEventListener("animationstart", ({ animationName }) => begun.push(animationName), true);
		addEventListener("transitionstart", ({ propertyName }) => begun.push(propertyName), true);
	}`);
	await page.getByRole("button", { name: /^Milk/ }).click();
	await lineOf(page, "Milk").waitFor();
	const running = await page.evaluate<string[]>(
		"document.getAnimations().map(({ animationName }) => animationName ?? 'a transition')",
	);
	await page.getByRole("button", { name: "Njeri Kamau, account" }).click();
	await page.getByRole("dialog").waitFor();
	// Two frames later everything that moves has begun to.
	await page.evaluate(
		"new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
	);
	const begun = await page.evaluate<string[]>("begun");
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	return [...running, ...begun];
}

const tokenOf = (page: Page, token: string) =>
	page.evaluate<string>(
		`getComputedStyle(document.documentElement).getPropertyValue("--${token}")`,
	);

describe("how the screen looks, in Chromium (skipped where none is found)", () => {
	inBrowser("a new line and a sheet move", async () => {
		const { page } = await openTill();
		const begun = await animationsOf(page);
		expect(begun).toContain("line-in");
		expect(begun).toContain("sheet-in");
	});

	inBrowser("nothing moves on a device that asks for less motion", async () => {
		const { page } = await openTill({ reducedMotion: "reduce" });
		expect(await animationsOf(page)).toEqual([]);
	});

	inBrowser(
		"nothing moves once the account menu says “Still”, also after a reload",
		async () => {
			const { page, problems } = await openTill();
			await choose(page, "Still");
			expect(await animationsOf(page)).toEqual([]);
			await page.keyboard.press("Escape");
			await page.reload();
			await lineOf(page, "Milk").waitFor();
			expect(await animationsOf(page)).toEqual([]);
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each(["light", "dark"] as const)(
		"“Sunlight” in the account menu raises the contrast, also after a reload, %s",
		async (colorScheme) => {
			const { page, problems } = await openTill({ colorScheme });
			const contrast = async () =>
				contrastOf(await tokenOf(page, "muted"), await tokenOf(page, "ground"));
			const before = await contrast();
			await choose(page, "Sunlight");
			const raised = await contrast();
			expect(raised).toBeGreaterThan(before + 3);
			await page.reload();
			await page.getByRole("button", { name: /^Milk/ }).waitFor();
			expect(await contrast()).toBe(raised);
			await choose(page, "Indoors");
			expect(await contrast()).toBe(before);
			expect(problems).toEqual([]);
		},
	);

	inBrowser.each(["light", "dark"] as const)(
		"the account menu can be read, %s",
		async (colorScheme) => {
			const { page } = await openTill({ colorScheme, reducedMotion: "reduce" });
			await page.getByRole("button", { name: "Njeri Kamau, account" }).click();
			await page.getByRole("button", { name: "Sign out" }).waitFor();
			expect(await faultsOf(page, "account menu")).toEqual([]);
		},
	);
});
