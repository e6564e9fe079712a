import { expect } from "vitest";
import { inTour } from "./testing/browser.ts";
import { visitEveryPlace } from "./testing/every-place.ts";

inTour(
	"no page writes to the console or throws, in Chromium",
	{ timeout: 240_000 },
	async () => {
		let seen = 0;
		const noise = await visitEveryPlace(
			{ serviceWorkers: "allow" },
			async () => {
				seen += 1;
			},
		);
		expect(noise).toEqual([]);
		expect(seen).toBeGreaterThan(30);
	},
);
