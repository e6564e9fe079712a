import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const cerebras = speakChatCompletions({
	id: "cerebras",
	name: "Cerebras",
	baseUrl: "https://api.cerebras.ai/v1",
	takes: [
		...commonFields,
		"reasoning_effort",
		"user",
		"logprobs",
		"top_logprobs",
	],
	maxTokensField: "max_completion_tokens",
});
