import type { Model } from "../catalogue.ts";

/** What models took lately until the first token of an answer. */
export interface FirstTokens {
	/** @param ms milliseconds; of a whole answer, what `startOf` makes of them */
	note(model: Model, ms: number): void;
	/** Milliseconds that it probably takes now: the average, which becomes the usual time again as it ages. */
	expected(model: Model, usualMs: number): number;
	/** True if it was noted so recently that its average mostly counts. */
	isFresh(model: Model): boolean;
}

/** The newest measurement's weight in a fresh average. */
const weight = 0.2;
/** After this time, an average counts half. */
const halfLifeMs = 10 * 60_000;
/** Writing so many tokens takes about as long as getting to the first. */
const tokensPerStart = 50;

export function openFirstTokens(
	now: () => number = () => performance.now(),
): FirstTokens {
	const averages = new Map<string, { ms: number; at: number }>();
	const share = (at: number) => 0.5 ** ((now() - at) / halfLifeMs);
	return {
		note({ id, isUnlisted }, ms) {
			// Callers can make up any number of unlisted models.
			if (isUnlisted) return;
			const { ms: before, at } = averages.get(id) ?? { ms, at: now() };
			const kept = (1 - weight) * share(at);
			averages.set(id, { ms: ms + (before - ms) * kept, at: now() });
		},

		expected({ id }, usualMs) {
			const average = averages.get(id);
			if (!average) return usualMs;
			return usualMs + (average.ms - usualMs) * share(average.at);
		},

		isFresh({ id }) {
			const average = averages.get(id);
			return average !== undefined && share(average.at) > 0.5;
		},
	};
}

/** Milliseconds until the first token of an answer that came as a whole, by the number of its tokens. */
export const startOf = (ms: number, tokens: number): number =>
	ms / (1 + tokens / tokensPerStart);
