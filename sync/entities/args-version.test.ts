import { expect, test } from "vitest";
import * as z from "zod";
import {
	argsVersionOf,
	firstArgsVersion,
	newestArgsVersion,
} from "./args-version.ts";
import type { Mutation } from "./entity.ts";
import { mutations } from "./index.ts";

const plain: Mutation = {
	name: "thing.make",
	args: z.unknown(),
	sentence: () => "Made a thing",
	examples: [{}],
	apply: async () => {},
};
const grown: Mutation = {
	...plain,
	since: { note: 2, "set.tint": 3, "set.shade.dark": 4, "items.note": 3 },
};

test("arguments without later fields have version 1, which every till understands [VER-1]", () => {
	expect(firstArgsVersion).toBe(1);
	expect(newestArgsVersion(plain)).toBe(1);
	expect(newestArgsVersion(grown)).toBe(4);
	for (const args of [{ note: "x" }, null, undefined, "x"])
		expect(argsVersionOf(plain, args)).toBe(1);
	for (const mutation of mutations)
		expect(newestArgsVersion(mutation)).toBeGreaterThanOrEqual(1);
});

test.each([
	[{}, 1],
	[null, 1],
	["note", 1],
	[{ note: undefined }, 1],
	[{ note: null }, 2],
	[{ note: "x" }, 2],
	[{ tint: 1 }, 1],
	[{ set: null }, 1],
	[{ set: "tint" }, 1],
	[{ set: { name: "x" } }, 1],
	[{ set: { tint: 1 } }, 3],
	[{ note: "x", set: { tint: 1 } }, 3],
	[{ set: { tint: 1 }, note: undefined }, 3],
	[{ set: { shade: {} } }, 1],
	[{ set: { shade: { dark: false } } }, 4],
	[{ items: [] }, 1],
	[{ items: [{ name: "x" }, null] }, 1],
	[{ items: [{ name: "x" }, { note: "x" }] }, 3],
	[{ items: { note: "x" } }, 3],
])(
	"the version of %j is the oldest that has all its fields [VER-1]",
	(args, version) => {
		expect(argsVersionOf(grown, args)).toBe(version);
	},
);
