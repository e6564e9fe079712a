import { expect, test } from "vitest";
import { faultOfStatus } from "./fault.ts";
import { openTestGateway } from "./testing/gateway.ts";

const messages = [{ role: "user", content: "Habari?" }];
const error = (message: string, more: object = {}) => ({
	error: { message, ...more },
});

/** Refusals of one model or prompt, each with another model of the same provider that works. */
const ofOne: [
	what: string,
	provider: string,
	asked: string,
	other: string,
	status: number,
	body: object,
	told: [number, RegExp],
][] = [
	[
		"a model forbidden to the project",
		"openai",
		"gpt-6-astra",
		"gpt-4o",
		403,
		error("Project `proj_x` does not have access to model `gpt-6-astra`", {
			code: "model_not_found",
		}),
		[502, /does not have access to model/],
	],
	[
		"a prompt against the guidelines",
		"xai",
		"grok-4.7",
		"grok-4.3",
		403,
		error(
			"Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO",
		),
		[400, /violates usage guidelines/],
	],
	[
		"a model outside the plan",
		"mistral",
		"mistral-large-4",
		"mistral-small-2603",
		403,
		error("This model is not available on your plan"),
		[502, /not available on your plan/],
	],
	[
		"a model's daily token limit",
		"groq",
		"groq/openai/gpt-oss-120b",
		"groq/openai/gpt-oss-20b",
		429,
		error(
			"Rate limit reached for model `openai/gpt-oss-120b` on tokens per day (TPD): Limit 200000. Please try again in 5m2s.",
		),
		[429, /tokens per day/],
	],
	[
		"a free model's daily request limit",
		"google",
		"gemini-3.8-flash",
		"gemini-2.5-flash",
		429,
		error(
			"You exceeded your current quota, please check your plan and billing details.",
			{
				status: "RESOURCE_EXHAUSTED",
				details: [
					{
						violations: [
							{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" },
						],
					},
					{ retryDelay: "37s" },
				],
			},
		),
		[429, /exceeded your current quota/],
	],
	[
		"a refusal without a reason",
		"openai",
		"gpt-4o",
		"gpt-4.1",
		403,
		error("You are not allowed to do this"),
		[502, /not allowed to do this/],
	],
];

test.each(ofOne)(
	"%s closes at most that model, and no other of its provider",
	async (_what, provider, asked, other, status, body, [told, message]) => {
		const { server, asha, fakes } = await openTestGateway([provider]);
		const ask = (model: string) =>
			server.ask("POST", "/v1/chat/completions", {
				as: asha,
				body: { model, messages },
			});
		fakes[provider]?.act({ status, body }, {});
		const refused = await ask(asked);
		expect([refused.status, refused.text]).toEqual([
			told,
			expect.stringMatching(message),
		]);
		expect(refused.text).not.toMatch(/refused the key|no credit/);
		expect((await ask(other)).status).toBe(200);
	},
);

test("a provider that forbids two models is paused, and used again once it answers", async () => {
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	const ask = (model: string) =>
		server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: { model, messages },
		});
	fakes.openai.act({ status: 403, body: error("Country is not supported") });
	await ask("gpt-4o");
	await ask("gpt-4.1");
	const spared = await ask("gpt-4o-mini");
	expect(spared.status).toBe(503);
	expect(fakes.openai.received).toHaveLength(2);
});

test("callers of other models see a refused key, but not other failures", async () => {
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	const ask = (model: string) =>
		server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: { model, messages },
		});
	fakes.openai.act({ status: 401, body: error("Incorrect API key provided") });
	for (const model of ["gpt-4o", "gpt-4.1"])
		expect(await ask(model)).toMatchObject({
			status: 502,
			body: {
				error: { message: "OpenAI: refused the key in OPENAI_API_KEY" },
			},
		});
	expect(fakes.openai.received).toHaveLength(1);
});

test.each([
	[429, "Please try again in 5m2s.", 302_000],
	[429, "Please try again in 9m38.016s. Need more tokens?", 578_016],
	[429, "Rate limit reached. Please try again in 120ms.", 120],
	[429, "tokens per min (TPM). Please try again in 4.2s", 4_200],
	[429, "Please retry in 37.5s.", 37_500],
])("%s %s is waited for that long", (status, message, ms) => {
	expect(faultOfStatus(status, error(message)).retryAfterMs).toBe(ms);
});

test.each([
	[400, "You have reached your specified API usage limits.", "quota"],
	[403, "Your team has used all available credits", "quota"],
	[403, "Incorrect API key provided", "auth"],
	[403, "<html><title>403 Forbidden</title></html>", "forbidden"],
	[400, "User location is not supported for the API use.", "forbidden"],
	[413, "Request too large on tokens per minute (TPM): Limit 6000", "context"],
	[429, "Extra usage is required for long context requests.", "context"],
	[429, "You are using a Trial key, limited to 1000 calls / monthly", "quota"],
	[429, "You exceeded your current quota: insufficient_quota", "quota"],
	[429, "quotaId: GenerateRequestsPerMinutePerProjectPerModel", "overload"],
	[404, "The model does not exist or you do not have access to it", "missing"],
] as const)("%s %s is of kind %s", (status, message, kind) => {
	expect(faultOfStatus(status, error(message)).kind).toBe(kind);
});
