import { expect, test } from "vitest";
import { sampled } from "../../sync/testing/lane.ts";
import { openTestGateway } from "./testing/gateway.ts";

const messages = [{ role: "user", content: "Total?" }];

/** Gets an answer that ends with this word, whole or as a stream. */
function ending(word: string | null, stream: boolean) {
	const choice = (said: object) => ({
		choices: [{ index: 0, ...said, finish_reason: word }],
	});
	return {
		status: 200,
		headers: {
			"content-type": stream ? "text/event-stream" : "application/json",
		},
		body: stream
			? `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "The total is 1" } }] })}\n\ndata: ${JSON.stringify(choice({ delta: {} }))}\n\ndata: [DONE]\n\n`
			: choice({ message: { role: "assistant", content: "The total is 1" } }),
	};
}

async function open(word: string | null, stream: boolean) {
	const { server, asha, fakes } = await openTestGateway(["deepseek"]);
	fakes.deepseek.act(ending(word, stream));
	const ask = () =>
		server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: { model: "deepseek-flash", messages, temperature: 0, stream },
		});
	return { ask, fakes };
}

test.each(
	sampled(
		["insufficient_system_resource", "abort"].flatMap((word) => [
			[word, false] as const,
			[word, true] as const,
		]),
		2,
	),
)(
	"an answer that ends with %s fails and is not cached (stream: %s)",
	async (word, stream) => {
		const { ask } = await open(word, stream);
		const answer = await ask();
		if (!stream) expect(answer.status).toBe(502);
		expect(answer.text).toContain('"error"');
		expect(answer.text).not.toContain('"finish_reason":"stop"');
		expect((await ask()).headers.get("x-gateway-cache")).not.toBe("hit");
	},
);

test.each([false, true])(
	"an answer that ends with an unknown word is reported as incomplete and not cached (stream: %s)",
	async (stream) => {
		const { ask, fakes } = await open("ran_out_of_steam", stream);
		const answer = await ask();
		expect(answer.status).toBe(200);
		expect(answer.text).toContain('"finish_reason":"length"');
		expect((await ask()).headers.get("x-gateway-cache")).toBe("miss");
		expect(fakes.deepseek.received).toHaveLength(2);
	},
);

test("a repeated end of a stream is sent once", async () => {
	const { server, asha, fakes } = await openTestGateway(["together"]);
	const chunk = (delta: object, finish_reason: string | null = null) =>
		`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
	fakes.together.act({
		status: 200,
		headers: { "content-type": "text/event-stream" },
		body: `${chunk({ content: "Njema" })}${chunk({}, "stop")}${chunk({}, "stop")}data: [DONE]\n\n`,
	});
	const { text } = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: { model: "together/openai/gpt-oss-120b", messages, stream: true },
	});
	expect(text.match(/"finish_reason":"stop"/g)).toHaveLength(1);
});

test("Gemini's tool calls finish with tool_calls, whatever reason Gemini gives", async () => {
	const { client, fakes } = await openTestGateway(["google"]);
	fakes.google.act({
		status: 200,
		headers: { "content-type": "application/json" },
		body: {
			candidates: [
				{
					content: {
						parts: [{ functionCall: { name: "weather", args: {} } }],
					},
					finishReason: "FUNCTION_CALL",
				},
			],
		},
	});
	const { choices } = await client.chat.completions.create({
		model: "gemini-2.5-flash",
		messages: [{ role: "user", content: "Habari?" }],
	});
	expect(choices[0]?.finish_reason).toBe("tool_calls");
});
