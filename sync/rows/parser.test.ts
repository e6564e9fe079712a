import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { text } from "../entities/fields.ts";
import { mutationsByName } from "../entities/index.ts";
import { saleItemRow } from "../entities/sale.ts";
import { stockMovementRow } from "../entities/stock-movement.ts";
import { openRandom, type Random } from "../simulation/random.ts";
import { acceptorOf, parserOf, readerOf } from "./parser.ts";

/** What released tills have sent, of every mutation. */
const sent = readdirSync(join(import.meta.dirname, "../fixtures/v1")).flatMap(
	(file) => {
		const path = join(import.meta.dirname, "../fixtures/v1", file);
		const { push } = JSON.parse(readFileSync(path, "utf8"));
		return push.mutations as { name: string; args: unknown }[];
	},
);

function schemaOf(name: string): z.ZodType {
	return mutationsByName.get(name)?.args as z.ZodType;
}

/** What a schema makes of a value, or says of it. */
function outcome(parse: () => unknown): unknown {
	try {
		return JSON.stringify(parse());
	} catch (error) {
		return (error as z.ZodError).issues;
	}
}

const strange: unknown[] = [
	null,
	undefined,
	true,
	"",
	" ",
	"x".repeat(65),
	"x".repeat(501),
	"💚".repeat(40),
	"a\0b",
	"\ud83d",
	"2026-02-30",
	"2026-11-20T09:00:00.000Z",
	"2026-11-20T09:00:00Z",
	0,
	-1,
	0.1234567,
	1_000_000_000.1,
	1e300,
	Number.NaN,
	Infinity,
	[],
	{},
	[{}],
	new Date(0),
];

/** The same value with one thing in it changed, taken away or added. */
function spoil(random: Random, value: unknown): unknown {
	const isInside =
		typeof value === "object" && value !== null && random.chance(0.9);
	if (!isInside) return random.pick(strange);
	if (Array.isArray(value)) {
		const at = random.below(value.length + 1);
		const changed = [...value];
		if (at === value.length) changed.push(value[0] ?? random.pick(strange));
		else changed[at] = spoil(random, value[at]);
		return changed;
	}
	const changed: Record<string, unknown> = { ...value };
	const name = random.pick([...Object.keys(value), "further"]);
	if (random.chance(0.2)) delete changed[name];
	else changed[name] = spoil(random, changed[name]);
	return changed;
}

describe("the arguments of a mutation", () => {
	test.each(sent)("are read without zod: $name", ({ name, args }) => {
		const schema = schemaOf(name);
		const expected = schema.parse(args);
		const asks = [vi.spyOn(schema, "parse"), vi.spyOn(schema, "safeParse")];
		expect(parserOf(schema)(args)).toStrictEqual(expected);
		expect(acceptorOf(schema)(args)).toBe(true);
		for (const ask of asks) expect(ask).not.toHaveBeenCalled();
		vi.restoreAllMocks();
	});

	test.each(sent)(
		"are taken, changed and refused as zod does, whatever they are: $name",
		({ name, args }) => {
			const random = openRandom(1);
			const schema = schemaOf(name);
			const parse = parserOf(schema);
			const accepts = acceptorOf(schema);
			let refused = 0;
			for (let i = 0; i < 500; i += 1) {
				let value = spoil(random, args);
				if (random.chance(0.3)) value = spoil(random, value);
				const { success } = schema.safeParse(value);
				expect(outcome(() => parse(value))).toEqual(
					outcome(() => schema.parse(value)),
				);
				expect(accepts(value)).toBe(success);
				if (!success) refused += 1;
			}
			expect(refused).toBeGreaterThan(50);
			expect(refused).toBeLessThan(500);
		},
	);
});

test.each<[string, z.ZodType, unknown]>([
	["an object", z.object({ a: z.int() }), { a: 1, further: 2 }],
	["an object's optional field", z.object({ a: z.int().optional() }), {}],
	["nothing in its place", z.object({ a: z.any() }), { a: undefined }],
	["a strict object", z.strictObject({ a: z.int() }), { a: 1 }],
	["a list", z.array(z.int()), [1, 2]],
	["what may be null", z.int().nullable(), null],
	["what may be absent", z.int().optional(), undefined],
	["what has a default", z.int().default(1), undefined],
	[
		"a codec",
		z.codec(z.int(), z.int(), { decode: (n) => n + 1, encode: (n) => n - 1 }),
		1,
	],
	["a word out of a list", z.enum(["a", "b"]), "b"],
	["a whole number", z.int(), 1],
	["a number", z.number(), 0.5],
	["yes or no", z.boolean(), false],
	["a text", z.string(), "a"],
	["a text of a format", z.iso.date(), "2026-11-20"],
	["a check of one's own", z.custom((value) => value === 1), 1],
])("a value is read without zod: %s", (_, schema, value) => {
	const expected = schema.parse(value);
	const asks = [vi.spyOn(schema, "parse"), vi.spyOn(schema, "safeParse")];
	onTestFinished(() => void vi.restoreAllMocks());
	expect(parserOf(schema)(value)).toStrictEqual(expected);
	for (const ask of asks) expect(ask).not.toHaveBeenCalled();
});

describe("a schema that it does not know whole", () => {
	test.each<[string, z.ZodType, unknown]>([
		["a union", z.union([z.int(), z.string()]), "x"],
		["coercion", z.object({ count: z.coerce.number() }), { count: "2" }],
		["a text that is trimmed", z.string().trim().min(1), " x "],
		["a record", z.record(z.string(), z.int()), { a: 1 }],
		["what passes through", z.looseObject({ a: z.int() }), { a: 1, b: 2 }],
		["a transformation", z.string().transform((x) => x.length), "abc"],
		["a text that a default stands for", z.string().prefault("x"), undefined],
	])("is left to zod: %s", (_, schema, value) => {
		expect(outcome(() => parserOf(schema)(value))).toEqual(
			outcome(() => schema.parse(value)),
		);
		expect(schema.safeParse(value).success).toBe(true);
	});

	test("may refuse by a codec of its own", () => {
		const even = z.codec(z.int(), z.int(), {
			decode(value, { issues }) {
				if (value % 2 !== 0)
					issues.push({ code: "custom", input: value, message: "Odd" });
				return Math.floor(value / 2);
			},
			encode: (value) => value * 2,
		});
		expect(parserOf(even)(4)).toBe(2);
		expect(() => parserOf(even)(3)).toThrow("Odd");
	});

	test("may fail in a codec, which is thrown as it is", () => {
		const decode = vi.fn(() => {
			throw new TypeError("A bug");
		});
		const broken = z.codec(z.int(), z.int(), { decode, encode: (n) => n });
		expect(() => parserOf(broken)(1)).toThrow("A bug");
		expect(() => acceptorOf(broken)(1)).toThrow("A bug");
		expect(decode).toHaveBeenCalledTimes(2);
	});

	test("may check what can't be known at once, which nobody accepts", () => {
		const later = z.string().refine(async () => false);
		expect(() => parserOf(later)("x")).toThrow(z.core.$ZodAsyncError);
	});

	test("may have a check that is not for every value", () => {
		const check = vi.fn(() => false);
		const rare = z.int().refine(check, { when: ({ value }) => value === 2 });
		expect(parserOf(rare)(1)).toBe(1);
		expect(check).not.toHaveBeenCalled();
		expect(() => parserOf(rare)(2)).toThrow();
	});

	test("may be nothing but a check", () => {
		const schema = z.custom((value) => value === 1);
		for (const read of [parserOf(schema), readerOf(schema)]) {
			expect(read(1)).toBe(1);
			expect(() => read(2)).toThrow();
		}
	});

	test("may check once its parts are made", () => {
		const pair = z
			.object({ a: z.int(), b: z.int().default(1) })
			.refine(({ a, b }) => a <= b, "Not in order");
		expect(parserOf(pair)({ a: 1 })).toEqual({ a: 1, b: 1 });
		expect(() => parserOf(pair)({ a: 2 })).toThrow("Not in order");
		// One refusal leaves nothing behind.
		expect(parserOf(pair)({ a: 0 })).toEqual({ a: 0, b: 1 });
	});
});

const line = {
	id: "1",
	saleId: "sale",
	name: "Milk",
	quantity: 1,
	price: 99.95,
	cost: 50,
	productId: null,
};
const movement = {
	id: "m",
	productId: "milk",
	delta: -1,
	reason: "sale",
	note: null,
	saleId: "sale",
	itemId: "1",
	userId: null,
	createdAt: "2026-11-20T09:00:00.000Z",
};

describe("a row that a server has checked", () => {
	test.each<[string, z.ZodType, unknown]>([
		["a line", saleItemRow, line],
		["a movement", stockMovementRow, movement],
		["a field more", saleItemRow, { ...line, isNews: true }],
	])("is read as zod reads it: %s", (_, schema, row) => {
		expect(readerOf(schema)(row)).toEqual(schema.parse(row));
	});

	test("is not held to the limits of its texts again", () => {
		expect(readerOf(text(3))("abcd")).toBe("abcd");
		expect(() => parserOf(text(3))("abcd")).toThrow();
	});

	test.each<[string, z.ZodType, unknown]>([
		["a number for a name", saleItemRow, { ...line, name: 5 }],
		["text for a number", saleItemRow, { ...line, price: "99.95" }],
		["no finite number", saleItemRow, { ...line, price: Infinity }],
		["a number too large to be exact", saleItemRow, { ...line, price: 1e15 }],
		["a missing field", saleItemRow, { ...line, name: undefined }],
		["an object for an id", saleItemRow, { ...line, productId: {} }],
		["a word out of a list", stockMovementRow, { ...movement, reason: "x" }],
		["no object", saleItemRow, null],
		["no list", z.array(saleItemRow), { 0: line }],
		["no yes or no", z.object({ is: z.boolean() }), { is: 1 }],
	])("is refused as zod refuses it: %s", (_, schema, row) => {
		const { error } = schema.safeParse(row);
		expect(error?.issues).toHaveLength(1);
		expect(() => readerOf(schema)(row)).toThrow(error);
	});
});
