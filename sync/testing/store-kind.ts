/** The store of the tests' servers. `TEST_STORE=postgres` runs all tests on PostgreSQL. */
export type StoreKind = "sqlite" | "postgres";

export const storeKind: StoreKind =
	process.env.TEST_STORE === "postgres" ? "postgres" : "sqlite";
