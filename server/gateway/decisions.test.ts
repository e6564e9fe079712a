import { describe, expect, test } from "vitest";
import { isCacheable, isWorthCaching } from "./answer-cache.ts";
import type { ChatCall } from "./call.ts";
import { describeUnlisted, type Model, readCatalogue } from "./catalogue.ts";
import type { Choice } from "./chat.ts";
import { affordableOf } from "./execution.ts";
import { retryWaitMs } from "./failover.ts";
import { flightNameOf } from "./gateway.ts";
import { costOf } from "./prices.ts";
import { estimateCharge } from "./settlement.ts";
import { openTokenCounter, promptBound, sizeOfPrompt } from "./tokens.ts";

const { models } = readCatalogue("/nowhere");
const plain = models.find(
	({ capabilities }) => !capabilities.reasoning,
) as Model;
const reasoning = models.find(
	({ capabilities }) => capabilities.reasoning,
) as Model;

describe("retryWaitMs", () => {
	const only = { tries: 1, attempts: 1, following: 0 };
	const oneOfTwo = { tries: 1, attempts: 1, following: 1 };

	test("a server error of the only candidate is retried twice, with growing jitter", () => {
		const fault = { kind: "server" as const, retryAfterMs: undefined };
		const wait = (tries: number) =>
			retryWaitMs(fault, { ...only, tries }, () => 1);
		expect([wait(1), wait(2), wait(3)]).toEqual([500, 1_000, undefined]);
	});

	test("a candidate with another behind it is retried once", () => {
		const fault = { kind: "server" as const, retryAfterMs: undefined };
		const wait = (tries: number) =>
			retryWaitMs(fault, { ...oneOfTwo, tries }, () => 0.5);
		expect([wait(1), wait(2)]).toEqual([250, undefined]);
	});

	test("a refused connection is retried at once", () => {
		const fault = { kind: "connect" as const, retryAfterMs: undefined };
		expect(retryWaitMs(fault, oneOfTwo, () => 1)).toBe(0);
	});

	test.each([
		[2_500, oneOfTwo, 2_500],
		[2_501, oneOfTwo, undefined],
		[10_000, only, 10_000],
		[10_001, only, undefined],
	])(
		"a provider's Retry-After of %i ms is waited for within the limits",
		(retryAfterMs, state, wait) => {
			expect(retryWaitMs({ kind: "overload", retryAfterMs }, state)).toBe(wait);
		},
	);

	test("the last attempts are left for the remaining candidates", () => {
		const fault = { kind: "server" as const, retryAfterMs: 0 };
		expect(retryWaitMs(fault, { ...oneOfTwo, attempts: 4 })).toBe(0);
		expect(retryWaitMs(fault, { ...oneOfTwo, attempts: 5 })).toBeUndefined();
	});

	test("a request that the provider refuses is not retried", () => {
		const fault = { kind: "client" as const, retryAfterMs: undefined };
		expect(retryWaitMs(fault, only)).toBeUndefined();
	});
});

describe("estimateCharge", () => {
	const size = sizeOfPrompt({
		model: "any",
		messages: [{ role: "user", content: "Habari ya dunia?" }],
	} as ChatCall["request"]);
	const input = {
		model: plain,
		size,
		usage: undefined,
		bytes: 400,
		hasBudget: false,
		bound: Number.MAX_SAFE_INTEGER,
		tokens: openTokenCounter(),
	};

	test("a call without a budget is charged its estimated cost", () => {
		const { cost, ...counted } = estimateCharge(input);
		expect(counted).toEqual({
			promptTokens: openTokenCounter().estimate(size, plain),
			completionTokens: 100,
		});
		expect(cost).toBe(costOf(plain, counted));
	});

	test("a call on a budget is charged the most that it can have cost", () => {
		const { cost, ...counted } = estimateCharge({ ...input, hasBudget: true });
		expect(counted).toEqual({
			promptTokens: promptBound(size, plain),
			completionTokens: 400,
		});
		expect(cost).toBe(costOf(plain, counted));
	});

	test.each([
		["that reasons", reasoning],
		["that no catalogue lists", { ...plain, isUnlisted: true as const }],
	])(
		"a call of a model %s is charged its upper bound on a budget",
		(_, model) => {
			const charge = { ...input, model, bound: 10 ** 12 };
			expect(estimateCharge({ ...charge, hasBudget: true }).cost).toBe(
				10 ** 12,
			);
		},
	);

	test("no charge exceeds the upper bound", () => {
		expect(estimateCharge({ ...input, bound: 1 }).cost).toBe(1);
	});

	test("a provider's partial count is used", () => {
		const usage = { promptTokens: 7, completionTokens: 900 };
		expect(estimateCharge({ ...input, usage })).toMatchObject(usage);
	});
});

describe("a call's place in cache and flight", () => {
	const request = {
		model: "gpt-4o",
		messages: [],
	} as never as ChatCall["request"];
	const payer = (id: string, monthlyBudget: number | null) =>
		({
			businessId: "b1",
			accounts: [{ id, name: id, monthlyBudget }],
		}) as never as ChatCall["payer"];

	test.each([
		[undefined, undefined, false],
		[undefined, 0, true],
		["off", 0, false],
		["on", 1, true],
		["refresh", 1, true],
	] as const)(
		"with the header %s and temperature %s, cacheable is %s",
		(cache, temperature, expected) => {
			expect(isCacheable({ cache, request: { ...request, temperature } })).toBe(
				expected,
			);
		},
	);

	test("a filtered or uncertain answer is not worth caching", () => {
		const choice = (finish_reason: Choice["finish_reason"]) =>
			({ index: 0, finish_reason }) as Choice;
		const stopped = { choices: [choice("stop")] };
		expect(isWorthCaching(stopped)).toBe(true);
		expect(isWorthCaching({ ...stopped, isUncertain: true })).toBe(false);
		expect(
			isWorthCaching({ choices: [choice("stop"), choice("content_filter")] }),
		).toBe(false);
	});

	test("calls share a flight unless one streams or another budget limits it", () => {
		const name = (account: string, limit: number | null, stream?: boolean) =>
			flightNameOf(
				{ request: { ...request, stream }, payer: payer(account, limit) },
				"key",
			);
		expect(name("app", null)).toBe(name("till", null));
		expect(name("app", 5)).toBe(name("app", 5));
		expect(name("app", 5)).not.toBe(name("till", 5));
		expect(name("app", null)).not.toBe(name("app", null, true));
	});

	test("only candidates within the reservation are affordable", () => {
		const bounds = new Map([
			[plain, 10],
			[reasoning, 11],
		]);
		const boundOf = (model: Model) => bounds.get(model) as number;
		const all = [plain, reasoning];
		expect(affordableOf(all, { held: { amount: 10 } }, boundOf)).toEqual([
			plain,
		]);
		expect(affordableOf(all, {}, boundOf)).toEqual(all);
	});
});

test("an unlisted model's prompt costs as much as its provider's dearest, also what goes into the provider's cache", () => {
	const { models } = readCatalogue("");
	const promptTokens = 1_000_000;
	const costs = (model: Model) =>
		[0, promptTokens].map((cacheWriteTokens) =>
			costOf(model, { promptTokens, completionTokens: 0, cacheWriteTokens }),
		);
	for (const provider of new Set(models.map((one) => one.provider))) {
		const unlisted = describeUnlisted(models, `${provider}/new`) as Model;
		const listed = models.filter((one) => one.provider === provider);
		for (const [i, cost] of costs(unlisted).entries())
			expect(cost).toBe(Math.max(...listed.map((one) => costs(one)[i] ?? 0)));
	}
});
