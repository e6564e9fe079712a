import { expect, test } from "vitest";
import { asks, messages, open } from "./testing/spending.ts";

const long = "word ".repeat(20_000);
const picture = {
	role: "user",
	content: [
		{
			type: "image_url",
			image_url: { url: "data:image/png;base64,AAAA", detail: "high" },
		},
	],
};
const look = { type: "function", function: { name: "look" } };

/** Requests, each with a budget in USD below its provider's real charge. */
const beyond: [string, string, number, object][] = [
	[
		"a long schema of the answer",
		"openai/gpt-4o",
		0.001,
		{
			response_format: {
				type: "json_schema",
				json_schema: { name: "x", schema: { description: long } },
			},
		},
	],
	[
		"the long reasoning of an earlier answer",
		"openai/gpt-4o",
		0.001,
		{
			messages: [
				...messages,
				{ role: "assistant", content: "Njema", reasoning_content: long },
				...messages,
			],
		},
	],
	[
		"a picture that counts as 48,169 tokens",
		"openai/gpt-4o-mini",
		0.007,
		{ messages: [picture] },
	],
	[
		"a picture that counts as 16,384 tokens",
		"openrouter/qwen/qwen3.8-flash",
		0.0024,
		{ messages: [picture] },
	],
	[
		"a picture that counts as 48,169 tokens for a model that no catalogue lists",
		"openai/gpt-7-mini",
		0.4,
		{ messages: [picture] },
	],
	[
		"a short tool that the provider describes at length",
		"anthropic/claude-haiku-4-5",
		0.0004,
		{ tools: [look] },
	],
	["a search that has a fee", "perplexity/sonar", 0.014, {}],
	["a thorough search", "perplexity/sonar-pro", 0.022, {}],
];

test.each(beyond)(
	"a budget refuses %s that could exceed it",
	async (_what, model, monthlyBudget, body) => {
		const [provider = ""] = model.split("/");
		const gateway = await open([provider]);
		const { bearer } = await gateway.addKey({ monthlyBudget });
		const answer = await gateway.ask(
			{ model, max_tokens: 10, ...body },
			{ authorization: bearer },
		);
		expect([answer.status, answer.body]).toMatchObject([
			429,
			{ error: { code: "budget_exceeded" } },
		]);
		expect(gateway.fakes[provider]?.received).toEqual([]);
	},
);

test("a search fee is the provider's reported one, or else the catalogue's", async () => {
	const gateway = await open(["perplexity"]);
	const answered = (cost?: object) => ({
		status: 200,
		headers: { "content-type": "application/json" },
		body: {
			choices: [{ message: { content: "Njema" }, finish_reason: "stop" }],
			usage: { prompt_tokens: 5, completion_tokens: 5, cost },
		},
	});
	gateway.fakes.perplexity?.act(
		answered({ total_cost: 0.00501 }),
		answered(undefined),
	);
	const model = "perplexity/sonar";
	await gateway.ask({ model });
	expect((await gateway.usage()).totals.cost).toBeCloseTo(0.00501, 9);
	await gateway.ask({ model, seed: 1 });
	const second = 10 * 1e-6 + 0.014;
	expect((await gateway.usage()).totals.cost).toBeCloseTo(0.00501 + second, 9);
});

test("a dearer service tier is dropped and reported, since the meter uses list prices", async () => {
	const gateway = await open();
	const answer = await gateway.ask({ service_tier: "priority" });
	expect(answer.headers.get("x-gateway-params")).toBe("service_tier=dropped");
	expect(asks(gateway)).toBe(1);
	expect(gateway.fakes.openai?.received[0]?.body).not.toHaveProperty(
		"service_tier",
	);
});
