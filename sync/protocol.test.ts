import { expect, test } from "vitest";
import {
	assertSameBusiness,
	formatCursor,
	mutationMessage,
	parseCursor,
	toRefusal,
} from "./protocol.ts";

const proof = "abcDEF012-_x";

test.each([
	{ epoch: "e-1", version: 0, proof: "" },
	{ epoch: "e-1", version: 999_999_999_999_999, proof: "" },
	{ epoch: "x".repeat(64), version: 7, proof },
	{ epoch: "e-1", version: 7, proof: `${proof}.123456789012345` },
])("a cursor is read as it was written: %j", (cursor) => {
	expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
});

test.each([
	"",
	"e-1",
	"e-1.",
	".7",
	"e-1.-7",
	"e-1.7.5",
	"e-1.1e3",
	"e-1.1000000000000000",
	`${"x".repeat(65)}.7`,
	`e-1.7.${proof}x`,
	`e-1.7.${proof.slice(1)}`,
	`e-1.7.${proof}.`,
	`e-1.7.${proof}.x`,
	`e-1.7.${proof}.1234567890123456`,
	` e-1.7\n`,
])("%j is no cursor", (value) => {
	expect(parseCursor(value)).toBeUndefined();
});

test("a message's numbers count from 1, and its proof has an end", () => {
	const message = {
		id: "m",
		name: "sale.create",
		args: {},
		at: "2026-11-20T09:00:00.000Z",
	};
	const isRead = (more: object) =>
		mutationMessage.safeParse({ ...message, ...more }).success;
	expect(isRead({})).toBe(true);
	for (const field of ["number", "argsVersion"]) {
		expect(isRead({ [field]: 1 })).toBe(true);
		for (const wrong of [0, -1, 1.5, "1", null])
			expect(isRead({ [field]: wrong })).toBe(false);
	}
	expect(isRead({ proof: "x".repeat(128) })).toBe(true);
	expect(isRead({ proof: "x".repeat(129) })).toBe(false);
	expect(isRead({ by: "" })).toBe(false);
});

test("a refusal carries the field where one is to blame, and nothing else", () => {
	const error = { code: "not_found", message: "Gone" } as const;
	expect(toRefusal(error)).toStrictEqual(error);
	expect(toRefusal({ ...error, field: undefined })).toStrictEqual(error);
	expect(toRefusal({ ...error, field: "id" })).toStrictEqual({
		...error,
		field: "id",
	});
});

test("another business's message is refused, and one that names none is one's own", () => {
	assertSameBusiness("a", "a");
	assertSameBusiness("a", undefined);
	expect(() => assertSameBusiness("a", "b")).toThrow("wrong_business");
});
