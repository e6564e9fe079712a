import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { openCopy, stepsOf } from "./testing/walk-through.ts";

/** Without the web app, which takes as long to build as all else here. */
const config = `export default { test: { isolate: false, maxWorkers: 1, testTimeout: 60_000 } };\n`;

oneIn(12)(
	"a new entity changes six files besides its own, and passes its tests",
	async () => {
		const guide = join(import.meta.dirname, "../../docs/first-feature.md");
		const steps = stepsOf(readFileSync(guide, "utf8"));
		const copy = openCopy();
		for (const step of steps)
			if (!("command" in step)) copy.change(step);
			else if (step.command.startsWith("npm run new "))
				await copy.run(step.command);
		expect(copy.changedFiles()).toEqual([
			"desktop/ui/pages.ts",
			"desktop/ui/words/fr.ts",
			"schema.sql",
			"server/app.ts",
			"sync/entities/index.ts",
			"sync/queries/index.ts",
		]);
		const own = "sync/*/courier* server/couriers desktop/ui/couriers";
		await copy.run(
			`npx biome check --error-on-warnings ${own} ${copy.changedFiles().join(" ")}`,
		);
		await copy.run("npx tsc -p desktop/ui");
		writeFileSync(join(copy.dir, "quick.config.ts"), config);
		const tests =
			"courier.test server/couriers sync/entities/index.test sync/queries/queries.test sync/store/schema.test server/http/scope.test";
		const told = await copy.run(
			`npx vitest run --config quick.config.ts ${tests}`,
		);
		expect(told).toMatch(/Test Files .*6 passed/);
	},
	300_000,
);

oneIn(6)("npm run new refuses what it can't name, and says why", async () => {
	const { run, changedFiles } = openCopy();
	for (const [args, reason] of [
		["entity", "Usage"],
		["entity Courier", "Usage"],
		["page courier", "Usage"],
		["entity sheep --plural sheep", "must differ"],
		["entity sale", "is there already"],
	])
		await expect(run(`npm run new -- ${args}`)).rejects.toThrow(reason);
	expect(changedFiles()).toEqual([]);
});

test("a walk-through's steps are its commands and its changes, each to the file named before it", () => {
	const text = [
		"Run:\n\n```sh\nnpm ci\nnpm start\n```\n",
		"In `a.ts`:\n\n```diff\n one\n-two\n+three\n```\n",
		"```json\nno step\n```\n",
		"Now translate. In `b.ts`:\n\n```diff\n+four\n five\n```\n",
	].join("\n");
	expect(stepsOf(text)).toEqual([
		{ command: "npm ci" },
		{ command: "npm start" },
		{ file: "a.ts", before: "one\ntwo", after: "one\nthree" },
		{ file: "b.ts", before: "five", after: "four\nfive" },
	]);
});
