import { expect, test } from "vitest";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { ApiError } from "../api.ts";
import { failureKindOf, messageOf } from "./error-message.ts";

test.each([
	[new Error("The server can't be reached"), "The server can't be reached"],
	["gone", "gone"],
])("the message of %s is shown as it is", (error, told) => {
	expect(messageOf(error)).toBe(told);
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
