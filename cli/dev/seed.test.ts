import { expect } from "vitest";
import { databaseFile } from "../../server/operations/database.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { assertTalliesRight } from "../../sync/testing/tallies.ts";
import { openSeed } from "./seed.ts";

const test = oneIn(3);

test("a seeded shop has the requested size, applied mutations only, and is made only once", async () => {
	const dir = testDir();
	const progress: number[] = [];
	const seed = await openSeed(dir, { sales: 1_500, products: 400 }, (sales) =>
		progress.push(sales),
	);
	expect(progress.length).toBeGreaterThan(0);
	const store = await openSqlite(databaseFile(seed));
	const one = (sql: string) => store.read((tx) => tx.get(sql));
	expect(
		await one(
			"SELECT (SELECT count(*) FROM sales) AS sales, (SELECT count(*) FROM products) AS products, (SELECT count(*) FROM refunds) AS refunds, (SELECT count(*) FROM mutations WHERE status <> 'applied') AS refused",
		),
	).toEqual({ sales: 1_500, products: 400, refunds: 8 + 22, refused: 0 });
	const shop = await one(
		"SELECT business_id, window_day FROM tallies JOIN businesses USING (business_id)",
	);
	await assertTalliesRight(
		store,
		shop?.business_id as string,
		shop?.window_day as string,
	);
	await store.close();
	expect(
		await openSeed(dir, { sales: 1_500, products: 400 }, () => {
			throw new Error("The shop was made again");
		}),
	).toEqual(seed);
});
