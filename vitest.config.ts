import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

const all = "{sync,server,cli,desktop}/**/*.test.ts";
/** They say which store those that they import are for, so each has its modules to itself. */
const onPostgres = "**/on-postgres.test.ts";

export default defineConfig({
	test: {
		projects: [
			{
				extends: true,
				// Loading everything anew for each of 150 files would be a third of the time.
				test: {
					name: "together",
					include: [all],
					// A benchmark has other people's programs below `cli/`, with their tests.
					exclude: [...configDefaults.exclude, onPostgres],
					isolate: false,
				},
			},
			{ extends: true, test: { name: "apart", include: [onPostgres] } },
		],
		// What is looked at in a browser is what is sent to one.
		globalSetup: [
			"desktop/build.ts",
			"sync/test-folder.ts",
			"sync/store/test-postgres-setup.ts",
		],
		// A third of the time they wait for a disk or a browser.
		maxWorkers: availableParallelism() + 1,
		// Real files, real HTTP and bcrypt at cost 12 share two cores: slow is not hung.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 60_000 } },
	},
});
