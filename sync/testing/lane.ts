import { test } from "vitest";
import { openRandom } from "../simulation/random.ts";

/*
 * `npm test` samples what `npm run proof` tries at length. Both run the same tests; the lane says how many seeds, rounds and
 * rows each takes. A file that is run by its name has the few seeds of `npm test`, and leaves nothing out.
 */

const { TEST_LANE, TEST_SEED } = process.env;

export const isProof = TEST_LANE === "proof";
export const isSample = TEST_LANE === "sample";

/**
 * Where what is tried at random begins. In `npm test` it follows from the commit: each commit tries something new, and
 * trying one again tries the same. In `npm run proof` it follows from the clock. `TEST_SEED` in the environment repeats a
 * run.
 */
export const testSeed = Number(TEST_SEED ?? 1);

/** How much is tried in `npm test` and in `npm run proof`. */
const counts = {
	SEEDS: [50, 20_000],
	POSTGRES_SEEDS: [8, 1_000],
	MODEL_RUNS: [10, 2_000],
	FUZZ_RUNS: [8, 1_000],
	PUSH_FUZZ_RUNS: [30, 1_000],
	MEMORY_ROUNDS: [2, 60],
	KILL_ROUNDS: [3, 200],
	BROWSER_KILLS: [2, 100],
	PROCESS_KILLS: [2, 60],
	PROCESS_TILLS: [4, 20],
	POWER_CUTS: [30, 1_000],
} as const;

/** The lane's count, or the one that the environment asks for. */
export function countOf(name: keyof typeof counts): number {
	return Number(process.env[name] ?? counts[name][isProof ? 1 : 0]);
}

/** In `npm test` one in so many of the items, others with each commit; all of them elsewhere. */
export function sampled<T>(items: readonly T[], oneIn: number): T[] {
	const step = isSample ? Math.min(oneIn, items.length) : 1;
	return items.filter((_, i) => i % step === testSeed % step);
}

/** A test that `npm test` runs with one commit in so many, for tests that cost a second and more. */
export function oneIn(commits: number) {
	return test.extend<{ choice: undefined }>({
		choice: [
			async ({ task, skip }, use) => {
				const isChosen = openRandom(task.name, testSeed).below(commits) === 0;
				if (isSample && !isChosen) skip(`one commit in ${commits} runs it`);
				await use(undefined);
			},
			{ auto: true },
		],
	});
}
