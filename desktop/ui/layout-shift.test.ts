import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { inTour } from "./testing/browser.ts";
import { visitEveryPlace } from "./testing/every-place.ts";

/** The most that a page may move by itself; 0.1 is what search engines call good. */
const allowed = 0.01;

interface Shift {
	value: number;
	/** What moved. */
	moved: string[];
}

declare global {
	interface Window {
		shifts: Shift[];
	}
}

/** Keeps what moves on each page without a tap or a key in the half second before. */
function watchShifts(): void {
	window.shifts = [];
	new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) {
			const { value, hadRecentInput, sources } = entry as PerformanceEntry & {
				value: number;
				hadRecentInput: boolean;
				sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[];
			};
			if (hadRecentInput) continue;
			const moved = sources.map(
				({ node, previousRect: from, currentRect: to }) => {
					const element = node instanceof Element ? node : node?.parentElement;
					const rect = ({ x, y, width, height }: DOMRect) =>
						[x, y, width, height].map(Math.round).join(" ");
					return `${element?.localName}.${element?.className} ${rect(from)} → ${rect(to)}`;
				},
			);
			window.shifts.push({ value, moved });
		}
	}).observe({ type: "layout-shift", buffered: true });
}

/** What moved since the last call, of a page that moved too much. */
async function shiftsOf(page: Page, where: string): Promise<string[]> {
	const shifts = await page.evaluate(() => window.shifts.splice(0));
	const total = shifts.reduce((sum, { value }) => sum + value, 0);
	if (total < allowed) return [];
	return shifts.map(
		({ value, moved }) => `${where}: ${value.toFixed(4)}: ${moved.join("; ")}`,
	);
}

describe("nothing moves by itself, in Chromium (skipped where none is found)", () => {
	inTour.each([
		[1366, 768],
		[390, 844],
	])("on any page, %i wide", { timeout: 240_000 }, async (width, height) => {
		const shifts: string[] = [];
		await visitEveryPlace(
			{ viewport: { width, height } },
			async (page, where) => {
				shifts.push(...(await shiftsOf(page, where)));
			},
			watchShifts,
		);
		expect(shifts).toEqual([]);
	});
});
