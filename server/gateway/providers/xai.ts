import { commonFields, speakChatCompletions } from "./chat-completions.ts";

/** xAI's reasoning models refuse these fields; the catalogue lists no others. */
const refused = new Set(["presence_penalty", "frequency_penalty", "stop"]);

export const xai = speakChatCompletions({
	id: "xai",
	name: "xAI",
	baseUrl: "https://api.x.ai/v1",
	takes: [
		...commonFields.filter((field) => !refused.has(field)),
		"n",
		"parallel_tool_calls",
		"reasoning_effort",
		"user",
		"logprobs",
		"top_logprobs",
	],
});
