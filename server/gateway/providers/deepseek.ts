import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const deepseek = speakChatCompletions({
	id: "deepseek",
	name: "DeepSeek",
	baseUrl: "https://api.deepseek.com",
	takes: [
		...commonFields.filter((field) => field !== "seed"),
		"thinking",
		"logprobs",
		"top_logprobs",
	],
	recallsThoughts: true,
});
