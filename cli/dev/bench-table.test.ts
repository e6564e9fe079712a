import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import {
	type Figure,
	keep,
	type Result,
	readKept,
	toResult,
} from "./bench-kept.ts";
import { notesOf, toTable } from "./bench-table.ts";

function resultOf(figures: Figure[], other: Partial<Result> = {}): Result {
	return {
		at: "2026-11-21T09:00:00.000Z",
		node: "v24.21.0",
		machine: { cores: 2, memoryGb: 23 },
		settings: {},
		figures,
		...other,
	};
}

function figure(value: number, bounds: Partial<Figure> = {}): Figure {
	return { what: "it", value, unit: "ms", ...bounds };
}

function compare(now: Figure, before: Figure, other?: Partial<Result>) {
	return toTable(resultOf([now]), resultOf([before], other))[0];
}

test("the table lists ratios first, then the other figures in their order", () => {
	const figures = [
		figure(1, { what: "a" }),
		figure(2, { what: "b", unit: "ratio" }),
		figure(3, { what: "c" }),
		figure(4, { what: "d", unit: "ratio" }),
	];
	expect(toTable(resultOf(figures)).map(({ what }) => what)).toEqual([
		"b",
		"d",
		"a",
		"c",
	]);
});

test("each row shows the figure's bound and whether it is met", () => {
	const figures = [
		figure(0.5, { reach: 0.5 }),
		figure(0.49, { reach: 0.5 }),
		figure(100, { limit: 100 }),
		figure(1, { limit: 0 }),
		figure(7),
	];
	expect(
		toTable(resultOf(figures)).map(({ wanted, met }) => [wanted, met]),
	).toEqual([
		["at least 0.5", "yes"],
		["at least 0.5", "no"],
		["at most 100", "yes"],
		["at most 0", "no"],
		["", ""],
	]);
});

test.each([
	["a rise above a minimum", 2, 1, { reach: 1 }, "+100 %", "better"],
	["a fall towards a minimum", 1, 2, { reach: 1 }, "-50 %", "worse"],
	["a rise towards a limit", 60, 30, { limit: 100 }, "+100 %", "worse"],
	["a fall below a limit", 30, 60, { limit: 100 }, "-50 %", "better"],
	["a change within noise", 1.05, 1, { reach: 1 }, "+5 %", ""],
	["a small change for its limit", 3, 1, { limit: 50 }, "+200 %", ""],
	["a first error with a limit of 0", 1, 0, { limit: 0 }, "+1", "worse"],
	["no error with a limit of 0", 0, 0, { limit: 0 }, "0 %", ""],
	["a negative figure", -20, 30, { limit: 50 }, "-50", "better"],
	["a rise without a bound", 90, 30, {}, "+200 %", ""],
])("%s", (_, now, before, bounds, change, verdict) => {
	expect(compare(figure(now, bounds), figure(before, bounds))).toMatchObject({
		kept: before,
		change,
		"than kept": verdict,
	});
});

test("a figure is new if none was kept under its name and unit", () => {
	const row = { kept: "", change: "new", "than kept": "" };
	expect(compare(figure(1), figure(1, { what: "other" }))).toMatchObject(row);
	expect(compare(figure(1), figure(1, { unit: "s" }))).toMatchObject(row);
	const [alone] = toTable(resultOf([figure(1)]));
	expect(alone).not.toHaveProperty("kept");
});

test.each([
	["cores", { machine: { cores: 4, memoryGb: 23 } }],
	["memory", { machine: { cores: 2, memoryGb: 16 } }],
	["Node", { node: "v26.0.0" }],
])("results with another %s are judged by their ratios only", (_, other) => {
	const slow = figure(90, { limit: 100 });
	const fast = figure(30, { limit: 100 });
	expect(compare(slow, fast, other)).toMatchObject({
		change: "+200 %",
		"than kept": "",
	});
	const ratio = { unit: "ratio", reach: 1 };
	expect(compare(figure(1, ratio), figure(2, ratio), other)).toMatchObject({
		"than kept": "worse",
	});
	const [, note] = notesOf("sync", resultOf([]), resultOf([], other));
	expect(note).toContain("only ratios are judged");
});

test("the notes name the compared result, missing figures and changed package versions", () => {
	const now = resultOf([figure(1, { what: "peer", versions: "peer 2.0.0" })]);
	const kept = resultOf([
		figure(1, { what: "peer", versions: "peer 1.0.0" }),
		figure(1, { what: "gone" }),
	]);
	expect(notesOf("peers", now, kept)).toEqual([
		"Compared with the result of 2026-11-21.",
		"peer: now with peer 2.0.0; kept with peer 1.0.0.",
		"Kept but not measured now: gone.",
	]);
	expect(notesOf("peers", now)).toEqual([
		"There is no kept result of peers; `npm run bench -- peers --keep` keeps this one for comparison.",
	]);
});

test("results with different settings are not compared", () => {
	const less = resultOf([figure(1)], { settings: { tills: "50" } });
	const usual = resultOf([figure(1)]);
	expect(toTable(less, usual)[0]).not.toHaveProperty("kept");
	expect(notesOf("load", less, usual)).toEqual([
		"Not compared: the result of 2026-11-21 was measured with default settings, this one with tills 50.",
	]);
});

test("keeping a result replaces only the one of the same benchmark", () => {
	const file = join(testDir(), "kept.json");
	expect(readKept(file)).toEqual({});
	const sync = resultOf([figure(1.23456789, { limit: 2, versions: "x 1" })]);
	keep("sync", sync, file);
	keep("ui", resultOf([figure(1)]), file);
	const later = toResult([figure(3)], { tills: "50" });
	keep("ui", later, file);
	const rounded = figure(1.23457, { limit: 2, versions: "x 1" });
	expect(readKept(file)).toEqual({
		sync: { ...sync, figures: [rounded] },
		ui: later,
	});
	expect(() => keep("sync", resultOf([figure(Number.NaN)]), file)).toThrow(
		'Not kept: "it" is NaN',
	);
	expect(readKept(file).ui).toEqual(later);
	writeFileSync(file, '{"sync": 1}');
	expect(() => readKept(file)).toThrow("is not a file of benchmark results");
	expect(() => keep("sync", sync, file)).toThrow(
		"is not a file of benchmark results",
	);
});
