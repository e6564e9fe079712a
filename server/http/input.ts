import * as z from "zod";
import { HttpError } from "./http-error.ts";

/**
 * Schemas of request input. They check and describe the wire format; the core decodes it once, when it records the
 * mutation.
 */

/** Messages that the API answers verbatim; all others get the field's path as a prefix. */
const requirements = new Set<string>();

/** Registers a message to be answered verbatim. */
export function requirement(message: string): string {
	requirements.add(message);
	return message;
}

/** @throws HttpError 400 */
export function parseInput<S extends z.ZodType>(
	schema: S,
	value: unknown,
): z.output<S> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const { path, message } = parsed.error.issues[0] as z.core.$ZodIssue;
	throw new HttpError(
		400,
		requirements.has(message) || path.length === 0
			? message
			: `${path.join(".")}: ${message}`,
		{ code: "invalid_args", path },
	);
}

type Wire<S extends z.ZodType> = z.ZodType<z.input<S>, z.input<S>>;

/** Returns a field's wire schema, without the codecs that turn decimals into micros. */
export function onWire<S extends z.ZodType>(schema: S): Wire<S> {
	const bare = schema as unknown;
	if (bare instanceof z.ZodCodec) return bare.in as unknown as Wire<S>;
	if (bare instanceof z.ZodNullable)
		return onWire(bare.unwrap() as z.ZodType).nullable() as unknown as Wire<S>;
	if (bare instanceof z.ZodOptional)
		return onWire(bare.unwrap() as z.ZodType).optional() as unknown as Wire<S>;
	if (bare instanceof z.ZodArray)
		return bare.clone({
			...{ ...bare.def, element: onWire(bare.element as z.ZodType) },
		}) as unknown as Wire<S>;
	if (bare instanceof z.ZodObject) {
		const fields = Object.entries<z.ZodType>(bare.shape).map(
			([name, field]) => [name, onWire(field)],
		);
		return bare.clone({
			...{ ...bare.def, shape: Object.fromEntries(fields) },
		}) as unknown as Wire<S>;
	}
	return bare as Wire<S>;
}

/** The id of a record that a request makes. */
export function newRecordId<S extends z.ZodType>(id: S) {
	return id
		.describe(
			"The new record's id, chosen by the client so that it can repeat the request: the record is created only once",
		)
		.optional();
}

/** Reads any falsy value as null, and so an absent field. */
export function orNull<S extends z.ZodType<string | null>>(schema: S) {
	return z.preprocess((value) => value || null, schema).optional();
}

/** Reads null as absent, so that the default applies. */
export function orAbsent<S extends z.ZodType>(schema: S) {
	return z
		.preprocess((value) => value ?? undefined, onWire(schema).optional())
		.optional();
}

/** Requires a text that isn't blank, or fails with the message. */
export function requiredField(message: string) {
	const said = requirement(message);
	return z.string(said).refine((value) => value.trim() !== "", said);
}

/** Reads a query parameter that was given once; otherwise undefined. */
export const queryText = z.string().min(1).optional().catch(undefined);

/** Reads a number of at least 0 without its fraction; the default for any other value. */
export function queryCount(ifAbsent: number) {
	return z
		.unknown()
		.optional()
		.transform((value) => {
			const isNumber = typeof value === "string" && value.trim() !== "";
			const count = isNumber ? Math.trunc(Number(value)) : Number.NaN;
			return Number.isSafeInteger(count) && count >= 0 ? count : ifAbsent;
		})
		.meta({ type: "integer", minimum: 0, default: ifAbsent });
}

/** Reads whether an import only shows what it would change. Another value must not pass for a no. */
export const dryRun = z
	.enum(["0", "1"], requirement("dryRun must be 0 or 1"))
	.default("0")
	.transform((value) => value === "1");
