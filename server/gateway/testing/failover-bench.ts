import { readGatewaySettings } from "../settings.ts";
import { openClient, openTestGateway } from "./gateway.ts";
import type { Act, Received } from "./providers.ts";

/**
 * The 16 faults of Failover Bench's catalogue (github.com/failoverbench/failoverbench, version 0.1), with its checks, even those
 * that only lower a verdict to `partial`. The settings are the defaults.
 */

const answer =
	"The till stands on a counter of old wood beside the door. Its drawer opens when a coin is counted, and closes before the next one comes. The baker knows the price of flour, of salt and patience. When the lights go out, the shop goes on: a candle, a pencil, and a memory for small numbers do the rest.";
const words = answer.match(/\S+\s*/g) ?? [];
/** The fake's comment and its first event, without content. */
const opening = 2;

const failing = (status: number, code: string, message: string): Act => ({
	status,
	body: { error: { message, type: "error", param: null, code } },
});
const limited = failing(429, "rate_limit_exceeded", "Rate limit reached.");
const overloaded = failing(503, "overloaded", "The engine is overloaded.");
const healthy: Act = { text: answer };
const cut = (second: number): Act => ({
	...healthy,
	betweenMs: 0.015 * second,
	cutAfter: opening + 40,
	cut: "reset",
});

interface Outcome {
	text: string;
	model?: string;
	hasUsage: boolean;
	/** The code of the error that ended it. */
	error?: string;
	ms: number;
	/** Calls of the model that fails, and of the one that stands in. */
	calls: number;
	standInCalls: number;
}

interface Scenario {
	fault: string;
	model: string;
	standIn?: string;
	/** What the failing model does, call by call; the last one repeats. @param second in milliseconds */
	acts(second: number): Act[];
	/** In seconds. */
	atMost: number;
	/** Besides the time, and the whole answer unless an error is right. */
	isRight?(outcome: Outcome): boolean;
	error?: string;
}

/** How many scenarios run at the same time. */
const atOnce = 4;
const strict = "anthropic/claude-sonnet-4-6";
const prefilled = "mistral/codestral-2508";

const scenarios: Record<string, Scenario> = {
	S01: {
		fault: "429 with Retry-After 2, once",
		model: "openai/gpt-4o",
		acts: () => [{ ...limited, headers: { "retry-after": "2" } }, healthy],
		atMost: Number.POSITIVE_INFINITY,
		// The header's seconds are always as long.
		isRight: ({ calls, standInCalls, ms }) =>
			calls === 2 && standInCalls === 0 && ms >= 1_800 && ms <= 20_000,
	},
	S02: {
		fault: "429 without Retry-After, always",
		model: "openai/gpt-4o-mini",
		acts: () => [limited],
		atMost: 40,
		isRight: ({ calls }) => calls <= 4,
	},
	S03: {
		fault: "500 once",
		model: "openai/gpt-4.1",
		acts: () => [failing(500, "server_error", "The server failed."), healthy],
		atMost: 20,
		isRight: ({ calls }) => calls === 2,
	},
	S04: {
		fault: "503 always",
		model: "openai/gpt-4.1-mini",
		acts: () => [overloaded],
		atMost: 40,
		isRight: ({ calls }) => calls <= 6,
	},
	S05: {
		fault: "a reset before the headers, once",
		model: "groq/llama-3.3-70b-versatile",
		acts: () => [{ cutAfter: 0, cut: "reset" }, healthy],
		atMost: 20,
	},
	S06: {
		fault: "no response at all",
		model: "groq/llama-3.1-8b-instant",
		acts: () => [{ isSilent: true }],
		atMost: 100,
		isRight: ({ calls }) => calls === 1,
	},
	S07: {
		fault: "20 seconds between the headers and the first token",
		model: "openrouter/meta-llama/llama-4-maverick",
		acts: (second) => [{ ...healthy, pause: { before: 1, ms: 20 * second } }],
		atMost: 15,
	},
	S08: {
		fault: "a stream cut after 40 of 60 words",
		model: "deepseek/deepseek-flash",
		standIn: prefilled,
		acts: (second) => [cut(second)],
		atMost: 40,
		isRight: ({ model, standInCalls }) =>
			model === "deepseek/deepseek-flash" && standInCalls === 1,
	},
	S09: {
		fault: "a stream that falls silent after 20 words",
		model: "together/openai/gpt-oss-120b",
		acts: () => [{ ...healthy, stopAfter: opening + 20 }],
		atMost: 45,
	},
	S10: {
		fault: "an event that is no JSON before the tenth word",
		model: "fireworks/accounts/fireworks/models/glm-5p3-flash",
		acts: () => [
			{
				...healthy,
				insert: {
					at: opening + 10,
					raw: 'data: {"id":"x","choices":[{"delta":{"content": \n\n',
				},
			},
		],
		atMost: 30,
		isRight: ({ calls, standInCalls }) => calls === 1 && standInCalls === 0,
	},
	S11: {
		fault: "a whole stream without [DONE]",
		model: "cerebras/gpt-oss-120b",
		acts: () => [{ ...healthy, cutAfter: opening + words.length + 2 }],
		atMost: 8,
		isRight: ({ hasUsage, calls }) => hasUsage && calls === 1,
	},
	S12: {
		fault: "400 context_length_exceeded, always",
		model: "groq/openai/gpt-oss-20b",
		acts: () => [
			failing(400, "context_length_exceeded", "Reduce the length of it."),
		],
		atMost: 20,
		isRight: ({ calls }) => calls === 1,
	},
	S13: {
		fault: "400 content_policy_violation, always",
		model: "xai/grok-4.5",
		acts: () => [
			failing(400, "content_policy_violation", "Our safety system refused."),
		],
		atMost: 20,
		error: "content_policy_violation",
		isRight: ({ calls, standInCalls }) => calls === 1 && standInCalls === 0,
	},
	S14: {
		fault: "a cut stream, and a stand-in that takes no prefill",
		model: "openrouter/qwen/qwen3.8-flash",
		acts: (second) => [cut(second)],
		atMost: 40,
		isRight: ({ model, standInCalls }) =>
			model === "openrouter/qwen/qwen3.8-flash" && standInCalls === 1,
	},
	S16: {
		fault: "503 always, and who answered and what it used",
		model: "xai/grok-4.3",
		acts: () => [overloaded],
		atMost: 40,
		isRight: ({ calls, model, hasUsage }) =>
			calls <= 6 && model === strict && hasUsage,
	},
};

/** Continues a turn that it is given, as a model that takes prefill does. */
function continuing({ body }: Received): Act {
	const { role, content } = body.messages.at(-1);
	return role === "assistant"
		? { text: answer.slice(content.length) }
		: healthy;
}

/** @param second in milliseconds; all times of the faults, the settings and the checks are as long in proportion */
export async function openFailoverBench(second: number) {
	const { timings } = readGatewaySettings({});
	const scaled = (ms: number) => String((ms * second) / 1_000);
	const opened = await openTestGateway(
		[
			...(["openai", "groq", "openrouter", "deepseek", "together"] as const),
			...(["fireworks", "cerebras", "xai"] as const),
			...(["anthropic", "mistral"] as const),
		],
		{
			env: {
				GATEWAY_FIRST_TOKEN_MS: scaled(timings.firstTokenMs),
				GATEWAY_IDLE_MS: scaled(timings.idleMs),
			},
		},
	);
	const { server, asha, fakes } = opened;
	const { body } = await server.ask("POST", "/api/keys", {
		as: asha,
		body: { name: "Bench" },
	});
	const { key } = body as { key: string };
	const client = openClient(server.url, { bearer: key });

	const acts = new Map<string, Act[]>();
	const nameOf = (model: string) => model.slice(model.indexOf("/") + 1);
	for (const fake of Object.values(fakes))
		fake.act(({ body: { model } }) => {
			const own = acts.get(model) ?? [];
			return (own.length > 1 ? own.shift() : own[0]) ?? healthy;
		});
	fakes.mistral.act(continuing);

	/** The calls for one scenario's prompt. */
	const callsOf = (model: string, prompt: string) =>
		Object.values(fakes)
			.flatMap(({ received }) => received)
			.filter(
				({ body, text }) =>
					body.model === nameOf(model) && text.includes(prompt),
			).length;

	async function ask(model: string, prompt: string, standIn: string) {
		const begun = performance.now();
		const outcome: Partial<Outcome> & { text: string } = { text: "" };
		try {
			const stream = await client.chat.completions.create(
				{
					model,
					messages: [{ role: "user", content: prompt }],
					stream: true,
					stream_options: { include_usage: true },
				},
				{ headers: { "x-gateway-fallback": standIn } },
			);
			for await (const chunk of stream) {
				outcome.text += chunk.choices[0]?.delta.content ?? "";
				outcome.model = chunk.model;
				outcome.hasUsage ||= Boolean(chunk.usage?.total_tokens);
			}
		} catch (error) {
			outcome.error = String((error as { code?: string }).code ?? error);
		}
		return {
			...outcome,
			hasUsage: outcome.hasUsage === true,
			ms: performance.now() - begun,
			calls: callsOf(model, prompt),
			standInCalls: callsOf(standIn, prompt),
		};
	}

	/** @returns what is wrong with an outcome, if anything */
	function judge(scenario: Scenario, outcome: Outcome): Outcome | "pass" {
		const { atMost, error, isRight = () => true } = scenario;
		const isEnd =
			error === undefined
				? outcome.text === answer && outcome.error === undefined
				: outcome.error === error && outcome.text === "";
		return isEnd && outcome.ms <= atMost * second && isRight(outcome)
			? "pass"
			: outcome;
	}

	return {
		/** Runs the faults of one request each, a few at once: of all together, each would wait for the others' work. */
		async run(): Promise<Record<string, Outcome | "pass">> {
			const verdicts: Record<string, Outcome | "pass"> = {};
			const left = Object.entries(scenarios);
			async function runNext(): Promise<void> {
				const next = left.shift();
				if (!next) return;
				const [id, scenario] = next;
				const { model, standIn = strict } = scenario;
				acts.set(nameOf(model), scenario.acts(second));
				const outcome = await ask(model, `${id}: sixty words`, standIn);
				acts.delete(nameOf(model));
				const after = await ask(strict, `${id}: alive?`, model);
				verdicts[`${id} ${scenario.fault}`] =
					after.text === answer ? judge(scenario, outcome) : after;
				await runNext();
			}
			// The first call of all takes longer.
			await ask(strict, "Are you there?", strict);
			await Promise.all(Array.from({ length: atOnce }, runNext));
			return verdicts;
		},

		/**
		 * S15: a model is down for a minute, and asked every four seconds.
		 *
		 * @returns the answers that came, and when the model itself answered again, in seconds
		 */
		async flap(now: () => number, wait: (ms: number) => Promise<void>) {
			const model = "openai/gpt-5-mini";
			const begun = now();
			const downMs = 60_000;
			let backMs: number | undefined;
			fakes.openai.act(() => {
				const at = now() - begun;
				if (at < downMs) return overloaded;
				backMs ??= at - downMs;
				return healthy;
			});
			let answered = 0;
			for (let i = 0; i < 20; i += 1) {
				await wait(begun + i * 4_000 - now());
				const { text } = await ask(model, "S15: sixty words", strict);
				if (text === answer) answered += 1;
			}
			return { answered, backSeconds: (backMs ?? Number.NaN) / 1_000 };
		},
	};
}
