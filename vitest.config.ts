import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { giveWay } from "./sync/store/give-way.ts";

const all = "{sync,server,cli,desktop}/**/*.test.ts";
/** They say which store those that they import are for, so each has its modules to itself. */
const onPostgres = "**/on-postgres.test.ts";

/** Whole files that `npm run proof` alone has time for. */
const long = "**/*.proof.test.ts";

/** Starts the files that take longest, and those that may have a browser to wait for, so that none is left over at the end. */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]) {
		const isLong = ({ moduleId }: TestSpecification) =>
			/\/simulation\/|\/proof\/|cli\/dev\/new|desktop\/ui\//.test(moduleId);
		const sorted = await super.sort(files);
		return [
			...sorted.filter(isLong),
			...sorted.filter((file) => !isLong(file)),
		];
	}
}

/** How many milliseconds a test may take in each lane. Without one, a file's long tests take all their rows. */
const longest: Record<string, number> = { sample: 60_000, proof: 7_200_000 };

// A backup's thread gives way to everything else, and would wait minutes for the tests beside it. All give way alike.
giveWay();

export default defineConfig(({ mode }) => ({
	test: {
		// What a lane means to a test is in sync/testing/lane.ts.
		env: {
			TEST_LANE: mode,
			TEST_SEED: process.env.TEST_SEED ?? String(seedOf(mode)),
			// Threads and child processes start in a third of the time; the programs themselves use the same folder.
			NODE_COMPILE_CACHE: join(
				import.meta.dirname,
				"node_modules/.cache/compiled",
			),
		},
		projects: [
			{
				extends: true,
				// Loading everything again for each of 150 files would be a third of the time.
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
		sequence: { sequencer: LongestFirst },
		// More than half of the time they wait for a disk, a timer or a browser.
		maxWorkers: availableParallelism() + 3,
		// Real files, real HTTP and bcrypt at cost 12 share two cores: slow is not hung.
		testTimeout: longest[mode] ?? 300_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 60_000 } },
	},
}));

/** New for each run of `npm run proof`, and for each commit of `npm test`. */
function seedOf(mode: string): number {
	if (mode === "proof") return Date.now() % 2 ** 31;
	const { stdout, status } = spawnSync("git", ["rev-parse", "HEAD"]);
	// A source archive has no commits.
	return status === 0 ? Number.parseInt(`${stdout}`.slice(0, 7), 16) : 1;
}
