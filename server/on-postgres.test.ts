import { describe, expect, test } from "vitest";
import { sampled } from "../sync/testing/lane.ts";
import { hasPostgres, wherePostgres } from "../sync/testing/postgres.ts";

// A few API tests on PostgreSQL; `TEST_STORE=postgres` runs all of them there.
process.env.TEST_STORE = "postgres";

describe.skipIf(!hasPostgres)(`on PostgreSQL ${wherePostgres}`, async () => {
	const files = [
		() => import("./sync/routes.test.ts"),
		() => import("./sync/pages.test.ts"),
		() => import("./products/list.test.ts"),
		() => import("./proof/hot-paths.test.ts"),
	];
	for (const load of sampled(files, 4)) await load();
	const { openTestServer } = await import("./testing/server.ts");

	test("no record has an id with a NUL, which PostgreSQL can't store", async () => {
		const server = await openTestServer();
		const asha = await server.addUser("Asha");
		const answer = await server.ask("DELETE", "/api/keys/%00", { as: asha });
		expect(answer).toMatchObject({
			status: 404,
			body: { error: "Key not found" },
		});
	});
});
