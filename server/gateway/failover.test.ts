import dns from "node:dns";
import { APIError } from "openai";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { sampled } from "../../sync/testing/lane.ts";
import { openTestGateway } from "./testing/gateway.ts";
import { holdTime } from "./testing/held-time.ts";
import type { Act } from "./testing/providers.ts";

const messages = [{ role: "user" as const, content: "Habari?" }];
const said = "Habari ya dunia: ☕ chai na 🍞 mkate";
const auto = { model: "gateway/auto", messages };
const named = { model: "gpt-4o", messages };

async function open(
	names: string[] = ["openai", "anthropic"],
	env: NodeJS.ProcessEnv = {},
) {
	const gateway = await openTestGateway(names, { env });
	holdTime(gateway.fakes);
	return gateway;
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Makes all fake providers do the same. */
function all({ fakes }: Opened, ...acts: Act[]): void {
	for (const fake of Object.values(fakes)) fake.act(...acts);
}

const asks = ({ fakes }: Opened) =>
	Object.values(fakes).reduce((sum, { received }) => sum + received.length, 0);

async function streamed(
	{ client }: Opened,
	body: Omit<typeof auto, "messages">,
): Promise<string> {
	let text = "";
	const stream = await client.chat.completions.create({
		messages,
		...body,
		stream: true,
	});
	for await (const { choices } of stream)
		text += choices[0]?.delta.content ?? "";
	return text;
}

async function failureOf(promise: Promise<unknown>): Promise<APIError> {
	const error = await promise.then(
		() => undefined,
		(reason) => reason,
	);
	expect(error).toBeInstanceOf(APIError);
	return error as APIError;
}

describe("a failure before the first content", () => {
	const overloaded = { error: { message: "Overloaded", type: "server_error" } };
	const failures: [string, Act][] = [
		["500", { status: 500, body: { error: { message: "oops" } } }],
		["503", { status: 503, body: overloaded }],
		["529", { status: 529, body: overloaded }],
		["429", { status: 429, body: { error: { message: "Rate limit" } } }],
		["402", { status: 402, body: { error: { message: "Payment" } } }],
		["401", { status: 401, body: { error: { message: "Bad key" } } }],
		["an answer that is no JSON", { status: 200, body: "<html>" }],
		["silence", { isSilent: true }],
		["comments and nothing else", { isMute: true }],
		["an end before the first content", { cutAfter: 1 }],
		["a reset before the first content", { cutAfter: 1, cut: "reset" }],
		[
			"an error as the first event, with status 200",
			{
				insert: {
					at: 0,
					raw: `data: ${JSON.stringify({ type: "error", ...overloaded })}\n\n`,
				},
			},
		],
		["an event that is no JSON", { insert: { at: 0, raw: "data: {oops\n\n" } }],
	];

	test.each(sampled(failures, 2))(
		"another model answers after %s",
		async (_what, act) => {
			const gateway = await open();
			const { fakes } = gateway;
			// The first provider called fails until the other is called.
			const [first, second] = Object.values(fakes);
			await streamed(gateway, auto);
			const [failing, healthy] =
				first?.received.length === 1 ? [first, second] : [second, first];
			failing?.act(act);
			expect(await streamed(gateway, auto)).toBe(said);
			expect(healthy?.received.length).toBe(1);
		},
	);

	test("a model that is the only candidate is retried", async () => {
		const gateway = await open(["openai"]);
		all(gateway, { status: 500, body: "" }, { status: 502, body: "" }, {});
		expect(await streamed(gateway, named)).toBe(said);
		expect(asks(gateway)).toBe(3);
	});

	test("a short Retry-After is waited for", async () => {
		const gateway = await openTestGateway(["openai"]);
		all(
			gateway,
			{ status: 429, body: "slow down", headers: { "retry-after-ms": "400" } },
			{},
		);
		const begun = performance.now();
		expect(await streamed(gateway, named)).toBe(said);
		expect(performance.now() - begun).toBeGreaterThan(390);
	});

	test("a long Retry-After is passed on to the client", async () => {
		const gateway = await open(["openai"]);
		all(gateway, {
			status: 429,
			body: "slow down",
			headers: { "retry-after": "120" },
		});
		const error = await failureOf(streamed(gateway, named));
		expect(error).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
		expect(Number(error.headers?.get("retry-after"))).toBeGreaterThan(100);
		expect(error.headers?.get("x-should-retry")).toBe("false");
		expect(asks(gateway)).toBe(1);
	});

	test("a named model falls back only to configured models", async () => {
		const alone = await open();
		alone.fakes.openai?.act({ status: 500, body: "" });
		expect((await failureOf(streamed(alone, named))).status).toBe(502);
		expect(alone.fakes.anthropic?.received).toHaveLength(0);

		const gateway = await open(["openai", "anthropic"], {
			GATEWAY_FALLBACK: "claude-haiku-4-5",
		});
		gateway.fakes.openai?.act({ status: 500, body: "" });
		const { data, response } = await gateway.client.chat.completions
			.create(named)
			.withResponse();
		expect(data.model).toBe("anthropic/claude-haiku-4-5");
		expect(response.headers.get("x-gateway-failed")).toContain(
			"openai/gpt-4o:server",
		);
	});

	test("a named model without a stream falls back when its provider stays silent", async () => {
		const gateway = await open(["openai", "anthropic"], {
			GATEWAY_FALLBACK: "claude-haiku-4-5",
		});
		gateway.fakes.openai?.act({ isSilent: true });
		const { model } = await gateway.client.chat.completions.create(named);
		expect(model).toBe("anthropic/claude-haiku-4-5");
	});

	test("the last candidate is tried when all others fail", async () => {
		const models = [
			"gpt-4o",
			"claude-haiku-4-5",
			"mistral-large-4",
			"llama-3.3-70b-versatile",
		];
		const gateway = await open(["openai", "anthropic", "mistral", "groq"], {
			GATEWAY_FALLBACK: models.slice(1).join(),
		});
		all(gateway, { status: 500, body: "" });
		gateway.fakes.groq?.act({});
		expect(await streamed(gateway, named)).toBe(said);
	});

	test("a prompt too long for one model is tried only with wider models", async () => {
		const gateway = await open(["openai", "groq", "anthropic"], {
			GATEWAY_FALLBACK: "gpt-4o,claude-sonnet-4-6",
		});
		gateway.fakes.groq?.act({
			status: 400,
			body: { error: { code: "context_length_exceeded", message: "Too long" } },
		});
		const { model } = await gateway.client.chat.completions.create({
			...named,
			model: "llama-3.1-8b-instant",
		});
		expect(gateway.fakes.openai?.received).toEqual([]);
		expect(model).toBe("anthropic/claude-sonnet-4-6");
	});

	test("a refused prompt doesn't close the provider to other callers", async () => {
		const gateway = await open(["openai"]);
		all(
			gateway,
			{
				status: 403,
				body: { error: { message: "Your input was flagged by moderation" } },
			},
			{},
		);
		const error = await failureOf(streamed(gateway, named));
		expect(error.status).toBe(400);
		expect(await streamed(gateway, named)).toBe(said);
	});

	test("automatic routing uses a search engine only if there is no other model", async () => {
		const gateway = await open(["perplexity"]);
		const { model } = await gateway.client.chat.completions.create(auto);
		expect(model).toContain("perplexity/");
	});

	const odd = {
		status: 400,
		body: { error: { message: "messages: odd", type: "invalid" } },
	};

	test("a request that a named model refuses is not sent to another", async () => {
		const gateway = await open();
		all(gateway, odd);
		expect((await failureOf(streamed(gateway, named))).status).toBe(400);
		expect(asks(gateway)).toBe(1);
	});

	test("a request that an automatically chosen model refuses goes to the next, and fails if all refuse", async () => {
		const gateway = await open();
		all(gateway, odd);
		expect((await failureOf(streamed(gateway, auto))).status).toBe(400);
		const tried = asks(gateway);
		expect(tried).toBeGreaterThan(1);
		// A refusal doesn't count against a provider's health.
		all(gateway, odd, {});
		expect(await streamed(gateway, auto)).toBe(said);
	});
});

describe("a failure after the first content", () => {
	test.each<[string, Act]>([
		["a clean end without a reason", { cutAfter: 4 }],
		["a reset", { cutAfter: 4, cut: "reset", betweenMs: 5 }],
		["silence", { betweenMs: 5, stopAfter: 4 }],
		[
			"an error event",
			{
				betweenMs: 5,
				insert: { at: 4, raw: 'data: {"error":{"message":"died"}}\n\n' },
			},
		],
	])(
		"an answer that breaks off ends with an error event: %s",
		async (_what, act) => {
			const gateway = await open(["openai"]);
			all(gateway, act);
			const { server, asha } = gateway;
			const answer = await server.ask("POST", "/v1/chat/completions", {
				as: asha,
				headers: { "x-gateway-rescue": "off" },
				body: { ...named, stream: true },
			});
			expect(answer.status).toBe(200);
			expect(answer.text).toContain("Habari");
			const events = answer.text.split("\n\n").filter((event) => event !== "");
			expect(events.at(-1)).toBe("data: [DONE]");
			expect(JSON.parse(events.at(-2)?.slice(6) ?? "").error).toMatchObject({
				type: "server_error",
				code: "upstream_stream_interrupted",
			});
			expect(answer.text).not.toContain('finish_reason":"stop"');
			expect(asks(gateway)).toBe(1);
			// The same model is asked to go on, but breaks off too.
			const error = await failureOf(streamed(gateway, named));
			expect(error.code).toBe("upstream_stream_interrupted");
			expect(asks(gateway)).toBe(3);
		},
	);
});

describe("a client that hangs up", () => {
	test("a client that hangs up ends the provider's call at once, streamed or not", async () => {
		const gateway = await open(["openai"]);
		const { client, fakes } = gateway;
		for (const stream of [true, false]) {
			all(gateway, { betweenMs: 100, delayMs: stream ? 100 : 5_000 });
			const before = asks(gateway);
			const abort = new AbortController();
			const asked = client.chat.completions
				.create({ ...named, stream } as typeof named, { signal: abort.signal })
				.then(async (answer) => {
					for await (const _ of answer as never as AsyncIterable<unknown>) {
						abort.abort();
					}
				})
				.catch(() => undefined);
			await expect.poll(() => asks(gateway)).toBe(before + 1);
			if (!stream) abort.abort();
			await asked;
			const received = fakes.openai?.received.at(-1);
			await expect.poll(() => received?.isAborted).toBe(true);
			expect(received?.written).toBeLessThan(6);
		}
	});
});

describe("a circuit", () => {
	test("a circuit opens after failures in a row, blocks calls while open, and lets one probe test the provider", async () => {
		const gateway = await open(["openai"]);
		all(gateway, { status: 500, body: "" });
		while (asks(gateway) < 5) await failureOf(streamed(gateway, named));
		const before = asks(gateway);
		const error = await failureOf(streamed(gateway, named));
		expect(error.status).toBe(503);
		expect(Number(error.headers?.get("retry-after"))).toBeGreaterThan(0);
		expect(asks(gateway)).toBe(before);
	});

	test("a refused key opens the provider's circuit at once, and the error names the setting", async () => {
		const gateway = await open(["openai"]);
		all(gateway, {
			status: 401,
			body: {
				error: { message: "Incorrect API key provided: sk-fake-openai-01" },
			},
		});
		const error = await failureOf(streamed(gateway, named));
		expect(error.status).toBe(502);
		expect(error.message).toContain("OPENAI_API_KEY");
		expect(JSON.stringify(error.error)).not.toContain("sk-fake");
		expect(gateway.server.logged()).not.toContain("sk-fake");
	});
});

describe("the internet", () => {
	const localModels = [
		{ name: "qwen3:4b", capabilities: ["tools"], contextLength: 40_960 },
	];
	const nowhere = (names: string[]) =>
		Object.fromEntries(
			names.flatMap((name) => [
				// No resolver knows this name (RFC 6761, section 6.4).
				[`${name}_BASE_URL`, `http://${name.toLowerCase()}.invalid`],
				[`${name}_API_KEY`, "key-of-nobody"],
			]),
		);
	const away = ["OPENAI", "ANTHROPIC", "GROQ", "MISTRAL", "XAI", "COHERE"];
	/** Replaces the machine's resolver, whose time to fail varies. */
	function resolver({ takesMs }: { takesMs: number }): void {
		const known = dns.lookup;
		const lookup = vi.spyOn(dns, "lookup");
		onTestFinished(() => lookup.mockRestore());
		lookup.mockImplementation(((host: string, ...rest: [never, never]) => {
			if (!host.endsWith(".invalid")) return known(host, ...rest);
			const answer = rest.at(-1) as unknown as (error: Error) => void;
			const error = Object.assign(new Error(host), { code: "ENOTFOUND" });
			setTimeout(answer, takesMs, error);
		}) as never);
	}

	test("an offline server asks its local model at the first attempt", async () => {
		resolver({ takesMs: 0 });
		const gateway = await openTestGateway(["ollama"], {
			env: nowhere(away),
			localModels,
		});
		await streamed(gateway, auto);
		const { data, response } = await gateway.client.chat.completions
			.create(auto)
			.withResponse();
		expect(response.headers.get("x-gateway-attempts")).toBe("1");
		expect(response.headers.get("x-gateway-failed")).toBeNull();
		expect(data.model).toBe("ollama/qwen3:4b");
		expect(response.headers.get("x-gateway-route")).toContain("offline");
	});

	test("the local model answers when the internet goes offline during a call", async () => {
		resolver({ takesMs: 200 });
		const gateway = await openTestGateway(["ollama"], {
			env: nowhere(away),
			localModels,
		});
		expect(await streamed(gateway, auto)).toBe(said);
	});

	test("a call of a named remote model on an offline server says that the internet is unreachable", async () => {
		resolver({ takesMs: 10 });
		const gateway = await openTestGateway([], {
			env: nowhere(away),
		});
		const error = await failureOf(streamed(gateway, named));
		expect(error).toMatchObject({ status: 503, code: "offline" });
	});

	test("one provider's failure doesn't mean that the internet is offline", async () => {
		resolver({ takesMs: 10 });
		const gateway = await openTestGateway(["anthropic", "ollama"], {
			env: nowhere(["OPENAI"]),
			localModels,
		});
		const error = await failureOf(streamed(gateway, named));
		expect(error).toMatchObject({ status: 502, code: "upstream_unreachable" });
		const { data } = await gateway.client.chat.completions
			.create(auto)
			.withResponse();
		expect(data.model).toContain("anthropic/");
	});
});

test("a stand-in that nobody knows is named in the route", async () => {
	const { server, asha } = await openTestGateway(["openai", "anthropic"]);
	const ask = async (fallback: string) => {
		const { headers } = await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			headers: { "x-gateway-fallback": fallback },
			body: { model: "gpt-4o", messages },
		});
		return headers.get("x-gateway-route");
	};
	expect(await ask("claude-haiku-4-5")).toBe("named; with fallback");
	expect(await ask("claude-haiku-45, claude-haiku-4-5")).toBe(
		"named; with fallback; unknown fallback: claude-haiku-45",
	);
	expect(await ask(Array(200).fill("x".repeat(70)).join())).toHaveLength(
		"named; unknown fallback: ".length + 3 * 60 + 4,
	);
});
