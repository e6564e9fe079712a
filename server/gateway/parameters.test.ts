import { describe, expect, test } from "vitest";
import { openTestGateway } from "./testing/gateway.ts";

const messages = [{ role: "user", content: "Habari?" }];
const schema = { type: "object", properties: { a: { type: "string" } } };
const asSchema = {
	response_format: { type: "json_schema", json_schema: { name: "x", schema } },
};

/** Returns the parameters that a model got, and the report of the changes. */
async function sentTo(provider: string, model: string, body: object) {
	const { server, asha, fakes } = await openTestGateway([provider], {
		localModels: [
			{ name: "zephyr", capabilities: ["completion"], contextLength: 8_192 },
			{
				name: "qwen3:4b",
				capabilities: ["completion", "thinking"],
				contextLength: 8_192,
			},
		],
	});
	const answer = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: { model, messages, ...body },
	});
	expect(answer.status).toBe(200);
	return {
		sent: fakes[provider]?.received[0]?.body,
		report: answer.headers.get("x-gateway-params")?.split(", ") ?? [],
	};
}

describe("a reasoning effort", () => {
	test.each([
		["openai", "gpt-4o"],
		["groq", "groq/llama-3.1-8b-instant"],
		["ollama", "ollama/zephyr"],
		["cohere", "command-a-03-2025"],
		["perplexity", "sonar"],
	])(
		"a reasoning effort is dropped and reported if the model doesn't reason: %s %s",
		async (provider, model) => {
			const { sent, report } = await sentTo(provider, model, {
				reasoning_effort: "high",
			});
			expect(sent).not.toHaveProperty("reasoning_effort");
			expect(sent).not.toHaveProperty("thinking");
			expect(report).toEqual(["reasoning_effort=dropped"]);
		},
	);

	test.each([
		["groq", "groq/openai/gpt-oss-20b"],
		["ollama", "ollama/qwen3:4b"],
	])("is kept where it does: %s %s", async (provider, model) => {
		const { sent, report } = await sentTo(provider, model, {
			reasoning_effort: "high",
		});
		expect(sent.reasoning_effort).toBe("high");
		expect(report).toEqual([]);
	});

	test.each<[string, string, object | undefined, string[]]>([
		["gemini-2.5-pro", "none", { thinkingBudget: 512 }, ["minimal"]],
		["gemini-2.5-pro", "minimal", { thinkingBudget: 512 }, []],
		["gemini-2.5-flash", "none", { thinkingBudget: 0 }, []],
		["gemini-2.5-flash", "xhigh", { thinkingBudget: 24_576 }, ["high"]],
		["gemini-3.1-pro-preview", "minimal", { thinkingLevel: "LOW" }, ["low"]],
		["gemini-3.1-pro-preview", "none", { thinkingLevel: "LOW" }, ["low"]],
		["gemini-3.8-flash", "minimal", { thinkingLevel: "LOW" }, ["low"]],
		["gemini-4-argon", "max", { thinkingLevel: "HIGH" }, ["high"]],
		["gemini-3.5-flash-lite", "minimal", { thinkingLevel: "MINIMAL" }, []],
		[
			"gemini-3.5-flash-lite",
			"none",
			{ thinkingLevel: "MINIMAL" },
			["minimal"],
		],
		["gemini-3.8-flash", "medium", { thinkingLevel: "MEDIUM" }, []],
		["gemini-3.8-flash", "constructor", undefined, ["dropped"]],
		["gemini-2.5-flash", "constructor", undefined, ["dropped"]],
	])(
		"a reasoning effort is adjusted to what %s takes: %s",
		async (model, effort, thinking, told) => {
			const { sent, report } = await sentTo("google", model, {
				reasoning_effort: effort,
			});
			expect(sent.generationConfig.thinkingConfig).toEqual(thinking);
			expect(report).toEqual(told.map((value) => `reasoning_effort=${value}`));
		},
	);

	test.each<[string, string, object | undefined, string[]]>([
		["claude-sonnet-4-6", "low", { effort: "low" }, []],
		["claude-sonnet-4-6", "max", { effort: "max" }, []],
		["claude-sonnet-4-6", "xhigh", { effort: "high" }, ["high"]],
		["claude-sonnet-5-5", "xhigh", { effort: "xhigh" }, []],
		["claude-haiku-4-5", "low", undefined, ["dropped"]],
	])(
		"a reasoning effort is translated for %s: %s",
		async (model, effort, config, told) => {
			const { sent, report } = await sentTo("anthropic", model, {
				reasoning_effort: effort,
			});
			expect(sent.output_config).toEqual(config);
			expect(
				report.filter((change) => !change.startsWith("temperature")),
			).toEqual(told.map((value) => `reasoning_effort=${value}`));
		},
	);
});

test.each([["gpt-5-mini"], ["gpt-6.1-sol"]])(
	"stop sequences are dropped and reported for the reasoning model %s",
	async (model) => {
		const { sent, report } = await sentTo("openai", model, {
			stop: ["."],
			reasoning_effort: "none",
		});
		expect(sent).not.toHaveProperty("stop");
		expect(report).toContain("stop=dropped");
	},
);

test.each<[string[], string[] | undefined, string[]]>([
	[[" ", "\n"], undefined, ["stop=dropped"]],
	[[" ", "."], ["."], ["stop=without blanks"]],
	[["."], ["."], []],
])(
	"blank stop sequences are not sent to Anthropic but reported: %j",
	async (stop, sentStop, told) => {
		const { sent, report } = await sentTo("anthropic", "claude-haiku-4-5", {
			stop,
		});
		expect(sent.stop_sequences).toEqual(sentStop);
		expect(report).toEqual(told);
	},
);

test.each([
	[1, 0.99, ["top_p=0.99"]],
	[0, 0.01, ["top_p=0.01"]],
	[0.5, 0.5, []],
])("a top_p of %d is brought into Cohere's range", async (given, p, told) => {
	const { sent, report } = await sentTo("cohere", "command-a-03-2025", {
		top_p: given,
	});
	expect(sent.p).toBe(p);
	expect(report).toEqual(told);
});

test("what a message, a tool or a long list of unknown fields loses is named", async () => {
	const url = "data:image/png;base64,AA";
	const text = { type: "text", text: "Habari?" };
	const image = { type: "image_url", image_url: { url, detail: "low" } };
	const marked = { ...text, cache_control: { type: "ephemeral" } };
	const named = { role: "user", content: [marked, image], name: "Asha" };
	const strict = { name: "look", parameters: schema, strict: true };
	const body = {
		messages: [named, { ...named, mood: "good" }],
		tools: [{ type: "function", function: strict }],
	};
	const { sent, report: few } = await sentTo("openai", "gpt-4o", body);
	expect(sent.messages[0].content).toEqual([text, image]);
	const cache = "messages.cache_control";
	expect(few).toEqual([`${cache}=dropped`, "messages.mood=dropped"]);
	const lost = [
		...["messages.name", cache, "messages.mood", "messages.detail", "strict"],
	];
	for (const [provider, model] of [
		["anthropic", "claude-haiku-4-5"],
		["google", "gemini-2.5-flash"],
	] as const)
		expect((await sentTo(provider, model, body)).report).toEqual(
			lost.map((name) => `${name}=dropped`),
		);
	const unknown = Object.fromEntries(
		Array.from({ length: 30 }, (_, i) => [`field_${i}`, i]),
	);
	const { report } = await sentTo("openai", "gpt-4o", unknown);
	expect(report).toHaveLength(21);
	expect(report.at(-1)).toBe("others=dropped");
});

describe("a response schema", () => {
	test.each([
		["deepseek", "deepseek-v4-pro"],
		["groq", "groq/llama-3.1-8b-instant"],
		["groq", "groq/llama-3.3-70b-versatile"],
	])(
		"a response schema is dropped and reported for a model that refuses it: %s %s",
		async (provider, model) => {
			const { sent, report } = await sentTo(provider, model, asSchema);
			expect(sent).not.toHaveProperty("response_format");
			expect(report).toEqual(["response_format=dropped"]);
			const json = { response_format: { type: "json_object" } };
			const other = await sentTo(provider, model, json);
			expect(other.sent).toMatchObject(json);
		},
	);

	test("a response schema is sent to a model that takes it, though its provider's others don't", async () => {
		const model = "groq/openai/gpt-oss-20b";
		const { sent, report } = await sentTo("groq", model, asSchema);
		expect(sent).toMatchObject(asSchema);
		expect(report).toEqual([]);
	});
});

test.each([["balanced"], ["cheap"], ["fast"], ["best"]])(
	"automatic routing picks only models that take a response schema: %s",
	async (policy) => {
		const names = ["deepseek", "groq"] as const;
		const { server, asha, fakes } = await openTestGateway(names);
		for (const name of names)
			fakes[name].act({ status: 500, body: { error: { message: "No" } } });
		await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			headers: { "x-gateway-policy": policy },
			body: { model: "gateway/auto", messages, ...asSchema },
		});
		expect(fakes.deepseek.received).toEqual([]);
		const asked = new Set(fakes.groq.received.map(({ body }) => body.model));
		expect(asked.size).toBeGreaterThan(0);
		for (const model of asked) expect(model).not.toContain("llama");
	},
);

const manyNames = (letter: string) =>
	Object.fromEntries(
		Array.from({ length: 20 }, (_, i) => [letter.repeat(40) + i, 1]),
	);

test.each<[string, string, object]>([
	[
		"fields of messages",
		"/v1/chat/completions",
		{
			messages: Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => ({
				...{ role: "user", content: "Habari?" },
				...manyNames(letter),
			})),
		},
	],
	[
		"tools",
		"/v1/responses",
		{
			input: "Habari?",
			tools: Array.from({ length: 2_000 }, (_, i) => ({ type: `search_${i}` })),
		},
	],
	[
		"words of a schema",
		"/v1/messages",
		{
			...{ messages, max_tokens: 10 },
			output_config: {
				format: { type: "json_schema", schema: { ["x".repeat(20_000)]: 1 } },
			},
		},
	],
])(
	"the report of many lost %s stays short enough for clients",
	async (_, path, body) => {
		const { server, asha } = await openTestGateway(["anthropic"]);
		const answer = await server.ask("POST", path, {
			as: asha,
			body: { model: "claude-haiku-4-5", ...body },
		});
		expect(answer.status).toBe(200);
		const report = answer.headers.get("x-gateway-params") ?? "";
		expect(report.length).toBeLessThan(4_100);
		expect(report).toMatch(/, and others$/);
	},
);
