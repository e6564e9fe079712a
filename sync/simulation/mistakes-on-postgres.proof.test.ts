import { test } from "vitest";
import { hasPostgres, wherePostgres } from "../store/test-cluster.ts";
import { mistakes } from "./mistakes.ts";
import { expectNoticed } from "./test-noticed.ts";

test.skipIf(!hasPostgres)(
	`each mistake of the store on PostgreSQL is noticed there ${wherePostgres}`,
	async () => {
		const tried = mistakes.filter(({ store }) => store === "postgres");
		await expectNoticed(tried, "postgres");
	},
);
