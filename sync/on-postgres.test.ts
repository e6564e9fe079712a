import { describe } from "vitest";
import { sampled } from "./testing/lane.ts";
import { hasPostgres, wherePostgres } from "./testing/postgres.ts";

// The core's tests that depend most on the store, run on PostgreSQL; `TEST_STORE=postgres` runs all tests there.
process.env.TEST_STORE = "postgres";

describe.skipIf(!hasPostgres)(`on PostgreSQL ${wherePostgres}`, async () => {
	const files = [
		() => import("./log/log.test.ts"),
		() => import("./feed/feed.test.ts"),
		() => import("./shop.test.ts"),
	];
	for (const load of sampled(files, 3)) await load();
});
