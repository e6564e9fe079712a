import { expect, test } from "vitest";
import { raw, sql } from "./sql.ts";

test("values in SQL become placeholders, in the order of the text", () => {
	expect(sql`SELECT ${1}, ${"a"}, ${null}`).toEqual({
		text: "SELECT ?, ?, ?",
		params: [1, "a", null],
	});
});

test("an inserted SQL fragment adds its values in place", () => {
	const inner = sql`version > ${3} AND ${raw("day")} = ${"today"}`;
	expect(sql`WHERE id = ${"x"} AND ${inner} LIMIT ${9}`).toEqual({
		text: "WHERE id = ? AND version > ? AND day = ? LIMIT ?",
		params: ["x", 3, "today", 9],
	});
});

test("SQL text without values stays unchanged", () => {
	expect(sql`SELECT 1`).toEqual({ text: "SELECT 1", params: [] });
});
