import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI, OpenAIEmbeddings } from "@langchain/openai";
import { expect, test } from "vitest";
import * as z from "zod";
import { oneIn } from "../../sync/testing/lane.ts";
import { openTestGateway } from "./testing/gateway.ts";

const model = "anthropic/claude-haiku-4-5";
const getStock = tool(async ({ sku }) => `${sku}: 4`, {
	name: "get_stock",
	description: "Looks up the stock of a product",
	schema: z.object({ sku: z.string() }),
});
const calls = ["milk", "bread"].map((sku) => ({
	...{ id: `call_${sku}`, name: "get_stock", args: { sku } },
}));
const image = "data:image/png;base64,iVBORw0KGgo=";

oneIn(4).each([
	["Chat Completions", false],
	["Responses", true],
])(
	"LangChain works over %s: streams, parallel tools, schemas, images, errors and aborts",
	async (_api, useResponsesApi) => {
		const { server, asha, fakes } = await openTestGateway([
			"anthropic",
			"openai",
		]);
		const options = {
			...{ useResponsesApi, maxRetries: 0 },
			apiKey: asha.bearer.replace("Bearer ", ""),
			configuration: { baseURL: `${server.url}/v1` },
		};
		const chat = new ChatOpenAI({ ...options, model });

		fakes.anthropic.act({ text: "Four bottles." });
		let said = "";
		let tokens = 0;
		for await (const chunk of await chat.stream("How much milk?")) {
			said += chunk.text;
			tokens += chunk.usage_metadata?.output_tokens ?? 0;
		}
		expect([said, tokens]).toEqual(["Four bottles.", 7]);

		fakes.anthropic.act({ toolCalls: calls }, { text: "Milk 4, bread 4." });
		const question = new HumanMessage({
			content: [
				{ type: "text", text: "How much of these?" },
				{ type: "image_url", image_url: { url: image } },
			],
		});
		const equipped = chat.bindTools([getStock]);
		const wish = await equipped.invoke([question]);
		expect(wish.tool_calls).toMatchObject(
			calls.map(({ id, name, args }) => ({ id, name, args })),
		);
		const results = await Promise.all(
			(wish.tool_calls ?? []).map((call) => getStock.invoke(call)),
		);
		expect(results.every((one) => one instanceof ToolMessage)).toBe(true);
		const answer = await equipped.invoke([question, wish, ...results]);
		expect(answer.text).toBe("Milk 4, bread 4.");
		expect(JSON.stringify(fakes.anthropic.received.at(-1)?.body)).toContain(
			"bread: 4",
		);

		fakes.openai.act({ text: '{"sku":"milk","count":4}' });
		const counted = new ChatOpenAI({
			...{ ...options, model: "openai/gpt-4o" },
		}).withStructuredOutput(z.object({ sku: z.string(), count: z.number() }), {
			method: "jsonSchema",
		});
		expect(await counted.invoke("Count the milk")).toEqual({
			...{ sku: "milk", count: 4 },
		});

		const unknown = new ChatOpenAI({ ...options, model: "nobody/none" });
		await expect(unknown.invoke("Habari?")).rejects.toMatchObject({
			...{ status: 404, code: "model_not_found" },
		});

		fakes.anthropic.act({ delayMs: 30_000 });
		const abort = new AbortController();
		const waiting = chat.invoke("Habari?", { signal: abort.signal });
		setTimeout(() => abort.abort(), 100);
		await expect(waiting).rejects.toThrow(/abort/i);
	},
);

test("LangChain embeds texts", async () => {
	const { server, asha } = await openTestGateway(["openai"]);
	const embeddings = new OpenAIEmbeddings({
		...{ model: "text-embedding-3-small", maxRetries: 0 },
		apiKey: asha.bearer.replace("Bearer ", ""),
		configuration: { baseURL: `${server.url}/v1` },
	});
	const [milk, bread] = await embeddings.embedDocuments(["Milk", "Bread"]);
	expect(milk?.length).toBeGreaterThan(1);
	expect(bread).not.toEqual(milk);
});
