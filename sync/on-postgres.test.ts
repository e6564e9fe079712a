import { describe } from "vitest";
import { hasPostgres, wherePostgres } from "./testing/postgres.ts";

// The tests of the core that say most about a store, on the other one; `TEST_STORE=postgres` runs all of them there.
process.env.TEST_STORE = "postgres";

describe.skipIf(!hasPostgres)(`on PostgreSQL ${wherePostgres}`, async () => {
	await import("./log/log.test.ts");
	await import("./feed/feed.test.ts");
	await import("./shop.test.ts");
});
