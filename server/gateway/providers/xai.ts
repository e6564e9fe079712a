import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const xai = speakChatCompletions({
	id: "xai",
	name: "xAI",
	baseUrl: "https://api.x.ai/v1",
	takes: [
		...commonFields,
		"n",
		"parallel_tool_calls",
		"reasoning_effort",
		"user",
		"logprobs",
		"top_logprobs",
	],
});
