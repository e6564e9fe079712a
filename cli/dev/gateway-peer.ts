import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import express from "express";
import { Agent } from "undici";

/**
 * Peers of the gateway benchmark, each started as a process: `upstream`, a provider that answers at once, and
 * `pass-through ADDRESS`, an Express server that only forwards to it.
 */

const chunks = 50;
const head = { id: "chatcmpl-upstream", created: 1, model: "gpt-4o" };
const usage = {
	prompt_tokens: 20,
	completion_tokens: chunks,
	total_tokens: 20 + chunks,
};
const plain = JSON.stringify({
	...head,
	object: "chat.completion",
	choices: [
		{
			index: 0,
			message: { role: "assistant", content: "Habari ya leo? ".repeat(20) },
			finish_reason: "stop",
		},
	],
	usage,
});
const event = (choices: object[], more = {}) =>
	`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`;
const events = [
	...Array.from({ length: chunks - 1 }, (_, i) =>
		event([
			{ index: 0, delta: { content: `neno ${i} ` }, finish_reason: null },
		]),
	),
	event([{ index: 0, delta: {}, finish_reason: "stop" }]),
	`${event([], { usage })}data: [DONE]\n\n`,
].map((text) => Buffer.from(text));

function startUpstream() {
	return createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on("data", (part: Buffer) => parts.push(part));
		request.on("end", async () => {
			const body = Buffer.concat(parts);
			if (!body.includes('"stream":true')) {
				response.setHeader("content-type", "application/json");
				response.end(plain);
				return;
			}
			response.writeHead(200, { "content-type": "text/event-stream" });
			for (const part of events) {
				if (response.destroyed) return;
				response.write(part);
				// Each chunk is sent in its own packet, as by a model.
				await new Promise(setImmediate);
			}
			response.end();
		});
	});
}

function startPassThrough(address: string) {
	const agent = new Agent({ connections: 512 });
	const app = express();
	app.post("/v1/chat/completions", async (request, response) => {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part);
		const answer = await agent.request({
			origin: address,
			path: request.path,
			method: "POST",
			headers: { "content-type": "application/json" },
			body: Buffer.concat(parts),
		});
		response.setHeader("content-type", String(answer.headers["content-type"]));
		await pipeline(answer.body, response);
	});
	return createServer(app);
}

const [what, address = ""] = process.argv.slice(2);
const server =
	what === "upstream" ? startUpstream() : startPassThrough(address);
server.listen(0, "127.0.0.1", () => {
	const { port } = server.address() as AddressInfo;
	console.log(`Here: http://127.0.0.1:${port}`);
});
