import * as z from "zod";
import { tolerant } from "./tolerant.ts";

type Convert = (value: unknown) => unknown;

/** Aborts the conversion at a value of another type, so that zod can report the error. */
const wrong = new Error("Wrong");

/**
 * Returns a function that reads a row's wire form like `tolerant(schema).parse`, at a quarter of the cost: the row was
 * validated when it was written, so only types are checked, and no limits.
 *
 * @throws ZodError from the returned function
 */
export function readerOf<Schema extends z.ZodType>(
	schema: Schema,
): (wire: unknown) => z.output<Schema> {
	const read = kept(readers, schema, () =>
		walkerOf(schema, leafReader, (absent) => absent ?? null),
	);
	return (wire) => {
		try {
			return read(wire) as z.output<Schema>;
		} catch (error) {
			if (error === wrong) return tolerant(schema).parse(wire);
			throw error;
		}
	};
}

/**
 * Returns a function that encodes a row like `z.encode`, at a tenth of the cost and for the same reason. Fields keep
 * the schema's order, on which the digest depends.
 */
export function encoderOf(schema: z.ZodType): Convert {
	return kept(encoders, schema, () =>
		walkerOf(schema, leafEncoder, (absent) => absent),
	);
}

const readers = new WeakMap<z.ZodType, Convert>();
const encoders = new WeakMap<z.ZodType, Convert>();

function kept(
	all: WeakMap<z.ZodType, Convert>,
	schema: z.ZodType,
	make: () => Convert,
): Convert {
	const convert = all.get(schema) ?? make();
	all.set(schema, convert);
	return convert;
}

/**
 * Builds a converter by walking the schema.
 *
 * @param leafOf converts values without parts
 * @param nullOf converts null and undefined of a nullable field
 */
function walkerOf(
	schema: z.ZodType,
	leafOf: (schema: z.ZodType) => Convert,
	nullOf: (absent: null | undefined) => null | undefined,
): Convert {
	const partOf = (part: unknown) => walkerOf(part as z.ZodType, leafOf, nullOf);
	if (schema instanceof z.ZodObject) {
		const fields = Object.entries(schema.shape).map(
			([name, field]) => [name, partOf(field)] as const,
		);
		return (value) => {
			if (typeof value !== "object" || value === null || Array.isArray(value))
				throw wrong;
			const given = value as Record<string, unknown>;
			const made: Record<string, unknown> = {};
			for (const [name, convert] of fields) {
				const converted = convert(given[name]);
				if (converted !== undefined) made[name] = converted;
			}
			return made;
		};
	}
	if (schema instanceof z.ZodArray) {
		const convert = partOf(schema.element);
		return (values) => {
			if (!Array.isArray(values)) throw wrong;
			return values.map(convert);
		};
	}
	if (schema instanceof z.ZodNullable) {
		const convert = partOf(schema.unwrap());
		return (value) => (value == null ? nullOf(value) : convert(value));
	}
	if (schema instanceof z.ZodOptional) {
		const convert = partOf(schema.unwrap());
		return (value) => (value === undefined ? undefined : convert(value));
	}
	return leafOf(schema);
}

function leafReader(schema: z.ZodType): Convert {
	if (schema instanceof z.ZodCodec) {
		const decode = schema.def.transform as Convert;
		return (value) => {
			if (!Number.isFinite(value)) throw wrong;
			const decoded = decode(value);
			if (!Number.isSafeInteger(decoded)) throw wrong;
			return decoded;
		};
	}
	if (isText(schema)) return only((value) => typeof value === "string");
	if (schema instanceof z.ZodNumberFormat) return only(Number.isSafeInteger);
	if (schema instanceof z.ZodBoolean)
		return only((value) => typeof value === "boolean");
	return (value) => schema.parse(value);
}

function leafEncoder(schema: z.ZodType): Convert {
	if (schema instanceof z.ZodCodec) {
		const encode = schema.def.reverseTransform as Convert;
		return (value) => (value === undefined ? undefined : encode(value));
	}
	const isPlain =
		isText(schema) ||
		schema instanceof z.ZodNumber ||
		schema instanceof z.ZodBoolean ||
		schema instanceof z.ZodLiteral;
	return isPlain ? (value) => value : (value) => z.encode(schema, value);
}

/** A closed list accepts any text, because a newer program may have extended it. */
function isText(schema: z.ZodType): boolean {
	return (
		schema instanceof z.ZodString ||
		schema instanceof z.ZodStringFormat ||
		schema instanceof z.ZodEnum
	);
}

function only(isRight: (value: unknown) => boolean): Convert {
	return (value) => {
		if (!isRight(value)) throw wrong;
		return value;
	};
}
