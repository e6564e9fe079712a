import { expect, test } from "vitest";
import * as z from "zod";
import { tolerant } from "./tolerant.ts";

const row = z.strictObject({
	kind: z.enum(["void", "refund"]),
	note: z.string().nullable(),
	lines: z.array(z.strictObject({ unit: z.enum(["piece"]).nullable() })),
});

test("a tolerant schema keeps a value that its closed list does not know [VER-4]", () => {
	const newer = { kind: "exchange", note: null, lines: [{ unit: "dozen" }] };
	expect(tolerant(row).parse(newer)).toEqual(newer);
});

test("a tolerant schema leaves out fields that it does not know [VER-4]", () => {
	const newer = { kind: "void", note: "x", lines: [], tenders: [] };
	expect(tolerant(row).parse(newer)).toEqual({
		kind: "void",
		note: "x",
		lines: [],
	});
});

test("a tolerant schema reads a missing field as null where it may be null [VER-4]", () => {
	expect(tolerant(row).parse({ kind: "void", lines: [{}] })).toEqual({
		kind: "void",
		note: null,
		lines: [{ unit: null }],
	});
});

test("a tolerant schema still refuses a field of another kind", () => {
	const broken = { kind: "void", note: 7, lines: [] };
	expect(tolerant(row).safeParse(broken).success).toBe(false);
});
