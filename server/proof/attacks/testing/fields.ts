import { type JsonSchema, toOpenApi } from "../../../openapi/document.ts";
import { idsByResource, requests } from "../../../testing/operations.ts";
import {
	type Answer,
	routesOf,
	type TestServer,
	type TestUser,
} from "../../../testing/server.ts";

/** A field of a request's body, from the server's schema. */
interface Field {
	path: string[];
	type: string[];
}

/** An operation to attack, with a valid request and all its fields. */
export interface Target {
	/** Such as `POST /api/products`. */
	operation: string;
	method: string;
	path: string;
	body: unknown;
	asSession: boolean;
	fields: Field[];
	query: string[];
}

/** Lists every operation with fields, from the schemas that check its input. */
export function allTargets({ shop }: TestServer): Target[] {
	const { paths, components } = toOpenApi(routesOf(shop));
	const table = requests("none");
	return Object.entries(table).map(([operation, asked]) => {
		const [method = "", route = ""] = operation.split(" ");
		const described =
			paths[route.replace(/[:*](\w+)/g, "{$1}")]?.[method.toLowerCase()];
		if (!described) throw new Error(`${operation} is not described`);
		const id = idsByResource[route.split("/")[2] ?? ""] ?? "none";
		const schema =
			described.requestBody?.content["application/json"]?.schema ?? {};
		return {
			operation,
			method,
			path: route.replace(/:id|\*id/, id),
			body: asked.body,
			asSession: asked.as === "session",
			fields: [...fieldsOf(schema, components.schemas)],
			query: described.parameters
				.filter((it) => it.in === "query")
				.map(({ name }) => name),
		};
	});
}

/** Yields the fields, but not those inside a batch's mutations. */
function* fieldsOf(
	schema: JsonSchema,
	named: Record<string, JsonSchema>,
	path: string[] = [],
): Generator<Field> {
	const name = String(schema.$ref ?? "").replace("#/components/schemas/", "");
	if (name === "Mutation") return;
	const { type, properties, items, anyOf, oneOf } = {
		...named[name],
		...schema,
	};
	const kinds = (anyOf ?? oneOf) as JsonSchema[] | undefined;
	const types = [type ?? kinds?.map((it) => it.type) ?? []].flat(2);
	if (path.length > 0) yield { path, type: types.filter(isText) };
	for (const [key, value] of Object.entries(properties ?? {}))
		yield* fieldsOf(value as JsonSchema, named, [...path, key]);
	if (items) yield* fieldsOf(items as JsonSchema, named, [...path, "0"]);
	for (const kind of kinds ?? [])
		if (kind.properties) yield* fieldsOf(kind, named, path);
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

const marker = "what is sent as it stands";

/** Sends a valid body in which one field is replaced by raw JSON text. */
export function sendField(
	server: TestServer,
	as: TestUser,
	{ method, path, body, asSession }: Target,
	field: string[],
	json: string,
): Promise<Answer> {
	const base = structuredClone(body ?? {}) as Record<string, unknown>;
	let at = base;
	for (const key of field.slice(0, -1)) {
		at[key] ??= {};
		at = at[key] as Record<string, unknown>;
	}
	at[field.at(-1) as string] = marker;
	return server.ask(method, path, {
		headers: asSession ? { cookie: as.cookie } : { authorization: as.bearer },
		body: JSON.stringify(base).replace(`"${marker}"`, () => json),
	});
}
