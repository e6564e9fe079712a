import { onTestFinished, vi } from "vitest";

/** Stops the clocks of this process until the end of a test in which a slow machine must not let tries drain or a day end. */
export function stopClocks(): void {
	const spies = [
		vi.spyOn(Date, "now").mockReturnValue(Date.now()),
		vi.spyOn(performance, "now").mockReturnValue(performance.now()),
	];
	onTestFinished(() => {
		for (const spy of spies) spy.mockRestore();
	});
}
