import { onTestFinished, vi } from "vitest";

/**
 * Stops `Date.now` and `performance.now` until the end of a test in which a slow machine must not let tries drain or a day
 * end. Timers go on.
 */
export function stopClocks(): void {
	const spies = [
		vi.spyOn(Date, "now").mockReturnValue(Date.now()),
		vi.spyOn(performance, "now").mockReturnValue(performance.now()),
	];
	onTestFinished(() => {
		for (const spy of spies) spy.mockRestore();
	});
}
