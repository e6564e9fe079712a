import { describe, expect, test } from "vitest";
import { openTestGateway } from "./testing/gateway.ts";
import { wallOf } from "./testing/provider-limits.ts";

const question = { role: "user", content: "Habari?" };
const weather = {
	type: "function",
	function: {
		name: "weather",
		parameters: { type: "object", properties: { city: { type: "string" } } },
	},
};
const call = (id: string) => ({
	id,
	type: "function",
	function: { name: "weather", arguments: "{}" },
});
const calling = (...ids: string[]) => ({
	role: "assistant",
	content: "\n\n",
	tool_calls: ids.map(call),
});
const result = (id: string, content = "warm") => ({
	role: "tool",
	tool_call_id: id,
	content,
});
const image = (url: string) => ({
	role: "user",
	content: [
		{ type: "text", text: "What is this?" },
		{ type: "image_url", image_url: { url } },
	],
});
const schema = {
	type: "object",
	properties: {
		count: { type: "integer", minimum: 0, maximum: 99 },
		names: {
			type: "array",
			minItems: 2,
			items: { type: "string", maxLength: 9, description: "Short" },
		},
	},
	required: ["count"],
};
const format = {
	type: "json_schema",
	json_schema: { name: "stock", schema },
};

interface Case {
	provider: string;
	model: string;
	body: object;
	/** A part of the request that the provider gets. */
	sent?: object;
	/** The entries of `x-gateway-params`. */
	params?: string[];
}

const claude = { provider: "anthropic", model: "claude-haiku-4-5" };
const tools = [weather];

const cases: Record<string, Case> = {
	"tools and an effort for GPT-6, over the API that takes both": {
		provider: "openai",
		model: "gpt-6-luna",
		body: {
			messages: [question, calling("a"), result("a")],
			tools,
			reasoning_effort: "minimal",
			stop: ["."],
			max_tokens: 1,
		},
		sent: {
			input: [
				{ role: "user", content: "Habari?" },
				{ role: "assistant" },
				{ type: "function_call", call_id: "a", name: "weather" },
				{ type: "function_call_output", call_id: "a", output: "warm" },
			],
			reasoning: { effort: "low" },
			tools: [{ type: "function", name: "weather", strict: false }],
			store: false,
			include: ["reasoning.encrypted_content"],
			max_output_tokens: 16,
		},
		params: ["stop=dropped", "reasoning_effort=low", "max_tokens=16"],
	},
	"tools for GPT-6 with effort none, which it takes with Chat Completions": {
		provider: "openai",
		model: "gpt-6.1-terra",
		body: { messages: [question], tools, reasoning_effort: "none" },
		sent: { reasoning_effort: "none", temperature: 0.7, messages: [{}] },
	},
	"tools for GPT-5.4 with an effort": {
		provider: "openai",
		model: "gpt-5.4-mini",
		body: { messages: [question], tools, reasoning_effort: "low" },
		sent: { reasoning: { effort: "low" }, tools: [{ name: "weather" }] },
	},
	"tools, a schema and an image for a model that takes no tools with Chat Completions":
		{
			provider: "openai",
			model: "gpt-6-astra",
			body: {
				messages: [image("https://example.com/a.png")],
				tools,
				tool_choice: { type: "function", function: { name: "weather" } },
				response_format: format,
				reasoning_effort: "max",
				verbosity: "low",
			},
			sent: {
				input: [
					{
						role: "user",
						content: [
							{ type: "input_text", text: "What is this?" },
							{
								type: "input_image",
								image_url: "https://example.com/a.png",
								detail: "auto",
							},
						],
					},
				],
				tool_choice: { type: "function", name: "weather" },
				text: {
					format: { type: "json_schema", name: "stock", strict: false, schema },
					verbosity: "low",
				},
				reasoning: { effort: "max" },
			},
		},
	"an effort that GPT-6 Astra always exceeds": {
		provider: "openai",
		model: "gpt-6-astra",
		body: { messages: [question], reasoning_effort: "none" },
		sent: { reasoning_effort: "low" },
		params: ["reasoning_effort=low"],
	},
	"a schema with bounds and open objects for Claude": {
		...claude,
		body: { messages: [question], response_format: format },
		sent: {
			output_config: {
				format: {
					type: "json_schema",
					schema: {
						type: "object",
						properties: {
							count: {
								type: "integer",
								description: "{minimum: 0, maximum: 99}",
							},
							names: {
								type: "array",
								items: {
									type: "string",
									description: "Short\n\n{maxLength: 9}",
								},
								description: "{minItems: 2}",
							},
						},
						required: ["count"],
						additionalProperties: false,
					},
				},
			},
		},
		params: [
			"json_schema.minimum=described",
			"json_schema.maxLength=described",
			"json_schema.additionalProperties=false",
		],
	},
	"JSON without a schema for Claude, requested in the prompt": {
		...claude,
		body: {
			messages: [{ role: "system", content: " " }, question],
			response_format: { type: "json_object" },
		},
		sent: { system: "Answer with one JSON object and nothing else." },
		params: ["response_format=instruction"],
	},
	"blank texts for Claude": {
		...claude,
		body: {
			messages: [
				question,
				calling("a"),
				result("a", ""),
				{ role: "user", content: " " },
			],
			tools,
		},
		sent: {
			messages: [
				{ role: "user" },
				{ role: "assistant", content: [{ type: "tool_use", id: "a" }] },
				{
					role: "user",
					content: [{ type: "tool_result", content: "(no result)" }],
				},
			],
		},
	},
	"call ids that are used again, for Claude": {
		...claude,
		body: {
			messages: [
				question,
				calling("call_0"),
				result("call_0", "warm"),
				calling("call_0", "call_0"),
				result("call_0", "cold"),
				result("call_0", "hot"),
			],
			tools,
		},
		sent: {
			messages: [
				{},
				{ content: [{ id: "call_0" }] },
				{ content: [{ tool_use_id: "call_0", content: "warm" }] },
				{ content: [{ id: "call_0_2" }, { id: "call_0_3" }] },
				{
					content: [
						{ tool_use_id: "call_0_2", content: "cold" },
						{ tool_use_id: "call_0_3", content: "hot" },
					],
				},
			],
		},
	},
	"a tool whose arguments are one of several objects, for Claude": {
		...claude,
		body: {
			messages: [question],
			tools: [
				{
					type: "function",
					function: {
						name: "find",
						parameters: {
							anyOf: [
								{
									type: "object",
									properties: { id: { type: "string" }, n: {} },
									required: ["id", "n"],
								},
								{
									type: "object",
									properties: { name: { type: "string" }, n: {} },
									required: ["name", "n"],
								},
							],
						},
					},
				},
			],
		},
		sent: {
			tools: [
				{
					input_schema: {
						type: "object",
						properties: {
							id: { type: "string" },
							name: { type: "string" },
						},
						required: ["n"],
					},
				},
			],
		},
		params: ["tools.anyOf=merged"],
	},
	"a picture with a charset, for Claude": {
		...claude,
		body: { messages: [image("data:image/png;charset=utf-8;base64,AAAA")] },
		sent: {
			messages: [
				{
					content: [
						{},
						{
							source: {
								type: "base64",
								media_type: "image/png",
								data: "AAAA",
							},
						},
					],
				},
			],
		},
	},
	"a user who speaks after a tool, and an assistant who says nothing, at Mistral":
		{
			provider: "mistral",
			model: "mistral-large-4",
			body: {
				messages: [
					question,
					{ role: "assistant", content: "" },
					question,
					{ role: "assistant", tool_calls: [call("a")] },
					result("a"),
					question,
				],
				tools,
			},
		},
	"texts in parts at DeepSeek": {
		provider: "deepseek",
		model: "deepseek-v4-pro",
		body: {
			messages: [
				{
					role: "user",
					content: [
						{ type: "text", text: "Habari" },
						{ type: "text", text: "?" },
					],
				},
			],
		},
		sent: { messages: [question] },
	},
	"a tool that answers nothing, at Perplexity": {
		provider: "perplexity",
		model: "sonar",
		body: { messages: [question, calling("a"), result("a", "")] },
	},
	"turns that say nothing, at Cohere": {
		provider: "cohere",
		model: "command-r-08-2024",
		body: {
			messages: [
				{ role: "system", content: "" },
				question,
				{ role: "assistant", content: "" },
				question,
				calling("a"),
				result("a", ""),
			],
			tools,
		},
	},
};

describe("a strict provider gets no request that it refuses", () => {
	test.each(Object.entries(cases))(
		"%s",
		async (_what, { provider, model, body, sent, params }) => {
			const { server, asha, fakes } = await openTestGateway([provider]);
			const answer = await server.ask("POST", "/v1/chat/completions", {
				as: asha,
				body: { model, ...body },
			});
			expect([answer.status, answer.text]).toEqual([200, answer.text]);
			expect(fakes[provider]?.received).toHaveLength(1);
			if (sent) expect(fakes[provider]?.received[0]?.body).toMatchObject(sent);
			const told = answer.headers.get("x-gateway-params") ?? "";
			expect(told.split(", ")).toEqual(
				expect.arrayContaining(params ?? [told.split(", ")[0]]),
			);
		},
	);
});

/** Bodies that the gateway once sent and the provider refused. */
const naive: [provider: string, body: object][] = [
	["openai", { model: "gpt-6-luna", tools }],
	["openai", { model: "gpt-5.5", tools, reasoning_effort: "low" }],
	["openai", { model: "gpt-5.5", input: [{ ...question, id: "msg_1" }] }],
	["openai", { model: "gpt-5.5", input: [question], stop: ["."] }],
	["openai", { model: "gpt-5.5", input: [question], max_output_tokens: 1 }],
	["openai", { model: "gpt-5.5", input: [question], tools }],
	["openai", { model: "gpt-5.5", input: [{ type: "reasoning" }] }],
	[
		"anthropic",
		{ model: "claude-haiku-4-5", messages: [], thinking: { type: "adaptive" } },
	],
	[
		"anthropic",
		{
			messages: [],
			output_config: { format: { type: "json_schema", schema } },
		},
	],
	["anthropic", { messages: [], system: " " }],
	[
		"anthropic",
		{
			messages: [1, 2].map(() => ({
				content: [{ type: "tool_use", id: "call_0" }],
			})),
		},
	],
	[
		"anthropic",
		{
			messages: [
				{
					content: [
						{
							type: "image",
							source: {
								type: "url",
								url: "data:image/png;charset=utf-8;base64,AA",
							},
						},
					],
				},
			],
		},
	],
	[
		"anthropic",
		{ messages: [], tools: [{ input_schema: { type: "object", anyOf: [] } }] },
	],
	["mistral", { messages: [result("a"), question] }],
	["mistral", { messages: [{ role: "assistant", content: "" }] }],
	[
		"deepseek",
		{ messages: [{ role: "user", content: [{ type: "text", text: "x" }] }] },
	],
	["ollama", { messages: [image("https://example.com/a.png")] }],
	["perplexity", { messages: [question, { role: "assistant" }] }],
	["cohere", { messages: [{ role: "user", content: "" }] }],
];

test.each(naive)("the fake %s refuses %o", (provider, body) => {
	expect(wallOf(provider)(body)).toEqual(expect.any(String));
});

test("an image URL for a named Ollama model is refused and not sent", async () => {
	const { server, asha, fakes } = await openTestGateway(["ollama"], {
		localModels: [
			{
				name: "gemma3:4b",
				capabilities: ["completion", "vision"],
				contextLength: 131_072,
			},
		],
	});
	const { status, text } = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: {
			model: "ollama/gemma3:4b",
			messages: [image("https://example.com/a.png")],
		},
	});
	expect([status, text]).toEqual([
		400,
		expect.stringContaining("data: URLs only"),
	]);
	expect(fakes.ollama.received).toEqual([]);
});

test.each([true, false])(
	"a schema's word that no header takes is reported without its letters (stream: %s)",
	async (stream) => {
		const { server, asha, fakes } = await openTestGateway(["anthropic"]);
		fakes.anthropic.act({ text: "{}" });
		const schema = {
			type: "object",
			properties: { a: { type: "string", "x-说明": "b", "x-a\r\nb": 1 } },
		};
		const { status, headers } = await server.ask(
			"POST",
			"/v1/chat/completions",
			{
				as: asha,
				body: {
					model: "claude-haiku-4-5",
					messages: [question],
					stream,
					response_format: {
						type: "json_schema",
						json_schema: { name: "a", schema },
					},
				},
			},
		);
		expect(status).toBe(200);
		expect(headers.get("x-gateway-params")).toContain(
			"json_schema.x-??=described, json_schema.x-a??b=described",
		);
	},
);

const code = "12345678901234567890";

test.each([
	["anthropic", "claude-haiku-4-5"],
	["google", "gemini-2.5-flash"],
])(
	"a twenty-digit code in a tool call's arguments keeps all digits, to %s and back",
	async (provider, model) => {
		const { server, asha, fakes } = await openTestGateway([provider]);
		fakes[provider]?.act({
			status: 200,
			headers: { "content-type": "application/json" },
			body:
				provider === "google"
					? `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","args":{"code":${code}}}}]},"finishReason":"STOP"}]}`
					: `{"content":[{"type":"tool_use","id":"a","name":"find","input":{"code":${code}}}],"stop_reason":"tool_use"}`,
		});
		const answer = await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: {
				model,
				messages: [
					question,
					{
						role: "assistant",
						tool_calls: [
							{
								...call("b"),
								function: { name: "find", arguments: `{"code":${code}}` },
							},
						],
					},
					result("b"),
				],
			},
		});
		expect(answer.text).toContain(`{\\"code\\":${code}}`);
		expect(fakes[provider]?.received[0]?.text).toMatch(
			new RegExp(`"(input|args)":{"code":${code}}`),
		);
	},
);

test("a streamed tool call whose name arrives late is sent with its name", async () => {
	const { server, asha, fakes } = await openTestGateway(["together"]);
	const chunk = (delta: object, finish_reason: string | null = null) =>
		`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
	const part = (function_: object, more: object = {}) =>
		chunk({ tool_calls: [{ index: 0, ...more, function: function_ }] });
	fakes.together.act({
		status: 200,
		headers: { "content-type": "text/event-stream" },
		body: `${part({ arguments: '{"a"' }, { id: "x" })}${part({ name: "find", arguments: ":1" })}${part({ arguments: "}" })}${chunk({}, "tool_calls")}data: [DONE]\n\n`,
	});
	const { text } = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: {
			model: "together/openai/gpt-oss-120b",
			messages: [question],
			tools,
			stream: true,
		},
	});
	const calls = Array.from(text.matchAll(/^data: (\{.*)$/gm)).flatMap(
		([, data = ""]) => JSON.parse(data).choices[0]?.delta.tool_calls ?? [],
	);
	expect(calls[0]).toMatchObject({ id: "x", function: { name: "find" } });
	expect(calls.map((one) => one.function.arguments).join("")).toBe('{"a":1}');
});

test("a streamed Cohere tool call without arguments gets an empty object", async () => {
	const { client, fakes } = await openTestGateway(["cohere"]);
	const event = (type: string, fields: object) =>
		`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
	fakes.cohere.act({
		status: 200,
		headers: { "content-type": "text/event-stream" },
		body: [
			event("tool-call-start", {
				delta: {
					message: {
						tool_calls: { id: "a", function: { name: "now", arguments: "" } },
					},
				},
			}),
			event("tool-call-end", {}),
			event("message-end", { delta: { finish_reason: "TOOL_CALL" } }),
		].join(""),
	});
	const stream = await client.chat.completions.create({
		model: "command-r-08-2024",
		messages: [{ role: "user", content: "Habari?" }],
		stream: true,
	});
	let told = "";
	for await (const { choices } of stream)
		told += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? "";
	expect(told).toBe("{}");
});

test("a tool call from an Anthropic-compatible server keeps arguments sent in its first event", async () => {
	const { client, fakes } = await openTestGateway(["anthropic"]);
	const event = (type: string, fields: object) =>
		`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
	fakes.anthropic.act({
		status: 200,
		headers: { "content-type": "text/event-stream" },
		body: [
			event("content_block_start", {
				index: 0,
				content_block: {
					type: "tool_use",
					id: "a",
					name: "find",
					input: { n: 1 },
				},
			}),
			event("content_block_stop", { index: 0 }),
			event("message_delta", { delta: { stop_reason: "tool_use" } }),
		].join(""),
	});
	const stream = await client.chat.completions.create({
		model: "claude-haiku-4-5",
		messages: [{ role: "user", content: "Habari?" }],
		stream: true,
	});
	let told = "";
	for await (const { choices } of stream)
		told += choices[0]?.delta.tool_calls?.[0]?.function?.arguments ?? "";
	expect(told).toBe('{"n":1}');
});

test("fields that no provider gets are reported in a header-safe form", async () => {
	const { server, asha } = await openTestGateway(["openai"]);
	const { headers } = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: {
			model: "gpt-4o",
			messages: [question],
			top_k: 5,
			functions: [{ name: "weather" }],
			function_call: "auto",
			min_p: null,
			"x\r\ny": 1,
		},
	});
	expect(headers.get("x-gateway-params")?.split(", ").sort()).toEqual([
		"function_call=dropped",
		"functions=dropped",
		"top_k=dropped",
		"unknown=dropped",
	]);
});
