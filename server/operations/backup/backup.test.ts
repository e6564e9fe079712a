import { expect, test } from "vitest";
import { openTestShop } from "../../../sync/testing/shop.ts";
import { raiseBackedUpTo } from "./backup.ts";
import { readContents } from "./contents.ts";

test("a backup raises the covered version only for its own history [BACKUP-1]", async () => {
	const { shop, store, rows } = await openTestShop();
	await store.write((tx) => tx.run("UPDATE businesses SET head = 7"));
	const held = await store.read((tx) => readContents(tx, "2026-11-20"));
	const covered = () => rows("SELECT backed_up_to FROM businesses");
	await raiseBackedUpTo(shop, { ...held, epoch: "another" }, "other");
	expect(await covered()).toEqual([{ backed_up_to: 0 }]);
	await raiseBackedUpTo(shop, held, "other");
	expect(await covered()).toEqual([{ backed_up_to: 7 }]);
	const older = held.businesses.map((one) => ({ ...one, head: 3 }));
	await raiseBackedUpTo(shop, { ...held, businesses: older }, "other");
	expect(await covered()).toEqual([{ backed_up_to: 7 }]);
});
