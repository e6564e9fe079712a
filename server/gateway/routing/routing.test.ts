import { describe, expect, test } from "vitest";
import type { ChatCall } from "../call.ts";
import { type Model, readCatalogue } from "../catalogue.ts";
import type { ChatRequest } from "../chat.ts";
import { providers } from "../providers/index.ts";
import type { Policy } from "../settings.ts";
import { heldOutSet, settledSet } from "../testing/judged-requests.ts";
import { openTokenCounter, sizeOfPrompt } from "../tokens.ts";
import { planAutoRoute } from "./auto-route.ts";
import { openConversations } from "./conversations.ts";
import { difficultyOf } from "./difficulty.ts";
import { openFirstTokens, startOf } from "./first-tokens.ts";

const minute = 60_000;
const a = { id: "openai/a" } as Model;

function openClock() {
	let now = 0;
	const pass = (ms: number) => {
		now += ms;
	};
	return { now: () => now, pass };
}

const ask = (content: string, more: object = {}) =>
	({
		...{ model: "gateway/auto", ...more },
		messages: [{ role: "user", content }],
	}) as ChatRequest;

describe("the time to a model's first token", () => {
	test("is the average of what was measured, which becomes the usual time again as it ages", () => {
		const { now, pass } = openClock();
		const times = openFirstTokens(now);
		expect(times.expected(a, 1_000)).toBe(1_000);
		times.note(a, 100);
		times.note(a, 200);
		expect(times.expected(a, 1_000)).toBeCloseTo(120);
		pass(10 * minute);
		expect(times.expected(a, 1_000)).toBeCloseTo(560);
		pass(60 * minute);
		expect(times.expected(a, 1_000)).toBeGreaterThan(980);
		// An old average hardly counts beside a new measurement.
		times.note(a, 300);
		expect(times.expected(a, 1_000)).toBeCloseTo(300, -1);
	});

	test("is a small part of the time that a whole answer takes, by its length", () => {
		expect(startOf(4_000, 300)).toBeLessThan(700);
		expect(startOf(400, 1)).toBeGreaterThan(390);
	});
});

describe("a conversation", () => {
	const first = { role: "user", content: "Habari?" };
	const later = [
		first,
		{ role: "assistant", content: "Nzuri!" },
		{ role: "user", content: "Asante." },
	];
	const call = (messages: object[], policy?: Policy, businessId = "b1") =>
		({
			request: { model: "gateway/auto", messages },
			...{ policy, payer: { businessId } },
		}) as unknown as ChatCall;

	test("is known by its beginning, business and policy, for an hour", () => {
		const { now, pass } = openClock();
		const known = openConversations(now);
		known.note(call([first]), "openai/a");
		expect(known.modelOf(call([first]))).toBeUndefined();
		expect(known.modelOf(call(later))).toBe("openai/a");
		expect(known.modelOf(call(later, "best"))).toBeUndefined();
		expect(known.modelOf(call(later, undefined, "b2"))).toBeUndefined();
		expect(
			known.modelOf(
				call([{ ...first, content: "Asante?" }, ...later.slice(1)]),
			),
		).toBeUndefined();
		pass(61 * minute);
		expect(known.modelOf(call(later))).toBeUndefined();
	});
});

describe("a request's difficulty", () => {
	const judge = (text: string) => difficultyOf(ask(text), text.length / 4);

	test("is judged as a person did in nine of ten cases, also of those that were held out, and nothing hard as plain", () => {
		for (const set of [settledSet, heldOutSet]) {
			const right = set.filter(([wanted, text]) => judge(text) === wanted);
			expect(right.length / set.length).toBeGreaterThan(0.85);
			expect(
				set.filter(
					([wanted, text]) => wanted === "hard" && judge(text) === "plain",
				),
			).toEqual([]);
		}
	});

	test("doesn't grow with its length alone, but with the effort that is named and with tools", () => {
		const bread = "We sold bread again today, and it was good. ".repeat(800);
		expect(judge(`Summarize this: ${bread}`)).toBe("plain");
		expect(difficultyOf(ask("Habari?", { reasoning_effort: "high" }), 9)).toBe(
			"hard",
		);
		expect(difficultyOf(ask("Habari?", { tools: [{}] }), 9)).toBe("usual");
		const schema = { response_format: { type: "json_schema" } };
		expect(difficultyOf(ask("Extract the names: Njeri, Asha", schema), 9)).toBe(
			"plain",
		);
	});
});

describe("the automatic route", () => {
	const { models } = readCatalogue("/nowhere");
	const providerById = new Map(providers.map((one) => [one.id, one]));

	function open(ids: readonly string[], explores = false) {
		const firstTokens = openFirstTokens(() => 0);
		const tokens = openTokenCounter();
		const plan = (
			request: ChatRequest,
			last?: string,
			policy: Policy = "balanced",
		) => {
			const size = sizeOfPrompt(request);
			const { candidates, reasonFor } = planAutoRoute(
				request,
				size,
				{ policy, last },
				{
					...{ models, providerById, tokens, firstTokens, isOffline: false },
					isAvailable: ({ id }) => ids.includes(id),
					health: { waitMs: () => 0 },
					explore: () => explores,
				},
			);
			const [chosen] = candidates as [Model];
			return { id: chosen.id, why: reasonFor(chosen), candidates, reasonFor };
		};
		const slow = (id: string) =>
			firstTokens.note(models.find((one) => one.id === id) as Model, 60_000);
		return { plan, slow };
	}
	const luna = "openai/gpt-6-luna";
	const haiku = "anthropic/claude-haiku-5-5";
	const sonnet = "anthropic/claude-sonnet-5-5";
	const hard = "Prove that there are infinitely many primes, step by step.";
	const usual =
		"Write three friendly lines for the notice on the shop's door about the new bread.";

	test("takes a strong model for a hard question only", () => {
		const { plan } = open([luna, sonnet]);
		expect(plan(ask(usual)).id).toBe(luna);
		expect(plan(ask(hard)).id).toBe(sonnet);
	});

	test("says why the two next models did not answer", () => {
		const { plan, slow } = open([luna, haiku, sonnet]);
		slow(haiku);
		expect(plan(ask(usual)).why).toMatch(
			new RegExp(
				`^policy=balanced; wanted=3; fits=3/3; tier=3; usd=0\\.\\d+; ms=\\d+; not ${haiku} is slower: ms=60000, ${sonnet} is dearer: usd=0\\.\\d+$`,
			),
		);
		expect(plan(ask(hard)).why).toContain(`is weaker: tier=3`);
		const { candidates, reasonFor } = plan(ask(usual));
		expect(reasonFor(candidates[1] as Model)).toContain(`instead of=${luna}`);
		expect(reasonFor(candidates[1] as Model)).toContain(
			`not ${luna} was before it`,
		);
	});

	test("stays with a conversation's model while that can answer", () => {
		const { plan } = open([luna, sonnet]);
		const stays = plan(ask(usual), sonnet);
		expect(stays.id).toBe(sonnet);
		expect(stays.why).toContain("; stays; ");
		expect(stays.why).toContain(
			`not ${luna} would begin the conversation again`,
		);
		expect(plan(ask(usual), "groq/gone").id).toBe(luna);
	});

	test("now and then tries a model as strong and about as cheap, of which nothing new is known", () => {
		const { plan, slow } = open([luna, haiku, sonnet], true);
		const { id, why } = plan(ask(usual));
		expect(id).not.toBe(plan(ask(usual), undefined, "cheap").id);
		expect([luna, haiku]).toContain(id);
		expect(why).toContain("; tried; ");
		slow(id);
		expect(plan(ask(usual)).why).not.toContain("tried");
	});
});
