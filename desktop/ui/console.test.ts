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
		// Chromium itself notes each refusal, and a signed-out page asks once who is signed in.
		const refusal =
			/^(\/|\/setup|\/join|sign in): error: .* status of 401 \(Unauthorized\)$/;
		expect(noise.filter((line) => !refusal.test(line))).toEqual([]);
		expect(noise.length).toBeLessThanOrEqual(4);
		expect(seen).toBeGreaterThan(30);
	},
);
