import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { testSeed } from "../testing/lane.ts";
import { canonicalJson } from "./json.ts";

test("equal content gives equal canonical JSON in any order of keys [MUT-3]", () => {
	expect(canonicalJson({ b: [{ d: 1, c: null }], a: "x" })).toBe(
		'{"a":"x","b":[{"c":null,"d":1}]}',
	);
	expect(canonicalJson(undefined)).toBe("null");
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
			const turned = Object.fromEntries(Object.entries(value).reverse());
			expect(canonicalJson(turned)).toBe(canonicalJson(value));
			expect(JSON.parse(canonicalJson(value))).toEqual(
				JSON.parse(JSON.stringify(value)),
			);
		}),
		{ seed: testSeed },
	);
});

/** Nests lists and objects in one another. */
function nest(
	levels: number,
	wrap: (value: unknown) => unknown,
	inner: unknown = 1,
): unknown {
	let value = inner;
	for (let i = 0; i < levels; i += 1) value = wrap(value);
	return value;
}

test("canonical JSON does not sort sorted content again", () => {
	const made = vi.spyOn(Object, "fromEntries");
	onTestFinished(() => made.mockRestore());
	canonicalJson({
		"": null,
		a: [1, "more than ten letters", null, [], {}, { b: true }],
		b: "more than ten letters",
		c: [nest(31, (value) => [{ value }], null)],
	});
	expect(made).not.toHaveBeenCalled();
	canonicalJson([{ b: 1, a: 2 }]);
	expect(made).toHaveBeenCalledOnce();
});

test.each<[string, (value: unknown) => unknown]>([
	["objects", (value) => ({ value })],
	["lists", (value) => [value]],
])(
	"canonical JSON refuses %s nested beyond the limit, sorted or not",
	(_, wrap) => {
		const ordered = (levels: number) => nest(levels, wrap);
		const unordered = (levels: number) => ({ b: 1, a: nest(levels - 1, wrap) });
		for (const make of [ordered, unordered]) {
			expect(canonicalJson(make(64))).toContain("1");
			expect(() => canonicalJson(make(65))).toThrow("Nested too deeply");
			expect(() => canonicalJson(make(400_000))).toThrow("Nested too deeply");
		}
		const mixed = nest(200_000, (value) => [wrap(value)]);
		expect(() => canonicalJson(mixed)).toThrow("Nested too deeply");
	},
);
