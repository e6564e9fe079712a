import * as z from "zod";

const tolerantBySchema = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Returns the schema for reading what another version of the program wrote: a closed list accepts any text, a missing
 * nullable field is null, and unknown fields are dropped. Only a field of another type still fails.
 *
 * @param schema of a message or row, as this version writes it
 */
export function tolerant<Schema extends z.ZodType>(schema: Schema): Schema {
	let made = tolerantBySchema.get(schema);
	if (!made) {
		made = makeTolerant(schema);
		tolerantBySchema.set(schema, made);
	}
	return made as Schema;
}

function makeTolerant(schema: z.ZodType): z.ZodType {
	if (schema instanceof z.ZodEnum) return z.string();
	if (schema instanceof z.ZodObject) {
		const fields = Object.entries(schema.shape).map(
			([name, field]) => [name, tolerantField(field as z.ZodType)] as const,
		);
		return z.object(Object.fromEntries(fields));
	}
	if (schema instanceof z.ZodArray)
		return z.array(tolerant(schema.element as z.ZodType));
	if (schema instanceof z.ZodNullable)
		return tolerant(schema.unwrap() as z.ZodType).nullable();
	if (schema instanceof z.ZodOptional)
		return tolerant(schema.unwrap() as z.ZodType).optional();
	return schema;
}

function tolerantField(field: z.ZodType): z.ZodType {
	return field instanceof z.ZodNullable
		? tolerant(field).default(null)
		: tolerant(field);
}
