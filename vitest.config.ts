import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

const all = "{sync,server,cli,desktop}/**/*.test.ts";
/** They say which store those that they import are for, so each has its modules to itself. */
const onPostgres = "**/on-postgres.test.ts";

/** Whole files that `npm run proof` alone has time for. */
const long = "**/*.proof.test.ts";
/** How much of what is tried at random, or again and again, `npm run proof` tries. */
const proofCounts = {
	SEEDS: "20000",
	POSTGRES_SEEDS: "1000",
	MODEL_RUNS: "2000",
	FUZZ_RUNS: "1000",
	KILL_ROUNDS: "200",
	BROWSER_KILLS: "100",
	PROCESS_KILLS: "60",
	PROCESS_TILLS: "20",
	POWER_CUTS: "1000",
	ATTACKS: "long",
};

export default defineConfig(({ mode }) => ({
	test: {
		env: mode === "proof" ? { ...proofCounts, ...pick(process.env) } : {},
		projects: [
			{
				extends: true,
				// Loading everything anew for each of 150 files would be a third of the time.
				test: {
					name: "together",
					include: [all],
					// A benchmark has other people's programs below `cli/`, with their tests.
					exclude: [
						...configDefaults.exclude,
						onPostgres,
						...(mode === "proof" ? [] : [long]),
					],
					isolate: false,
				},
			},
			{ extends: true, test: { name: "apart", include: [onPostgres] } },
		],
		// What is looked at in a browser is what is sent to one.
		globalSetup: [
			"desktop/build.ts",
			"sync/testing/folder.ts",
			"sync/testing/postgres-setup.ts",
		],
		// Half of the time they wait for a disk or a browser.
		maxWorkers: availableParallelism() + 2,
		// Real files, real HTTP and bcrypt at cost 12 share two cores: slow is not hung.
		testTimeout: mode === "proof" ? 7_200_000 : 60_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 60_000 } },
	},
}));

/** Counts that whoever starts it asks for. */
function pick(env: NodeJS.ProcessEnv): Record<string, string> {
	return Object.fromEntries(
		Object.keys(proofCounts).flatMap((name) => {
			const given = env[name];
			return given === undefined ? [] : [[name, given]];
		}),
	);
}
