import * as z from "zod";

type Parse<Output = unknown> = (value: unknown) => Output;

/** Thrown on the way by what looks wrong, for zod to say how. */
const wrong = new Error("Wrong");

/**
 * Makes what `schema.parse` makes, at half of the price: objects, lists and plain values are walked through by functions that
 * are put together once for a schema, and checked by zod's own checks. Whatever looks wrong, and each kind of schema that it
 * does not know, is left to zod: it accepts nothing that zod refuses, and refuses nothing by itself.
 *
 * @returns throws ZodError
 */
export function parserOf<Schema extends z.ZodType>(
	schema: Schema,
): Parse<z.output<Schema>> {
	return keptParser(parsers, schema, checksOf);
}

const parsers = new WeakMap<z.ZodType, Parse>();

/**
 * The same for what was checked when it was written, at a quarter of the price: values are only looked at for their kinds, and
 * not for their limits again.
 */
export function readerOf<Schema extends z.ZodType>(
	schema: Schema,
): Parse<z.output<Schema>> {
	return keptParser(readers, schema, noChecksOf);
}

const readers = new WeakMap<z.ZodType, Parse>();

/** @returns whether the schema accepts a value */
export function acceptorOf(schema: z.ZodType): (value: unknown) => boolean {
	const parse = parserOf(schema);
	return (value) => {
		try {
			parse(value);
			return true;
		} catch (error) {
			if (error instanceof z.ZodError) return false;
			throw error;
		}
	};
}

function keptParser<Schema extends z.ZodType>(
	kept: WeakMap<z.ZodType, Parse>,
	schema: Schema,
	checksOf: ChecksOf,
): Parse<z.output<Schema>> {
	let parse = kept.get(schema);
	if (!parse) {
		parse = orByZod(schema, nodeParser(schema, checksOf));
		kept.set(schema, parse);
	}
	return parse as Parse<z.output<Schema>>;
}

function orByZod(schema: z.ZodType, parse: Parse): Parse {
	return (value) => {
		try {
			return parse(value);
		} catch (error) {
			if (error === wrong) return schema.parse(value);
			throw error;
		}
	};
}

type Check = z.core.$ZodCheck["_zod"];
type ChecksOf = (schema: z.ZodType) => Check[];

/** As zod collects them: a format of texts is a check of its own schema. */
function checksOf(schema: z.ZodType): Check[] {
	const isCheck = "check" in schema._zod;
	const own = isCheck ? [schema as unknown as z.core.$ZodCheck] : [];
	return [...own, ...(schema.def.checks ?? [])].map(({ _zod }) => _zod);
}

/** A custom schema is nothing but its check. */
function noChecksOf(schema: z.ZodType): Check[] {
	return schema instanceof z.ZodCustom ? checksOf(schema) : [];
}

/** Of a schema or a part of one. */
function nodeParser(schema: z.ZodType, checksOf: ChecksOf): Parse {
	const parse = kindParser(schema, (part) =>
		nodeParser(part as z.ZodType, checksOf),
	);
	return parse ? checking(parse, checksOf(schema)) : byZod(schema);
}

function byZod(schema: z.ZodType): Parse {
	return (value) => {
		const parsed = schema.safeParse(value);
		if (!parsed.success) throw wrong;
		return parsed.data;
	};
}

function checking(parse: Parse, checks: readonly Check[]): Parse {
	if (checks.length === 0) return parse;
	// One for all values: a sale of three lines has forty to check.
	const payload: z.core.ParsePayload<never> = {
		value: undefined as never,
		issues: [],
	};
	return (value) => {
		payload.value = parse(value) as never;
		for (const check of checks) {
			const { when } = check.def;
			if (when && !when(payload)) continue;
			const pending = check.check(payload);
			if (pending || payload.issues.length > 0) {
				payload.issues = [];
				throw wrong;
			}
		}
		// A check may change it: one trims a text.
		return payload.value;
	};
}

/** @returns undefined for a kind of schema that is left to zod */
function kindParser(
	schema: z.ZodType,
	partParser: (part: z.core.$ZodType) => Parse,
): Parse | undefined {
	if (schema instanceof z.ZodObject) return objectParser(schema, partParser);
	if (schema instanceof z.ZodArray) {
		const parse = partParser(schema.element);
		return (values) => {
			if (!Array.isArray(values)) throw wrong;
			const made: unknown[] = [];
			for (const value of values) made.push(parse(value));
			return made;
		};
	}
	if (schema instanceof z.ZodNullable) {
		const parse = partParser(schema.unwrap());
		return (value) => (value === null ? null : parse(value));
	}
	if (schema instanceof z.ZodOptional) {
		const parse = partParser(schema.unwrap());
		return (value) => (value === undefined ? undefined : parse(value));
	}
	if (schema instanceof z.ZodDefault) {
		const { def } = schema;
		const parse = partParser(schema.unwrap());
		return (value) => (value === undefined ? def.defaultValue : parse(value));
	}
	if (schema instanceof z.ZodCodec) return codecParser(schema, partParser);
	if (schema instanceof z.ZodEnum) {
		const options = new Set<unknown>(schema.options);
		return only((value) => options.has(value));
	}
	if (schema instanceof z.ZodNumberFormat) return only(Number.isSafeInteger);
	if (schema instanceof z.ZodNumber) return only(Number.isFinite);
	if (schema instanceof z.ZodBoolean)
		return only((value) => typeof value === "boolean");
	if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
		return only((value) => typeof value === "string");
	if (schema instanceof z.ZodCustom) return (value) => value;
	return undefined;
}

function only(isRight: (value: unknown) => boolean): Parse {
	return (value) => {
		if (!isRight(value)) throw wrong;
		return value;
	};
}

function objectParser(
	schema: z.ZodObject,
	partParser: (part: z.core.$ZodType) => Parse,
): Parse | undefined {
	const { catchall } = schema.def;
	const isStrict = catchall instanceof z.ZodNever;
	if (catchall && !isStrict) return undefined;
	const fields = Object.entries(schema.shape).map(
		([name, field]) => [name, partParser(field)] as const,
	);
	const names = new Set(fields.map(([name]) => name));
	return (value) => {
		if (typeof value !== "object" || value === null || Array.isArray(value))
			throw wrong;
		const given = value as Record<string, unknown>;
		if (isStrict) for (const name in given) if (!names.has(name)) throw wrong;
		const made: Record<string, unknown> = {};
		for (const [name, parse] of fields) {
			const parsed = parse(given[name]);
			if (parsed !== undefined || name in given) made[name] = parsed;
		}
		return made;
	};
}

function codecParser(
	schema: z.ZodCodec,
	partParser: (part: z.core.$ZodType) => Parse,
): Parse {
	const { transform } = schema.def;
	const parseIn = partParser(schema.def.in);
	const parseOut = partParser(schema.def.out);
	return (value) => {
		const payload = { value: parseIn(value), issues: [] };
		const made = transform(payload.value, payload as never);
		if (payload.issues.length > 0) throw wrong;
		return parseOut(made);
	};
}
