import { describe, expect } from "vitest";
import { inTour } from "./testing/browser.ts";
import { visitEveryPlace } from "./testing/every-place.ts";

/**
 * What a magnified page loses: text that is cut off, content beside the window, and controls that can't be scrolled to or
 * lie under something else.
 */
function lossesOf(): string[] {
	const { innerWidth, innerHeight } = window;
	const within = document.querySelector("dialog[open]") ?? document.body;
	const nameOf = (one: Element) =>
		`${one.localName}.${one.className}: ${one.getAttribute("aria-label") ?? one.textContent?.slice(0, 40)}`;
	const seen = [...within.querySelectorAll<HTMLElement>("*")].filter((one) =>
		one.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
	);
	const losses: string[] = [];
	if (document.documentElement.scrollWidth > innerWidth)
		losses.push("the window scrolls sideways");
	for (const one of seen) {
		// Its button opens the product, with all of its name.
		if (one.closest(".product-name")) continue;
		// A browser shows its options over the page.
		if (one.matches("select")) continue;
		const { overflowX, overflowY } = getComputedStyle(one);
		const isText = one.textContent !== "" && one.clientWidth > 1;
		if (!isText) continue;
		if (one.scrollWidth > one.clientWidth + 1) {
			if (overflowX !== "visible" && !one.closest(".chips"))
				losses.push(`${overflowX} in x: ${nameOf(one)}`);
		}
		const { bottom } = one.getBoundingClientRect();
		if (overflowY !== "visible" && overflowY !== "auto")
			for (const text of one.querySelectorAll("*"))
				if (text.getBoundingClientRect().bottom > bottom + 1)
					losses.push(`cut off below: ${nameOf(text)}`);
	}
	const controls = seen.filter(
		(one) =>
			one.matches("button, a[href], input, select, textarea, summary") &&
			one.clientWidth > 1 &&
			!one.matches(":disabled"),
	);
	for (const one of controls) {
		one.scrollIntoView({ block: "center", inline: "center" });
		const { left, right, top, bottom } = one.getBoundingClientRect();
		const hit = document.elementFromPoint(
			(left + right) / 2,
			(top + bottom) / 2,
		);
		const isHit =
			hit !== null &&
			(one.contains(hit) ||
				hit.contains(one) ||
				hit.closest("label")?.contains(one) ||
				// It goes away by itself.
				hit.closest(".toast") !== null);
		if (!isHit)
			losses.push(`out of reach: ${nameOf(one)}, under ${hit && nameOf(hit)}`);
		if (
			left < -1 ||
			right > innerWidth + 1 ||
			bottom > innerHeight + 1 ||
			top < -1
		)
			losses.push(`beside the window: ${nameOf(one)}`);
	}
	return losses;
}

describe("nothing is lost in a magnified window, in Chromium (skipped where none is found)", () => {
	inTour.each([
		// A window of 1280 x 800 at 200 %.
		{ width: 640, height: 400, deviceScaleFactor: 2 },
		// At 400 %: WCAG 2.2, 1.4.10.
		{ width: 320, height: 256, deviceScaleFactor: 4 },
	])(
		"at $width x $height",
		{ timeout: 240_000 },
		async ({ width, height, deviceScaleFactor }) => {
			const losses: string[] = [];
			await visitEveryPlace(
				{
					viewport: { width, height },
					deviceScaleFactor,
					reducedMotion: "reduce",
				},
				async (page, where) => {
					const look = async (place: string) => {
						for (const loss of await page.evaluate(lossesOf))
							losses.push(`${place}: ${loss}`);
					};
					await look(where);
					if (where !== "sales") return;
					await page.context().setOffline(true);
					await page.getByRole("status", { name: /^Offline/ }).waitFor();
					await look(`${where}, offline`);
					await page.context().setOffline(false);
				},
			);
			expect(losses).toEqual([]);
		},
	);
});
