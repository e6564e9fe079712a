import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mutantsOf } from "./operators.ts";

const whats = (source: string) =>
	mutantsOf("file.ts", source).map(({ what }) => what);

describe("mutants", () => {
	test.each([
		["if (a < b) c();", ["a < b -> true", "a < b -> false", "< -> <="]],
		["const ok = a && b;", ["a && b -> (b)", "a && b -> (a)"]],
		[
			"const g = async () => { await f(x); };",
			["await f(x) -> (f(x))", "await f(x); -> ;"],
		],
		["const list = [a, b];", ["a, -> nothing", "b -> nothing"]],
		["const one = { a, ...b };", ["a, -> nothing", "...b -> nothing"]],
		["const n: 5 = a as 6;", []],
		["const x = y ?? z;", ["y ?? z -> (z)"]],
	])("%s has mutants of its code and none of its types", (source, expected) => {
		expect(whats(source).toSorted()).toEqual(expected.toSorted());
	});

	test("mutants of SQL drop a condition and change a comparison, an order and a join", () => {
		expect(
			whats(
				'tx.all("SELECT a FROM t LEFT JOIN u WHERE business_id = ? AND v > ? ORDER BY v DESC LIMIT ?")',
			),
		).toEqual(
			expect.arrayContaining([
				"business_id = ? -> (business_id = ? OR 1 = 1)",
				"v > ? -> (v > ? OR 1 = 1)",
				" >  ->  >= ",
				" DESC -> nothing",
				"LEFT JOIN -> JOIN",
			]),
		);
	});

	test("mutants of SQL change a number, but not a limit of one row", () => {
		expect(
			whats('const sql = "SELECT a FROM t WHERE a LIKE 3 LIMIT 1";'),
		).toEqual(["3 -> 4"]);
		expect(whats('const sql = "SELECT a FROM t LIMIT 10";')).toEqual([
			"10 -> 11",
		]);
	});

	test("mutants of SQL leave the constant of SELECT 1 alone", () => {
		const sql = 'tx.get("SELECT 1 AS known FROM t WHERE deleted = 0")';
		const changed = whats(sql).filter((what) => /\d -> \d/.test(what));
		expect(changed).toEqual(["0 -> 1"]);
	});

	test("each mutant is a program that differs from the file in one place", () => {
		const file = "sync/replica/rebase.ts";
		const source = readFileSync(file, "utf8");
		const mutants = mutantsOf(file, source);
		expect(mutants.length).toBeGreaterThan(50);
		const changed = mutants.map(
			({ start, end, text }) =>
				source.slice(0, start) + text + source.slice(end),
		);
		expect(new Set([source, ...changed]).size).toBe(mutants.length + 1);
		for (const one of changed) expect(() => mutantsOf(file, one)).not.toThrow();
	});
});
