import type { ProviderCall } from "./provider.ts";

type Schema = Record<string, unknown>;

/** The JSON Schema keywords that Claude's structured outputs accept, from Anthropic's SDKs. */
const kept = new Set([
	"type",
	"title",
	"enum",
	"const",
	"default",
	"required",
	"$ref",
]);
const formats = new Set([
	"date-time",
	"time",
	"date",
	"duration",
	"email",
	"hostname",
	"uri",
	"ipv4",
	"ipv6",
	"uuid",
]);
/** Keywords that don't constrain the value. */
const ignored = new Set(["$schema", "$id", "$comment", "strict"]);

/**
 * Adapts the schema of an answer to Claude: closes objects and moves unsupported keywords into the description, as
 * Anthropic's SDKs do.
 */
export function toOutputSchema(
	schema: Schema,
	report: ProviderCall["report"],
): Schema {
	const made: Schema = {};
	const described: string[] = [];
	for (const [word, value] of Object.entries(schema)) {
		if (kept.has(word)) made[word] = value;
		else if (
			word === "properties" ||
			word === "$defs" ||
			word === "definitions"
		)
			made[word === "definitions" ? "$defs" : word] = mapValues(value, (one) =>
				toOutputSchema(one, report),
			);
		else if (word === "items" && isSchema(value))
			made.items = toOutputSchema(value, report);
		else if (word === "anyOf" || word === "oneOf" || word === "allOf")
			made[word === "oneOf" ? "anyOf" : word] = schemasOf(value).map((one) =>
				toOutputSchema(one, report),
			);
		else if (
			(word === "format" && formats.has(String(value))) ||
			(word === "minItems" && (value === 0 || value === 1))
		)
			made[word] = value;
		else if (
			word !== "description" &&
			word !== "additionalProperties" &&
			!ignored.has(word)
		) {
			described.push(`${word}: ${JSON.stringify(value)}`);
			report(`json_schema.${word}=described`);
		}
	}
	if (typeof made.$ref === "string")
		made.$ref = made.$ref.replace("#/definitions/", "#/$defs/");
	if ("properties" in made || [made.type].flat().includes("object")) {
		made.type ??= "object";
		made.additionalProperties = false;
		if (schema.additionalProperties !== false)
			report("json_schema.additionalProperties=false");
	}
	const description = [
		schema.description,
		described.length > 0 ? `{${described.join(", ")}}` : "",
	]
		.filter(Boolean)
		.join("\n\n");
	if (description !== "") made.description = description;
	return made;
}

const combining = ["anyOf", "oneOf", "allOf"] as const;

/** Adapts the schema of a tool's arguments: one object, without alternatives at the top level. */
export function toInputSchema(
	schema: Schema | undefined,
	report: ProviderCall["report"],
): Schema {
	const { anyOf, oneOf, allOf, ...rest } = schema ?? {};
	const made: Schema = { type: "object", ...rest };
	for (const word of combining) {
		const parts = schemasOf({ anyOf, oneOf, allOf }[word]);
		if (parts.length === 0) continue;
		report(`tools.${word}=merged`);
		made.properties = Object.assign(
			{},
			...parts.map(({ properties }) => properties),
			made.properties,
		);
		const required = parts.map((part) => namesOf(part.required));
		const byAll =
			word === "allOf"
				? required.flat()
				: (required[0] ?? []).filter((name) =>
						required.every((names) => names.includes(name)),
					);
		made.required = [...new Set([...namesOf(made.required), ...byAll])];
	}
	return made;
}

function namesOf(required: unknown): string[] {
	return Array.isArray(required) ? required : [];
}

function schemasOf(value: unknown): Schema[] {
	return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: unknown): value is Schema {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(value: unknown, map: (schema: Schema) => Schema): Schema {
	return Object.fromEntries(
		Object.entries(isSchema(value) ? value : {}).map(([name, schema]) => [
			name,
			isSchema(schema) ? map(schema) : schema,
		]),
	);
}
