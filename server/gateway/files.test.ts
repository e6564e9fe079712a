import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { dataOf } from "./chat.ts";
import { openTestGateway } from "./testing/gateway.ts";

const base64 = Buffer.from("%PDF-1.4\n").toString("base64");
const data = `data:application/pdf;base64,${base64}`;
const link = "https://example.com/list.pdf";
const names = ["openai", "anthropic", "google", "mistral"] as const;

/** A PDF at a model, as its provider gets it; undefined if that refuses it. */
const models: [model: string, source: string, sent: object | RegExp][] = [
	[
		"openai/gpt-4o",
		data,
		{ type: "file", file: { filename: "list.pdf", file_data: data } },
	],
	["openai/gpt-4o", link, /data: URLs only/],
	["openai/gpt-6-astra", link, { type: "input_file", file_url: link }],
	[
		"anthropic/claude-haiku-4-5",
		data,
		{
			type: "document",
			source: { type: "base64", media_type: "application/pdf", data: base64 },
			title: "list.pdf",
		},
	],
	[
		"anthropic/claude-haiku-4-5",
		link,
		{ type: "document", source: { type: "url", url: link } },
	],
	[
		"google/gemini-2.5-flash",
		data,
		{ inlineData: { mimeType: "application/pdf", data: base64 } },
	],
	["google/gemini-2.5-flash", link, /data: URLs only/],
	["mistral/mistral-large-4", data, /doesn't read files/],
];

test("a PDF goes through all doors to the models that read it, and others refuse it", async () => {
	const { server, asha, client, fakes } = await openTestGateway(names);
	const claude = new Anthropic({
		...{ baseURL: server.url, maxRetries: 0 },
		apiKey: asha.bearer.replace("Bearer ", ""),
	});
	await server.ask("PATCH", "/api/ai/limits", {
		as: asha,
		body: { monthlyBudget: 1_000 },
	});
	const tool = { name: "look", parameters: { type: "object" as const } };
	for (const [model, source, expected] of models) {
		const filename = "list.pdf";
		const isLink = source === link;
		const doors = [
			() =>
				client.chat.completions.create({
					model,
					tools: [{ type: "function", function: tool }],
					messages: [
						{
							role: "user",
							content: [
								{ type: "text", text: "Read it" },
								{ type: "file", file: { file_data: source, filename } },
							],
						},
					],
				}),
			() =>
				client.responses.create({
					model,
					tools: [{ type: "function", ...tool, strict: false }],
					input: [
						{
							role: "user",
							content: [
								{ type: "input_text", text: "Read it" },
								{
									type: "input_file",
									filename,
									...(isLink ? { file_url: source } : { file_data: source }),
								},
							],
						},
					],
				}),
			() =>
				claude.messages.create({
					...{ model, max_tokens: 99 },
					tools: [{ name: tool.name, input_schema: tool.parameters }],
					messages: [
						{
							role: "user",
							content: [
								{ type: "text", text: "Read it" },
								{
									type: "document",
									title: filename,
									source: isLink
										? { type: "url", url: source }
										: {
												...{ type: "base64", data: base64 },
												media_type: "application/pdf",
											},
								},
							],
						},
					],
				}),
		];
		const [provider = ""] = model.split("/");
		const { received } = fakes[provider as (typeof names)[number]];
		for (const ask of doors) {
			const before = received.length;
			if (expected instanceof RegExp) {
				await expect(ask()).rejects.toMatchObject({
					status: 400,
					message: expect.stringMatching(expected),
				});
				expect(received.length).toBe(before);
				continue;
			}
			await ask();
			const { messages, input, contents } = received.at(-1)?.body ?? {};
			const [turn] = messages ?? input ?? contents;
			expect((turn.content ?? turn.parts)[1]).toMatchObject(expected);
		}
	}
});

test("automatic routing asks only models that read a PDF, and its budget is the whole window", async () => {
	const { server, asha, client, fakes } = await openTestGateway([
		"groq",
		"openai",
	]);
	const file = { type: "file" as const, file: { file_data: data } };
	const asked = {
		model: "gateway/auto",
		messages: [{ role: "user" as const, content: [file] }],
	};
	const { response } = await client.chat.completions
		.create(asked)
		.withResponse();
	expect(response.headers.get("x-gateway-model")).toMatch(/^openai/);
	expect(response.headers.get("x-gateway-route")).toContain("file");
	expect(fakes.groq.received).toEqual([]);
	await server.ask("PATCH", "/api/ai/limits", {
		as: asha,
		body: { monthlyBudget: 0.01 },
	});
	await expect(
		client.chat.completions.create({ ...asked, model: "openai/gpt-4o" }),
	).rejects.toMatchObject({ status: 429 });
});

test("a data URL with millions of parameters is no file, and no fault of the server's", () => {
	expect(dataOf("data:image/png;a=b;base64,AAAA")).toEqual({
		...{ mediaType: "image/png", data: "AAAA" },
	});
	expect(dataOf("data:image/png,AAAA;base64,AAAA")).toBeUndefined();
	const many = ";a".repeat(9_000_000);
	expect(dataOf(`data:image/png${many};base64,AAAA`)).toBeUndefined();
	expect(dataOf(`data:image/png${many}`)).toBeUndefined();
});
