import { expect, test } from "vitest";
import * as z from "zod";
import { whyOf } from "./why.ts";

test("of a check that failed its first finding is told, and where, not the whole as JSON", () => {
	const check = z.object({
		items: z.array(z.object({ quantity: z.number().max(9) })),
	});
	const { error } = check.safeParse({ items: [{ quantity: 10 }] });
	expect(whyOf(error)).toBe(
		"items 0 quantity Too big: expected number to be <=9",
	);
});

test.each([
	[new Error("The server can't be reached"), "The server can't be reached"],
	["gone", "gone"],
])("of anything else it is what it says: %s", (error, told) => {
	expect(whyOf(error)).toBe(told);
});
