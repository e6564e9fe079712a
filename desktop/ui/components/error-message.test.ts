import { describe, expect, test } from "vitest";
import { errorCodes, ShopError } from "../../../sync/protocol/errors.ts";
import { requestErrorCodes } from "../../../sync/protocol/request-errors.ts";
import { ApiError } from "../api.ts";
import type { Say } from "../words/index.ts";
import { failureKindOf, messageOf, wordsOf } from "./error-message.ts";
import { errorWords } from "./words.ts";

const sayIn =
	(language: "en" | "sw"): Say =>
	(word) =>
		errorWords[word as keyof typeof errorWords][language];
const developers = "set.sellingPrice: Too big: expected number";

test.each([
	[new Error("The picture is gone"), "The picture is gone"],
	["gone", "gone"],
])("the message of %s is shown as it is", (error, told) => {
	expect(messageOf(error)).toBe(told);
});

describe.each(["en", "sw"] as const)("in %s", (language) => {
	const say = sayIn(language);

	test.each([...errorCodes, ...requestErrorCodes])(
		"the code %s has words",
		(code) => {
			const told = wordsOf({ code, message: developers }, say);
			expect(told).not.toContain(developers);
			expect(told.length).toBeGreaterThan(10);
		},
	);

	test.each([0, 400, 401, 403, 404, 405, 409, 413, 429, 500, 502, 503, 507])(
		"an answer with the status %d and no code has words",
		(status) => {
			const error = new ApiError(status, developers);
			expect(wordsOf(error, say)).not.toContain(developers);
		},
	);
});

test.each([
	["set.sellingPrice", "Check the selling price."],
	["items.0.quantity", "Check the quantity."],
	["items.3.listPrice", "Check the price."],
	["email", "Check the email address."],
	[
		"set.somethingNew",
		"Something typed here can't be saved. Check it and try again.",
	],
])("the wrong field %s is named in the user's words", (field, told) => {
	const error = new ShopError("invalid_args", developers, field);
	expect(wordsOf(error, sayIn("en"))).toBe(told);
});

test("a code of the AI gateway has its own words, and an unknown one those of its status", () => {
	const withCode = (code: string) =>
		wordsOf(new ApiError(429, developers, { code }), sayIn("en"));
	expect(withCode("budget_exceeded")).toBe(
		"This month's budget for AI is spent.",
	);
	expect(withCode("unheard_of")).toBe(
		"Too many tries. Wait some minutes, then try again.",
	);
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
])(
	"%s is a connection failure, a session failure or neither",
	(error, told) => {
		expect(failureKindOf(error)).toBe(told);
	},
);
