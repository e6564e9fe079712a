import { expect, onTestFinished, test, vi } from "vitest";
import { openLocalModels } from "./local-models.ts";
import { openTestGateway } from "./testing/gateway.ts";
import { type LocalModel, openFakeProvider } from "./testing/providers.ts";

const messages = [{ role: "user", content: "Habari?" }];
const talks = (name: string, more: Partial<LocalModel> = {}): LocalModel => ({
	name,
	capabilities: ["completion"],
	contextLength: 131_072,
	...more,
});

/** A gateway whose only models are those of an Ollama. */
async function open(localModels: LocalModel[], env: NodeJS.ProcessEnv = {}) {
	const gateway = await openTestGateway(["ollama"], { localModels, env });
	const { server, asha } = gateway;
	return {
		...gateway,
		async running() {
			const { data } = await gateway.client.models.list();
			return data
				.filter((it) => (it as unknown as { available: boolean }).available)
				.map(({ id }) => id)
				.sort();
		},
		async ask(body: object) {
			return server.ask("POST", "/v1/chat/completions", {
				as: asha,
				body: { messages, ...body },
			});
		},
	};
}

test("a model that only embeds is not listed, and not chosen", async () => {
	const { running, ask } = await open([
		talks("bge-m3:latest", { capabilities: ["embedding"] }),
		talks("nomic:latest", { capabilities: ["embedding", "completion"] }),
		talks("zephyr:latest"),
	]);
	expect(await running()).toEqual(["ollama/nomic", "ollama/zephyr"]);
	const named = await ask({ model: "ollama/bge-m3" });
	expect(named.status).toBe(404);
});

test("a model of which nothing is told hides no other: it stays where the catalogue knows it", async () => {
	const { running, ask } = await open([
		talks("llama3.2:3b"),
		talks("unknown:latest", { isBroken: true }),
		talks("qwen3:4b", { isBroken: true }),
	]);
	expect(await running()).toEqual(["ollama/llama3.2:3b", "ollama/qwen3:4b"]);
	expect((await ask({ model: "gateway/auto" })).status).toBe(200);
});

/** Of about so many tokens. */
const long = (tokens: number) => [
	{ role: "user", content: "word ".repeat(tokens) },
];

test.each<[string, LocalModel, NodeJS.ProcessEnv, number, number]>([
	[
		"that it is loaded with",
		talks("zephyr:latest", { loadedContext: 16_384, numCtx: 100 }),
		{ OLLAMA_CONTEXT_LENGTH: "200" },
		16_384,
		16_384,
	],
	[
		"that its own file sets",
		talks("zephyr:latest", { numCtx: 16_384 }),
		{ OLLAMA_CONTEXT_LENGTH: "200" },
		16_384,
		16_384,
	],
	[
		"that Ollama is said to give its models",
		talks("zephyr:latest"),
		{ OLLAMA_CONTEXT_LENGTH: "16384" },
		16_384,
		16_384,
	],
	[
		"of the model, where Ollama would give more",
		talks("zephyr:latest", { contextLength: 16_384 }),
		{ OLLAMA_CONTEXT_LENGTH: "65536" },
		16_384,
		16_384,
	],
	[
		"that Ollama begins with, where nothing else is known",
		talks("zephyr:latest"),
		{ OLLAMA_CONTEXT_LENGTH: "0" },
		131_072,
		4_096,
	],
])(
	"a prompt is held against the context %s, which Ollama would cut it to",
	async (_, model, env, listed, taken) => {
		const { ask, client, fakes } = await open([model], env);
		expect(await client.models.retrieve("ollama/zephyr")).toMatchObject({
			context_window: listed,
		});
		for (const name of ["ollama/zephyr", "gateway/auto"]) {
			const fits = await ask({ model: name, messages: long(taken / 2) });
			expect(fits.status).toBe(200);
			const answer = await ask({ model: name, messages: long(taken * 1.5) });
			expect([answer.status, answer.text]).toEqual([
				400,
				expect.stringContaining(`takes ${taken} at most`),
			]);
		}
		expect(fakes.ollama.received).toHaveLength(2);
	},
);

test("the context of a model that was loaded is known after Ollama has put it away", async () => {
	const zephyr = talks("zephyr:latest", { loadedContext: 16_384 });
	const { url } = await openFakeProvider("chat", { models: [zephyr] });
	const local = openLocalModels(url, []);
	expect(await local.list()).toMatchObject([{ context_window: 16_384 }]);
	zephyr.loadedContext = undefined;
	const now = performance.now();
	const clock = vi.spyOn(performance, "now").mockReturnValue(now + 60_000);
	onTestFinished(() => clock.mockRestore());
	const [before] = await local.list();
	await vi.waitFor(async () =>
		expect(await local.list()).not.toContain(before),
	);
	expect(await local.list()).toMatchObject([{ context_window: 16_384 }]);
});
