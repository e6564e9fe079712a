import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled } from "../../sync/testing/lane.ts";
import { testDir } from "../../sync/testing/shop.ts";
import { readCatalogue } from "./catalogue.ts";
import { optionalFields } from "./providers/provider.ts";
import type { Asked, Refusal } from "./refusals.ts";
import { openTestGateway } from "./testing/gateway.ts";
import { listed, refusedBy } from "./testing/provider-limits.ts";

const messages = [{ role: "user", content: "Habari?" }];
const schema = { type: "object", properties: { a: { type: "string" } } };
const usual: Asked = {
	temperature: 0.5,
	tools: [
		{
			type: "function",
			function: { name: "weather", parameters: schema },
		},
	],
	tool_choice: "required",
	parallel_tool_calls: false,
	top_p: 0.6,
	n: 1,
	stop: ["STOP"],
	seed: 424_242,
	presence_penalty: 0.7,
	frequency_penalty: 0.8,
	response_format: {
		type: "json_schema",
		json_schema: { name: "answer", schema },
	},
	reasoning_effort: "high",
	user: "till-7",
	logprobs: true,
	top_logprobs: 2,
	logit_bias: { 50256: -99 },
	metadata: { desk: "north" },
	store: false,
	service_tier: "flex",
	prompt_cache_key: "prices",
	verbosity: "low",
	prediction: { type: "content", content: "Njema" },
	safety_identifier: "till-8",
	thinking: { type: "disabled" },
	web_search_options: { search_context_size: "low" },
	top_k: 4,
};

/** What most requests don't ask for: tools that are strict, and thoughts that some providers show unasked. */
const unusual: Asked = {
	...usual,
	reasoning_summary: "auto",
	strict: true,
};

/** A request that meets a refusal's condition for one of its parameters. */
function trigger({ when }: Refusal, param: string): Asked {
	const { is, isNot, above, below, longerThan = 0 } = when;
	const value =
		above !== undefined
			? Math.min(above + 0.5, param === "top_p" ? 1 : 2)
			: below !== undefined
				? below > 0
					? 0
					: -1
				: param === "response_format" || !is
					? isNot?.includes("high")
						? "unheard"
						: unusual[param]
					: is[0];
	return {
		...(when.with !== undefined && { [when.with]: unusual[when.with] }),
		...(!when.orUnset && { [param]: value }),
		...(longerThan > 0 && { [param]: [..."ABCDEFG"].slice(0, longerThan + 1) }),
	};
}

/** How a request says it. */
function toBody({ strict, ...asked }: Asked): Asked {
	if (strict === undefined) return asked;
	const named = { name: "weather", parameters: schema, strict };
	return { ...asked, tools: [{ type: "function", function: named }] };
}

test("a strict stand-in refuses what the catalogue says, and the gateway sends none of it and names it", async () => {
	const providers = [...new Set(listed.map(({ provider }) => provider))];
	const { server, asha, fakes } = await openTestGateway(
		providers.filter((name) => name !== "ollama"),
	);
	// A member's own rate is lower than what follows.
	const made = await server.ask("POST", "/api/keys", {
		as: asha,
		body: { name: "Wall" },
	});
	const { key } = made.body as { key: string };
	const ask = async (model: string, body: Asked) => {
		const { status, text, headers } = await server.ask(
			"POST",
			"/v1/chat/completions",
			{
				headers: { authorization: `Bearer ${key}` },
				body: { model, messages, ...body },
			},
		);
		expect([model, status, text]).toEqual([model, 200, text]);
		const report = headers.get("x-gateway-params")?.split(", ") ?? [];
		return report.map((change) => change.split("=", 1)[0]);
	};
	const online = listed.filter(({ provider }) => provider !== "ollama");
	for (const model of sampled(online, 5)) {
		const received = fakes[model.provider]?.received ?? [];
		for (const one of model.refusals ?? [])
			for (const param of one.params) {
				const asked = trigger(one, param);
				expect(refusedBy({ ...model, refusals: [one] }, asked)).toBeDefined();
				const before = received.length;
				const named = await ask(model.id, toBody(asked));
				if (one.over)
					expect(received.at(-1)?.path).toMatch(new RegExp(`/${one.over}$`));
				else expect(named).toContain(param);
				expect(received.length - before).toBe(1);
			}
		// With everything, what isn't named was sent.
		const named = new Set(await ask(model.id, usual));
		const sent = received.at(-1)?.text ?? "";
		for (const [param, value] of Object.entries(usual))
			if (!named.has(param))
				expect([model.id, param, isIn(sent, param, value)]).toEqual([
					model.id,
					param,
					true,
				]);
	}
});

/** How a field is known in a request that may call it otherwise. */
const marks: Record<string, string> = {
	tools: "weather",
	tool_choice: '"(tool_choice|toolConfig)":',
	parallel_tool_calls: "disable_parallel_tool_use|parallel_tool_calls",
	n: '"n":1|generateContent|contents',
	response_format: "json_schema|json_object|responseJsonSchema|output_config",
	reasoning_effort:
		'"reasoning_effort":|thinkingConfig|"thinking":|"effort":|"reasoning":',
};

function isIn(sent: string, param: string, value: unknown): boolean {
	const mark = marks[param];
	return mark === undefined
		? sent.includes(JSON.stringify(value).replace(/^[{[]|[}\]]$/g, ""))
		: new RegExp(mark).test(sent);
}

test("every parameter that is said to be refused is one of a request's", () => {
	const known = new Set<string>(["temperature", "strict", ...optionalFields]);
	const refused = listed.flatMap(({ refusals = [] }) =>
		refusals.flatMap(({ params }) => params),
	);
	expect(refused.filter((param) => !known.has(param))).toEqual([]);
});

test("an owner's own list adds refusals, and a model without a list refuses what its provider's others do", () => {
	const dir = testDir();
	const read = (own: object, refusals: object) => {
		const price = { input: 1, output: 1 };
		const one = { id: "cohere/own", context_window: 9, pricing: price, ...own };
		const file = { models: [one], refusals };
		writeFileSync(join(dir, "models.json"), JSON.stringify(file));
		const { models } = readCatalogue(dir);
		return models.find(({ id }) => id === one.id)?.refusals ?? [];
	};
	expect(read({}, {}).map(({ set }) => set)).toContain(0.99);
	const seeds = { params: ["seed"], source: "https://example.com" };
	expect(read({ refuses: ["seeds"] }, { seeds })).toMatchObject([seeds]);
	expect(() => read({ refuses: ["seeds"] }, {})).toThrow('refuses "seeds"');
});
