import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { openTestServer } from "../testing/server.ts";

const test = oneIn(3);

test("the OpenAPI document passes a linter's recommended rules", async () => {
	const server = await openTestServer();
	const { text } = await server.ask("GET", "/api/openapi.json");
	const problems = await lintFromString({
		source: text,
		absoluteRef: "openapi.json",
		config: await createConfig({ extends: ["recommended"] }),
	});
	const said = problems.map(
		({ ruleId, message, severity, location }) =>
			`${severity} ${ruleId}: ${message} (${location[0]?.pointer})`,
	);
	expect(said).toEqual([]);
});
