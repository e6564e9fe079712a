import { beforeEach, expect, test, vi } from "vitest";
import { openPace } from "./pace.ts";

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
	return () => vi.useRealTimers();
});

/** Notes when a pause came, in milliseconds from now. */
function watch(rest: Promise<void>) {
	const started = performance.now();
	const seen = { after: -1, error: undefined as unknown };
	rest.then(
		() => {
			seen.after = performance.now() - started;
		},
		(error) => {
			seen.error = error;
		},
	);
	return seen;
}

test("a till that nobody uses does its own work at once", async () => {
	const seen = watch(openPace().rest(5_000));
	await vi.advanceTimersByTimeAsync(0);
	expect(seen.after).toBe(0);
});

test("a till's own work waits until two seconds after the last use", async () => {
	const pace = openPace();
	pace.use();
	const seen = watch(pace.rest(5_000));
	await vi.advanceTimersByTimeAsync(1_500);
	pace.use();
	await vi.advanceTimersByTimeAsync(1_999);
	expect(seen.after).toBe(-1);
	await vi.advanceTimersByTimeAsync(1);
	expect(seen.after).toBe(3_500);
});

test("where one use follows another, a till's own work goes on after the longest wait", async () => {
	const pace = openPace();
	const seen = watch(pace.rest(1_000));
	await vi.advanceTimersByTimeAsync(0);
	expect(seen.after).toBe(0);
	pace.use();
	const later = watch(pace.rest(1_000));
	for (let i = 0; i < 20; i += 1) {
		pace.use();
		await vi.advanceTimersByTimeAsync(100);
	}
	expect(later.after).toBe(1_000);
});

test("a till that closes waits for nobody", async () => {
	const pace = openPace();
	pace.use();
	const seen = watch(pace.rest(5_000));
	pace.stop();
	await vi.advanceTimersByTimeAsync(0);
	expect(seen.error).toMatchObject({ code: "unreachable" });
	await expect(pace.rest(5_000)).rejects.toThrow("This till is closing");
});
