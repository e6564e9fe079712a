import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openTestShop } from "../../sync/testing/shop.ts";
import { openCache } from "./answer-cache.ts";
import { asks, named, open, said } from "./testing/spending.ts";

describe("a cached answer", () => {
	test("an exact repeat at temperature 0 gets the cached answer with its age", async () => {
		const gateway = await open();
		const first = await gateway.ask({ temperature: 0 });
		expect(first.headers.get("x-gateway-cache")).toBe("miss");
		const again = await gateway.ask({ temperature: 0, user: "someone" });
		expect(again.headers.get("x-gateway-cache")).toBe("hit");
		expect(Number(again.headers.get("age"))).toBeLessThan(5);
		expect(asks(gateway)).toBe(1);
		const choices = (answer: typeof first) =>
			(answer.body as { choices: object }).choices;
		expect(choices(again)).toEqual(choices(first));
		for (const change of [
			{ temperature: 0.1 },
			{ temperature: 0, seed: 1 },
			{ temperature: 0, model: "gpt-4o-mini" },
		]) {
			const other = await gateway.ask(change);
			expect(other.headers.get("x-gateway-cache")).not.toBe("hit");
		}
	});

	test("a cached whole answer replays as a stream, and a cached stream as a whole answer", async () => {
		const gateway = await open();
		const asked = { ...named, temperature: 0 };
		const texts = [];
		for (let i = 0; i < 2; i += 1) {
			const stream = gateway.client.chat.completions.stream(asked);
			const final = await stream.finalChatCompletion();
			texts.push(final.choices[0]?.message.content);
		}
		expect(texts).toEqual([said, said]);
		const whole = await gateway.client.chat.completions.create(asked);
		expect(whole.choices[0]?.message.content).toBe(said);
		expect(whole.usage?.prompt_tokens).toBe(11);
		expect(asks(gateway)).toBe(1);
	});

	test("a cached answer keeps its tool calls", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({
			toolCalls: [{ id: "call_1", name: "look", args: { at: "☕" } }],
		});
		const asked = {
			...named,
			temperature: 0,
			tools: [
				{
					type: "function" as const,
					function: { name: "look", parameters: {} },
				},
			],
		};
		await gateway.client.chat.completions.create(asked);
		const final = await gateway.client.chat.completions
			.stream(asked)
			.finalChatCompletion();
		expect(final.choices[0]?.message.tool_calls).toMatchObject([
			{ id: "call_1", function: { name: "look", arguments: '{"at":"☕"}' } },
		]);
		expect(asks(gateway)).toBe(1);
	});

	test.each([
		["a stream", true],
		["one piece", false],
	])(
		"a cached answer keeps its log probabilities when it came as %s and is replayed the other way",
		async (_what, stream) => {
			const gateway = await open();
			const likely = ["Nje", "ma ☕"].map((token, i) => ({
				token,
				logprob: -0.5 - i,
				top_logprobs: [],
			}));
			const logprobs = { content: likely, refusal: null };
			const answered = stream
				? [
						...likely.map((one) => ({
							delta: { content: one.token },
							logprobs: { content: [one], refusal: null },
						})),
						{ delta: {}, finish_reason: "stop" },
					]
						.map((choice) => ({ choices: [{ index: 0, ...choice }] }))
						.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
						.join("")
				: {
						choices: [
							{
								index: 0,
								message: { content: "Njema ☕" },
								logprobs,
								finish_reason: "stop",
							},
						],
					};
			const type = stream ? "text/event-stream" : "application/json";
			gateway.fakes.openai?.act({
				status: 200,
				body: answered,
				headers: { "content-type": type },
			});
			const asked = { ...named, temperature: 0, logprobs: true };
			const ask = (inStream: boolean) =>
				inStream
					? gateway.client.chat.completions.stream(asked).finalChatCompletion()
					: gateway.client.chat.completions.create(asked);
			for (const inStream of [stream, !stream]) {
				const { choices } = await ask(inStream);
				expect(choices[0]?.message.content).toBe("Njema ☕");
				expect(choices[0]?.logprobs).toMatchObject({ content: likely });
			}
			expect(asks(gateway)).toBe(1);
		},
	);

	test("headers can request caching or a refresh, and a cached answer expires", async () => {
		const gateway = await open();
		const on = { "x-gateway-cache": "on" };
		const uses = [];
		for (const headers of [
			{},
			on,
			on,
			{ "x-gateway-cache": "refresh", "x-gateway-cache-seconds": "60" },
			on,
		] as Record<string, string>[])
			uses.push(
				(await gateway.ask({}, headers)).headers.get("x-gateway-cache"),
			);
		expect(uses).toEqual(["off", "miss", "hit", "miss", "hit"]);
		const now = Date.now;
		const later = vi
			.spyOn(Date, "now")
			.mockImplementation(() => now() + 60_001);
		onTestFinished(() => later.mockRestore());
		const late = await gateway.ask({}, on);
		expect(late.headers.get("x-gateway-cache")).toBe("miss");
		const bad = await gateway.ask({}, { "x-gateway-cache": "maybe" });
		expect(bad.status).toBe(400);
		expect(bad.text).toContain("x-gateway-cache");
	});

	test("an answer is found while it is being written", async () => {
		const { store, env } = await openTestShop();
		const cache = openCache(store, env, 1_000_000, (fault) => {
			throw fault;
		});
		const disk = Promise.withResolvers<void>();
		const held = store.write(() => disk.promise);
		const answer = { choices: [], model: "openai/gpt-4o", route: "named" };
		for (const hash of ["one", "two"]) {
			cache.store("shop-1", hash, answer, 60);
			void cache.flush();
		}
		const found = cache.find("shop-1", "one");
		// As long as a search in the database takes, and more.
		await store.read(async () => {});
		await store.read(async () => {});
		disk.resolve();
		await held;
		expect(await found).toEqual({ answer, ageSeconds: 0 });
	});

	test("a business never gets another business's cached answer", async () => {
		const gateway = await open();
		await gateway.ask({ temperature: 0 });
		const baraka = await gateway.server.addUser("Baraka");
		await gateway.server.allowAi(baraka);
		const theirs = await gateway.ask(
			{ temperature: 0 },
			{ authorization: baraka.bearer },
		);
		expect(theirs.headers.get("x-gateway-cache")).toBe("miss");
		expect(asks(gateway)).toBe(2);
	});

	test("newer answers evict older ones from the cache", async () => {
		const gateway = await open(["openai"], { GATEWAY_CACHE_MB: "0.004" });
		for (let i = 0; i < 20; i += 1) {
			await gateway.ask({ temperature: 0, seed: i });
			await gateway.usage();
		}
		const kept = await gateway.server.rows("SELECT bytes FROM ai_answers");
		const bytes = kept.reduce((sum, row) => sum + Number(row.bytes), 0);
		expect(bytes).toBeLessThan(4_000);
		expect(kept.length).toBeGreaterThan(2);
		const newest = await gateway.ask({ temperature: 0, seed: 19 });
		expect(newest.headers.get("x-gateway-cache")).toBe("hit");
	});

	test("a failure or a stream that broke off is not cached", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ cutAfter: 5, betweenMs: 5 }, {});
		await gateway.ask({ temperature: 0, stream: true });
		const again = await gateway.ask({ temperature: 0, stream: true });
		expect(again.headers.get("x-gateway-cache")).toBe("miss");
	});
});

describe("identical cacheable requests in flight", () => {
	/** Skips the cached answer. */
	const refresh = { "x-gateway-cache": "refresh" };
	type Opened = Awaited<ReturnType<typeof open>>;

	/** Resolves with the answer's headers. */
	const start = (
		{ server, asha }: Opened,
		body: object,
		signal?: AbortSignal,
	) =>
		fetch(`${server.url}/v1/chat/completions`, {
			method: "POST",
			headers: {
				authorization: asha.bearer,
				"content-type": "application/json",
				...refresh,
			},
			body: JSON.stringify({ ...named, ...body }),
			signal,
		});

	/** Waits until the server has read what was sent to it before: it answers further requests. */
	async function hasRead({ server, asha }: Opened): Promise<void> {
		for (let i = 0; i < 9; i += 1)
			await server.ask("GET", "/v1/models", { as: asha });
	}

	test.each([
		["a temperature", { temperature: 1 }, {}],
		["no cache", { temperature: 0 }, { "x-gateway-cache": "off" }],
	])(
		"identical requests with %s don't share a call, since the client wants several answers",
		async (_what, body, headers) => {
			const gateway = await open();
			gateway.fakes.openai?.act({ delayMs: 300 });
			const answers = await Promise.all(
				Array.from({ length: 4 }, () => gateway.ask(body, headers)),
			);
			expect(asks(gateway)).toBe(4);
			expect(
				answers.map(({ headers: told }) => told.get("x-gateway-cache")),
			).toEqual(Array(4).fill("off"));
		},
	);

	test("identical cacheable requests share one call, streamed or not, also when a client joins late", async () => {
		const gateway = await open();
		for (const stream of [false, true]) {
			const { promise: until, resolve: answer } = Promise.withResolvers<void>();
			gateway.fakes.openai?.act({ until, ...(stream && { heldAfter: 4 }) });
			const before = asks(gateway);
			const ask = () => start(gateway, { stream });
			const asked = [ask(), ask()];
			await expect.poll(() => asks(gateway) - before).toBe(1);
			// The headers of a stream come with its first content.
			if (stream) await Promise.all(asked);
			asked.push(ask(), ask());
			await hasRead(gateway);
			answer();
			const answers = await Promise.all(asked);
			expect(asks(gateway) - before).toBe(1);
			expect(
				answers.map(({ headers }) => headers.get("x-gateway-cache")).sort(),
			).toEqual(["miss", "shared", "shared", "shared"]);
			const said = new Set<string>();
			for (const one of answers)
				said.add((await one.text()).replaceAll(/"(id|created)":[^,]+,/g, ""));
			expect(said.size).toBe(1);
		}
		const { totals } = await gateway.usage();
		expect(totals).toMatchObject({ calls: 8, saved: 6, promptTokens: 22 });
	});

	test("a shared call goes on when its first client leaves, and ends when the last one leaves", async () => {
		const gateway = await open();
		const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
		gateway.fakes.openai?.act({ until, heldAfter: 4 });
		const stream = { stream: true };
		const first = new AbortController();
		await start(gateway, stream, first.signal);
		const second = await start(gateway, stream);
		first.abort();
		await hasRead(gateway);
		goOn();
		expect(await second.text()).toContain("mkate");
		expect(asks(gateway)).toBe(1);

		gateway.fakes.openai?.act({ stopAfter: 4 }, {});
		const both = new AbortController();
		await Promise.all([
			start(gateway, stream, both.signal),
			start(gateway, stream, both.signal),
		]);
		both.abort();
		await expect
			.poll(() => gateway.fakes.openai?.received[1]?.isAborted)
			.toBe(true);
		await gateway.ask({ stream: true }, refresh);
		expect(asks(gateway)).toBe(3);
	});

	test.each([false, true])(
		"a request doesn't fail on another key's budget or reveal it (stream: %s)",
		async (stream) => {
			const gateway = await open();
			const poor = await gateway.addKey({
				name: "Poor",
				monthlyBudget: 0.000001,
			});
			const rich = await gateway.addKey({ name: "Rich", monthlyBudget: 10 });
			const [refused, ...answers] = await Promise.all([
				gateway.ask({ stream }, { ...refresh, authorization: poor.bearer }),
				gateway.ask({ stream }, { ...refresh, authorization: rich.bearer }),
				gateway.ask({ stream }, refresh),
			]);
			expect(refused?.status).toBe(429);
			expect(refused?.text).toContain("Poor");
			for (const { status, text } of answers) {
				expect(status).toBe(200);
				expect(text).not.toContain("Poor");
			}
			expect(asks(gateway)).toBe(2);
		},
	);

	test("identical requests share one call if the same account pays: one key's, or that of all app tokens", async () => {
		const gateway = await open();
		const { promise: until, resolve: answer } = Promise.withResolvers<void>();
		gateway.fakes.openai?.act({ until });
		const limited = await gateway.addKey({ monthlyBudget: 10 });
		const { bearer: unlimited } = await gateway.addKey();
		const mumbi = await gateway.server.addUser("Mumbi", {
			businessId: gateway.asha.businessId,
			role: "MANAGER",
		});
		const asked = [
			gateway.ask({}, { ...refresh, authorization: limited.bearer }),
			gateway.ask({}, { ...refresh, authorization: limited.bearer }),
			gateway.ask({}, { ...refresh, authorization: unlimited }),
			gateway.ask({}, { ...refresh, authorization: unlimited }),
			gateway.ask({}, refresh),
			gateway.ask({}, { ...refresh, authorization: mumbi.bearer }),
		];
		await expect.poll(() => asks(gateway)).toBe(3);
		await hasRead(gateway);
		answer();
		await Promise.all(asked);
		expect(asks(gateway)).toBe(3);
		const { keys } = await gateway.usage();
		expect(keys.find(({ keyId }) => keyId === limited.id)).toMatchObject({
			calls: 2,
			cost: 0.0000975,
		});
	});

	test("identical requests of two businesses don't share a call", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ delayMs: 50 });
		const baraka = await gateway.server.addUser("Baraka");
		await gateway.server.allowAi(baraka);
		await Promise.all([
			gateway.ask({}, refresh),
			gateway.ask({}, { ...refresh, authorization: baraka.bearer }),
		]);
		expect(asks(gateway)).toBe(2);
	});
});
