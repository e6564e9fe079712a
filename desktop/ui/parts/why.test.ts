import { expect, test } from "vitest";
import * as z from "zod";
import { ShopError } from "../../../sync/errors.ts";
import { ApiError } from "../api.ts";
import { hindranceOf, whyOf } from "./why.ts";

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

test.each([
	[new ApiError(0, "The server can't be reached"), "offline"],
	[new ShopError("unreachable", "No answer"), "offline"],
	[new ApiError(401, "Unauthorized"), "session"],
	[new ApiError(403, "wrong_business"), "session"],
	[new ShopError("unauthorized", "Sign in again"), "session"],
	[new ShopError("wrong_business", "No member"), "session"],
	[new ApiError(403, "Not for you"), undefined],
	[new ShopError("forbidden", "Not for you"), undefined],
	[new Error("gone"), undefined],
])("a failure is the line's, the session's or its own: %s", (error, told) => {
	expect(hindranceOf(error)).toBe(told);
});
