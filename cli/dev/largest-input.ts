import type { JsonSchema } from "../../server/openapi/document.ts";

type Schemas = Record<string, JsonSchema>;

/**
 * Makes inputs as large as a JSON schema and a byte limit allow: lists with `many` small values or a few `long` ones. All
 * ids differ, so that none is dropped as a duplicate.
 */
export type Shape = "many" | "long";

const idMax = 64;

export function largestInput(
	schema: JsonSchema,
	schemas: Schemas,
	bytes: number,
	shape: Shape,
	/** Fixed values for fields, by name. */
	fixed: Record<string, unknown> = {},
): unknown {
	let made = 0;

	function make(given: JsonSchema, room: number, name: string): unknown {
		if (name in fixed) return fixed[name];
		const known = resolve(given, schemas);
		if (known.const !== undefined) return known.const;
		const values = known.enum as unknown[] | undefined;
		if (values) return values[made % values.length];
		const choices = (known.anyOf ?? known.oneOf) as JsonSchema[] | undefined;
		if (choices) {
			made += 1;
			const real = choices.filter(({ type }) => type !== "null");
			return make(real[made % real.length] ?? {}, room, name);
		}
		switch ([known.type].flat()[0]) {
			case "object":
				return makeObject(known, room);
			case "array":
				return makeList(known, room, name);
			case "boolean":
				return true;
			case "integer":
			case "number":
				return Math.min(Number(known.maximum ?? 1_000), 1_000);
			default:
				return makeText(known, room, name);
		}
	}

	function makeObject(known: JsonSchema, room: number): object {
		const properties = Object.entries(
			(known.properties ?? {}) as Record<string, JsonSchema>,
		);
		const lists = properties.filter(([, property]) => isList(property));
		const others = properties.filter(([, property]) => !isList(property));
		const share = shape === "many" ? 40 : room / (lists.length + others.length);
		const object: Record<string, unknown> = {};
		for (const [name, property] of others)
			object[name] = make(property, share, name);
		const left = room - JSON.stringify(object).length;
		for (const [name, property] of lists)
			object[name] = make(property, left / lists.length, name);
		return object;
	}

	function makeList(known: JsonSchema, room: number, name: string): unknown[] {
		const max = Number(known.maxItems ?? Number.POSITIVE_INFINITY);
		const each =
			shape === "many" ? Math.min(room, 400) : room / Math.min(max, 4);
		const items: unknown[] = [];
		for (let left = room; items.length < max; ) {
			const item = make((known.items ?? {}) as JsonSchema, each, name);
			left -= JSON.stringify(item).length + 1;
			if (left < 0) break;
			items.push(item);
		}
		return items;
	}

	function makeText(known: JsonSchema, room: number, name: string): string {
		made += 1;
		if (known.format === "date-time") return new Date().toISOString();
		if (known.format === "date") return new Date().toISOString().slice(0, 10);
		if (name === "email") return `worst-${made}@example.com`;
		if (/ids?$/i.test(name))
			return `worst-${made}`.padEnd(shape === "long" ? idMax : 1, "x");
		const max = Math.min(Number(known.maxLength ?? room), room);
		return "x".repeat(
			Math.max(Math.floor(max) - 2, Number(known.minLength ?? 1)),
		);
	}

	const isList = (property: JsonSchema) =>
		resolve(property, schemas).type === "array";

	return make(schema, bytes - 100, "");
}

function resolve(schema: JsonSchema, schemas: Schemas): JsonSchema {
	const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ""));
	return name ? (schemas[name[1] as string] ?? {}) : schema;
}
