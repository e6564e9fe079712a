import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { harmless } from "./harmless.ts";

test("every harmless mutant is of a line that is still there", () => {
	const sync = join(import.meta.dirname, "../../../sync");
	const stale = harmless.filter(
		({ file, code }) => !readFileSync(join(sync, file), "utf8").includes(code),
	);
	expect(stale).toEqual([]);
});
