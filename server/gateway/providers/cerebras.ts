import { commonFields, speakChatCompletions } from "./chat-completions.ts";

const refused = new Set(["presence_penalty", "frequency_penalty"]);

export const cerebras = speakChatCompletions({
	id: "cerebras",
	name: "Cerebras",
	baseUrl: "https://api.cerebras.ai/v1",
	takes: [
		...commonFields.filter((field) => !refused.has(field)),
		"reasoning_effort",
		"user",
		"logprobs",
		"top_logprobs",
	],
	maxTokensField: "max_completion_tokens",
});
