import { describe, expect, test } from "vitest";
import { toMessage } from "./message.ts";

const sale = { id: "m1", name: "sale.create", args: {}, at: "now", number: 3 };

describe("an item of a push", () => {
	test("an item of a push is a message with arguments of version 1 by default", () => {
		expect(toMessage(sale)).toEqual({
			...{ ...sale, argsVersion: 1 },
			...{ by: undefined, proof: undefined },
		});
	});

	test("an item of a push keeps an invalid name, time and arguments for later checks", () => {
		const odd = { id: "m1", name: 7, at: null, args: undefined };
		expect(toMessage(odd)).toMatchObject(odd);
	});

	test.each([
		["text", null, "id"],
		[null, null, "id"],
		[[sale], null, "id"],
		[{ ...sale, id: 7 }, null, "id"],
		[{ ...sale, id: "x".repeat(65) }, "x".repeat(64), "id"],
		[{ ...sale, argsVersion: 0 }, "m1", "argsVersion"],
		[{ ...sale, number: 1.5 }, "m1", "number"],
		[{ ...sale, number: 2 ** 53 }, "m1", "number"],
	])(
		"an item of a push that is not a message is refused under its id: %j",
		(item, id, field) => {
			expect(toMessage(item)).toEqual({
				id,
				status: "rejected",
				error: { code: "invalid_args", message: expect.any(String), field },
			});
		},
	);
});
