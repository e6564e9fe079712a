import { describe, expect, test } from "vitest";
import type { Model } from "./catalogue.ts";
import { countedTexts, vocabularies } from "./testing/counted-texts.ts";
import { openTestGateway } from "./testing/gateway.ts";
import { open } from "./testing/spending.ts";
import { openTokenCounter, promptBound, sizeOfPrompt } from "./tokens.ts";

const again = (text: string) => Array(40).fill(text).join(" ");
const lower = "abcdefghijklmnopqrstuvwxyz";

/** Shuffles letters the same way each time. */
function shuffled(letters: string, count: number): string {
	const all = [...letters];
	let state = 1;
	return Array.from({ length: count }, () => {
		state = (state * 48_271) % 2_147_483_647;
		return all[state % all.length];
	}).join("");
}

const stockList = (lines: number) =>
	JSON.stringify(
		Array.from({ length: lines }, (_, i) => ({
			sku: `SKU-${1_000 + i}`,
			name: `Sugar ${i} kg`,
			quantity: i * 7,
			barcode: `600123${4_000_000 + i * 37}`,
		})),
	);

/** Texts with their token counts by gpt-tokenizer 4.0, o200k. */
const natural: [string, text: string, o200k: number][] = [
	[
		"English",
		again(
			"The shop sells bread, milk and sugar every day; how many bottles of milk are left?",
		),
		760,
	],
	[
		"Spanish",
		again(
			"La tienda vende pan, leche y azúcar todos los días; ¿cuántas botellas de leche quedan?",
		),
		880,
	],
	[
		"Russian",
		again(
			"Магазин продаёт хлеб, молоко и сахар каждый день; сколько бутылок молока осталось?",
		),
		841,
	],
	[
		"Hindi",
		again("दुकान हर दिन रोटी, दूध और चीनी बेचती है; दूध की कितनी बोतलें बची हैं?"),
		1_042,
	],
	["Thai", again("ร้านขายขนมปัง นม และน้ำตาลทุกวัน เหลือนมกี่ขวด"), 920],
	[
		"Arabic",
		again("يبيع المتجر الخبز والحليب والسكر كل يوم؛ كم زجاجة حليب بقيت؟"),
		920,
	],
	["Chinese", again("商店每天卖面包、牛奶和糖；还剩几瓶牛奶？"), 760],
	["a stock list", stockList(150), 3_910],
	[
		"barcodes",
		Array.from(
			{ length: 300 },
			(_, i) => 6_001_000_000_000 + i * 7_919_113,
		).join("\n"),
		1_799,
	],
];
const random: [
	string,
	letters: string,
	count: number,
	o200k: number,
	cl100k: number,
][] = [
	["letters", lower, 6_000, 3_098, 3_232],
	["capitals", lower.toUpperCase(), 6_000, 3_437, 3_588],
	["base64", `${lower}${lower.toUpperCase()}0123456789+/`, 6_000, 4_119, 4_325],
	["hexadecimal", "0123456789abcdef", 6_000, 3_415, 3_403],
	["digits", "0123456789", 6_000, 2_000, 2_000],
	["marks", "!#$%&()*+,-./:;<=>?@[]^_{|}~", 6_000, 4_030, 3_959],
	["Cyrillic", "абвгдежзийклмнопрстуфхцчшщъыьэюя", 3_000, 2_175, 2_615],
	["Arabic", "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", 3_000, 2_055, 2_923],
	[
		"Devanagari",
		"अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह",
		3_000,
		2_827,
		5_359,
	],
	["Thai", "กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ", 3_000, 3_011, 4_309],
	["emoji", "😀😎🥛🍞☕🧾🛒💳📦🏷", 1_000, 2_098, 2_589],
];

const gpt = { id: "gpt", provider: "openai", upstream_id: "gpt-4o" } as Model;
const qwen = { id: "qwen", provider: "groq", upstream_id: "qwen" } as Model;
const sizeOf = (content: string) =>
	sizeOfPrompt({
		model: "any",
		messages: [{ role: "user", content }],
	} as Parameters<typeof sizeOfPrompt>[0]);

/** Texts of these differ more among themselves. */
const looserLanguages = ["Russian", "Thai", "Indonesian"];

describe("a prompt's size", () => {
	test.each(natural)(
		"a prompt in %s is estimated within a fifth, and its upper bound is at most three times the count",
		(_what, text, tokens) => {
			const size = sizeOf(text);
			const estimate = openTokenCounter().estimate(size, gpt);
			expect(estimate / tokens).toBeGreaterThan(0.8);
			expect(estimate / tokens).toBeLessThan(1.2);
			expect(promptBound(size, gpt)).toBeGreaterThanOrEqual(tokens);
			expect(promptBound(size, gpt) / tokens).toBeLessThan(3.2);
		},
	);

	test.each(random)(
		"the upper bound covers random %s too",
		(_what, letters, count, o200k, cl100k) => {
			const size = sizeOf(shuffled(letters, count));
			expect(promptBound(size, gpt)).toBeGreaterThanOrEqual(o200k);
			expect(promptBound(size, qwen)).toBeGreaterThanOrEqual(cl100k);
		},
	);

	test.each(countedTexts)(
		"%s is estimated closely with OpenAI's vocabulary, and with any other once a model has counted another such text",
		(language, one, other) => {
			const most = looserLanguages.includes(language) ? 0.2 : 0.15;
			const thrice = ([text]: readonly [string, ...unknown[]]) =>
				sizeOf(Array(3).fill(text).join(" "));
			for (const [i, vocabulary] of vocabularies.entries()) {
				const model = vocabulary === "o200k" ? gpt : qwen;
				const counter = openTokenCounter();
				if (model === qwen)
					counter.learn(thrice(one), model, {
						promptTokens: one[1][i] as number,
						completionTokens: 1,
					});
				const tokens = other[1][i] as number;
				const error = counter.estimate(thrice(other), model) / tokens - 1;
				expect({ vocabulary, error, isClose: Math.abs(error) < most }).toEqual(
					expect.objectContaining({ isClose: true }),
				);
			}
		},
	);

	test("what a model counted of one language says nothing about another, nor about another model", () => {
		const counter = openTokenCounter();
		const swahili = sizeOf(again("Duka linauza mkate kila siku."));
		const english = sizeOf(again("The shop sells bread every day."));
		const before = [
			counter.estimate(swahili, qwen),
			counter.estimate(english, qwen),
		];
		counter.learn(swahili, qwen, {
			promptTokens: (before[0] as number) * 1.5,
			completionTokens: 1,
		});
		expect(counter.estimate(swahili, qwen) / (before[0] as number)).toBeCloseTo(
			1.5,
			1,
		);
		expect(counter.estimate(english, qwen)).toBe(before[1]);
		expect(counter.estimate(swahili, gpt)).toBe(
			openTokenCounter().estimate(swahili, gpt),
		);
	});
});

describe("an Ollama whose context is 4096 tokens", () => {
	async function ask(content: string) {
		const { server, asha, fakes } = await openTestGateway(["ollama"], {
			localModels: [
				{
					name: "llama3.2:3b",
					capabilities: ["completion"],
					contextLength: 131_072,
					loadedContext: 4_096,
				},
			],
		});
		const { status } = await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: {
				model: "ollama/llama3.2:3b",
				messages: [{ role: "user", content }],
			},
		});
		return { status, asks: fakes.ollama.received.length };
	}

	test("Ollama gets no stock list that it would silently truncate", async () => {
		const list = stockList(190);
		// At four bytes a token it would fit.
		expect(Buffer.byteLength(list) / 4).toBeLessThan(4_096);
		expect(await ask(list)).toEqual({ status: 400, asks: 0 });
	});

	test("Ollama gets as much Hindi as fits its context", async () => {
		const [, hindi = ""] = natural[3] ?? [];
		const long = hindi.repeat(2) + hindi.slice(0, 1_000);
		expect(Buffer.byteLength(long) / 4).toBeGreaterThan(4_096);
		expect(await ask(long)).toEqual({ status: 200, asks: 1 });
	});
});

test("a budget allows a long prompt that costs a fraction of it", async () => {
	const gateway = await open();
	gateway.fakes.openai?.act({ promptTokens: 3_000, completionTokens: 400 });
	// The call costs 0.0115 USD.
	const { bearer } = await gateway.addKey({ monthlyBudget: 0.03 });
	const content = again(natural[0]?.[1].slice(0, 400) ?? "");
	const answer = await gateway.ask(
		{ messages: [{ role: "user", content }], max_tokens: 400 },
		{ authorization: bearer },
	);
	expect([answer.status, answer.text]).toEqual([200, answer.text]);
});

test.each([false, true])(
	"usage that a provider doesn't count is reported as estimated, not as 0 (stream: %s)",
	async (stream) => {
		const gateway = await open(["together"]);
		gateway.fakes.together?.act({
			status: 200,
			headers: {
				"content-type": stream ? "text/event-stream" : "application/json",
			},
			body: stream
				? `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Njema sana" }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`
				: {
						choices: [
							{ message: { content: "Njema sana" }, finish_reason: "stop" },
						],
					},
		});
		const { text } = await gateway.ask({
			model: "together/openai/gpt-oss-120b",
			stream,
			...(stream && { stream_options: { include_usage: true } }),
		});
		const [, prompt, answer] =
			/"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(text) ?? [];
		expect(Number(prompt)).toBeGreaterThan(2);
		expect(Number(answer)).toBe(3);
	},
);

test.each([false, true])(
	"usage that Anthropic's API leaves out is estimated too (stream: %s)",
	async (stream) => {
		const gateway = await open(["anthropic"]);
		const content = { type: "text", text: "Njema sana" };
		const events = [
			{ type: "message_start", message: {} },
			{ type: "content_block_start", index: 0, content_block: content },
			{ type: "content_block_stop", index: 0 },
			{ type: "message_delta", delta: { stop_reason: "end_turn" } },
			{ type: "message_stop" },
		];
		gateway.fakes.anthropic?.act({
			status: 200,
			headers: {
				"content-type": stream ? "text/event-stream" : "application/json",
			},
			body: stream
				? events
						.map((it) => `event: ${it.type}\ndata: ${JSON.stringify(it)}\n\n`)
						.join("")
				: { content: [content], stop_reason: "end_turn" },
		});
		const { text } = await gateway.ask({
			model: "claude-haiku-4-5",
			stream,
			...(stream && { stream_options: { include_usage: true } }),
		});
		const [, prompt, answer] =
			/"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(text) ?? [];
		expect(Number(prompt)).toBeGreaterThan(2);
		expect(Number(answer)).toBeGreaterThan(2);
	},
);

test("the reported route is the answering model's, and names the model that failed", async () => {
	const gateway = await open(["openai", "groq"]);
	const route = async () =>
		(await gateway.ask({ model: "gateway/auto" })).headers;
	const first = (await route()).get("x-gateway-model") ?? "";
	const [provider = ""] = first.split("/");
	gateway.fakes[provider]?.act({ status: 400, body: "no" });
	const headers = await route();
	expect(headers.get("x-gateway-model")).not.toBe(first);
	expect(headers.get("x-gateway-route")).toContain(`instead of=${first}`);
});
