import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import {
	errorCodeHeader,
	errorFieldHeader,
} from "../../sync/protocol/request-errors.ts";
import { escapeHtml } from "../../sync/receipts/html.ts";
import { sampled } from "../../sync/testing/lane.ts";
import { exampleMessages } from "../../sync/testing/shop.ts";
import { createAdmin } from "../accounts/users.ts";
import { hosted, openHost, pages } from "../releases/testing/release-host.ts";
import {
	fill,
	idsByResource,
	mountedOperations,
	requests,
} from "../testing/operations.ts";
import {
	credentialsOf,
	openTestServer,
	type TestServer,
	twoShops,
} from "../testing/server.ts";
import type { JsonSchema, OpenApi } from "./document.ts";

async function readDocument(server: TestServer): Promise<OpenApi> {
	const answer = await server.ask("GET", "/api/openapi.json");
	expect(answer.status).toBe(200);
	return answer.body as OpenApi;
}

/** Validates strictly, so that a field missing from the document is a failure. */
function close(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(close);
	if (typeof schema !== "object" || schema === null) return schema;
	const closed: JsonSchema = {};
	for (const [key, value] of Object.entries(schema)) closed[key] = close(value);
	if (closed.properties && closed.additionalProperties === undefined)
		closed.additionalProperties = false;
	return closed;
}

function openValidator(document: OpenApi) {
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	addFormats.default(ajv);
	ajv.addSchema(document, "as-it-is");
	ajv.addSchema(close(document) as object, "closed");
	return (root: "as-it-is" | "closed", pointer: string[], value: unknown) => {
		const path = pointer
			.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
			.map(encodeURIComponent)
			.join("/");
		// Compiled once.
		const validate = ajv.getSchema(`${root}#/${path}`);
		if (!validate) throw new Error(`${path} is not described`);
		validate(value);
		return validate.errors ?? [];
	};
}

let known:
	| { document: OpenApi; errorsOf: ReturnType<typeof openValidator> }
	| undefined;

/** The document, which is the same for every server, with its validator; compiled once. */
async function readKnown(server: TestServer) {
	if (known === undefined) {
		const document = await readDocument(server);
		known = { document, errorsOf: openValidator(document) };
	}
	return known;
}

/** A server on which each request can succeed: with data in Asha's shop, published builds and an administrator. */
async function openFilled() {
	const { server } = await openHost(pages([hosted(1)]));
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const { store, env } = server.shop;
	const root = { email: "root@example.com", name: "Root" };
	const { id } = await createAdmin(store, env, {
		...root,
		passwordHash: "none",
	});
	const admin = await credentialsOf({
		id,
		...root,
		role: "admin",
		businessId: null,
	});
	return { server, asha, admin };
}

/** Operations that can't succeed here, such as those that need a real password. */
const refused: Record<string, number> = {
	"POST /login": 401,
	"POST /api/auth/mobile-login": 401,
	"DELETE /api/notifications": 400,
	// The server has no METRICS_TOKEN.
	"GET /metrics": 404,
	// The name of a stored picture is unknown here.
	"GET /api/pictures/:id": 404,
	// The records here have no random ids, so their receipts have no links.
	"GET /r/:id": 404,
	// No provider key is set.
	"POST /v1/chat/completions": 400,
	"POST /v1/embeddings": 400,
	"POST /v1/messages": 400,
	"POST /v1/responses": 400,
	"GET /v1/responses/*id": 404,
	"DELETE /v1/responses/*id": 404,
	"GET /v1/queue/*id": 404,
	"DELETE /v1/queue/*id": 404,
	// No PDF is at hand.
	"POST /api/statements/pdf": 400,
	// The server already has a shop.
	"POST /api/setup": 409,
	"PATCH /api/admin/ai/:id": 404,
	"DELETE /api/sessions/:id": 404,
	"POST /api/setup/demo": 409,
};

describe("the OpenAPI document", async () => {
	test("the OpenAPI document describes exactly the mounted operations", async () => {
		const server = await openTestServer();
		const { paths } = await readDocument(server);
		const described = Object.entries(paths).flatMap(([path, byMethod]) =>
			Object.keys(byMethod).map(
				(method) =>
					`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, path.startsWith("/v1/") ? "*$1" : ":$1")}`,
			),
		);
		expect(described.sort()).toEqual(mountedOperations(server).sort());
	});

	test.each(sampled(Object.keys(requests("")), 8))(
		"the OpenAPI document matches the behaviour of %s",
		async (operation) => {
			const { server, asha, admin } = await openFilled();
			const { document, errorsOf } = await readKnown(server);
			const [method = "", route = ""] = operation.split(" ");
			const path = route.replace(/[:*](\w+)/g, "{$1}");
			const described = document.paths[path]?.[method.toLowerCase()];
			if (!described) throw new Error("The document does not describe it");
			const at = ["paths", path, method.toLowerCase()];
			const json = ["content", "application/json", "schema"];

			const { body, path: asked } = requests("none")[operation] ?? {};
			if (described.requestBody?.content["application/json"])
				expect(
					errorsOf("as-it-is", [...at, "requestBody", ...json], body),
				).toEqual([]);
			const id = idsByResource[route.split("/")[2] ?? ""] ?? "none";
			const isForAdmin = described.responses[403] !== undefined;
			const takesBearer = described.security.some(
				(scheme) => "bearer" in scheme,
			);
			const credentials: Record<string, string> = takesBearer
				? { authorization: asha.bearer }
				: { cookie: isForAdmin ? admin.cookie : asha.cookie };
			const ask = (headers: Record<string, string>) =>
				server.ask(method, asked ?? route.replace(":id", id), {
					body,
					headers,
				});
			const hold = (answer: Awaited<ReturnType<typeof ask>>) => {
				const status = described.responses[answer.status]
					? String(answer.status)
					: "default";
				const { content, headers = {} } = described.responses[status] ?? {};
				for (const name of [errorCodeHeader, errorFieldHeader])
					if (answer.headers.has(name))
						expect(Object.keys(headers)).toContain(name);
				const media = answer.headers.get("content-type")?.split(";")[0] ?? "";
				expect(Object.keys(content ?? {})).toContain(media);
				if (media !== "application/json") return;
				expect(
					errorsOf(
						"closed",
						[...at, "responses", status, ...json],
						answer.body,
					),
				).toEqual([]);
			};

			if (described.security.length > 0) {
				const nobody = await ask({});
				expect(nobody.status).toBe(401);
				hold(nobody);
			}
			const answer = await ask(credentials);
			expect(answer.status).toBe(
				refused[operation] ?? (answer.status === 201 ? 201 : 200),
			);
			hold(answer);
		},
	);

	test("the OpenAPI document describes every mutation with its arguments", async () => {
		const server = await openTestServer();
		const { document, errorsOf } = await readKnown(server);
		const mutation = ["components", "schemas", "Mutation"];
		const mutations = exampleMessages();
		const { text: page } = await server.ask("GET", "/api/docs");
		const described = JSON.stringify(document.components.schemas.Mutation);
		for (const message of mutations) {
			expect(errorsOf("as-it-is", mutation, message)).toEqual([]);
			const example = JSON.stringify(message.args);
			expect(described.includes(example), example).toBe(true);
			expect(page.includes(escapeHtml(example)), example).toBe(true);
		}
		for (const wrong of [
			{ name: "sale.explode" },
			{ args: {} },
			{ at: "yesterday" },
		])
			expect(
				errorsOf("as-it-is", mutation, { ...mutations[0], ...wrong }),
			).not.toEqual([]);
	});

	test("every reference in the OpenAPI document resolves", async () => {
		const document = await readDocument(await openTestServer());
		const text = JSON.stringify(document);
		for (const kind of ["schemas", "headers"] as const) {
			const names = [
				...text.matchAll(new RegExp(`"#/components/${kind}/([\\w-]+)"`, "g")),
			];
			expect(names.length).toBeGreaterThan(20);
			for (const [, name] of names)
				expect(Object.keys(document.components[kind])).toContain(name);
		}
		expect(text).not.toContain("$defs");
	});

	test("a query parameter without which a request is refused is required in the document and on its page", async () => {
		const { server, asha } = await twoShops();
		const { paths } = await readDocument(server);
		const required = Object.entries(paths).flatMap(([path, { get }]) => {
			const names = get?.parameters
				.filter((one) => one.in === "query" && one.required)
				.map(({ name }) => name);
			return names?.length ? [{ path, names }] : [];
		});
		expect(required).toContainEqual({
			...{ path: "/api/reports/period", names: ["from", "to"] },
		});
		expect(required).toContainEqual({
			...{ path: "/api/sync/answer", names: ["query"] },
		});
		for (const { path, names } of required) {
			const { status, body } = await server.ask("GET", path, { as: asha });
			const { error } = body as { error: string };
			expect([path, status, error.split(":")[0]]).toEqual([
				...[path, 400, names[0]],
			]);
		}
		const page = await server.ask("GET", "/api/docs");
		expect(page.text).toContain("\n  from: string");
		expect(page.text).toContain("\n  from?: string");
	});

	test("every failure outside the AI gateway is described with its code and field, and real ones match", async () => {
		const { server, asha } = await twoShops();
		const { document, errorsOf } = await readKnown(server);
		for (const [path, operations] of Object.entries(document.paths))
			for (const { responses } of Object.values(operations))
				for (const [status, answer] of Object.entries(responses)) {
					const isError =
						JSON.stringify(answer.content)?.includes('schemas/Error"') === true;
					expect(
						Object.keys(answer.headers ?? {}),
						`${path} ${status}`,
					).toEqual(isError ? [errorCodeHeader, errorFieldHeader] : []);
				}

		const wrong = [
			[
				await server.ask("POST", "/api/products", {
					as: asha,
					body: { name: 5, sellingPrice: 10 },
				}),
				{
					[errorCodeHeader]: "invalid_args",
					[errorFieldHeader]: "name",
				},
			],
			[
				await server.ask("POST", "/login", {
					body: { email: "nobody@example.com", password: "not this" },
				}),
				{ [errorCodeHeader]: "wrong_password" },
			],
		] as const;
		for (const [answer, expected] of wrong)
			for (const [name, value] of Object.entries(expected)) {
				expect(answer.headers.get(name)).toBe(value);
				const schema = ["components", "headers", name, "schema"];
				expect(errorsOf("as-it-is", schema, value)).toEqual([]);
			}
		const code = ["components", "headers", errorCodeHeader, "schema"];
		expect(errorsOf("as-it-is", code, "no_such_code")).not.toEqual([]);
	});

	test("the page of the API document loads nothing else", async () => {
		const server = await openTestServer();
		const { status, text, headers } = await server.ask("GET", "/api/docs");
		expect(status).toBe(200);
		expect(headers.get("content-type")).toContain("text/html");
		expect(text).not.toMatch(/<script|<link|<img|src=|url\(|https?:\/\//);
		for (const operation of mountedOperations(server)) {
			const [method, path = ""] = operation.split(" ");
			expect(text).toContain(
				`${method}</span> <code>${path.replace(/[:*](\w+)/g, "{$1}")}</code>`,
			);
		}
		const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]));
		for (const [, target] of text.matchAll(/href="#([^"]+)"/g))
			expect(ids).toContain(target);
	});
});
