import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
	lookUp,
	makeOldShop,
	olderVersion,
	schemaOf,
} from "../../server/testing/old-shop.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { runCommand } from "../testing/command.ts";

const newest = newestVersion();

describe("a command", () => {
	test.each([
		["backup", "--out", "{dir}/copies"],
		["stats"],
		["export", "stock"],
		["user", "list"],
		["log", "show"],
		["import", "products", "{dir}/goods.csv"],
		["sync", "status", "--database", "{dir}/data/counterfoil.db"],
		[
			"migrate-store",
			"--from",
			"sqlite:{dir}/data/counterfoil.db",
			"--to",
			"sqlite:{dir}/other.db",
		],
	])(
		"%s refuses an older database in one line and leaves it unchanged",
		async (...args) => {
			const dir = testDir();
			const file = makeOldShop(join(dir, "data"));
			const tables = "SELECT group_concat(sql) FROM sqlite_master";
			const before = lookUp(file, tables);
			writeFileSync(join(dir, "goods.csv"), "name\nMilk\n");
			const ended = await runCommand(
				args.map((arg) => arg.replace("{dir}", dir)),
				{ DATA_DIR: join(dir, "data") },
			);
			expect(ended).toMatchObject({ status: 1, out: "" });
			expect(ended.err).toMatch(
				new RegExp(
					`has schema ${olderVersion}; this program needs ${newest}.*\\n$`,
				),
			);
			expect(ended.err.trim().split("\n")).toHaveLength(1);
			expect(lookUp(file, tables)).toBe(before);
			expect(schemaOf(file)).toBe(olderVersion);
		},
	);

	oneIn(3)(
		"restoring an older backup warns that the shop gets a newer schema, and leaves the backup unchanged",
		async () => {
			const dir = testDir();
			const backup = makeOldShop(join(dir, "old"));
			const before = readFileSync(backup);
			const dataDir = join(dir, "data");
			const ended = await runCommand(["restore", backup], {
				DATA_DIR: dataDir,
			});
			expect(ended).toMatchObject({
				status: 0,
				out: expect.stringContaining("Restored 1 business"),
				err: `${backup} has schema ${olderVersion}; the restored shop will have schema ${newest}, which an older Counterfoil can't open\n`,
			});
			expect(readFileSync(backup).equals(before)).toBe(true);
			const file = join(dataDir, "counterfoil.db");
			expect(schemaOf(file)).toBe(newest);
			expect(lookUp(file, "SELECT name FROM businesses")).toBe("Duka");
		},
	);
});
