import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./json.ts";

test("equal content is equal text, whatever the order of keys", () => {
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
	);
});

test("nesting has an end", () => {
	const nest = (levels: number) => {
		let value: unknown = 1;
		for (let i = 0; i < levels; i += 1) value = { value };
		return value;
	};
	expect(canonicalJson(nest(64))).toContain("1");
	expect(() => canonicalJson(nest(65))).toThrow("Nested too deeply");
	expect(() => canonicalJson(nest(400_000))).toThrow("Nested too deeply");
});
