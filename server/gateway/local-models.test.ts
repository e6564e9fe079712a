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

interface Listed {
	id: string;
	available: boolean;
	kind: string;
}

/** Opens a gateway whose only models are Ollama's. */
async function open(localModels: LocalModel[], env: NodeJS.ProcessEnv = {}) {
	const gateway = await openTestGateway(["ollama"], { localModels, env });
	const { server, asha } = gateway;
	return {
		...gateway,
		async running() {
			const { data } = await gateway.client.models.list();
			return (data as unknown as Listed[])
				.filter(({ available, kind }) => available && kind === "chat")
				.map(({ id }) => id)
				.filter((id) => id !== "gateway/auto")
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

test("an embedding model is neither listed nor chosen", async () => {
	const { running, ask } = await open([
		talks("bge-m3:latest", { capabilities: ["embedding"] }),
		talks("nomic:latest", { capabilities: ["embedding", "completion"] }),
		talks("zephyr:latest"),
	]);
	expect(await running()).toEqual(["ollama/nomic", "ollama/zephyr"]);
	const named = await ask({ model: "ollama/bge-m3" });
	expect(named.status).toBe(404);
});

test("a model without details hides no other, and stays listed if the catalogue knows it", async () => {
	const { running, ask } = await open([
		talks("llama3.2:3b"),
		talks("unknown:latest", { isBroken: true }),
		talks("qwen3:4b", { isBroken: true }),
	]);
	expect(await running()).toEqual(["ollama/llama3.2:3b", "ollama/qwen3:4b"]);
	expect((await ask({ model: "gateway/auto" })).status).toBe(200);
});

/** Makes a prompt of about `tokens` tokens. */
const long = (tokens: number) => [
	{ role: "user", content: "word ".repeat(tokens) },
];

test.each<[string, LocalModel, NodeJS.ProcessEnv, number, number]>([
	[
		"of the loaded model",
		talks("zephyr:latest", { loadedContext: 16_384, numCtx: 100 }),
		{ OLLAMA_CONTEXT_LENGTH: "200" },
		16_384,
		16_384,
	],
	[
		"set in the model file",
		talks("zephyr:latest", { numCtx: 16_384 }),
		{ OLLAMA_CONTEXT_LENGTH: "200" },
		16_384,
		16_384,
	],
	[
		"set for Ollama",
		talks("zephyr:latest"),
		{ OLLAMA_CONTEXT_LENGTH: "16384" },
		16_384,
		16_384,
	],
	[
		"of the model, if Ollama would give more",
		talks("zephyr:latest", { contextLength: 16_384 }),
		{ OLLAMA_CONTEXT_LENGTH: "65536" },
		16_384,
		16_384,
	],
	[
		"that is Ollama's default, if nothing else is known",
		talks("zephyr:latest"),
		{ OLLAMA_CONTEXT_LENGTH: "0" },
		131_072,
		4_096,
	],
])(
	"a prompt must fit the context %s, to which Ollama would truncate it",
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

test("the context of a loaded model stays known after Ollama unloads it", async () => {
	const zephyr = talks("zephyr:latest", { loadedContext: 16_384 });
	const { url } = await openFakeProvider("chat", { models: [zephyr] });
	const local = openLocalModels(url, []);
	expect(await local.list()).toMatchObject([{ context_window: 16_384 }]);
	zephyr.loadedContext = undefined;
	const now = performance.now();
	const clock = vi.spyOn(performance, "now").mockReturnValue(now + 60_000);
	onTestFinished(() => clock.mockRestore());
	const [before] = await local.list();
	await expect.poll(() => local.list()).not.toContain(before);
	expect(await local.list()).toMatchObject([{ context_window: 16_384 }]);
});
