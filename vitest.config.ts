import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["{sync,server,cli,desktop}/**/*.test.ts"],
		// What is looked at in a browser is what is sent to one.
		globalSetup: [
			"desktop/build.ts",
			"sync/test-folder.ts",
			"sync/store/test-postgres-setup.ts",
		],
		// One core fewer is the default, which is half of a small machine.
		maxWorkers: "100%",
		// Real files, real HTTP and bcrypt at cost 12 share two cores: slow is not hung.
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
});
