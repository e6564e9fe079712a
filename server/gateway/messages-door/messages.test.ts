import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, test, vi } from "vitest";
import { openTestGateway } from "../testing/gateway.ts";
import type { Act } from "../testing/providers.ts";
import { openMessageWriter } from "./answer.ts";

const messages = [{ role: "user" as const, content: "Habari?" }];
const tools = ["look", "sell"].map((name) => ({
	name,
	description: "A tool",
	input_schema: { type: "object" as const },
}));
const toolCalls = [
	{ id: "one", name: "look", args: { sku: "milk" } },
	{ id: "two", name: "sell", args: { sku: "bread", count: 2 } },
];
const modelByProvider = {
	anthropic: "anthropic/claude-haiku-4-5",
	openai: "openai/gpt-4o",
	google: "google/gemini-2.5-flash",
	cohere: "cohere/command-a-03-2025",
};
type Name = keyof typeof modelByProvider;

async function open<N extends Name>(...names: N[]) {
	const opened = await openTestGateway(names);
	const client = new Anthropic({
		baseURL: opened.server.url,
		apiKey: opened.asha.bearer.replace("Bearer ", ""),
		maxRetries: 0,
	});
	return { ...opened, client };
}

test.each(["off", "on"])(
	"a twenty-digit code in a tool's input keeps all digits, with the queue %s",
	async (queued) => {
		const { server, asha, fakes } = await open("google");
		fakes.google.act({
			status: 200,
			headers: { "content-type": "application/json" },
			body: '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":{"code":12345678901234567890}}}]},"finishReason":"STOP"}]}',
		});
		const sent = await server.ask("POST", "/v1/messages", {
			as: asha,
			headers: { "x-gateway-queue": queued },
			body: `{
				"model": "gemini-2.5-flash",
				"max_tokens": 100,
				"messages": [
					{ "role": "user", "content": "Habari?" },
					{ "role": "assistant", "content": [{ "type": "tool_use", "id": "a", "name": "look", "input": { "code": 98765432109876543210 } }] },
					{ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "a", "content": "None" }] }
				],
				"tools": [{ "name": "look", "input_schema": { "type": "object", "properties": { "code": { "type": "integer", "maximum": 9223372036854775807 } } } }]
			}`,
		});
		const { text } =
			queued === "off"
				? sent
				: await vi.waitFor(async () => {
						const { id } = sent.body as { id: string };
						const polled = await server.ask("GET", `/v1/queue/${id}`, {
							as: asha,
						});
						expect(polled.body).toMatchObject({ status: "answered" });
						return polled;
					}, 20_000);
		expect(text).toContain('"input":{"code":12345678901234567890}');
		const [received] = fakes.google.received;
		expect(received?.text).toContain('"args":{"code":98765432109876543210}');
		expect(received?.text).toContain('"maximum":9223372036854775807');
	},
);

describe.each(Object.keys(modelByProvider) as Name[])(
	"Anthropic's client at a model of %s",
	(name) => {
		test("gets texts, streams and parallel tool calls", async () => {
			const { client, fakes } = await open(name);
			const body = { model: modelByProvider[name], max_tokens: 100, messages };

			fakes[name].act({ text: "Nzuri ☕ sana", cachedTokens: 4 });
			expect(await client.messages.create(body)).toMatchObject({
				type: "message",
				role: "assistant",
				content: [{ type: "text", text: "Nzuri ☕ sana" }],
				stop_reason: "end_turn",
				usage: { output_tokens: 7 },
			});
			const said: string[] = [];
			const stream = client.messages.stream(body);
			stream.on("text", (text) => void said.push(text));
			expect(await stream.finalMessage()).toMatchObject({
				content: [{ type: "text", text: "Nzuri ☕ sana" }],
				stop_reason: "end_turn",
				usage: { output_tokens: 7 },
			});
			expect(said.length).toBeGreaterThan(1);

			fakes[name].act({ toolCalls });
			const called = {
				content: toolCalls.map((call) => ({
					type: "tool_use",
					id: expect.any(String),
					name: call.name,
					input: call.args,
				})),
				stop_reason: "tool_use",
			};
			const withTools = { ...body, tools };
			const whole = await client.messages.create(withTools);
			expect(whole).toMatchObject(called);
			expect(
				await client.messages.stream(withTools).finalMessage(),
			).toMatchObject(called);

			fakes[name].act({ text: "Sold" });
			const results = whole.content.map((block) => ({
				type: "tool_result" as const,
				tool_use_id: block.type === "tool_use" ? block.id : "",
				content: [{ type: "text" as const, text: "done" }],
			}));
			const { response } = await client.messages
				.create({
					...withTools,
					messages: [
						...messages,
						{ role: "assistant", content: whole.content },
						{
							role: "user",
							content: [...results, { type: "text", text: "Thanks" }],
						},
					],
				})
				.withResponse();
			expect(response.status).toBe(200);
			const sent = JSON.stringify(fakes[name].received.at(-1)?.body);
			for (const word of ["milk", "done", "Thanks"])
				expect(sent).toContain(word);
		});
	},
);

test("a request reaches another provider with all that it takes, and the rest is named", async () => {
	const { client, fakes } = await open("openai");
	const { response } = await client.messages
		.create({
			model: "gpt-4o",
			max_tokens: 50,
			system: [
				{
					type: "text",
					text: "Be brief",
					cache_control: { type: "ephemeral" },
				},
			],
			stop_sequences: ["END"],
			metadata: { user_id: "u1" },
			...{ top_k: 5 },
			thinking: { type: "disabled" },
			tools: [...tools, { type: "web_search_20250305", name: "web_search" }],
			tool_choice: { type: "any", disable_parallel_tool_use: true },
			output_config: {
				format: { type: "json_schema", schema: { type: "object" } },
			},
			messages: [
				...messages,
				{
					role: "assistant",
					content: [
						{ type: "thinking", thinking: "Hm", signature: "sig" },
						{ type: "tool_use", id: "one", name: "look", input: { x: 1 } },
					],
				},
				{
					role: "user",
					content: [
						{
							type: "document",
							title: "List",
							source: { type: "text", media_type: "text/plain", data: "Milk" },
						},
						{
							type: "tool_result",
							tool_use_id: "one",
							is_error: true,
							content: [
								{ type: "text", text: "none left" },
								{
									type: "image",
									source: {
										type: "base64",
										media_type: "image/png",
										data: "aGk=",
									},
								},
							],
						},
					],
				},
			],
		})
		.withResponse();
	expect(fakes.openai.received[0]?.body).toMatchObject({
		max_completion_tokens: 50,
		stop: ["END"],
		user: "u1",
		tools: tools.map(({ name, description, input_schema: parameters }) => ({
			type: "function",
			function: { name, description, parameters },
		})),
		tool_choice: "required",
		parallel_tool_calls: false,
		response_format: { type: "json_schema" },
		messages: [
			{ role: "system", content: "Be brief" },
			{ role: "user", content: "Habari?" },
			{
				role: "assistant",
				tool_calls: [
					{ id: "one", function: { name: "look", arguments: '{"x":1}' } },
				],
			},
			{ role: "tool", tool_call_id: "one", content: "Error: none left" },
			{
				role: "user",
				content: [
					{ type: "text", text: "List\n\n" },
					{ type: "text", text: "Milk" },
					{
						type: "image_url",
						image_url: { url: "data:image/png;base64,aGk=" },
					},
				],
			},
		],
	});
	expect(fakes.openai.received[0]?.body).not.toHaveProperty("temperature");
	expect(response.headers.get("x-gateway-params")?.split(", ")).toEqual([
		"top_k=dropped",
		"cache_control=dropped",
		"tools.web_search_20250305=dropped",
		"thinking=dropped",
		"messages.reasoning_content=dropped",
	]);
});

test("Anthropic's own models get its tools, choices, efforts and images", async () => {
	const { client, fakes } = await open("anthropic");
	const image = {
		type: "image" as const,
		source: {
			type: "base64" as const,
			media_type: "image/png" as const,
			data: "aGk=",
		},
	};
	fakes.anthropic.act({ thought: "Two shelves.", text: "Yes" });
	const body = {
		model: "claude-sonnet-4-6",
		max_tokens: 100,
		messages: [{ role: "user" as const, content: [image] }],
		tools,
		tool_choice: { type: "tool" as const, name: "look" },
		thinking: { type: "enabled" as const, budget_tokens: 9_000 },
	};
	for (const message of [
		await client.messages.create(body),
		await client.messages.stream(body).finalMessage(),
	])
		expect(message.content).toMatchObject([
			{ type: "thinking", thinking: "Two shelves." },
			{ type: "text", text: "Yes" },
		]);
	expect(fakes.anthropic.received[0]?.body).toMatchObject({
		messages: [{ role: "user", content: [image] }],
		tool_choice: { type: "tool", name: "look" },
		output_config: { effort: "high" },
	});
});

test("failures have Anthropic's form, before and within a stream", async () => {
	const { client, fakes, server, asha } = await open("openai", "anthropic");
	const body = { model: "gpt-4o", max_tokens: 9, messages };
	const failureOf = async (act: Act, more: object = {}) => {
		fakes.openai.act(act);
		return client.messages.create({ ...body, ...more }).catch((error) => error);
	};
	expect(await failureOf({}, { model: "nothing" })).toMatchObject({
		status: 404,
		type: "not_found_error",
		error: { type: "error", request_id: expect.any(String) },
	});
	expect(await failureOf({}, { max_tokens: 0 })).toMatchObject({
		status: 400,
		type: "invalid_request_error",
		apiMessage: expect.stringContaining("max_tokens"),
	});
	const tooLong = { error: { code: "context_length_exceeded", message: "" } };
	expect(await failureOf({ status: 400, body: tooLong })).toMatchObject({
		status: 400,
		apiMessage: expect.stringContaining("prompt is too long"),
	});
	const cut = { text: "One two three four", cutAfter: 4, betweenMs: 5 };
	fakes.openai.act(cut);
	const events = await client.messages.create({ ...body, stream: true });
	const said: string[] = [];
	const broken = await (async () => {
		for await (const event of events) said.push(event.type);
	})().catch((error) => error);
	expect(said).toContain("content_block_delta");
	expect(broken).toBeInstanceOf(Anthropic.APIError);
	expect(broken.error).toMatchObject({
		type: "error",
		error: { type: "api_error", message: expect.stringContaining("OpenAI") },
	});

	const made = await server.ask("POST", "/api/keys", {
		as: asha,
		body: { name: "Shop", requestsPerMinute: 1 },
	});
	const { key: secret } = made.body as { key: string };
	const older = new Anthropic({
		baseURL: server.url,
		apiKey: null,
		authToken: null,
		defaultHeaders: { "x-api-key": secret, authorization: null },
		maxRetries: 0,
	});
	fakes.openai.act({ text: "Yes" });
	expect((await older.messages.create(body)).content).toHaveLength(1);
	expect(
		await older.messages.create(body).catch((error) => error),
	).toMatchObject({ status: 429, type: "rate_limit_error" });
});

test("a client that hangs up ends the provider's call", async () => {
	const { client, fakes } = await open("openai");
	fakes.openai.act({ text: "One two three", stopAfter: 3 });
	const stream = client.messages.stream({
		model: "gpt-4o",
		max_tokens: 9,
		messages,
	});
	await new Promise((resolve) => stream.once("text", resolve));
	stream.abort();
	await expect(stream.done()).rejects.toThrow("aborted");
	await expect.poll(() => fakes.openai.received[0]?.isAborted).toBe(true);
});

test("tokens are counted without a provider", async () => {
	const { client, fakes, server, asha } = await open("anthropic");
	await server.ask("PATCH", "/api/ai/limits", {
		as: asha,
		body: { requestsPerMinute: 3 },
	});
	const count = async (model: string, content: string) =>
		(
			await client.messages.countTokens({
				model,
				system: "Be brief",
				messages: [{ role: "user", content }],
				tools,
			})
		).input_tokens;
	const few = await count("claude-haiku-4-5", "Habari?");
	expect(few).toBeGreaterThan(10);
	expect(await count("gateway/auto", "Habari? ".repeat(100))).toBeGreaterThan(
		few + 200,
	);
	await expect(count("nothing", "x")).rejects.toMatchObject({ status: 404 });
	await expect(count("gpt-4o", "x")).rejects.toMatchObject({ status: 429 });
	expect(fakes.anthropic.received).toEqual([]);
	const answer = { model: "claude-haiku-4-5", max_tokens: 9, messages };
	expect((await client.messages.create(answer)).content).toHaveLength(1);
});

test("blocks never overlap in a stream, whatever order their parts come in", () => {
	const writer = openMessageWriter({ id: "msg_1", model: "m" });
	const call = (index: number, id?: string, text?: string) => ({
		tool_calls: [{ index, id, function: { name: id, arguments: text } }],
	});
	const text = [
		{ reasoning_content: "Hm" },
		{ content: "I " },
		{ content: "look" },
		call(0, "a"),
		call(1, "b", "{"),
		call(0, undefined, '{"x":1}'),
		{ content: "Done" },
		call(1, undefined, "}"),
	]
		.map((delta) => writer.write({ deltas: [{ index: 0, delta }] }))
		.concat(writer.end())
		.join("");
	const events = text
		.split("\n\n")
		.filter((event) => event !== "")
		.map((event) => JSON.parse(event.split("\ndata: ")[1] ?? ""));
	expect(
		events.map(({ type, index = "", delta, content_block: block }) =>
			[
				type.replace("content_block_", ""),
				index,
				block?.type ??
					delta?.text ??
					delta?.thinking ??
					delta?.partial_json ??
					"",
			]
				.join(" ")
				.trim(),
		),
	).toEqual([
		"message_start",
		"ping",
		"start 0 thinking",
		"delta 0 Hm",
		"stop 0",
		"start 1 text",
		"delta 1 I",
		"delta 1 look",
		"stop 1",
		"start 2 tool_use",
		'delta 2 {"x":1}',
		"stop 2",
		"start 3 tool_use",
		"delta 3 {",
		"delta 3 }",
		"stop 3",
		"start 4 text",
		"delta 4 Done",
		"stop 4",
		"message_delta",
		"message_stop",
	]);
});
