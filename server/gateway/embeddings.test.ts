import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { openTestGateway } from "./testing/gateway.ts";
import { vectorOf } from "./testing/providers.ts";
import { open } from "./testing/spending.ts";

const texts = ["Maziwa", "Habari ya dunia"];
const unit = (text: string) => {
	const vector = vectorOf(text);
	return vector.map((value) => value / Math.hypot(...vector));
};

test.each([
	["openai", "text-embedding-3-small", { dimensions: 2 }],
	["mistral", "mistral/mistral-embed", { output_dimension: 2 }],
	["google", "gemini-embedding-001", undefined],
	["cohere", "embed-v4.0", { input_type: "search_query", output_dimension: 2 }],
	["ollama", "ollama/nomic-embed-text", { dimensions: 2 }],
] as const)(
	"OpenAI's client gets the vectors of %s in the order of its texts",
	async (provider, model, sent) => {
		const { client, fakes } = await openTestGateway([provider]);
		const { data, ...answer } = await client.embeddings.create(
			{ model, input: texts, dimensions: 2 },
			{ headers: { "x-gateway-embed": "query" } },
		);
		// The client asks for base64, so the numbers are 32-bit floats.
		const wanted = texts.map(provider === "google" ? unit : vectorOf);
		expect(data.map(({ index }) => index)).toEqual([0, 1]);
		for (const [i, { embedding }] of data.entries())
			expect([...embedding]).toEqual([...new Float32Array(wanted[i] ?? [])]);
		expect(answer.model).toMatch(`${provider}/`);
		expect(answer.usage.prompt_tokens).toBeGreaterThan(3);
		expect(fakes[provider].received.at(-1)?.body).toMatchObject(
			sent ?? {
				requests: [
					{ taskType: "RETRIEVAL_QUERY", outputDimensionality: 2 },
					{},
				],
			},
		);
	},
);

describe("embeddings", () => {
	test("a list longer than a provider takes is asked for in parts, and every part is charged", async () => {
		const { client, fakes, server } = await openTestGateway(["cohere"]);
		const input = Array.from({ length: 200 }, (_, i) => `Item ${i}`);
		const { data, usage } = await client.embeddings.create({
			...{ model: "cohere/embed-v4.0", input, encoding_format: "float" },
		});
		expect(data.map(({ embedding }) => embedding)).toEqual(input.map(vectorOf));
		expect(fakes.cohere.received.map(({ body }) => body.texts.length)).toEqual([
			96, 96, 8,
		]);
		expect(usage.prompt_tokens).toBe(15);
		const [call] = await vi.waitUntil(async () => {
			const rows = await server.rows("SELECT * FROM ai_calls");
			return rows[0]?.status === "ok" ? rows : undefined;
		}, 60_000);
		expect(call).toMatchObject({
			...{ prompt_tokens: 15, completion_tokens: 0, attempts: 3, cost: 1_800 },
		});
	});

	test("a failed provider is asked again, and no other model answers in its place", async () => {
		const { client, fakes } = await openTestGateway(["openai", "mistral"]);
		const ask = () =>
			client.embeddings.create({ model: "mistral-embed", input: "x" });
		fakes.mistral.act({ status: 503, body: "" }, {});
		expect((await ask()).data).toHaveLength(1);
		fakes.mistral.act({ status: 401, body: "" });
		await expect(ask()).rejects.toMatchObject({
			...{ status: 502, code: "provider_auth_failed" },
		});
		expect(fakes.openai.received).toEqual([]);
	});

	test.each([
		["an unknown model", { model: "none" }, "model_not_found"],
		["a chat model", { model: "gpt-4o" }, "model_not_found"],
		[
			"a provider without a key",
			{ model: "embed-v4.0" },
			"provider_not_configured",
		],
		["tokens", { input: [1, 2] }, undefined],
		["no text", { input: [] }, undefined],
		[
			"a text that is too long",
			{ input: ["x", "habari ".repeat(40_000)] },
			"context_length_exceeded",
		],
	])("%s is refused before anything is sent", async (_, changed, code) => {
		const { server, asha, fakes } = await openTestGateway(["openai"]);
		const { status, body } = await server.ask("POST", "/v1/embeddings", {
			as: asha,
			body: { model: "text-embedding-3-small", input: "x", ...changed },
		});
		expect(status).toBe(code === "model_not_found" ? 404 : 400);
		expect(body).toMatchObject({ error: { code: code ?? null } });
		expect(fakes.openai.received).toEqual([]);
	});

	test("each request that a provider may bill without an answer counts against the budget", async () => {
		const { addKey, server, fakes, usage } = await open(["openai"]);
		const input = "x ".repeat(4_000);
		const ask = ({ bearer: authorization }: { bearer: string }) =>
			server.ask("POST", "/v1/embeddings", {
				headers: { authorization },
				body: { model: "text-embedding-3-large", input },
			});
		const costOf = async ({ id }: { id: string }) =>
			(await usage()).keys.find(({ keyId }) => keyId === id)?.cost ?? 0;
		const free = await addKey();
		expect((await ask(free)).status).toBe(200);
		const counted = await costOf(free);
		fakes.openai?.act({ status: 200, body: "{}" }, {});
		expect((await ask(free)).status).toBe(200);
		const estimated = (await costOf(free)) - 2 * counted;
		expect(estimated).toBeGreaterThan(counted);

		fakes.openai?.act({ status: 200, body: "{}" });
		const rich = await addKey({ monthlyBudget: 1 });
		expect((await ask(rich)).status).toBe(502);
		expect(fakes.openai?.received).toHaveLength(3 + 3);
		const most = (await costOf(rich)) / 3;
		expect(most).toBeGreaterThan(estimated);

		const poor = await addKey({ monthlyBudget: 2.5 * most });
		expect((await ask(poor)).status).toBe(502);
		expect(fakes.openai?.received).toHaveLength(6 + 2);
		expect(await costOf(poor)).toBeCloseTo(2 * most, 9);
	});

	test("a client that hangs up pays for what was asked, not for what was still to be asked", async () => {
		const { addKey, server, fakes, usage } = await open(["cohere"]);
		const input = Array.from({ length: 97 }, () => "x ".repeat(400));
		/** Asks for two parts, and hangs up when the provider has both. @returns the cost */
		async function hangUp(): Promise<number> {
			const { bearer: authorization, id } = await addKey({ monthlyBudget: 1 });
			const gone = new AbortController();
			const asked = fetch(`${server.url}/v1/embeddings`, {
				method: "POST",
				headers: { authorization, "content-type": "application/json" },
				body: JSON.stringify({ model: "embed-v4.0", input }),
				signal: gone.signal,
			});
			const before = fakes.cohere?.received.length ?? 0;
			await expect.poll(() => fakes.cohere?.received.length).toBe(before + 2);
			// The answer has come by then.
			await sleep(100);
			gone.abort();
			await expect(asked).rejects.toThrow();
			return vi.waitFor(async () => {
				const spent = (await usage()).keys.find(({ keyId }) => keyId === id);
				expect(spent).toBeDefined();
				return spent?.cost ?? 0;
			}, 60_000);
		}
		fakes.cohere?.act({}, { isSilent: true });
		expect(await hangUp()).toBeGreaterThan(0.000_03);
		const headers = { "retry-after": "5" };
		fakes.cohere?.act({}, { status: 503, body: "", headers });
		// The five tokens that the provider counted.
		expect(await hangUp()).toBeCloseTo(0.000_000_6, 12);
	});

	test("a provider's count that is no number of tokens is estimated", async () => {
		const { addKey, server, asha, fakes } = await open(["cohere"]);
		const { bearer: authorization } = await addKey({ monthlyBudget: 1 });
		fakes.cohere?.act({
			status: 200,
			body: {
				embeddings: { float: [[1, 2]] },
				meta: { billed_units: { input_tokens: 3.5 } },
			},
		});
		const { status, body } = await server.ask("POST", "/v1/embeddings", {
			headers: { authorization },
			body: { model: "embed-v4.0", input: "Habari ya dunia" },
		});
		expect([status, body]).toMatchObject([
			200,
			{ usage: { prompt_tokens: expect.any(Number) } },
		]);
		const { body: listed } = await server.ask("GET", "/api/keys", { as: asha });
		const [key] = (listed as { keys: Record<string, number>[] }).keys;
		expect(key?.spent).toBeGreaterThan(0);
		expect(key?.reserved).toBe(0);
	});

	test("a budget holds for vectors too", async () => {
		const { server, asha } = await openTestGateway(["openai"]);
		await server.ask("PATCH", "/api/ai/limits", {
			...{ as: asha, body: { monthlyBudget: 0.000_001 } },
		});
		const { status, body } = await server.ask("POST", "/v1/embeddings", {
			as: asha,
			body: { model: "text-embedding-3-large", input: "x ".repeat(4_000) },
		});
		expect(status).toBe(429);
		expect(body).toMatchObject({ error: { code: "budget_exceeded" } });
	});
});
