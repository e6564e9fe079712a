import { onTestFinished, vi } from "vitest";
import type { FakeProvider } from "./providers.ts";

const tickMs = 5;
const passesMs = 1_000;

/**
 * Stops the clock of the gateway's time limits, which a busy machine could exceed, until a provider falls silent: then a
 * minute passes in a moment. Call it once the gateway is open.
 */
export function holdTime(fakes: Record<string, FakeProvider>): void {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
	const received = () => Object.values(fakes).flatMap((fake) => fake.received);
	const ticking = setInterval(() => {
		if (received().some(({ isSilent }) => isSilent))
			vi.advanceTimersByTime(passesMs);
	}, tickMs);
	onTestFinished(() => {
		clearInterval(ticking);
		vi.useRealTimers();
	});
}
