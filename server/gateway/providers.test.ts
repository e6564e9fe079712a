import type OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { findModels, readCatalogue } from "./catalogue.ts";
import { providers } from "./providers/index.ts";
import { fakeKey, openTestGateway } from "./testing/gateway.ts";
import type { FakeProvider, Received } from "./testing/providers.ts";

const said = "Habari ya dunia: ☕ chai na 🍞 mkate";
const weather = {
	type: "function" as const,
	function: {
		name: "weather",
		description: "Of a town",
		parameters: {
			type: "object",
			properties: { town: { type: "string" } },
			required: ["town"],
		},
	},
};
const toolCalls = [
	{ id: "call_one", name: "weather", args: { town: "Mombasa" } },
	{ id: "call_two", name: "weather", args: { town: "Nakuru" } },
];

const models = readCatalogue("none").models;
/** One model of each provider, with tools if the provider has any such model. */
const byProvider = providers.map(({ id }) => {
	const own = models.filter(({ provider }) => provider === id);
	return own.find(({ capabilities }) => capabilities.tool_use) ?? own[0];
});

test("14 providers have at least 60 models, each with a known provider", () => {
	expect(providers).toHaveLength(14);
	expect(models.length).toBeGreaterThanOrEqual(60);
	expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
	expect(byProvider).not.toContain(undefined);
});

describe.each(
	byProvider.map((model) => [model?.provider ?? "", model?.id ?? ""]),
)("%s", (provider, model) => {
	const open = async () => {
		const upstreamName = model.slice(provider.length + 1);
		const gateway = await openTestGateway([provider], {
			localModels: [
				{ name: upstreamName, capabilities: ["tools"], contextLength: 8_192 },
			],
		});
		return { ...gateway, fake: gateway.fakes[provider] as FakeProvider };
	};
	const messages = [
		{ role: "system" as const, content: "Be brief" },
		{ role: "user" as const, content: "Habari?" },
	];

	test("a whole answer has OpenAI's format and the provider's usage", async () => {
		const { client, fake } = await open();
		const answer = await client.chat.completions.create({ model, messages });
		expect(answer.object).toBe("chat.completion");
		expect(answer.model).toBe(model);
		expect(answer.choices).toHaveLength(1);
		expect(answer.choices[0]).toMatchObject({
			index: 0,
			finish_reason: "stop",
			message: { role: "assistant", content: said },
		});
		expect(answer.usage).toMatchObject({
			prompt_tokens: 11,
			completion_tokens: 7,
			total_tokens: 18,
		});
		const { headers, path, body } = fake.received[0] as Received;
		const sent = JSON.stringify([headers, body]);
		expect(path).not.toContain("key");
		expect(sent).toContain("Be brief");
		expect(sent.includes(fakeKey(provider))).toBe(provider !== "ollama");
	});

	test("a stream arrives intact, however its bytes are split", async () => {
		const { client, fake } = await open();
		fake.act({ pieceBytes: 1 });
		const stream = await client.chat.completions.create({
			model,
			messages,
			stream: true,
			stream_options: { include_usage: true },
		});
		const chunks: OpenAI.ChatCompletionChunk[] = [];
		for await (const chunk of stream) chunks.push(chunk);
		expect(
			chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""),
		).toBe(said);
		expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
		expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
		expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
		expect(chunks.at(-1)).toMatchObject({
			choices: [],
			usage: { prompt_tokens: 11, completion_tokens: 7 },
		});
	});

	const canUseTools = models.find(({ id }) => id === model)?.capabilities
		.tool_use;

	test.runIf(canUseTools)(
		"tool calls work, whole and streamed, and their results reach the provider",
		async () => {
			const { client, fake } = await open();
			fake.act({ toolCalls });
			const asked = { model, messages, tools: [weather] };
			const answer = await client.chat.completions.create(asked);
			const [choice] = answer.choices;
			expect(choice?.finish_reason).toBe("tool_calls");
			expect(choice?.message.content).toBe("");
			const calls = choice?.message.tool_calls ?? [];
			expect(
				calls.map((call) =>
					call.type === "function" ? JSON.parse(call.function.arguments) : {},
				),
			).toEqual(toolCalls.map(({ args }) => args));

			const streamed = await client.chat.completions
				.stream(asked)
				.finalChatCompletion();
			const parts = streamed.choices[0]?.message.tool_calls ?? [];
			expect(streamed.choices[0]?.finish_reason).toBe("tool_calls");
			expect(
				parts.map((call) =>
					call.type === "function"
						? [call.function.name, JSON.parse(call.function.arguments)]
						: [],
				),
			).toEqual(toolCalls.map(({ name, args }) => [name, args]));

			fake.act({});
			const message = choice?.message;
			if (!message) throw new Error("It did not answer");
			await client.chat.completions.create({
				...asked,
				messages: [
					...messages,
					message,
					...calls.map(({ id }, i) => ({
						role: "tool" as const,
						tool_call_id: id,
						content: `${i + 30} degrees`,
					})),
				],
			});
			const sent = JSON.stringify(fake.received.at(-1)?.body);
			expect(sent).toContain("30 degrees");
			expect(sent).toContain("31 degrees");
			expect(sent).toContain("Nakuru");
		},
	);
});

describe("an unsupported parameter", () => {
	const ask = async (model: string, fields: object) => {
		const [found] = findModels(models, model);
		const provider = found?.provider ?? "";
		const { server, asha, fakes } = await openTestGateway([provider]);
		const answer = await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: {
				model,
				messages: [{ role: "user", content: "Habari?" }],
				...fields,
			},
		});
		expect(answer.status).toBe(200);
		const { body } = (fakes[provider] as FakeProvider).received[0] as Received;
		return { sent: body, report: answer.headers.get("x-gateway-params") };
	};

	test("a parameter that a reasoning model refuses is dropped and reported in the header", async () => {
		const { sent, report } = await ask("gpt-6-astra", { top_p: 0.5 });
		expect(sent).not.toHaveProperty("temperature");
		expect(sent).not.toHaveProperty("top_p");
		expect(sent).not.toHaveProperty("max_tokens");
		expect(sent.max_completion_tokens).toBe(4096);
		expect(report).toBe("top_p=dropped");
	});

	test("supported parameters are sent, with the contract's defaults", async () => {
		const { sent, report } = await ask("gpt-4o", { seed: 7, stop: ["."] });
		expect(sent).toMatchObject({ temperature: 0.7, seed: 7, stop: ["."] });
		expect(report).toBeNull();
	});

	test("a model with reasoning turned off takes sampling parameters again", async () => {
		const { sent } = await ask("gpt-6.1-sol", {
			temperature: 0.2,
			reasoning_effort: "none",
		});
		expect(sent).toMatchObject({ temperature: 0.2, reasoning_effort: "none" });
	});

	test("a parameter out of the model's range is clamped", async () => {
		const { sent, report } = await ask("claude-sonnet-4", {
			temperature: 1.7,
			max_tokens: 10_000_000,
			seed: 1,
		});
		expect(sent.temperature).toBe(1);
		expect(sent.max_tokens).toBeLessThan(1_000_000);
		expect(report).toBe(
			`seed=dropped, temperature=1, max_tokens=${sent.max_tokens}`,
		);
	});

	test("tools are dropped for a model without tool use", async () => {
		const { sent, report } = await ask("perplexity/sonar", {
			tools: [weather],
			tool_choice: "auto",
		});
		expect(sent).not.toHaveProperty("tools");
		expect(report).toBe("tools=dropped, tool_choice=dropped");
	});

	test("Mistral gets its own parameter names, and Groq the smallest temperature instead of 0", async () => {
		const mistral = await ask("mistral-large-4", {
			seed: 3,
			tools: [weather],
			tool_choice: "required",
		});
		expect(mistral.sent).toMatchObject({ random_seed: 3, tool_choice: "any" });
		const groq = await ask("groq/llama-3.1-8b-instant", { temperature: 0 });
		expect(groq.sent.temperature).toBe(1e-8);
	});
});

describe("a conversation with tools and images", () => {
	const image =
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
	const conversation = [
		{ role: "system", content: "Be brief" },
		{ role: "developer", content: "Be kind" },
		{
			role: "user",
			content: [
				{ type: "text", text: "What is it?" },
				{ type: "image_url", image_url: { url: image } },
			],
		},
		{
			role: "assistant",
			content: null,
			tool_calls: [
				{
					id: "call_one",
					type: "function",
					function: { name: "weather", arguments: '{"town":"Lamu"}' },
				},
				{
					id: "call_two",
					type: "function",
					function: { name: "weather", arguments: "not JSON" },
				},
			],
		},
		{ role: "tool", tool_call_id: "call_one", content: '{"degrees":30}' },
		{ role: "tool", tool_call_id: "call_two", content: "unknown" },
		{ role: "user", content: "And?" },
	];
	const ask = async (provider: string, model: string) => {
		const { server, asha, fakes } = await openTestGateway([provider]);
		const { status } = await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: {
				model,
				messages: conversation,
				tools: [weather],
				tool_choice: { type: "function", function: { name: "weather" } },
				parallel_tool_calls: false,
			},
		});
		expect(status).toBe(200);
		return (fakes[provider] as FakeProvider).received[0] as Received;
	};
	const data = image.slice(image.indexOf(",") + 1);

	test("a conversation with tools becomes turns of blocks at Anthropic, with all results first in one turn", async () => {
		const { body, headers } = await ask("anthropic", "claude-haiku-4-5");
		expect(headers["anthropic-version"]).toBe("2023-06-01");
		expect(body.system).toBe("Be brief\n\nBe kind");
		expect(body.messages).toEqual([
			{
				role: "user",
				content: [
					{ type: "text", text: "What is it?" },
					{
						type: "image",
						source: { type: "base64", media_type: "image/png", data },
					},
				],
			},
			{
				role: "assistant",
				content: [
					{
						type: "tool_use",
						id: "call_one",
						name: "weather",
						input: { town: "Lamu" },
					},
					{ type: "tool_use", id: "call_two", name: "weather", input: {} },
				],
			},
			{
				role: "user",
				content: [
					{
						type: "tool_result",
						tool_use_id: "call_one",
						content: '{"degrees":30}',
					},
					{
						type: "tool_result",
						tool_use_id: "call_two",
						content: "unknown",
					},
					{ type: "text", text: "And?" },
				],
			},
		]);
		expect(body.tool_choice).toEqual({
			type: "tool",
			name: "weather",
			disable_parallel_tool_use: true,
		});
		expect(body.tools[0].input_schema.type).toBe("object");
	});

	test("a long conversation is marked for Anthropic's cache and keyed for OpenAI's", async () => {
		const { server, asha, fakes } = await openTestGateway([
			"anthropic",
			"openai",
		]);
		const ask = (model: string, length: number) =>
			server.ask("POST", "/v1/chat/completions", {
				as: asha,
				body: {
					model,
					messages: [
						{ role: "system", content: "Be brief. ".repeat(length) },
						{ role: "user", content: "Habari?" },
					],
				},
			});
		await ask("claude-haiku-4-5", 1);
		await ask("claude-haiku-4-5", 1_000);
		expect(
			fakes.anthropic.received.map(({ body }) => body.cache_control),
		).toEqual([undefined, { type: "ephemeral" }]);
		await ask("gpt-4o", 1);
		const { prompt_cache_key } = fakes.openai.received[0]?.body ?? {};
		expect(prompt_cache_key).toMatch(/^[0-9a-f]{32}$/);
		expect(prompt_cache_key).not.toContain(asha.businessId);
	});

	test("a conversation with tools becomes contents of parts at Gemini, with results by the tool's name", async () => {
		const { body, path } = await ask("google", "gemini-2.5-flash");
		expect(path).toBe("/v1beta/models/gemini-2.5-flash:generateContent");
		expect(body.systemInstruction.parts).toEqual([
			{ text: "Be brief\n\nBe kind" },
		]);
		expect(body.contents[0].parts[1]).toEqual({
			inlineData: { mimeType: "image/png", data },
		});
		expect(body.contents[1].parts[0].functionCall).toEqual({
			name: "weather",
			args: { town: "Lamu" },
		});
		expect(body.contents[2]).toEqual({
			role: "user",
			parts: [
				{
					functionResponse: { name: "weather", response: { degrees: 30 } },
				},
				{
					functionResponse: {
						name: "weather",
						response: { result: "unknown" },
					},
				},
				{ text: "And?" },
			],
		});
		expect(body.toolConfig.functionCallingConfig).toEqual({
			mode: "ANY",
			allowedFunctionNames: ["weather"],
		});
	});

	test("Gemini gets the results of parallel calls in the order of the calls, however the client sends them", async () => {
		const { client, fakes } = await openTestGateway(["google"]);
		const stock = (id: string, item: string) => ({
			id,
			type: "function" as const,
			function: { name: "get_stock", arguments: JSON.stringify({ item }) },
		});
		await client.chat.completions.create({
			model: "gemini-3.8-flash",
			messages: [
				{ role: "user", content: "Milk? Bread?" },
				{
					role: "assistant",
					tool_calls: [stock("a", "milk"), stock("b", "bread")],
				},
				{ role: "tool", tool_call_id: "b", content: '{"stock":2}' },
				{ role: "tool", tool_call_id: "a", content: '{"stock":40}' },
			],
		});
		const { contents } = fakes.google.received[0]?.body ?? {};
		expect(contents[2].parts).toEqual(
			[40, 2].map((count) => ({
				functionResponse: { name: "get_stock", response: { stock: count } },
			})),
		);
		// For another model's calls, only the first needs a signature.
		expect(
			contents[1].parts.map((part: object) => "thoughtSignature" in part),
		).toEqual([true, false]);
	});

	test("Gemini gets back its own tool call ids", async () => {
		const { client, fakes } = await openTestGateway(["google"]);
		const calls = ["gid1", "gid2"].map((id) => ({
			functionCall: { id, name: "weather", args: { city: id } },
		}));
		fakes.google.act(
			{
				status: 200,
				headers: { "content-type": "application/json" },
				body: {
					candidates: [
						{ content: { role: "model", parts: calls }, finishReason: "STOP" },
					],
				},
			},
			{},
		);
		const asked = {
			model: "gemini-3.8-flash",
			messages: [{ role: "user" as const, content: "Habari?" }],
			tools: [weather],
		};
		const [choice] = (await client.chat.completions.create(asked)).choices;
		if (!choice) throw new Error("It did not answer");
		await client.chat.completions.create({
			...asked,
			messages: [
				...asked.messages,
				choice.message,
				{ role: "tool", tool_call_id: "gid2", content: "warm" },
				{ role: "tool", tool_call_id: "gid1", content: "cold" },
			],
		});
		const { contents } = fakes.google.received[1]?.body ?? {};
		expect(contents[1].parts).toEqual(calls);
		expect(contents[2].parts).toMatchObject([
			{ functionResponse: { id: "gid1", response: { result: "cold" } } },
			{ functionResponse: { id: "gid2", response: { result: "warm" } } },
		]);
	});

	test("Gemini gets back its signature with the same call, and no invented one", async () => {
		const { client, fakes } = await openTestGateway(["google"]);
		fakes.google.act({ toolCalls });
		const asked = {
			model: "gemini-3.8-flash",
			messages: [{ role: "user" as const, content: "Habari?" }],
			tools: [weather],
		};
		const answer = await client.chat.completions.create(asked);
		const message = answer.choices[0]?.message;
		if (!message) throw new Error("It did not answer");
		await client.chat.completions.create({
			...asked,
			messages: [...asked.messages, message],
		});
		const parts = fakes.google.received[1]?.body.contents[1].parts;
		expect(parts[0].thoughtSignature).toBe("signed-by-gemini");
		expect(parts[1]).not.toHaveProperty("thoughtSignature");
	});

	test("an image is refused if the model takes none, or none by URL", async () => {
		const { server, asha } = await openTestGateway(["groq", "google"]);
		const ask = (model: string, url: string) =>
			server.ask("POST", "/v1/chat/completions", {
				as: asha,
				body: {
					model,
					messages: [
						{
							role: "user",
							content: [{ type: "image_url", image_url: { url } }],
						},
					],
				},
			});
		const blind = await ask("groq/llama-3.3-70b-versatile", image);
		expect(blind.status).toBe(400);
		expect(blind.text).toContain("takes no images");
		const far = await ask("gemini-2.5-flash", "http://127.0.0.1/secret.png");
		expect(far.status).toBe(400);
		expect(far.text).toContain("data: URLs only");
	});
});
