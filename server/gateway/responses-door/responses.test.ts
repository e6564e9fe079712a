import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { describe, expect, test } from "vitest";
import { openTestGateway } from "../testing/gateway.ts";
import type { Act } from "../testing/providers.ts";

const model = "anthropic/claude-haiku-4-5";
const lookUp = {
	type: "function" as const,
	name: "get_stock",
	parameters: { type: "object", properties: { sku: { type: "string" } } },
	strict: false,
};
const thinkAndCall: Act = {
	thought: "Two shelves.",
	text: "I look it up.",
	toolCalls: [
		{ id: "call_1", name: "get_stock", args: { sku: "milk" } },
		{ id: "call_2", name: "get_stock", args: { sku: "bread" } },
	],
};

test("a stream has the events of a thought, a text and two parallel calls, in OpenAI's order", async () => {
	const { client, fakes } = await openTestGateway(["anthropic"]);
	fakes.anthropic.act(thinkAndCall);
	const events = [];
	const request = { model, input: "How much milk?", tools: [lookUp] };
	for await (const event of await client.responses.create({
		...request,
		stream: true,
	}))
		events.push(event);
	expect(events.map(({ sequence_number }) => sequence_number)).toEqual(
		events.map((_, i) => i),
	);
	const kinds = events.map(({ type }) => type.replace("response.", ""));
	expect(kinds.filter((kind, i) => kind !== kinds[i - 1])).toEqual([
		"created",
		"in_progress",
		"output_item.added",
		"reasoning_summary_part.added",
		"reasoning_summary_text.delta",
		"reasoning_summary_text.done",
		"reasoning_summary_part.done",
		"output_item.done",
		"output_item.added",
		"content_part.added",
		"output_text.delta",
		"output_text.done",
		"content_part.done",
		"output_item.done",
		"output_item.added",
		"function_call_arguments.delta",
		"output_item.added",
		"function_call_arguments.delta",
		"function_call_arguments.done",
		"output_item.done",
		"function_call_arguments.done",
		"output_item.done",
		"completed",
	]);
	const streamed = await client.responses.stream(request).finalResponse();
	const whole = await client.responses.create(request);
	const said = [
		{
			type: "reasoning",
			summary: [{ type: "summary_text", text: "Two shelves." }],
		},
		{
			type: "message",
			status: "completed",
			content: [{ type: "output_text", text: "I look it up." }],
		},
		{ type: "function_call", call_id: "call_1", arguments: '{"sku":"milk"}' },
		{ type: "function_call", call_id: "call_2", arguments: '{"sku":"bread"}' },
	];
	for (const response of [streamed, whole]) {
		expect(response).toMatchObject({
			object: "response",
			status: "completed",
			model,
			output: said,
			usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
		});
		expect(response.id).toMatch(/^resp_[0-9a-f]{32}$/);
	}
	expect(whole.output_text).toBe("I look it up.");
});

test("a request's items, format and limits reach the provider, and what doesn't is named", async () => {
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	const image = "data:image/png;base64,iVBORw0KGgo=";
	const { status, headers } = await server.ask("POST", "/v1/responses", {
		as: asha,
		body: {
			model: "gpt-4o",
			instructions: "Be brief.",
			input: [
				{
					role: "user",
					content: [
						{ type: "input_text", text: "What is it?" },
						{ type: "input_image", image_url: image },
					],
				},
				{ type: "reasoning", id: "rs_1", summary: [] },
				{ role: "assistant", content: [{ type: "output_text", text: "Hm." }] },
				{
					type: "custom_tool_call",
					call_id: "c1",
					name: "patch",
					input: "+1",
				},
				{
					type: "function_call",
					call_id: "c2",
					name: "get_stock",
					arguments: "{}",
				},
				{ type: "custom_tool_call_output", call_id: "c1", output: "ok" },
				{
					type: "function_call_output",
					call_id: "c2",
					output: [{ type: "input_image", image_url: image }],
				},
			],
			tools: [
				lookUp,
				{ type: "custom", name: "patch", format: { type: "grammar" } },
				{ type: "web_search" },
			],
			tool_choice: {
				type: "allowed_tools",
				mode: "required",
				tools: [{ type: "function", name: "get_stock" }],
			},
			include: ["reasoning.encrypted_content"],
			top_logprobs: 2,
			text: {
				format: { type: "json_schema", name: "it", schema: { type: "object" } },
			},
			max_output_tokens: 100,
			max_tool_calls: 3,
			truncation: "auto",
		},
	});
	expect(status).toBe(200);
	const picture = { type: "image_url", image_url: { url: image } };
	expect(fakes.openai.received[0]?.body).toMatchObject({
		messages: [
			{ role: "system", content: "Be brief." },
			{ role: "user", content: [{ text: "What is it?" }, picture] },
			{
				role: "assistant",
				content: "Hm.",
				tool_calls: [
					{ id: "c1", function: { arguments: '{"input":"+1"}' } },
					{ id: "c2", function: { name: "get_stock" } },
				],
			},
			{ role: "tool", tool_call_id: "c1", content: "ok" },
			{ role: "tool", tool_call_id: "c2" },
			{ role: "user", content: [picture] },
		],
		tools: [{ type: "function", function: { name: "get_stock" } }],
		tool_choice: "required",
		response_format: { type: "json_schema", json_schema: { name: "it" } },
		max_completion_tokens: 100,
	});
	expect(fakes.openai.received[0]?.body).not.toHaveProperty("temperature");
	expect(headers.get("x-gateway-params")).toBe(
		[
			"tools.web_search=dropped, tools.format=dropped",
			"top_logprobs=dropped, truncation=dropped, max_tool_calls=dropped",
		].join(", "),
	);
});

test.each<[string, object, number, string | null]>([
	["an unknown item", { input: [{ type: "mcp_call" }] }, 400, "input[0].type"],
	[
		"a file that is kept elsewhere",
		{
			input: [
				{ role: "user", content: [{ type: "input_file", file_id: "file_1" }] },
			],
		},
		400,
		"input[0].content[0].file_data",
	],
	[
		"a call without a result",
		{
			input: [
				{ type: "function_call", call_id: "c", name: "x", arguments: "{}" },
			],
		},
		400,
		"input",
	],
	[
		"a result without a call",
		{ input: [{ type: "function_call_output", call_id: "c", output: "" }] },
		400,
		"input",
	],
	["background work", { background: true }, 400, "background"],
	[
		"a hosted tool that must be used",
		{ tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } },
		400,
		"tool_choice",
	],
	["a lost item", { input: [{ id: "msg_1" }] }, 404, null],
	[
		"a lost response",
		{ previous_response_id: "resp_1" },
		400,
		"previous_response_id",
	],
])("%s is refused in OpenAI's form", async (_, body, status, param) => {
	const { client } = await openTestGateway(["openai"]);
	await expect(
		client.responses.create({ model: "gpt-4o", input: "x", ...body }),
	).rejects.toMatchObject({ status, param, type: "invalid_request_error" });
});

describe("endings", () => {
	test("a stream that breaks off ends with an error and then a failed response", async () => {
		const { server, asha, client, fakes } = await openTestGateway(["openai"]);
		fakes.openai.act({
			text: "Habari ya dunia",
			betweenMs: 20,
			cutAfter: 4,
			cut: "reset",
		});
		const body = { model: "gpt-4o", input: "x", stream: true as const };
		const { text } = await server.ask("POST", "/v1/responses", {
			as: asha,
			body,
		});
		const tail = text.trim().split("\n\n").slice(-2);
		expect(tail[0]).toMatch(/^event: error\ndata: .*"error":\{"message"/);
		expect(tail[1]).toMatch(
			/^event: response\.failed\n.*"status":"incomplete"/,
		);
		await expect(client.responses.stream(body).finalResponse()).rejects.toThrow(
			/incomplete/,
		);
	});

	test.each([
		["length", "max_output_tokens"],
		["content_filter", "content_filter"],
	] as const)(
		"an answer that ended by %s is incomplete",
		async (finish, reason) => {
			const { client, fakes } = await openTestGateway(["openai"]);
			const asked = { model: "gpt-4o", input: "x" };
			for (const toolCalls of [
				undefined,
				[{ id: "c1", name: "sell", args: { sku: "milk" } }],
			]) {
				fakes.openai.act({ finish, toolCalls });
				const stream = client.responses.stream(asked);
				const items: object[] = [];
				stream.on("response.output_item.done", ({ item }) => {
					items.push(item);
				});
				for (const response of [
					await client.responses.create(asked),
					await stream.finalResponse(),
				])
					expect(response).toMatchObject({
						status: "incomplete",
						incomplete_details: { reason },
						output: [{ status: "incomplete" }],
					});
				expect(items).toMatchObject([{ status: "incomplete" }]);
			}
		},
	);

	test("a client that hangs up ends the provider's call", async () => {
		const { client, fakes } = await openTestGateway(["openai"]);
		fakes.openai.act({ text: "a b c", betweenMs: 20, stopAfter: 4 });
		const stream = await client.responses.create({
			model: "gpt-4o",
			input: "x",
			stream: true,
		});
		for await (const event of stream)
			if (event.type === "response.output_text.delta") break;
		stream.controller.abort();
		await expect.poll(() => fakes.openai.received[0]?.isAborted).toBe(true);
	});
});

test("a custom tool's call carries its text", async () => {
	const { client, fakes } = await openTestGateway(["openai"]);
	const input = "*** Begin";
	fakes.openai.act({
		toolCalls: [{ id: "c1", name: "patch", args: { input } }],
	});
	const response = await client.responses
		.stream({
			model: "gpt-4o",
			input: "x",
			tools: [{ type: "custom", name: "patch" }],
		})
		.finalResponse();
	expect(response.output).toMatchObject([
		{ type: "custom_tool_call", call_id: "c1", name: "patch", input },
	]);
});

test("a stored response is continued, found and deleted by its caller alone", async () => {
	const { server, asha, client, fakes } = await openTestGateway(["openai"]);
	const keep = (keepsResponses: boolean) =>
		server.ask("PATCH", "/api/ai/limits", {
			as: asha,
			body: { keepsResponses },
		});
	const kept = () => server.rows("SELECT id FROM ai_responses");
	expect((await keep(true)).body).toMatchObject({ keepsResponses: true });
	fakes.openai.act({ text: "Juma." });
	const request = { model: "gpt-4o", input: "Who am I?" };
	const first = await client.responses.create({
		...request,
		instructions: "Guess.",
	});
	const second = await client.responses.create({
		...request,
		input: "Sure?",
		previous_response_id: first.id,
	});
	await client.responses.create({
		...request,
		input: "Really?",
		previous_response_id: second.id,
	});
	expect(fakes.openai.received[2]?.body.messages).toEqual([
		{ role: "user", content: "Who am I?" },
		{ role: "assistant", content: "Juma." },
		{ role: "user", content: "Sure?" },
		{ role: "assistant", content: "Juma." },
		{ role: "user", content: "Really?" },
	]);
	expect(await client.responses.retrieve(first.id)).toMatchObject({
		id: first.id,
		store: true,
		output_text: "Juma.",
	});
	const baraka = await server.addUser("Baraka");
	const theirs = await server.ask("GET", `/v1/responses/${first.id}`, {
		as: baraka,
	});
	expect(theirs.status).toBe(404);
	await expect.poll(kept).toHaveLength(3);
	await client.responses.delete(first.id);
	expect(await kept()).toHaveLength(2);
	await keep(false);
	expect(await kept()).toEqual([]);
	const forgotten = await client.responses.create({ ...request, store: false });
	expect(forgotten).toMatchObject({ store: false });
	for (const { id } of [first, forgotten])
		await expect(client.responses.retrieve(id)).rejects.toMatchObject({
			status: 404,
		});
});

test("the AI SDK's default model runs a loop of tools, which refers to stored items", async () => {
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	const apiKey = asha.bearer.replace("Bearer ", "");
	const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey });
	const options = {
		model: openai("gpt-4o"),
		prompt: "How much milk?",
		stopWhen: stepCountIs(2),
		maxRetries: 0,
		tools: {
			get_stock: tool({
				inputSchema: jsonSchema<{ sku: string }>(lookUp.parameters as object),
				execute: async ({ sku }) => `${sku}: 3`,
			}),
		},
	};
	const ask = {
		whole: async () => (await generateText(options)).text,
		stream: async () => await streamText(options).text,
	};
	for (const way of ["whole", "stream"] as const) {
		fakes.openai.act(thinkAndCall, { text: "Three each." });
		expect(await ask[way]()).toBe("Three each.");
		expect(fakes.openai.received.at(-1)?.body.messages).toMatchObject([
			{ role: "user", content: "How much milk?" },
			{
				role: "assistant",
				content: "I look it up.",
				tool_calls: [{ id: "call_1" }, { id: "call_2" }],
			},
			{ role: "tool", tool_call_id: "call_1", content: "milk: 3" },
			{ role: "tool", tool_call_id: "call_2", content: "bread: 3" },
		]);
	}
});
