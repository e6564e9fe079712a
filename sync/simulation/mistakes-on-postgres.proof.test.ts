import { test } from "vitest";
import { hasPostgres, wherePostgres } from "../store/test-cluster.ts";
import { expectNoticed } from "./expect-noticed.ts";
import { mistakes } from "./mistakes.ts";

test.skipIf(!hasPostgres)(
	`each mistake of the store on PostgreSQL is noticed there ${wherePostgres}`,
	async () => {
		const tried = mistakes.filter(({ store }) => store === "postgres");
		await expectNoticed(tried, "postgres");
	},
);
