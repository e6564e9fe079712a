import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { APIError } from "openai";
import { describe, expect, test } from "vitest";
import { testDir } from "../../sync/testing/shop.ts";
import { readCatalogue } from "./catalogue.ts";
import { openClient, openTestGateway } from "./testing/gateway.ts";

const messages = [{ role: "user" as const, content: "Habari?" }];
const image =
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function failureOf(promise: Promise<unknown>): Promise<APIError> {
	const error = await promise.then(
		() => undefined,
		(reason) => reason,
	);
	expect(error).toBeInstanceOf(APIError);
	return error as APIError;
}

describe("the list of models", () => {
	test("the list has all models of all providers, and says which are available", async () => {
		const { client, server, asha } = await openTestGateway(["openai"]);
		const { body } = await server.ask("GET", "/v1/models", { as: asha });
		const list = body as { object: string; total: number; data: Listed[] };
		expect(list.object).toBe("list");
		expect(list.total).toBe(list.data.length);
		expect(list.total).toBeGreaterThanOrEqual(60);
		for (const { available, provider } of list.data.slice(1))
			expect(available).toBe(provider === "openai");
		expect(list.data.find(({ id }) => id === "openai/gpt-4o")).toEqual({
			id: "openai/gpt-4o",
			object: "model",
			created: expect.any(Number),
			owned_by: "openai",
			provider: "openai",
			display_name: "GPT-4o",
			context_window: 128_000,
			max_output_tokens: expect.any(Number),
			capabilities: {
				streaming: true,
				tool_use: true,
				vision: true,
				reasoning: false,
			},
			pricing: { input: 2.5, output: 10 },
			...{ available: true, kind: "chat" },
		});
		const pages = [];
		for await (const model of client.models.list()) pages.push(model.id);
		expect(pages).toHaveLength(list.total);
	});

	test("a single model is found by its id or its name, with or without slashes", async () => {
		const { client, server, asha } = await openTestGateway(["groq"]);
		for (const id of ["gpt-4o", "openai/gpt-4o"])
			expect((await client.models.retrieve(id)).id).toBe("openai/gpt-4o");
		const raw = await server.ask(
			"GET",
			"/v1/models/fireworks/accounts/fireworks/models/glm-5p3-flash",
			{ as: asha },
		);
		expect(raw.status).toBe(200);
		const error = await failureOf(client.models.retrieve("gpt-0"));
		expect(error).toMatchObject({ status: 404, code: "model_not_found" });
	});

	test("the list has the models of a running Ollama with their details", async () => {
		const { client } = await openTestGateway(["ollama"], {
			localModels: [
				{
					name: "llava:latest",
					capabilities: ["vision"],
					contextLength: 9_000,
				},
			],
		});
		expect(await client.models.retrieve("ollama/llava")).toMatchObject({
			available: true,
			context_window: 9_000,
			capabilities: { vision: true, tool_use: false },
		});
		expect(await client.models.retrieve("qwen3:4b")).toMatchObject({
			available: false,
		});
	});

	test("a file in the data directory extends the catalogue, and a broken file is reported", async () => {
		const dir = testDir();
		const write = (models: unknown) =>
			writeFileSync(join(dir, "models.json"), JSON.stringify({ models }));
		write([
			{
				id: "openai/own",
				context_window: 100,
				pricing: { input: 1, output: 1 },
			},
			{ id: "openai/gpt-4o", pricing: { input: 2, output: 8 } },
		]);
		const { client } = await openTestGateway(["openai"], {
			env: { DATA_DIR: dir },
		});
		expect(await client.models.retrieve("own")).toMatchObject({
			...{ id: "openai/own", owned_by: "openai", display_name: "own" },
		});
		expect(await client.models.retrieve("gpt-4o")).toMatchObject({
			...{ context_window: 128_000, pricing: { input: 2, output: 8 } },
		});
		const long = { role: "user" as const, content: "Habari ".repeat(100) };
		const error = await failureOf(
			client.chat.completions.create({ model: "own", messages: [long] }),
		);
		expect(error).toMatchObject({
			status: 400,
			code: "context_length_exceeded",
		});
		expect(error.message).toMatch(/212 tokens.*100 at most/);

		write([{ id: "openai/own", context_window: 100 }]);
		await expect(
			openTestGateway([], { env: { DATA_DIR: dir } }),
		).rejects.toThrow(/models\.json in it: models\.0\.pricing/);

		// An earlier version took it; what a model refuses has another form now.
		write([{ id: "openai/gpt-4o", temperature: "never" }]);
		await expect(
			openTestGateway([], { env: { DATA_DIR: dir } }),
		).rejects.toThrow(/models\.json in it: models\.0.*"temperature"/);
	});

	test("gateway/auto is in the list, as able and as dear as the models that it may take", async () => {
		const { client } = await openTestGateway(["groq"]);
		const [first] = (await client.models.list()).data;
		expect(first).toMatchObject({
			...{ id: "gateway/auto", available: true, owned_by: "counterfoil" },
			capabilities: { tool_use: true },
		});
		expect(await client.models.retrieve("gateway/auto")).toEqual(first);
	});
});

test("a provider's model that no catalogue lists is taken, at the price of its dearest, and its refusals close nothing", async () => {
	const { client, server, asha, fakes } = await openTestGateway(["openai"]);
	const ask = (model: string) =>
		client.chat.completions.create({ model, messages }).withResponse();
	const { data, response } = await ask("openai/gpt-7-preview");
	expect(data.model).toBe("openai/gpt-7-preview");
	expect(fakes.openai.received.at(-1)?.body).toMatchObject({
		model: "gpt-7-preview",
	});
	expect(response.headers.get("x-gateway-route")).toMatch(/unlisted: priced/);
	// Writes what ended.
	await server.ask("GET", "/api/usage", { as: asha });
	const [call] = await server.rows("SELECT * FROM ai_calls");
	const dearest = Math.max(
		...readCatalogue("none")
			.models.filter(({ provider }) => provider === "openai")
			.map(({ pricing }) => pricing.output),
	);
	const { completion_tokens, cost } = call as Record<string, number>;
	expect(cost).toBeGreaterThanOrEqual(
		(completion_tokens ?? 0) * dearest * 1_000,
	);

	for (const n of [1, 2, 3]) {
		fakes.openai.act({ status: 403, body: "{}" }, {});
		await expect(ask(`openai/secret-${n}`)).rejects.toBeInstanceOf(APIError);
	}
	await ask("openai/gpt-7-preview");
	for (const model of [
		"groq/new",
		"nowhere/new",
		"ollama/new",
		"gpt-7-preview",
		"openai/a\0b",
		"openai/\ud800",
	])
		await expect(ask(model)).rejects.toMatchObject({
			code: model.startsWith("groq")
				? "provider_not_configured"
				: "model_not_found",
		});
});

interface Listed {
	id: string;
	provider: string;
	available: boolean;
}

describe("automatic routing", () => {
	const names = ["openai", "anthropic", "groq", "mistral"];
	const route = async (
		fields: object,
		headers: Record<string, string> = {},
	) => {
		const { server, asha } = await openTestGateway(names);
		const { status, headers: told } = await server.ask(
			"POST",
			"/v1/chat/completions",
			{
				as: asha,
				headers,
				body: { model: "gateway/auto", messages, ...fields },
			},
		);
		expect(status).toBe(200);
		return {
			model: told.get("x-gateway-model"),
			why: told.get("x-gateway-route"),
		};
	};

	test("automatic routing follows the policy: cheap, fast, best or balanced", async () => {
		const by = (policy: string) => route({}, { "x-gateway-policy": policy });
		expect((await by("cheap")).model).toBe("groq/llama-3.1-8b-instant");
		expect((await by("fast")).model).toMatch(/^groq\//);
		expect((await by("best")).model).toMatch(
			/opus-5-5|fable-5-2|gpt-5\.5|gpt-6-astra/,
		);
		const balanced = await route({});
		expect(balanced.why).toMatch(
			/^policy=balanced; wanted=2; fits=\d+\/\d+; tier=[2345]; usd=0\.\d+; ms=\d+; not \S+ is .+, \S+ is .+$/,
		);
	});

	test("a conversation stays with its model, whatever its next question is", async () => {
		const { server, asha } = await openTestGateway(names);
		const turn = async (messages: object[]) => {
			const { headers } = await server.ask("POST", "/v1/chat/completions", {
				...{ as: asha, body: { model: "gateway/auto", messages } },
			});
			return headers.get("x-gateway-model");
		};
		const begin = { role: "user", content: "Habari?" };
		const proof = { role: "user", content: "Prove it, step by step." };
		const first = await turn([begin]);
		const reply = { role: "assistant", content: "Nzuri." };
		expect(await turn([begin, reply, proof])).toBe(first);
		expect(await turn([proof])).not.toBe(first);
	});

	test("the log has the chosen route and its reason, but no message text", async () => {
		const { server, client } = await openTestGateway(names);
		await client.chat.completions.create({ model: "gateway/auto", messages });
		const line = server
			.logged()
			.split("\n")
			.find((text) => text.includes("A model was chosen"));
		expect(JSON.parse(line ?? "{}")).toMatchObject({
			asked: "gateway/auto",
			route: expect.stringContaining("policy=balanced"),
			attempts: 1,
		});
		expect(server.logged()).not.toContain("Habari");
	});

	test("automatic routing uses only models with the needed features, and names those features", async () => {
		const { model, why } = await route(
			{
				messages: [
					{
						role: "user",
						content: [{ type: "image_url", image_url: { url: image } }],
					},
				],
				tools: [{ type: "function", function: { name: "look" } }],
				response_format: { type: "json_object" },
			},
			{ "x-gateway-policy": "cheap" },
		);
		expect(model).toMatch(/^(openai|mistral)\//);
		expect(why).toContain("needs=tools+image+json");
	});

	test("a long prompt goes to a model with a wider window", async () => {
		const content = "Habari ya leo. ".repeat(40_000);
		const { model } = await route(
			{ messages: [{ role: "user", content }] },
			{ "x-gateway-policy": "cheap" },
		);
		expect(model).not.toMatch(/^groq/);
	});

	test("the error says what is missing if no provider is configured or no model fits", async () => {
		const none = await openTestGateway([]);
		const nothing = await failureOf(
			none.client.chat.completions.create({ model: "gateway/auto", messages }),
		);
		expect(nothing).toMatchObject({ status: 503, code: "no_provider" });
		expect(nothing.message).toContain("OPENAI_API_KEY");
	});
});

describe("a model by its name", () => {
	test("an unknown model and a provider without a key have different errors", async () => {
		const { client } = await openTestGateway(["groq"]);
		const ask = (model: string) =>
			failureOf(client.chat.completions.create({ model, messages }));
		expect(await ask("gpt-0")).toMatchObject({
			status: 404,
			code: "model_not_found",
			param: "model",
			type: "invalid_request_error",
		});
		const unset = await ask("claude-sonnet-4");
		expect(unset).toMatchObject({
			status: 400,
			code: "provider_not_configured",
		});
		expect(unset.message).toContain("ANTHROPIC_API_KEY");
	});

	test("a model that several providers have comes from the configured one", async () => {
		const { client } = await openTestGateway(["together"]);
		const { model } = await client.chat.completions.create({
			model: "openai/gpt-oss-120b",
			messages,
		});
		expect(model).toBe("together/openai/gpt-oss-120b");
	});
});

describe("bad input", () => {
	test.each<[string, object, string | null]>([
		["no model", { messages }, "model"],
		["no messages", { model: "gpt-4o" }, "messages"],
		["empty messages", { model: "gpt-4o", messages: [] }, "messages"],
		[
			"a wrong role",
			{ model: "gpt-4o", messages: [{ role: "king", content: "x" }] },
			"messages[0].role",
		],
		[
			"content of a wrong type",
			{
				model: "gpt-4o",
				messages: [...messages, { role: "user", content: 7 }],
			},
			"messages[1].content",
		],
		[
			"an assistant that says nothing",
			{ model: "gpt-4o", messages: [{ role: "assistant" }] },
			"messages[0].content",
		],
		[
			"a temperature out of range",
			{ model: "gpt-4o", messages, temperature: 3 },
			"temperature",
		],
		[
			"max_tokens of nothing",
			{ model: "gpt-4o", messages, max_tokens: 0 },
			"max_tokens",
		],
		[
			"a stream of text",
			{ model: "gpt-4o", messages, stream: "yes" },
			"stream",
		],
		[
			"a tool that is none",
			{ model: "gpt-4o", messages, tools: [{ type: "hammer" }] },
			"tools[0].type",
		],
		["an array", [1], "model"],
	])("%s is 400 and named", async (_what, body, param) => {
		const { server, asha } = await openTestGateway(["openai"]);
		const answer = await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body,
		});
		expect(answer.status).toBe(400);
		expect(answer.body).toEqual({
			error: {
				message: expect.any(String),
				type: "invalid_request_error",
				param,
				code: null,
			},
		});
	});

	test("bad JSON, paths, methods and sizes get errors in OpenAI's format", async () => {
		const { server, asha } = await openTestGateway(["openai"]);
		const ask = async (method: string, path: string, body?: unknown) => {
			const answer = await server.ask(method, path, { as: asha, body });
			const { error } = answer.body as { error: { code: string } };
			expect(error).toHaveProperty("type");
			return [answer.status, error.code];
		};
		const chat = "/v1/chat/completions";
		expect(await ask("POST", chat, "{oops")).toEqual([400, null]);
		expect(await ask("GET", "/v1/nothing")).toEqual([404, "not_found"]);
		expect(await ask("GET", chat)).toEqual([405, "method_not_allowed"]);
		const content = "x".repeat(20_000_001);
		expect(
			await ask("POST", chat, {
				model: "gpt-4o",
				messages: [{ role: "user", content }],
			}),
		).toEqual([413, "request_too_large"]);
		// Each of them takes longer to check than to send.
		const many = `{"model":"gpt-4o","messages":[{}${",{}".repeat(100_000)}]}`;
		const { status, text } = await server.ask("POST", chat, {
			...{ as: asha, body: many },
		});
		expect([status, text]).toEqual([
			400,
			expect.stringContaining("at most 100000 values"),
		]);
	});

	test("calls without a token or a key are refused", async () => {
		const { server } = await openTestGateway(["openai"]);
		const credentials: Record<string, string>[] = [
			{},
			{ authorization: "Bearer none" },
			{ authorization: "Bearer cfk_none" },
		];
		for (const headers of credentials) {
			for (const path of ["/v1/models", "/v1/models/gpt-4o"])
				expect((await server.ask("GET", path, { headers })).status).toBe(401);
			const answer = await server.ask("POST", "/v1/chat/completions", {
				headers,
				body: { model: "gpt-4o", messages },
			});
			expect(answer.status).toBe(401);
			expect(answer.body).toMatchObject({
				error: { type: "authentication_error", code: "invalid_api_key" },
			});
		}
		const error = await failureOf(
			openClient(server.url, { bearer: "Bearer none" })
				.models.list()
				.then((page) => page.data),
		);
		expect(error.status).toBe(401);
	});
});
