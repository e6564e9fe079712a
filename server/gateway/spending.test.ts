import { describe, expect, test, vi } from "vitest";
import { ShopError } from "../../sync/protocol/errors.ts";
import { oneIn } from "../../sync/testing/lane.ts";
import { openTestServer } from "../testing/server.ts";
import { openMeter } from "./meter.ts";
import { asks, callAtOnce, messages, named, open } from "./testing/spending.ts";

describe("a key", () => {
	test("a key is shown once, stored as a digest, listed with its last use, and revoked permanently", async () => {
		const gateway = await open();
		const { server, asha } = gateway;
		const { key, id, client } = await gateway.addKey();
		expect(key).toMatch(/^cfk_[\w-]{43}$/);
		await client.chat.completions.create(named);
		const list = await server.ask("GET", "/api/keys", { as: asha });
		expect(list.text).not.toContain(key);
		expect(list.body).toMatchObject({
			keys: [{ id, name: "Till", lastUsedAt: expect.any(String) }],
		});
		const stored = await server.rows("SELECT * FROM api_keys");
		expect(JSON.stringify(stored)).not.toContain(key);
		expect(server.logged()).not.toContain(key);

		const revoke = () => server.ask("DELETE", `/api/keys/${id}`, { as: asha });
		expect((await revoke()).status).toBe(200);
		expect((await revoke()).status).toBe(404);
		await expect(client.chat.completions.create(named)).rejects.toMatchObject({
			status: 401,
		});
	});

	test("only the business's owner can create, see and revoke its keys", async () => {
		const gateway = await open();
		const { server, asha } = gateway;
		const { id } = await gateway.addKey();
		const cashier = await server.addUser("Chege", {
			businessId: asha.businessId,
			role: "CASHIER",
		});
		for (const [method, path] of [
			["GET", "/api/keys"],
			["POST", "/api/keys"],
			["DELETE", `/api/keys/${id}`],
			["GET", "/api/usage"],
		] as const)
			expect(
				(
					await server.ask(method, path, {
						as: cashier,
						body: method === "POST" ? { name: "x" } : undefined,
					})
				).status,
			).toBe(403);
		const baraka = await server.addUser("Baraka");
		expect(
			(await server.ask("DELETE", `/api/keys/${id}`, { as: baraka })).status,
		).toBe(404);
	});

	test("a key has a rate limit, and answers say how many requests are left", async () => {
		const gateway = await open();
		const { bearer } = await gateway.addKey({ requestsPerMinute: 2 });
		const answers = [];
		for (let i = 0; i < 3; i += 1)
			answers.push(await gateway.ask({}, { authorization: bearer }));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
		expect(
			answers.map(({ headers }) =>
				headers.get("x-ratelimit-remaining-requests"),
			),
		).toEqual(["1", "0", "0"]);
		expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(answers[2]?.body).toMatchObject({
			error: { type: "rate_limit_error", code: "rate_limit_exceeded" },
		});
	});
});

describe("a budget", () => {
	/** The most that one call may cost: 4,096 tokens of gpt-4o at 10 USD a million, and a little for the prompt. */
	const bound = 0.0415;

	oneIn(3)("concurrent calls can't exceed a budget", async () => {
		const gateway = await open();
		const { bearer, id } = await gateway.addKey({ monthlyBudget: 3 * bound });
		const answers = await callAtOnce(
			gateway,
			() =>
				Array.from({ length: 10 }, (_, i) =>
					gateway.ask({ seed: i }, { authorization: bearer }),
				),
			7,
		);
		const statuses = answers.map(({ status }) => status).sort();
		expect(statuses).toEqual([...Array(3).fill(200), ...Array(7).fill(429)]);
		const refused = answers.find(({ status }) => status === 429);
		expect(refused?.headers.get("x-should-retry")).toBe("false");
		expect(refused?.body).toMatchObject({
			error: { type: "insufficient_quota", code: "budget_exceeded" },
		});
		expect(asks(gateway)).toBe(3);

		// Each settled call costs 11 x 2.5 + 7 x 10 millionths of a dollar.
		const { keys } = await gateway.usage();
		expect(keys).toMatchObject([{ keyId: id, cost: 3 * 0.0000975 }]);
		const list = await gateway.server.ask("GET", "/api/keys", {
			as: gateway.asha,
		});
		expect(list.body).toMatchObject({
			keys: [{ spent: 3 * 0.0000975, reserved: 0 }],
		});
		expect((await gateway.ask({}, { authorization: bearer })).status).toBe(200);
	});

	test("an aborted stream counts against the budget at the most that it can have cost", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ stopAfter: 4 });
		const { client } = await gateway.addKey({ monthlyBudget: 1 });
		const stream = await client.chat.completions.create({
			...named,
			stream: true,
		});
		for await (const _ of stream) break;
		stream.controller.abort();
		await vi.waitFor(async () => {
			const { body } = await gateway.server.ask("GET", "/api/keys", {
				as: gateway.asha,
			});
			const [key] = (body as { keys: { spent: number; reserved: number }[] })
				.keys;
			expect(key?.reserved).toBe(0);
			expect(key?.spent).toBeGreaterThan(0.0001);
			expect(key?.spent).toBeLessThan(bound);
		}, 60_000);
		const [row] = await gateway.server.rows("SELECT status FROM ai_calls");
		expect(row?.status).toBe("cancelled");
	});

	test("a budget counts reservations as spent after the server dies", async () => {
		const gateway = await open();
		const { bearer, id } = await gateway.addKey({ monthlyBudget: 1.5 * bound });
		const { store } = gateway.server.shop;
		const ask = async () => {
			const { status } = await gateway.ask({}, { authorization: bearer });
			await gateway.usage();
			return status;
		};
		expect(await ask()).toBe(200);
		// Simulates a killed server.
		await store.write(async (tx) => {
			await tx.run(
				"UPDATE ai_calls SET status = 'running', cost = 41500000, at = '2026-01-01T00:00:00.000Z'",
			);
			await tx.run("UPDATE ai_months SET reserved = 41500000, spent = 0");
		});
		expect(await ask()).toBe(429);
		await gateway.server.close();
		const restarted = await openTestServer({
			DATA_DIR: gateway.server.settings.dataDir,
		});
		await expect
			.poll(() =>
				restarted.rows(
					"SELECT spent, reserved FROM ai_months WHERE account = ?",
					id,
				),
			)
			.toEqual([{ spent: 41_500_000, reserved: 0 }]);
		expect(
			await restarted.rows("SELECT status FROM ai_calls ORDER BY at"),
		).toEqual([{ status: "interrupted" }]);
	});

	test("a call whose lease another server counted as spent is charged once", async () => {
		const gateway = await open();
		const { bearer, id } = await gateway.addKey({ monthlyBudget: 1 });
		const ask = (seed: number) =>
			gateway.ask({ seed }, { authorization: bearer });
		const months = () =>
			gateway.server.rows(
				"SELECT spent, reserved FROM ai_months WHERE account = ?",
				id,
			);
		const { promise: until, resolve: answer } = Promise.withResolvers<void>();
		gateway.fakes.openai?.act({ until }, {});
		const long = ask(1);
		await expect.poll(() => asks(gateway)).toBe(1);
		await gateway.server.shop.store.write((tx) =>
			tx.run("UPDATE ai_calls SET at = '2026-01-01T00:00:00.000Z'"),
		);
		const { store, env } = gateway.server.shop;
		const other = openMeter(store, env, (error) => {
			throw error;
		});
		await expect.poll(months).toMatchObject([{ reserved: 0 }]);
		await other.close();
		expect((await ask(2)).status).toBe(200);
		await gateway.usage();
		// The server that lives holds its running call again.
		expect(await months()).toEqual([{ spent: 97_500, reserved: 41_212_500 }]);
		answer();
		expect((await long).status).toBe(200);
		await gateway.usage();
		expect(await months()).toEqual([{ spent: 2 * 97_500, reserved: 0 }]);
		expect(
			await gateway.server.rows("SELECT status, cost FROM ai_calls"),
		).toEqual(Array(2).fill({ status: "ok", cost: 97_500 }));
	});

	test("a call that can't be reserved now is refused with a Retry-After", async () => {
		const gateway = await open();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		const { store } = gateway.server.shop;
		const full = new ShopError("storage_full", "The disk is full");
		const spy = vi.spyOn(store, "write").mockRejectedValue(full);
		const answer = await gateway.ask({}, { authorization: bearer });
		spy.mockRestore();
		expect(answer).toMatchObject({
			status: 507,
			body: { error: { message: "The disk is full", type: "server_error" } },
		});
		expect(answer.headers.get("retry-after")).toBe("10");
		expect(asks(gateway)).toBe(0);
		expect((await gateway.ask({}, { authorization: bearer })).status).toBe(200);
	});

	test("automatic routing picks a model that the budget can still pay for", async () => {
		const gateway = await open(["openai", "groq"]);
		const { bearer } = await gateway.addKey({ monthlyBudget: 0.002 });
		const answer = await gateway.ask(
			{ model: "gateway/auto", max_tokens: 1_000 },
			{ authorization: bearer, "x-gateway-policy": "best" },
		);
		expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
	});
});

describe("usage", () => {
	test("usage by day, model and key adds up to the providers' counts", async () => {
		const gateway = await open(["openai", "cohere"]);
		const { client, id } = await gateway.addKey();
		await gateway.ask();
		await client.chat.completions.create(named);
		await client.chat.completions.create({
			model: "command-r-08-2024",
			messages,
		});
		gateway.fakes.openai?.act({ status: 400, body: "no" });
		await gateway.ask({ seed: 4 });
		const usage = await gateway.usage();
		// Cohere bills one prompt token less than it counts.
		const cost = 2 * 0.0000975 + 10 * 0.15e-6 + 7 * 0.6e-6;
		expect(usage.totals).toMatchObject({
			calls: 4,
			failed: 1,
			promptTokens: 33,
			completionTokens: 21,
		});
		expect(usage.totals.cost).toBeCloseTo(cost, 9);
		expect(usage.days).toHaveLength(1);
		expect(usage.models.map(({ model, calls }) => [model, calls])).toEqual([
			["openai/gpt-4o", 3],
			["cohere/command-r-08-2024", 1],
		]);
		expect(usage.keys.map(({ keyId, calls }) => [keyId, calls]).sort()).toEqual(
			[
				[id, 2],
				[null, 2],
			].sort(),
		);
		const baraka = await gateway.server.addUser("Baraka");
		expect((await gateway.usage(baraka)).totals.calls).toBe(0);
	});
});

describe("the cost of a call", () => {
	const whole = (usage: object) => ({
		status: 200,
		headers: { "content-type": "application/json" },
		body: {
			choices: [{ message: { content: "Njema" }, finish_reason: "stop" }],
			usage,
		},
	});

	test.each([
		[
			"reasoning counted separately from the answer",
			"xai/grok-4.3",
			{
				prompt_tokens: 10_120,
				completion_tokens: 1_499,
				total_tokens: 14_428,
				prompt_tokens_details: { cached_tokens: 128 },
				completion_tokens_details: { reasoning_tokens: 2_809 },
			},
			{ promptTokens: 10_120, completionTokens: 4_308 },
			(9_992 * 1.25 + 128 * 0.2 + 4_308 * 2.5) / 1e6,
		],
		[
			"reasoning once if it is counted within the answer",
			"openai/gpt-5-mini",
			{
				prompt_tokens: 100,
				completion_tokens: 50,
				total_tokens: 150,
				completion_tokens_details: { reasoning_tokens: 40 },
			},
			{ promptTokens: 100, completionTokens: 50 },
			(100 * 0.25 + 50 * 2) / 1e6,
		],
		[
			"OpenAI's cache writes",
			"openai/gpt-6-astra",
			{
				prompt_tokens: 100_000,
				completion_tokens: 0,
				total_tokens: 100_000,
				prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 80_000 },
			},
			{ promptTokens: 100_000, completionTokens: 0 },
			(20_000 * 10 + 80_000 * 12.5) / 1e6,
		],
		[
			"cache writes of a prompt in a dearer tier",
			"openai/gpt-6-astra",
			{
				prompt_tokens: 300_000,
				completion_tokens: 0,
				total_tokens: 300_000,
				prompt_tokens_details: { cache_write_tokens: 300_000 },
			},
			{ promptTokens: 300_000, completionTokens: 0 },
			(300_000 * 25) / 1e6,
		],
	])("is that of %s", async (_what, model, usage, counted, cost) => {
		const [provider = ""] = model.split("/");
		const gateway = await open([provider]);
		gateway.fakes[provider]?.act(whole(usage));
		await gateway.ask({ model });
		const { totals } = await gateway.usage();
		expect(totals).toMatchObject(counted);
		expect(totals.cost).toBeCloseTo(cost, 9);
	});

	test("the cost of a call uses Anthropic's first prompt count if its last event has none", async () => {
		const gateway = await open(["anthropic"]);
		const event = (type: string, fields: object) =>
			`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
		gateway.fakes.anthropic?.act({
			status: 200,
			headers: { "content-type": "text/event-stream" },
			body: [
				event("message_start", {
					message: {
						usage: {
							input_tokens: 1_000,
							cache_read_input_tokens: 200,
							cache_creation_input_tokens: 30,
							output_tokens: 1,
						},
					},
				}),
				event("content_block_delta", {
					index: 0,
					delta: { type: "text_delta", text: "Njema" },
				}),
				event("message_delta", {
					delta: { stop_reason: "end_turn" },
					usage: {
						input_tokens: null,
						cache_read_input_tokens: null,
						cache_creation_input_tokens: null,
						output_tokens: 5,
					},
				}),
				event("message_stop", {}),
			].join(""),
		});
		await gateway.ask({ model: "claude-haiku-4-5", stream: true });
		const { totals } = await gateway.usage();
		expect(totals).toMatchObject({ promptTokens: 1_230, completionTokens: 5 });
		const cost = (1_000 + 200 * 0.1 + 30 * 1.25 + 5 * 5) / 1e6;
		expect(totals.cost).toBeCloseTo(cost, 9);
	});
});
