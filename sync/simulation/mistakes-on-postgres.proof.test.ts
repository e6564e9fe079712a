import { test } from "vitest";
import { expectNoticed } from "../testing/noticed.ts";
import { hasPostgres, wherePostgres } from "../testing/postgres-cluster.ts";
import { mistakes } from "./mistakes.ts";

test.skipIf(!hasPostgres)(
	`each mistake of the store on PostgreSQL is noticed there ${wherePostgres}`,
	async () => {
		const tried = mistakes.filter(({ store }) => store === "postgres");
		await expectNoticed(tried, "postgres");
	},
);
