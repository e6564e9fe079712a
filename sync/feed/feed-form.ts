import * as z from "zod";
import type { Entity } from "../entities/entity.ts";
import { entities } from "../entities/index.ts";
import { feedRowOf } from "./feed-row.ts";

/**
 * Describes in one text what this program reads from a feed: entities, fields and closed lists. A replica stores the
 * form that it was filled with. A program with another form pulls from the start, because the older one dropped what it
 * did not know.
 */
export function feedForm(all: readonly Entity[] = entities): string {
	return all
		.map((entity) => `${entity.name}(${fieldsOf(feedRowOf(entity))})`)
		.join(" ");
}

function fieldsOf({ shape }: z.ZodObject): string {
	return Object.entries(shape)
		.map(([name, field]) => name + partsOf(field as z.ZodType))
		.join(",");
}

/** The values of a closed list, or the fields of lines. Empty for a plain field. */
function partsOf(field: z.ZodType): string {
	if (field instanceof z.ZodNullable || field instanceof z.ZodOptional)
		return partsOf(field.unwrap() as z.ZodType);
	if (field instanceof z.ZodEnum) return `[${field.options.join("|")}]`;
	if (field instanceof z.ZodArray) return partsOf(field.element as z.ZodType);
	if (field instanceof z.ZodObject) return `(${fieldsOf(field)})`;
	return "";
}
