import { describe } from "vitest";
import { hasPostgres, wherePostgres } from "../testing/postgres.ts";

// Fewer seeds, with the server's shops on PostgreSQL.
process.env.TEST_STORE = "postgres";

describe.skipIf(!hasPostgres)(`on PostgreSQL ${wherePostgres}`, async () => {
	await import("./simulation.test.ts");
});
