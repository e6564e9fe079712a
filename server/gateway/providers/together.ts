import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const together = speakChatCompletions({
	id: "together",
	name: "Together",
	baseUrl: "https://api.together.ai/v1",
	takes: [...commonFields, "n", "logit_bias", "reasoning_effort"],
});
