import { describe } from "vitest";
import { hasPostgres, wherePostgres } from "../sync/store/test-postgres.ts";

// Some tests of the API on the other store; `TEST_STORE=postgres` runs all of them there.
process.env.TEST_STORE = "postgres";

describe.skipIf(!hasPostgres)(`on PostgreSQL ${wherePostgres}`, async () => {
	await import("./api/sync.test.ts");
	await import("./api/products-list.test.ts");
});
