import { type TestContext, test } from "vitest";
import { openRandom } from "../simulation/random.ts";

/*
 * `npm test` samples what `npm run proof` runs at length. Both run the same tests; the lane sets how many seeds, rounds
 * and rows each one takes. A file that is run by its name takes the few seeds of `npm test`, and skips nothing.
 */

const { TEST_LANE, TEST_SEED } = process.env;

export const isProof = TEST_LANE === "proof";
export const isSample = TEST_LANE === "sample";

/**
 * The first seed of random tests. In `npm test` it comes from the commit: each commit tests something new, and running
 * it again repeats that. In `npm run proof` it comes from the clock. `TEST_SEED` in the environment repeats a run.
 */
export const testSeed = Number(TEST_SEED ?? 1);

/** The counts for `npm test` and for `npm run proof`. */
const counts = {
	SEEDS: [8, 20_000],
	POSTGRES_SEEDS: [1, 1_000],
	MODEL_RUNS: [8, 2_000],
	FUZZ_RUNS: [2, 1_000],
	PUSH_FUZZ_RUNS: [40, 1_000],
	MEMORY_ROUNDS: [2, 60],
	KILL_ROUNDS: [2, 200],
	JOIN_RUNS: [2, 100],
	BROWSER_KILLS: [1, 100],
	PROCESS_KILLS: [1, 60],
	PROCESS_TILLS: [2, 20],
	POWER_CUTS: [20, 1_000],
	TAX_RECEIPTS: [1_000, 10_000],
} as const;

/** Returns the lane's count, or the one that the environment sets. */
export function countOf(name: keyof typeof counts): number {
	return Number(process.env[name] ?? counts[name][isProof ? 1 : 0]);
}

/** Returns one in so many of the items in `npm test`, changing with each commit, and all of them elsewhere. */
export function sampled<T>(items: readonly T[], oneIn: number): T[] {
	const step = isSample ? Math.min(oneIn, items.length) : 1;
	return items.filter((_, i) => i % step === testSeed % step);
}

/** A test that `npm test` runs with one in so many commits, for tests that take a second or more. */
export function oneIn(commits: number) {
	return withSome(
		({ name }) => openRandom(name, testSeed).below(commits) === 0,
		`one commit in ${commits} runs it`,
	);
}

/**
 * A test that `npm test` runs with some commits.
 *
 * @param isChosen whether this commit runs it
 * @param rule which commits do, for the report of a skipped test
 */
export function withSome(
	isChosen: (task: TestContext["task"]) => boolean,
	rule: string,
) {
	return test.extend<{ choice: undefined }>({
		choice: [
			async ({ task, skip }, use) => {
				if (isSample && !isChosen(task)) skip(rule);
				await use(undefined);
			},
			{ auto: true },
		],
	});
}
