import { expect, test } from "vitest";
import { toUndone } from "./record-push.ts";

test.each([
	[{ id: "m1", name: "sale.create" }, "m1"],
	[{ id: 7 }, null],
	["no object", null],
	[null, null],
	[undefined, null],
])(
	"each mutation of an unapplied push is deferred under its id: %j",
	(mutation, id) => {
		expect(toUndone(mutation, "forked")).toMatchObject({
			id,
			status: "deferred",
			error: { code: "forked" },
		});
	},
);
