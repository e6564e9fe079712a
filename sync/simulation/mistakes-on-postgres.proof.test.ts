import { test } from "vitest";
import { expectNoticed } from "../testing/noticed.ts";
import { hasPostgres, wherePostgres } from "../testing/postgres-cluster.ts";
import { mistakes } from "./mistakes.ts";

test.skipIf(!hasPostgres)(
	`each mistake in the PostgreSQL store is noticed on PostgreSQL ${wherePostgres}`,
	async () => {
		const tried = mistakes.filter(({ store }) => store === "postgres");
		await expectNoticed(tried, "postgres");
	},
);
