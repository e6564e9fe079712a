import type { ChatRequest } from "./chat.ts";

/** Tokens of a prompt before anyone has counted them. */
export interface PromptSize {
	/** What it will probably be. */
	estimate: number;
	/** What it can't exceed: a token is one byte at least. */
	bound: number;
}

const bytesPerToken = 4;
const perMessage = 8;
const perMessageBound = 32;
const perImage = 1_000;
const perImageBound = 8_000;

export function sizeOfPrompt({ messages, tools }: ChatRequest): PromptSize {
	let bytes = 0;
	let images = 0;
	for (const message of messages) {
		const { content } = message;
		if (typeof content === "string") bytes += Buffer.byteLength(content);
		else
			for (const part of content ?? []) {
				if (part.type === "text") bytes += Buffer.byteLength(part.text);
				else images += 1;
			}
		if (message.role === "assistant" && message.tool_calls?.length)
			bytes += Buffer.byteLength(JSON.stringify(message.tool_calls));
	}
	if (tools?.length) bytes += Buffer.byteLength(JSON.stringify(tools));
	return {
		estimate:
			Math.ceil(bytes / bytesPerToken) +
			messages.length * perMessage +
			images * perImage,
		bound:
			bytes + messages.length * perMessageBound + images * perImageBound + 64,
	};
}
