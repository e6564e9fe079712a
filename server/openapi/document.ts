import * as z from "zod";
import program from "../../package.json" with { type: "json" };
import { mutations } from "../../sync/entities/index.ts";
import { STATUS_CODES } from "../../sync/platform/node-http.ts";
import { errorCodes } from "../../sync/protocol/errors.ts";
import { mutationMessage } from "../../sync/protocol/protocol.ts";
import {
	errorCodeHeader,
	errorFieldHeader,
	requestErrorCodes,
} from "../../sync/protocol/request-errors.ts";
import { bodyMaxBytes } from "../http/body.ts";
import type {
	Access,
	Answer,
	Method,
	Operation,
	Routes,
} from "../http/operation.ts";

/** A JSON Schema (draft 2020-12), as used in OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

interface Described {
	operationId: string;
	tags: string[];
	summary: string;
	security: Record<string, never[]>[];
	parameters: {
		name: string;
		in: "path" | "query";
		required: boolean;
		schema: JsonSchema;
	}[];
	requestBody?: RequestBody;
	responses: Record<
		string,
		{
			description: string;
			headers?: Record<string, { $ref: string }>;
			content?: Content;
		}
	>;
}
interface RequestBody {
	required: true;
	/** Bytes; a larger body is answered with 413. */
	"x-max-bytes": number;
	content: Content;
}
type Content = Record<string, { schema: JsonSchema }>;

export interface OpenApi {
	openapi: string;
	info: {
		title: string;
		version: string;
		description: string;
		license: { name: string; identifier: string };
	};
	servers: { url: string; description: string }[];
	paths: Record<string, Record<string, Described>>;
	components: {
		schemas: Record<string, JsonSchema>;
		headers: Record<string, { description: string; schema: JsonSchema }>;
		securitySchemes: Record<string, JsonSchema>;
	};
}

const bearer = { bearer: [] };
const session = { session: [] };
const security: Record<Access, Record<string, never[]>[]> = {
	anyone: [],
	member: [bearer, session],
	memberSession: [session],
	userSession: [session],
	adminSession: [session],
	gateway: [{ apiKey: [] }, bearer, session],
};

/** The bodies of failures. */
const errorSchemas: Record<string, JsonSchema> = {
	Error: {
		type: "object",
		properties: { error: { type: "string" } },
		required: ["error"],
		additionalProperties: false,
	},
	GatewayError: {
		type: "object",
		properties: {
			error: {
				type: "object",
				properties: {
					message: { type: "string" },
					type: { type: "string" },
					param: { type: ["string", "null"] },
					code: { type: ["string", "null"] },
				},
				required: ["message", "type", "param", "code"],
				additionalProperties: false,
			},
		},
		required: ["error"],
		additionalProperties: false,
	},
	MessageError: {
		type: "object",
		properties: {
			type: { const: "error" },
			error: {
				type: "object",
				properties: {
					type: { type: "string" },
					message: { type: "string" },
				},
				required: ["type", "message"],
				additionalProperties: false,
			},
			request_id: { type: ["string", "null"] },
		},
		required: ["type", "error", "request_id"],
		additionalProperties: false,
	},
};

/** What a client words in its user's language; the body is for developers. */
const errorHeaders: OpenApi["components"]["headers"] = {
	[errorCodeHeader]: {
		description: "What is wrong; absent if only the status says so.",
		schema: { type: "string", enum: [...errorCodes, ...requestErrorCodes] },
	},
	[errorFieldHeader]: {
		description:
			"The path of the wrong field, percent-encoded, if one is wrong.",
		schema: { type: "string" },
	},
};

/** Describes every mounted operation as an OpenAPI 3.1 document, from the schemas that validate requests. */
export function toOpenApi(routes: Routes): OpenApi {
	const { named, describe } = openSchemas();
	const paths: OpenApi["paths"] = {};
	for (const [path, operations] of Object.entries(routes)) {
		const described: Record<string, Described> = {};
		for (const method of Object.keys(operations) as Method[])
			described[method.toLowerCase()] = toDescribed(
				path,
				method,
				operations[method] as Operation,
				describe,
			);
		paths[path.replace(/[:*](\w+)/g, "{$1}")] = described;
	}
	named.Mutation = {
		description:
			"A mutation from a till. A mutation with an unknown name is deferred, not rejected.",
		anyOf: mutations.map(({ name, args, examples }) =>
			describe(
				mutationMessage.extend({
					name: z.literal(name),
					// zod drops the examples of a schema that decodes.
					args: z.unknown().meta({ ...describe(args), examples }),
				}),
			),
		),
	};
	return {
		openapi: "3.1.0",
		info: {
			title: "Counterfoil",
			version: program.version,
			description: `${program.description} Amounts are decimal numbers in the business's currency, times ISO 8601 in UTC.`,
			license: { name: "MIT", identifier: "MIT" },
		},
		servers: [{ url: "/", description: "The server that this is from" }],
		paths,
		components: {
			schemas: named,
			headers: errorHeaders,
			securitySchemes: {
				bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
				apiKey: {
					type: "http",
					scheme: "bearer",
					description: "An AI gateway key; `x-api-key` takes it too",
				},
				session: { type: "apiKey", in: "cookie", name: "session" },
			},
		},
	};
}

/** Schemas as JSON Schema; those with a name are collected and referred to. */
function openSchemas() {
	const named: Record<string, JsonSchema> = { ...errorSchemas };
	return {
		named,
		describe(schema: z.ZodType): JsonSchema {
			const { $schema, $defs, ...described } = z.toJSONSchema(schema, {
				io: "input",
				unrepresentable: "any",
				override: ({ jsonSchema }) => simplify(jsonSchema),
			}) as JsonSchema & { $defs?: Record<string, JsonSchema> };
			for (const [name, it] of Object.entries($defs ?? {}))
				named[name] = refer(it);
			return refer(described);
		},
	};
}

type Describe = ReturnType<typeof openSchemas>["describe"];

function contentOf(answer: Answer, describe: Describe): Content {
	const byMedia =
		answer instanceof z.ZodType ? { "application/json": answer } : answer;
	return Object.fromEntries(
		Object.entries(byMedia).map(([media, schema]) => [
			media,
			{ schema: describe(schema) },
		]),
	);
}

function toDescribed(
	path: string,
	method: Method,
	operation: Operation,
	describe: Describe,
): Described {
	const { summary, access, query, answers } = operation;
	const described: Described = {
		operationId: operationIdOf(method, path),
		tags: [tagOf(path)],
		summary,
		security: security[access],
		parameters: parametersOf(path, query && describe(query)),
		responses: {},
	};
	const requestBody = requestBodyOf(operation, describe);
	if (requestBody) described.requestBody = requestBody;
	for (const [status, answer] of Object.entries(answers)) {
		const content = contentOf(answer, describe);
		described.responses[status] = {
			description: statusText(Number(status)),
			...(Object.keys(content).length > 0 ? { content } : {}),
		};
	}
	for (const status of failuresOf(path, method, operation))
		described.responses[status] ??= failure(path, statusText(status));
	described.responses.default = failure(path, "Any other failure");
	return described;
}

function requestBodyOf(
	{ body, bodyMaxBytes: maxBytes = bodyMaxBytes, form, upload }: Operation,
	describe: Describe,
): RequestBody | undefined {
	if (upload)
		return {
			required: true,
			"x-max-bytes": upload.maxBytes,
			content: Object.fromEntries(
				upload.types.map((type) => [type, { schema: fileSchema(type) }]),
			),
		};
	if (!body) return undefined;
	const schema = describe(body);
	const content: Content = { "application/json": { schema } };
	if (form) content["application/x-www-form-urlencoded"] = { schema };
	return { required: true, "x-max-bytes": maxBytes, content };
}

/** Removes noise that zod adds: patterns beside formats, and the limits of safe integers. */
function simplify(schema: JsonSchema): void {
	if (schema.format === "date-time" || schema.format === "date")
		delete schema.pattern;
	if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
	if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function refer(schema: JsonSchema): JsonSchema {
	const text = JSON.stringify(schema);
	return JSON.parse(
		text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'),
	);
}

function parametersOf(
	path: string,
	query: JsonSchema | undefined,
): Described["parameters"] {
	const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name = ""]) => ({
		name,
		in: "path" as const,
		required: true,
		schema: { type: "string" },
	}));
	const { properties = {}, required = [] } = (query ?? {}) as {
		properties?: Record<string, JsonSchema>;
		required?: string[];
	};
	const inQuery = Object.entries(properties).map(([name, schema]) => ({
		name,
		in: "query" as const,
		required: required.includes(name),
		schema,
	}));
	return [...inPath, ...inQuery];
}

/** Error statuses that follow from an operation's inputs and access. */
export function failuresOf(
	path: string,
	method: Method,
	operation: Operation,
): number[] {
	const { access, roles, body, upload, isAlwaysAnswered } = operation;
	const isChange = method !== "GET";
	const takesBody = body !== undefined || upload !== undefined;
	return [
		400,
		...(access === "anyone" ? [] : [401]),
		// A cross-site change with a cookie is refused for everyone.
		...(access === "adminSession" || roles || isChange ? [403] : []),
		...(/[:*]id/.test(path) ? [404] : []),
		...(takesBody ? [413] : []),
		...(isAlwaysAnswered ? [] : [503]),
		...(isChange ? [507] : []),
		...(operation.failures ?? []),
	];
}

function failure(path: string, description: string) {
	const isGateway = path.startsWith("/v1/");
	const name = /^\/v1\/messages\b/.test(path)
		? "MessageError"
		: isGateway
			? "GatewayError"
			: "Error";
	const schema = { $ref: `#/components/schemas/${name}` };
	const content = { "application/json": { schema } };
	return isGateway
		? { description, content }
		: { description, headers: errorHeaderRefs, content };
}

const errorHeaderRefs = Object.fromEntries(
	Object.keys(errorHeaders).map((name) => [
		name,
		{ $ref: `#/components/headers/${name}` },
	]),
);

function statusText(status: number): string {
	return STATUS_CODES[status] ?? String(status);
}

/** @example operationIdOf("PATCH", "/api/products/:id") === "patchProductsById" */
function operationIdOf(method: Method, path: string): string {
	const words = path
		.replace(/^\/api\//, "/")
		.replace(/[:*](\w+)/g, "by-$1")
		.split(/\W+/)
		.filter((word) => word !== "");
	const rest = words.map((word) => word[0]?.toUpperCase() + word.slice(1));
	return method.toLowerCase() + rest.join("");
}

/** The schema of a file: a plain string for text; binary format, for generators that still follow OpenAPI 3.0. */
function fileSchema(type: string): JsonSchema {
	return type.startsWith("text/")
		? { type: "string" }
		: { type: "string", format: "binary" };
}

/** The resource that a path belongs to. */
function tagOf(path: string): string {
	const [, root = "", resource] = path.split("/");
	return root === "api" && resource ? resource : "server";
}
