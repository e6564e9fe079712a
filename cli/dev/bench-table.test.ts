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

test("ratios come first, and the others in their order", () => {
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

test("a figure says what was wanted of it and whether that was met", () => {
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
	["more of what is wanted", 2, 1, { reach: 1 }, "+100 %", "better"],
	["less of what is wanted", 1, 2, { reach: 1 }, "-50 %", "worse"],
	["more of what is limited", 60, 30, { limit: 100 }, "+100 %", "worse"],
	["less of what is limited", 30, 60, { limit: 100 }, "-50 %", "better"],
	["about as much", 1.05, 1, { reach: 1 }, "+5 %", ""],
	["little, beside its limit", 3, 1, { limit: 50 }, "+200 %", ""],
	["one where none is allowed", 1, 0, { limit: 0 }, "+1", "worse"],
	["none where none is allowed", 0, 0, { limit: 0 }, "0 %", ""],
	["less than nothing", -20, 30, { limit: 50 }, "-50", "better"],
	["more of what nobody wants", 90, 30, {}, "+200 %", ""],
])("%s", (_, now, before, bounds, change, verdict) => {
	expect(compare(figure(now, bounds), figure(before, bounds))).toMatchObject({
		kept: before,
		change,
		"than kept": verdict,
	});
});

test("a figure that was not kept is new, also under its old name in another unit", () => {
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
])("with other %s, only ratios are judged", (_, other) => {
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

test("the notes say what it was compared with, and what is gone or was another version", () => {
	const now = resultOf([figure(1, { what: "peer", versions: "peer 2.0.0" })]);
	const kept = resultOf([
		figure(1, { what: "peer", versions: "peer 1.0.0" }),
		figure(1, { what: "gone" }),
	]);
	expect(notesOf("peers", now, kept)).toEqual([
		"Compared with what was kept on 2026-11-21.",
		"peer: with peer 2.0.0; kept with peer 1.0.0.",
		"Kept, and not measured now: gone.",
	]);
	expect(notesOf("peers", now)).toEqual([
		"Nothing of peers is kept to compare with; `npm run bench -- peers --keep` keeps what it measures.",
	]);
});

test("other work is not compared", () => {
	const less = resultOf([figure(1)], { settings: { tills: "50" } });
	const usual = resultOf([figure(1)]);
	expect(toTable(less, usual)[0]).not.toHaveProperty("kept");
	expect(notesOf("load", less, usual)).toEqual([
		"Not compared: what is kept of 2026-11-21 was measured with the usual, and this with tills 50.",
	]);
});

test("what is kept replaces the last of its own name alone, and is read again", () => {
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
	expect(() => readKept(file)).toThrow("does not hold results");
	expect(() => keep("sync", sync, file)).toThrow("does not hold results");
});
