import * as z from "zod";
import type { Entity } from "../entities/entity.ts";
import { entities } from "../entities/index.ts";

/**
 * What this program reads of a feed: its entities, their fields and the closed lists in them, as one text. A replica keeps
 * the form with which it was filled. A program with another form has left out what it now knows, so it reads the feed from
 * the start.
 */
export function feedForm(all: readonly Entity[] = entities): string {
	return all.map(({ name, row }) => `${name}(${fieldsOf(row)})`).join(" ");
}

function fieldsOf({ shape }: z.ZodObject): string {
	return Object.entries(shape)
		.map(([name, field]) => name + partsOf(field as z.ZodType))
		.join(",");
}

/** The values of a closed list, the fields of lines; nothing for what is plain. */
function partsOf(field: z.ZodType): string {
	if (field instanceof z.ZodNullable || field instanceof z.ZodOptional)
		return partsOf(field.unwrap() as z.ZodType);
	if (field instanceof z.ZodEnum) return `[${field.options.join("|")}]`;
	if (field instanceof z.ZodArray) return partsOf(field.element as z.ZodType);
	if (field instanceof z.ZodObject) return `(${fieldsOf(field)})`;
	return "";
}
