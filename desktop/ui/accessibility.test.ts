import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { faultsOf } from "./testing/axe.ts";
import { inTour } from "./testing/browser.ts";
import { visitEveryPlace } from "./testing/every-place.ts";

/** The violations in the light and the dark scheme, which differ only in colours. */
async function faultsInBoth(page: Page, where: string): Promise<string[]> {
	const faults = await faultsOf(page, where);
	await wear(page, "dark");
	const colours = await faultsOf(page, `${where}, dark`, {
		runOnly: ["color-contrast", "link-in-text-block"],
	});
	await wear(page, "light");
	return [...faults, ...colours];
}

/** Changes the scheme and waits for the colour transitions. */
async function wear(page: Page, colorScheme: "light" | "dark"): Promise<void> {
	await page.emulateMedia({ colorScheme });
	await page
		.locator(`html[data-scheme=${colorScheme}]`)
		.waitFor({ state: "attached" });
	await page.evaluate(
		"Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished.catch(() => undefined)))",
	);
}

describe("axe-core finds no violation (skipped where no Chromium is found)", () => {
	inTour.each([
		[1280, 800],
		[390, 844],
	])(
		"on any page, light and dark, %i wide",
		{ timeout: 240_000 },
		async (width, height) => {
			const faults: string[] = [];
			await visitEveryPlace(
				{
					colorScheme: "light",
					viewport: { width, height },
					reducedMotion: "reduce",
				},
				async (page, where) => {
					faults.push(...(await faultsInBoth(page, where)));
				},
			);
			expect(faults).toEqual([]);
		},
	);
});
