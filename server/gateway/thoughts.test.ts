import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { describe, expect, test } from "vitest";
import { sampled } from "../../sync/testing/lane.ts";
import { openTestGateway } from "./testing/gateway.ts";
import type { Act } from "./testing/providers.ts";
import { addThought, seal, thoughtsOf, unseal } from "./thoughts.ts";

const schema = { type: "object" as const, properties: {} };
const thinkAndCall: Act = {
	thought: "Two shelves.",
	text: "I look it up.",
	toolCalls: [
		{ id: "call_1", name: "get_stock", args: { sku: "milk" } },
		{ id: "call_2", name: "get_stock", args: { sku: "bread" } },
	],
};
const done: Act = { text: "Three each." };
const apiKeyOf = ({ bearer }: { bearer: string }) =>
	bearer.replace("Bearer ", "");

const models = [
	["openai", "openai/gpt-6-luna"],
	["anthropic", "anthropic/claude-haiku-4-5"],
	["openai", "openai/gpt-6-astra"],
	["anthropic", "anthropic/claude-sonnet-5-5"],
] as const;

describe.each(sampled(models, 2))(
	"at a strict %s, %s goes on with its thoughts",
	(provider, model) => {
		/** What came back to the provider of the turn that called the tools. */
		const recalled = {
			openai: [
				{ type: "reasoning", encrypted_content: "sealed-by-openai" },
				{ role: "assistant", content: "I look it up." },
				{ type: "function_call", call_id: "call_1" },
				{ type: "function_call", call_id: "call_2" },
			],
			anthropic: [
				{ type: "thinking", thinking: "Two shelves.", signature: "sig" },
				{ type: "redacted_thinking", data: "hidden" },
				{ type: "text", text: "I look it up." },
				{ type: "tool_use", id: "call_1" },
				{ type: "tool_use", id: "call_2" },
			],
		}[provider];
		const turnOf = ({ path, body }: { path: string; body: Body }) =>
			provider === "openai"
				? [path, body.input.slice(1, 5)]
				: [path, body.messages[1].content];
		const path = { openai: "/v1/responses", anthropic: "/v1/messages" }[
			provider
		];
		// biome-ignore lint/suspicious/noExplicitAny: a stand-in received it
		type Body = any;

		async function open() {
			const { server, asha, client, fakes } = await openTestGateway([provider]);
			const fake = fakes[provider];
			return { server, asha, client, fake };
		}
		const acts = [{ ...thinkAndCall, hides: true as const }, done];

		test("in a loop of tools by Anthropic's client", async () => {
			const { server, asha, fake } = await open();
			const client = new Anthropic({
				...{ baseURL: server.url, apiKey: apiKeyOf(asha), maxRetries: 0 },
			});
			const asked = {
				model,
				max_tokens: 9_000,
				thinking: { type: "adaptive" as const },
				tools: [{ name: "get_stock", input_schema: schema }],
			};
			const question = { role: "user" as const, content: "How much?" };
			const ways = [
				(body: Anthropic.MessageCreateParamsNonStreaming) =>
					client.messages.create(body),
				(body: Anthropic.MessageCreateParamsNonStreaming) =>
					client.messages.stream(body).finalMessage(),
			];
			for (const ask of ways) {
				fake.act(...acts);
				const first = await ask({ ...asked, messages: [question] });
				expect(first.content[0]).toMatchObject({
					type: "thinking",
					thinking: "Two shelves.",
				});
				const results = first.content.flatMap((block) =>
					block.type === "tool_use"
						? [
								{
									...{ type: "tool_result" as const, content: "3" },
									tool_use_id: block.id,
								},
							]
						: [],
				);
				const second = await ask({
					...asked,
					messages: [
						question,
						{ role: "assistant", content: first.content },
						{ role: "user", content: results },
					],
				});
				expect(second.content.at(-1)).toMatchObject({ text: "Three each." });
				const last = fake.received.at(-1);
				expect(last && turnOf(last)).toMatchObject([path, recalled]);
			}
		});

		test("in a loop of tools by the AI SDK, with stored items and without", async () => {
			const { server, asha, fake } = await open();
			const openai = createOpenAI({
				...{ baseURL: `${server.url}/v1`, apiKey: apiKeyOf(asha) },
			});
			for (const store of [true, false]) {
				const options = {
					model: openai(model),
					prompt: "How much?",
					stopWhen: stepCountIs(2),
					maxRetries: 0,
					providerOptions: {
						openai: {
							...{ store, reasoningEffort: "high", reasoningSummary: "auto" },
							forceReasoning: true,
						},
					},
					tools: {
						get_stock: tool({
							inputSchema: jsonSchema<{ sku: string }>(schema),
							execute: async ({ sku }) => `${sku}: 3`,
						}),
					},
				};
				for (const ask of [
					async () => (await generateText(options)).text,
					async () => await streamText(options).text,
				]) {
					fake.act(...acts);
					expect(await ask()).toBe("Three each.");
					const last = fake.received.at(-1);
					expect(last && turnOf(last)).toMatchObject([path, recalled]);
				}
			}
		});

		test("by Chat Completions, where the gateway keeps them", async () => {
			const { client, fake } = await open();
			fake.act(...acts);
			const asked = {
				model,
				reasoning_effort: "low" as const,
				tools: [
					{
						type: "function" as const,
						function: { name: "get_stock", parameters: schema },
					},
				],
			};
			const question = { role: "user" as const, content: "How much?" };
			const streamed = await client.chat.completions
				.stream({ ...asked, messages: [question] })
				.finalChatCompletion();
			const message = streamed.choices[0]?.message;
			expect(message).toMatchObject({
				content: "I look it up.",
				tool_calls: [
					{ id: "call_1", function: { arguments: '{"sku":"milk"}' } },
					{ id: "call_2", function: { arguments: '{"sku":"bread"}' } },
				],
			});
			expect(JSON.stringify(streamed)).not.toMatch(/seal|cf1\./);
			const answer = await client.chat.completions.create({
				...asked,
				messages: [
					question,
					{ ...message, role: "assistant" },
					...["call_1", "call_2"].map((tool_call_id) => ({
						...{ role: "tool" as const, tool_call_id, content: "3" },
					})),
				],
			});
			expect(answer.choices[0]?.message.content).toBe("Three each.");
			const last = fake.received.at(-1);
			expect(last && turnOf(last)).toMatchObject([path, recalled]);
		});
	},
);

test.each([
	[
		"openai/gpt-6-luna",
		seal("openai/gpt-6-luna", { encrypted_content: "of another account" }),
	],
	[
		"anthropic/claude-sonnet-5-5",
		seal("anthropic/claude-sonnet-5-5", { signature: "of another account" }),
	],
	[
		"anthropic/claude-haiku-4-5",
		seal("openai/gpt-6-luna", { encrypted_content: "sealed-by-openai" }),
	],
])(
	"%s answers without thoughts that aren't its own, and they are named",
	async (model, sealed) => {
		const [provider = ""] = model.split("/");
		const { server, asha } = await openTestGateway([provider]);
		const { status, headers } = await server.ask(
			"POST",
			"/v1/chat/completions",
			{
				as: asha,
				body: {
					model,
					max_tokens: 9_000,
					reasoning_summary: "auto",
					messages: [
						{ role: "user", content: "How much?" },
						{
							role: "assistant",
							reasoning_content: "Two shelves.",
							thoughts: [{ text: "Two shelves.", seal: sealed }],
							tool_calls: [
								{ id: "a", function: { name: "look", arguments: "{}" } },
							],
						},
						{ role: "tool", tool_call_id: "a", content: "3" },
					],
					tools: [{ type: "function", function: { name: "look" } }],
				},
			},
		);
		expect(status).toBe(200);
		expect(headers.get("x-gateway-params")).toContain(
			"messages.reasoning_content=dropped",
		);
	},
);

test("an account that may not see summaries, or a host without that API, still answers", async () => {
	const { client, fakes } = await openTestGateway(["openai"]);
	const ask = async (status: number, message: string) => {
		fakes.openai.act({ status, body: { error: { message } } }, done);
		const { data, response } = await client.responses
			.create({
				model: "openai/gpt-6-luna",
				input: "How much?",
				reasoning: { summary: "auto" },
				tools: [
					{ type: "function", name: "look", parameters: schema, strict: null },
				],
			})
			.withResponse();
		expect(data.output_text).toBe("Three each.");
		return response.headers.get("x-gateway-params");
	};
	const unverified =
		"Your organization must be verified to generate reasoning summaries.";
	expect(await ask(400, unverified)).toBe("reasoning_summary=dropped");
	expect(await ask(404, "Cannot POST /v1/responses")).toBe(
		"reasoning_effort=none, reasoning_summary=dropped",
	);
	const { received } = fakes.openai;
	expect(
		received.map(({ path, body }) => [
			path,
			body.reasoning?.summary ?? body.reasoning_effort,
		]),
	).toEqual([
		["/v1/responses", "auto"],
		["/v1/responses", undefined],
		["/v1/responses", "auto"],
		["/v1/chat/completions", "none"],
	]);
});

test("a seal ends a thought, and opens for the model that thought it alone", () => {
	const message = {};
	for (const delta of [
		{ reasoning_content: "On" },
		{ reasoning_content: "e" },
		{ seal: "1" },
		{ seal: "2" },
		{ reasoning_content: "Three" },
	])
		addThought(message, delta);
	expect(thoughtsOf(message)).toEqual([
		{ text: "One", seal: "1" },
		{ text: "", seal: "2" },
		{ text: "Three" },
	]);
	const sealed = { text: "", seal: seal("a/b", { data: "x" }) };
	expect(unseal("a/b", sealed)).toEqual({ data: "x" });
	expect(unseal("a/c", sealed)).toBeUndefined();
	for (const broken of ["", "sig", "cf1.", "cf1.e30"])
		expect(unseal("a/b", { text: "", seal: broken })).toBeUndefined();
});
