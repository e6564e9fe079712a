import { Agent, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import type { Operation } from "../../http/operation.ts";
import { knownIds, nearMissesOf, toJson, valuesOf } from "./values.ts";

/** The kinds of callers. */
const people = ["nobody", "stranger", "cashier", "owner"] as const;
export type Who = (typeof people)[number];

export interface Sent {
	who: Who;
	method: string;
	path: string;
	headers: Record<string, string>;
	body: string | Uint8Array | undefined;
}

/** Longer than any answer takes on a slow machine. */
const patienceMs = 30_000;

/** Generates requests to one operation: valid, nearly valid and arbitrary. */
export function requestsTo(
	method: string,
	path: string,
	{ query, body }: Operation,
	rightBody: unknown,
): fc.Arbitrary<Sent> {
	return fc.record({
		who: fc.constantFrom<Who[]>(
			"nobody",
			"stranger",
			"cashier",
			"owner",
			"owner",
		),
		method: fc.constant(method),
		path: fc
			.tuple(pathsOf(path), fc.option(queriesOf(query), { nil: "" }))
			.map(([path, query]) => path + query),
		headers: headers,
		body: bodiesOf(method, body, rightBody),
	});
}

const segments = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...knownIds) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			"%00",
			"..%2f..%2fetc%2fpasswd",
			"%E0%A4%A",
			"%ED%A0%80",
			"%F0%9F%A5%9B",
			"%",
			"__proto__",
			"null",
			"-1",
			"'",
			"%25_",
			"x".repeat(3_000),
		),
	},
	{
		weight: 1,
		arbitrary: fc
			.string({ unit: "binary", minLength: 1, maxLength: 20 })
			.map((text) => encodeURIComponent(text.toWellFormed())),
	},
);

function pathsOf(path: string): fc.Arbitrary<string> {
	return segments.map((segment) => path.replace(/[:*]id/, segment));
}

function queriesOf(query: Operation["query"]): fc.Arbitrary<string> {
	const right = query ? valuesOf(query) : fc.constant({});
	const any = fc.dictionary(
		fc.string({ maxLength: 6 }),
		fc.oneof(fc.string(), fc.constant(["1", "2"])),
		{ noNullPrototype: true, maxKeys: 3 },
	);
	const asText = fc.oneof(right, nearMissesOf(right), any).map((given) =>
		Object.entries(given ?? {})
			.flatMap(([key, value]) =>
				[value]
					.flat()
					.map((one) => `${encode(key)}=${encode(String(toText(one)))}`),
			)
			.join("&")
			.slice(0, 4_000),
	);
	const raw = fc.constantFrom(
		"cursor[a]=1&cursor[b]=2",
		"limit[]=1",
		"%=%&&==",
		"__proto__[x]=1",
		"limit=1e999&offset=-0",
		"limit=99999999999999999999&offset=99999999999999999999",
		"from=2026-02-30&to=9999-12-31",
	);
	return fc
		.oneof({ weight: 5, arbitrary: asText }, { weight: 1, arbitrary: raw })
		.map((text) => `?${text}`);
}

function toText(value: unknown): unknown {
	return typeof value === "object" ? toJson(value) : value;
}

function encode(text: string): string {
	return encodeURIComponent(text.toWellFormed());
}

const contentTypes = fc.constantFrom(
	"application/json",
	"application/json",
	"application/json; charset=utf-16",
	"application/x-www-form-urlencoded",
	"multipart/form-data; boundary=x",
	"text/plain",
	"text/csv",
	"image/png",
	"",
);
const plainText = fc.string({ maxLength: 20 }).map((text) => text.trim());
const headers: fc.Arbitrary<Record<string, string>> = fc.record(
	{
		"content-type": contentTypes,
		accept: fc.constantFrom("*/*", "application/json", "text/html", "x/y"),
		"accept-encoding": fc.constantFrom("gzip", "br", "x;q=2", ""),
		"content-encoding": fc.constantFrom("gzip", "identity"),
		"x-gateway-policy": plainText,
		"x-gateway-cache-seconds": plainText,
		"sec-fetch-site": fc.constantFrom("cross-site", "same-origin"),
		origin: fc.constantFrom("null", "https://elsewhere.example"),
		"x-forwarded-proto": fc.constantFrom("https", "x"),
		"user-agent": plainText,
	},
	{ requiredKeys: ["content-type"], noNullPrototype: true },
);

function bodiesOf(
	method: string,
	schema: Operation["body"],
	rightBody: unknown,
): fc.Arbitrary<Sent["body"]> {
	const isBytes = rightBody instanceof Uint8Array;
	if (typeof rightBody === "string" || isBytes)
		return fc.oneof(
			fc.constant(rightBody),
			damagedBytes(isBytes ? rightBody : Buffer.from(rightBody)),
			fc.uint8Array(),
			fc.string(),
		);
	const raw = fc.oneof(
		fc.uint8Array(),
		fc.string(),
		fc.json(),
		fc.constantFrom<Sent["body"][]>(undefined, "", "{", "[1", "\ufeff{}"),
	);
	if (method === "GET" && !schema)
		return fc.oneof(
			{ weight: 3, arbitrary: fc.constant(undefined) },
			{ weight: 1, arbitrary: raw },
		);
	const known = fc.constant(rightBody ?? {});
	const right = schema ? fc.oneof(known, valuesOf(schema)) : known;
	return fc.oneof(
		{ weight: 2, arbitrary: right.map(toJson) },
		{ weight: 6, arbitrary: nearMissesOf(right).map(toJson) },
		{ weight: 1, arbitrary: fc.jsonValue().map(toJson) },
		{ weight: 1, arbitrary: raw },
	);
}

function damagedBytes(right: Uint8Array): fc.Arbitrary<Uint8Array> {
	return fc
		.tuple(fc.nat(right.length), fc.uint8Array({ maxLength: 8 }))
		.map(([at, bytes]) =>
			Buffer.concat([right.subarray(0, at), bytes, right.subarray(at)]),
		);
}

export interface Answered {
	status: number;
	type: string;
	text: string;
}

/** Opens a client that sends raw requests over keep-alive connections. @throws if no answer comes */
export function openClient(url: string) {
	const { hostname, port } = new URL(url);
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });

	function send(
		{ method, path, headers, body }: Omit<Sent, "who">,
		credentials: Record<string, string> = {},
	): Promise<Answered> {
		const bytes = body === undefined ? undefined : Buffer.from(body);
		return new Promise((resolve, reject) => {
			const asked = request(
				{
					agent,
					hostname,
					port,
					method,
					path,
					headers: {
						...headers,
						...credentials,
						...(bytes ? { "content-length": bytes.length } : {}),
					},
					signal: AbortSignal.timeout(patienceMs),
				},
				(response) => {
					const chunks: Buffer[] = [];
					response.on("data", (chunk: Buffer) => chunks.push(chunk));
					response.on("error", reject);
					response.on("end", () =>
						resolve({
							status: response.statusCode ?? 0,
							type:
								(response.headers["content-type"] ?? "").split(";")[0] ?? "",
							text: decoded(
								Buffer.concat(chunks),
								response.headers["content-encoding"],
							),
						}),
					);
				},
			);
			asked.on("error", reject);
			asked.end(bytes);
		});
	}

	return { send, close: () => agent.destroy() };
}

function decoded(bytes: Buffer, encoding: string | undefined): string {
	if (encoding === "gzip") return gunzipSync(bytes).toString();
	if (encoding === "br") return brotliDecompressSync(bytes).toString();
	return bytes.toString();
}
