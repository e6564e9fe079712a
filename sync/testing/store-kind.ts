/** What servers of tests keep their shops in; `TEST_STORE=postgres` runs all tests on the other one. */
export type StoreKind = "sqlite" | "postgres";

export const storeKind: StoreKind =
	process.env.TEST_STORE === "postgres" ? "postgres" : "sqlite";
