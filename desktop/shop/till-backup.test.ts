import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { productCreate } from "../../sync/entities/product.ts";
import { addMilk, openTestShop, testDir } from "../../sync/testing/shop.ts";
import { backUp } from "./till-backup.ts";

const now = Date.parse("2026-11-20T09:00:00.000Z");

test("a backup holds everything committed, is readable only by this user, and opens as a shop", async () => {
	const shop = await openTestShop();
	await addMilk(shop);
	const folder = join(testDir(), "copies");
	const file = await backUp(shop.file, folder, now);
	expect(readdirSync(folder)).toEqual([
		"counterfoil-2026-11-20T09-00-00-000Z.db",
	]);
	expect(statSync(file).mode & 0o077).toBe(0);
	await shop.shop.mutate(shop.caller, productCreate, {
		id: "later",
		name: "Later",
		buyingPrice: 1,
		sellingPrice: 2,
	});
	const copy = await openTestShop({ file });
	expect(await copy.rows("SELECT id FROM products")).toEqual([{ id: "milk" }]);
	expect(await shop.rows("SELECT id FROM products ORDER BY id")).toHaveLength(
		2,
	);
});

test("a backup that is killed leaves no file with the name of a whole one", async () => {
	const { file } = await openTestShop();
	const folder = join(testDir(), "copies");
	const making = backUp(file, folder, now);
	// What is there while it is being copied.
	expect(readdirSync(folder)).toEqual([
		"counterfoil-2026-11-20T09-00-00-000Z.db.part",
	]);
	await expect(backUp(file, folder, now)).rejects.toThrow(/EEXIST/);
	expect(readdirSync(folder)).toHaveLength(1);
	await making;
});

test("a failed backup leaves nothing behind, and no backup is overwritten", async () => {
	const dir = testDir();
	const folder = join(dir, "copies");
	const broken = join(dir, "broken.db");
	writeFileSync(broken, "this is no database ".repeat(500));
	await expect(backUp(broken, folder, now)).rejects.toThrow(/not a/);
	await expect(backUp(join(dir, "none.db"), folder, now)).rejects.toThrow();
	expect(readdirSync(folder)).toEqual([]);

	const { file } = await openTestShop();
	const copy = await backUp(file, folder, now);
	const { mtimeMs } = statSync(copy);
	await expect(backUp(file, folder, now)).rejects.toThrow();
	expect(statSync(copy).mtimeMs).toBe(mtimeMs);
});
