import { expect, test } from "vitest";
import { GatewayError } from "../errors.ts";
import { Fault } from "../fault.ts";
import { pauseAfterDelivery, waitAfter } from "./retry.ts";

const failure = (status: number, details = {}, cause?: unknown) =>
	new GatewayError(status, "It failed", details, { cause });

test("a request waits for the internet and the budget without end, and for a provider ten times", () => {
	const offline = failure(503, { code: "offline" });
	const poor = failure(429, { code: "budget_exceeded" });
	for (const tries of [1, 10])
		expect([waitAfter(offline, tries), waitAfter(poor, tries)]).toEqual([
			{ waitsFor: "internet", ms: 1_000, isCounted: false },
			{ waitsFor: "budget", ms: 60_000, isCounted: false },
		]);
	const provider = { waitsFor: "provider", isCounted: true };
	const down = failure(502);
	expect([1, 2, 9, 10].map((tries) => waitAfter(down, tries))).toEqual([
		{ ...provider, ms: 5_000 },
		{ ...provider, ms: 10_000 },
		{ ...provider, ms: 600_000 },
		undefined,
	]);
	const busy = failure(429, { retryAfterMs: 30_000 });
	expect(waitAfter(busy, 1)?.ms).toBe(30_000);
	// What is billed although the internet went away must not go on for ever.
	const billed = new Fault("offline", "can't be reached", {
		mayBeBilled: true,
	});
	const cut = failure(503, { code: "offline" }, billed);
	expect(waitAfter(cut, 1)).toEqual({ ...provider, ms: 5_000 });
});

test.each([400, 401, 403, 404])(
	"a refusal with status %i is the answer",
	(status) => {
		expect(waitAfter(failure(status), 1)).toBeUndefined();
	},
);

test("a delivery is tried eight times, over a day and more", () => {
	const pauses = Array.from({ length: 8 }, (_, i) => pauseAfterDelivery(i + 1));
	expect(pauses.at(-1)).toBeUndefined();
	const hours = pauses.reduce<number>((sum, ms = 0) => sum + ms, 0) / 3_600_000;
	expect(hours).toBeGreaterThan(24);
	expect(hours).toBeLessThan(7 * 24);
});
