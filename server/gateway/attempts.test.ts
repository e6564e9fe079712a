import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { holdTime } from "./testing/held-time.ts";
import { named, open } from "./testing/spending.ts";

/** The most that a call of each may cost, in USD: 4,096 tokens of the answer and a little for the prompt. */
const boundOfGpt = 0.0412125;
const boundOfClaude = 0.0206075;
/** The real cost of Claude's answer. */
const costOfClaude = (11 * 1 + 7 * 5) / 1e6;

type Opened = Awaited<ReturnType<typeof open>>;

/** Waits until the only key has no reservation. @returns the key's spending */
async function spentBy({ server, asha }: Opened): Promise<number> {
	let spent: number | undefined;
	await expect
		.poll(async () => {
			const { body } = await server.ask("GET", "/api/keys", { as: asha });
			const [key] = (body as { keys: { spent: number; reserved: number }[] })
				.keys;
			spent = key?.spent;
			return key?.reserved;
		})
		.toBe(0);
	return spent ?? Number.NaN;
}

/** Sends a request and hangs up while it waits for a provider, or for another attempt. */
async function hangUp(
	{ server, fakes }: Opened,
	authorization: string,
	provider: string,
): Promise<void> {
	const gone = new AbortController();
	const asked = fetch(`${server.url}/v1/chat/completions`, {
		method: "POST",
		headers: { authorization, "content-type": "application/json" },
		body: JSON.stringify(named),
		signal: gone.signal,
	});
	const ended = expect(asked).rejects.toThrow();
	await expect.poll(() => fakes[provider]?.received.length).toBe(1);
	// A failure has come back by then.
	await sleep(100);
	gone.abort();
	await ended;
}

describe("a provider that falls silent", () => {
	async function openTwo() {
		const fallback = { GATEWAY_FALLBACK: "claude-haiku-4-5" };
		const gateway = await open(["openai", "anthropic"], fallback);
		holdTime(gateway.fakes);
		return gateway;
	}

	test("a silent attempt is charged when another provider answers", async () => {
		const gateway = await openTwo();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		gateway.fakes.openai?.act({ isSilent: true });
		const answer = await gateway.ask(
			{ stream: true },
			{ authorization: bearer },
		);
		expect(answer.status).toBe(200);
		expect(answer.headers.get("x-gateway-model")).toContain("claude");
		expect(await spentBy(gateway)).toBeCloseTo(boundOfGpt + costOfClaude, 9);
	});

	test("a silent attempt is charged when another provider fails", async () => {
		const gateway = await openTwo();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		gateway.fakes.openai?.act({ isSilent: true });
		gateway.fakes.anthropic?.act({ status: 400, body: "odd" });
		const answer = await gateway.ask(
			{ stream: true },
			{ authorization: bearer },
		);
		expect(answer.status).toBe(400);
		expect(await spentBy(gateway)).toBeCloseTo(boundOfGpt, 9);
	});

	test("an attempt with status 200 but no answer is charged", async () => {
		const gateway = await openTwo();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		gateway.fakes.openai?.act({ cutAfter: 1 });
		const answer = await gateway.ask(
			{ stream: true },
			{ authorization: bearer },
		);
		expect(answer.headers.get("x-gateway-failed")).toContain("gpt-4o");
		const tries = gateway.fakes.openai?.received.length ?? 0;
		expect(await spentBy(gateway)).toBeCloseTo(
			tries * boundOfGpt + costOfClaude,
			9,
		);
	});

	test("failover happens only if the budget covers the silent attempt too", async () => {
		const gateway = await openTwo();
		const monthlyBudget = boundOfGpt + boundOfClaude - 0.000001;
		const { bearer } = await gateway.addKey({ monthlyBudget });
		gateway.fakes.openai?.act({ isSilent: true });
		const answer = await gateway.ask(
			{ stream: true },
			{ authorization: bearer },
		);
		expect([answer.status, answer.body]).toMatchObject([
			504,
			{ error: { code: "timeout" } },
		]);
		expect(gateway.fakes.anthropic?.received).toEqual([]);
		expect(await spentBy(gateway)).toBeCloseTo(boundOfGpt, 9);
	});

	test("an attempt with a reported failure is not charged", async () => {
		const gateway = await openTwo();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		gateway.fakes.openai?.act({ status: 500, body: "" });
		await gateway.ask({ stream: true }, { authorization: bearer });
		expect(await spentBy(gateway)).toBeCloseTo(costOfClaude, 9);
	});

	test.each([true, false])(
		"an attempt whose failure comes with status 200 is not charged (stream: %s)",
		async (stream) => {
			const gateway = await openTwo();
			const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
			const error = { message: "We failed", type: "server_error" };
			gateway.fakes.openai?.act(
				stream
					? { insert: { at: 0, raw: `data: ${JSON.stringify({ error })}\n\n` } }
					: { status: 200, body: { error } },
			);
			const answer = await gateway.ask({ stream }, { authorization: bearer });
			expect(answer.headers.get("x-gateway-failed")).toContain("gpt-4o");
			expect(await spentBy(gateway)).toBeCloseTo(costOfClaude, 9);
		},
	);
});

describe("a client that hangs up", () => {
	test("a client that hangs up between two attempts pays for none", async () => {
		const gateway = await open();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		gateway.fakes.openai?.act({
			status: 500,
			body: "",
			headers: { "retry-after": "5" },
		});
		await hangUp(gateway, bearer, "openai");
		expect(await spentBy(gateway)).toBe(0);
		const [row] = await gateway.server.rows("SELECT status FROM ai_calls");
		expect(row?.status).toBe("cancelled");
	});

	test("a client that hangs up during an attempt pays the most that it can have cost", async () => {
		const gateway = await open();
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		gateway.fakes.openai?.act({ isSilent: true });
		await hangUp(gateway, bearer, "openai");
		expect(await spentBy(gateway)).toBeCloseTo(boundOfGpt, 9);
	});

	test("a client that hangs up pays for the running attempt, not for a dearer failed one", async () => {
		const gateway = await open(["openai", "anthropic"], {
			GATEWAY_FALLBACK: "claude-haiku-4-5",
		});
		const { bearer } = await gateway.addKey({ monthlyBudget: 1 });
		gateway.fakes.openai?.act({ status: 401, body: "" });
		gateway.fakes.anthropic?.act({ isSilent: true });
		await hangUp(gateway, bearer, "anthropic");
		expect(await spentBy(gateway)).toBeCloseTo(boundOfClaude, 9);
	});
});
