import * as z from "zod";
import { HttpError } from "./http-error.ts";

/**
 * What requests are read with. A schema here checks what is sent, in the form in which it travels, and describes it: the
 * core decodes it once, where it is recorded.
 */

/** Messages of the contract, which say all. Any other is led by the path of the field that it is about. */
const requirements = new Set<string>();

/** A message that is answered as it stands. */
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
		{ path },
	);
}

type Wire<S extends z.ZodType> = z.ZodType<z.input<S>, z.input<S>>;

/** A field's schema as it travels: without the codecs that make millionths of decimals. */
export function onWire<S extends z.ZodType>(schema: S): Wire<S> {
	const bare = schema as unknown;
	if (bare instanceof z.ZodCodec) return bare.in as unknown as Wire<S>;
	if (bare instanceof z.ZodNullable)
		return onWire(bare.unwrap() as z.ZodType).nullable() as unknown as Wire<S>;
	return bare as Wire<S>;
}

/** Anything falsy is null, and so is nothing at all. */
export function orNull<S extends z.ZodType<string | null>>(schema: S) {
	return z.preprocess((value) => value || null, schema).optional();
}

/** Null is as good as nothing: the default holds. */
export function orAbsent<S extends z.ZodType>(schema: S) {
	return z
		.preprocess((value) => value ?? undefined, onWire(schema).optional())
		.optional();
}

/** Text that says something, or the message. */
export function requiredField(message: string) {
	const said = requirement(message);
	return z.string(said).refine((value) => value.trim() !== "", said);
}

/** A query parameter, where it was given once and as text. */
export const queryText = z.string().min(1).optional().catch(undefined);

/** A number that is not negative, its fraction cut off, or the default for anything else. */
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
