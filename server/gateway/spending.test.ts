import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ShopError } from "../../sync/errors.ts";
import { openTestServer } from "../test-server.ts";
import { openClient, openTestGateway } from "./test-gateway.ts";

const messages = [{ role: "user" as const, content: "Habari?" }];
const named = { model: "gpt-4o", messages };
const said = "Habari ya dunia: ☕ chai na 🍞 mkate";

type Opened = Awaited<ReturnType<typeof open>>;

async function open(names: string[] = ["openai"], env: NodeJS.ProcessEnv = {}) {
	const gateway = await openTestGateway(names, { env });
	const { server, asha } = gateway;
	return {
		...gateway,
		async addKey(limits: object = {}, as = asha) {
			const { status, body } = await server.ask("POST", "/api/keys", {
				as,
				body: { name: "Till", ...limits },
			});
			expect(status).toBe(201);
			const { key, id } = body as { key: string; id: string };
			const bearer = `Bearer ${key}`;
			return { id, key, bearer, client: openClient(server.url, { bearer }) };
		},
		async usage(as = asha) {
			const { body } = await server.ask("GET", "/api/usage", { as });
			return body as {
				totals: Record<string, number>;
				days: object[];
				models: { model: string; cost: number; calls: number }[];
				keys: { keyId: string | null; cost: number; calls: number }[];
			};
		},
		async ask(body: object = {}, headers: Record<string, string> = {}) {
			return server.ask("POST", "/v1/chat/completions", {
				...(headers.authorization ? {} : { as: asha }),
				headers,
				body: { ...named, ...body },
			});
		},
	};
}

const asks = ({ fakes }: Pick<Opened, "fakes">) =>
	fakes.openai?.received.length ?? 0;

describe("a kept answer", () => {
	test("is given for exactly the same, where nothing is left to chance, with its age", async () => {
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

	test("replays as a stream, and one that was streamed answers in one piece", async () => {
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

	test("holds tool calls too", async () => {
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

	test("is kept on request, made anew on request, and for as long as is said", async () => {
		const gateway = await open();
		const on = { "x-gateway-cache": "on" };
		const uses = [];
		for (const headers of [
			{},
			on,
			on,
			{ "x-gateway-cache": "refresh", "x-gateway-cache-seconds": "1" },
			on,
		] as Record<string, string>[])
			uses.push(
				(await gateway.ask({}, headers)).headers.get("x-gateway-cache"),
			);
		expect(uses).toEqual(["off", "miss", "hit", "miss", "hit"]);
		await sleep(1_100);
		const late = await gateway.ask({}, on);
		expect(late.headers.get("x-gateway-cache")).toBe("miss");
		const bad = await gateway.ask({}, { "x-gateway-cache": "maybe" });
		expect(bad.status).toBe(400);
		expect(bad.text).toContain("x-gateway-cache");
	});

	test("is never another business's", async () => {
		const gateway = await open();
		await gateway.ask({ temperature: 0 });
		const baraka = await gateway.server.addUser("Baraka");
		const theirs = await gateway.ask(
			{ temperature: 0 },
			{ authorization: baraka.bearer },
		);
		expect(theirs.headers.get("x-gateway-cache")).toBe("miss");
		expect(asks(gateway)).toBe(2);
	});

	test("makes room for newer ones", async () => {
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

	test("is not made of a failure or of a stream that broke off", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ cutAfter: 5, betweenMs: 5 }, {});
		await gateway.ask({ temperature: 0, stream: true });
		const again = await gateway.ask({ temperature: 0, stream: true });
		expect(again.headers.get("x-gateway-cache")).toBe("miss");
	});
});

describe("identical requests in flight", () => {
	test("are one call, streamed and not, also for those who join late", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ delayMs: 50, betweenMs: 20 });
		for (const stream of [false, true]) {
			const before = asks(gateway);
			const answers = await Promise.all(
				[0, 20, 60, 120].map(async (ms) => {
					await sleep(stream ? ms : ms / 4);
					return gateway.ask({ stream });
				}),
			);
			expect(asks(gateway) - before).toBe(1);
			expect(
				answers.map(({ headers }) => headers.get("x-gateway-cache")).sort(),
			).toEqual(["off", "shared", "shared", "shared"]);
			const said = answers.map(({ text }) =>
				text.replaceAll(/"(id|created)":[^,]+,/g, ""),
			);
			expect(new Set(said).size).toBe(1);
		}
		const { totals } = await gateway.usage();
		expect(totals).toMatchObject({ calls: 8, saved: 6, promptTokens: 22 });
	});

	test("go on for those who stay when the first one leaves, and end when all have left", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ betweenMs: 40 });
		const start = (signal?: AbortSignal) =>
			fetch(`${gateway.server.url}/v1/chat/completions`, {
				method: "POST",
				headers: {
					authorization: gateway.asha.bearer,
					"content-type": "application/json",
				},
				body: JSON.stringify({ ...named, stream: true }),
				signal,
			});
		const first = new AbortController();
		await start(first.signal);
		const second = await start();
		first.abort();
		expect(await second.text()).toContain("mkate");
		expect(asks(gateway)).toBe(1);

		const both = new AbortController();
		await Promise.all([start(both.signal), start(both.signal)]);
		both.abort();
		await vi.waitFor(() =>
			expect(gateway.fakes.openai?.received[1]?.isAborted).toBe(true),
		);
		await gateway.ask({ stream: true });
		expect(asks(gateway)).toBe(3);
	});

	test("are not shared between businesses", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ delayMs: 50 });
		const baraka = await gateway.server.addUser("Baraka");
		await Promise.all([
			gateway.ask(),
			gateway.ask({}, { authorization: baraka.bearer }),
		]);
		expect(asks(gateway)).toBe(2);
	});
});

describe("a key", () => {
	test("is shown once, kept as a digest, listed with its last use, and revoked for good", async () => {
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

	test("is its owner's to make, see and revoke, and no cashier's or other shop's", async () => {
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

	test("may make so many requests a minute, and is told how many are left", async () => {
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
	/** What one call may cost at most: 4096 tokens of gpt-4o at 10 USD a million, and a little for the prompt. */
	const bound = 0.0415;

	test("holds against calls at once: none is made that could go beyond it", async () => {
		const gateway = await open();
		// Long enough for all of them to be under way, on a busy machine too.
		gateway.fakes.openai?.act({ delayMs: 1_500 });
		const { bearer, id } = await gateway.addKey({ monthlyBudget: 3 * bound });
		const answers = await Promise.all(
			Array.from({ length: 10 }, (_, i) =>
				gateway.ask({ seed: i }, { authorization: bearer }),
			),
		);
		const statuses = answers.map(({ status }) => status).sort();
		expect(statuses).toEqual([...Array(3).fill(200), ...Array(7).fill(429)]);
		const refused = answers.find(({ status }) => status === 429);
		expect(refused?.headers.get("x-should-retry")).toBe("false");
		expect(refused?.body).toMatchObject({
			error: { type: "insufficient_quota", code: "budget_exceeded" },
		});
		expect(asks(gateway)).toBe(3);

		// Settled, the calls cost 11 x 2.5 + 7 x 10 millionths of a dollar each.
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

	test("counts a stream that was given up with the most that it can have cost", async () => {
		const gateway = await open();
		gateway.fakes.openai?.act({ betweenMs: 50 });
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
		});
		const [row] = await gateway.server.rows("SELECT status FROM ai_calls");
		expect(row?.status).toBe("cancelled");
	});

	test("survives the server: what was set aside when it died is spent", async () => {
		const gateway = await open();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1.5 * bound });
		const { store } = gateway.server.shop;
		const ask = async () => {
			const { status } = await gateway.ask({}, { authorization: bearer });
			await gateway.usage();
			return status;
		};
		expect(await ask()).toBe(200);
		// As a killed server leaves it.
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
		await vi.waitFor(async () =>
			expect(
				await restarted.rows("SELECT spent, reserved FROM ai_months"),
			).toEqual([{ spent: 41_500_000, reserved: 0 }]),
		);
		expect(
			await restarted.rows("SELECT status FROM ai_calls ORDER BY at"),
		).toEqual([{ status: "interrupted" }]);
	});

	test("refuses a call while nothing can be set aside for it, and says when to try again", async () => {
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

	test("lets automatic routing take what it can still pay for", async () => {
		const gateway = await open(["openai", "groq"]);
		const { bearer } = await gateway.addKey({ monthlyBudget: 0.002 });
		const answer = await gateway.ask(
			{ model: "gateway/auto", max_tokens: 1_000 },
			{ authorization: bearer, "x-gateway-policy": "best" },
		);
		expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
	});
});

describe("what was used", () => {
	test("is told by day, model and key, and sums to what the providers counted", async () => {
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
		// Cohere charges for one token of the prompt less than it counts.
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
