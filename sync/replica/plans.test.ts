import { expect, test } from "vitest";
import { explaining } from "../testing/plans.ts";
import { openTestShop, openTestTill } from "../testing/shop.ts";

test("a till that sells and syncs reads none of its history as a whole", async () => {
	const server = await openTestShop();
	const plans = new Map<string, string>();
	const { till, sell } = await openTestTill(server, {
		watch: (store) => explaining(store, plans),
	});
	await till.sync();
	plans.clear();
	await sell({ milk: 1 });
	await till.sync();
	await till.sync();
	expect(plans.size).toBeGreaterThan(20);
	const wide = [...plans].filter(([, plan]) =>
		/AUTOMATIC|MATERIALIZE|(sale|line|mutations|refunds|payments) USING (COVERING )?(INDEX \S+|PRIMARY KEY) \((business_id|shop)=\?\)/.test(
			plan,
		),
	);
	expect(wide).toEqual([]);
	// A till without backups keeps all that it ever sold.
	const [, unseen] =
		[...plans].find(([sql]) => sql.includes("server_version > ?")) ?? [];
	expect(unseen).toContain(
		"outbox_by_version (business_id=? AND server_version>?)",
	);
});
