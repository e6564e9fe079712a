import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const openrouter = speakChatCompletions({
	id: "openrouter",
	name: "OpenRouter",
	baseUrl: "https://openrouter.ai/api/v1",
	takes: [
		...commonFields,
		"parallel_tool_calls",
		"reasoning_effort",
		"user",
		"logprobs",
		"top_logprobs",
		"logit_bias",
	],
	adjust(body) {
		// Requests the real charge in the answer, for the meter.
		body.usage = { include: true };
	},
});
