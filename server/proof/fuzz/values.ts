import fc from "fast-check";
import * as z from "zod";
import { exampleMessages } from "../../../sync/testing/shop.ts";
import { idsByResource } from "../../testing/operations.ts";

/** The part of JSON Schema that the input schemas use. */
interface Described {
	$ref?: string;
	$defs?: Record<string, Described>;
	anyOf?: Described[];
	oneOf?: Described[];
	allOf?: Described[];
	enum?: unknown[];
	const?: unknown;
	type?: string | string[];
	properties?: Record<string, Described>;
	required?: string[];
	items?: Described;
	minItems?: number;
	maxItems?: number;
	minimum?: number;
	maximum?: number;
	maxLength?: number;
	format?: string;
}

/** Ids of existing records, so that requests get past a missing record. */
export const knownIds = [
	...new Set([
		...Object.values(idsByResource),
		...exampleMessages().flatMap(({ args }) => idsIn(args)),
	]),
];

function idsIn(value: unknown): string[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		/^id$|Id$/.test(key) ? [String(inner)] : idsIn(inner),
	);
}

/** Ids that don't exist at first, so that a use may come before the creation. */
export const newIds = ["new", "m1", "m2"];

const words = fc.oneof(
	{ weight: 3, arbitrary: fc.constantFrom(...knownIds, ...newIds) },
	{ weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
	{ weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);
const moments = fc
	.date({
		noInvalidDate: true,
		min: new Date("1970-01-01T00:00:00Z"),
		max: new Date("2100-01-01T00:00:00Z"),
	})
	.map((date) => date.toISOString());
const formats: Record<string, fc.Arbitrary<unknown>> = {
	"date-time": moments,
	date: moments.map((moment) => moment.slice(0, 10)),
	email: fc.emailAddress(),
};

/** Generates values that a schema accepts, as far as JSON Schema describes it; a currency code, say, is left to chance. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
	const described = z.toJSONSchema(schema, {
		io: "input",
		unrepresentable: "any",
	}) as Described;
	return toArbitrary(described, described.$defs ?? {});
}

function toArbitrary(
	it: Described,
	named: Record<string, Described>,
): fc.Arbitrary<unknown> {
	const of = (inner: Described) => toArbitrary(inner, named);
	if (it.$ref) {
		const found = named[it.$ref.replace("#/$defs/", "")];
		return found ? of(found) : fc.jsonValue();
	}
	const choices = it.anyOf ?? it.oneOf;
	if (choices) return fc.oneof(...choices.map(of));
	if (it.allOf) return of(Object.assign({}, ...it.allOf) as Described);
	if (it.const !== undefined) return fc.constant(it.const);
	if (it.enum) return fc.constantFrom(...it.enum);
	if (Array.isArray(it.type))
		return fc.oneof(...it.type.map((type) => of({ ...it, type })));
	switch (it.type) {
		case "object":
			return objects(it, of);
		case "array":
			return fc.array(it.items ? of(it.items) : fc.jsonValue(), {
				minLength: it.minItems ?? 0,
				maxLength: Math.min(it.maxItems ?? 4, (it.minItems ?? 0) + 3),
			});
		case "string":
			return (
				formats[it.format ?? ""] ??
				words.map((word) => word.slice(0, it.maxLength))
			);
		case "integer":
		case "number":
			return numbers(it);
		case "boolean":
			return fc.boolean();
		case "null":
			return fc.constant(null);
		default:
			return fc.oneof(words, fc.integer(), fc.jsonValue());
	}
}

function objects(
	{ properties = {}, required = [] }: Described,
	of: (inner: Described) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
	const fields = Object.entries(properties).map(([name, inner]) => [
		name,
		of(inner),
	]);
	const record: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(
		fields,
	);
	return fc.record(record, {
		requiredKeys: required.filter((name) => name in properties),
		noNullPrototype: true,
	});
}

function numbers({ type, minimum, maximum }: Described) {
	const min = Math.max(minimum ?? -1_000, -1e9);
	const max = Math.min(maximum ?? 1_000_000, 1e9);
	const whole = fc.integer({
		min: Math.max(Math.ceil(min), -(2 ** 31)),
		max: Math.min(Math.floor(max), 2 ** 31 - 1),
	});
	if (type === "integer") return whole;
	return fc.oneof(whole, fc.double({ min, max, noNaN: true }));
}

/** Stands for a number that JSON can express but no program can hold. */
const beyondNumbers = "a number beyond all numbers";

/** Hostile values. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown[]>(
		null,
		true,
		"",
		" ",
		"0",
		"-1",
		"1e3",
		"null",
		"\0",
		"a\0b",
		"\ud800",
		"' OR 1=1 --",
		"%_!",
		"../../etc/passwd",
		"<script>alert(1)</script>",
		"=1+1",
		"9".repeat(30),
		"x".repeat(70_000),
		"\ufdfa".repeat(600),
	),
	fc.constantFrom(
		...[-0, -1, 0.1 + 0.2, 1e-9, 1e9, 1e9 + 1, 2 ** 53, -(2 ** 53)],
		...[1e308, 5e-324, beyondNumbers],
	),
	fc.constantFrom<unknown[]>(
		[],
		{},
		[[]],
		Array.from({ length: 1_100 }, () => 1),
		JSON.parse('{"__proto__":{"role":"OWNER"}}'),
		JSON.parse("[".repeat(70) + "]".repeat(70)),
		{ toString: "x", valueOf: 1, length: -1 },
	),
	fc.jsonValue(),
	moments,
);
const strangeKeys = fc.oneof(
	fc.constantFrom(
		"__proto__",
		"constructor",
		"id",
		"businessId",
		"role",
		"total",
		"deleted",
		"version",
	),
	fc.string(),
);

/** Generates values with one or two fields wrong, missing or unknown. */
export function nearMissesOf(
	right: fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
	const damage = fc.record({
		place: fc.nat(),
		kind: fc.constantFrom("replace", "replace", "remove", "add"),
		key: strangeKeys,
		value: hostile,
	});
	return fc
		.tuple(right, fc.array(damage, { minLength: 1, maxLength: 2 }))
		.map(([value, damages]) =>
			damages.reduce(
				(damaged, { place, kind, key, value }) =>
					changeAt(damaged, place % countOf(damaged), kind, key, value),
				value,
			),
		);
}

/** Counts the values inside a value, itself included. */
function countOf(value: unknown): number {
	if (typeof value !== "object" || value === null) return 1;
	return Object.values(value).reduce(
		(sum: number, inner) => sum + countOf(inner),
		1,
	);
}

/** Copies a value and changes the value number `place`, counted from the outside in. */
function changeAt(
	value: unknown,
	place: number,
	kind: string,
	key: string,
	by: unknown,
): unknown {
	if (typeof value !== "object" || value === null) return by;
	if (place === 0 && kind !== "add") return by;
	if (place === 0)
		return Array.isArray(value)
			? [...value, by]
			: Object.fromEntries([...Object.entries(value), [key, by]]);
	let left = place - 1;
	const changed: [string, unknown][] = [];
	for (const [name, inner] of Object.entries(value)) {
		const count = countOf(inner);
		if (left < 0 || left >= count) changed.push([name, inner]);
		else if (left > 0 || kind !== "remove")
			changed.push([name, changeAt(inner, left, kind, key, by)]);
		left -= count;
	}
	return Array.isArray(value)
		? changed.map(([, inner]) => inner)
		: Object.fromEntries(changed);
}

/** Returns the value's JSON as sent. */
export function toJson(value: unknown): string {
	return (JSON.stringify(value) ?? "null").replaceAll(
		JSON.stringify(beyondNumbers),
		"1e999",
	);
}
