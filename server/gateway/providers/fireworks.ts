import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const fireworks = speakChatCompletions({
	id: "fireworks",
	name: "Fireworks",
	baseUrl: "https://api.fireworks.ai/inference/v1",
	takes: [...commonFields, "n", "logit_bias", "reasoning_effort", "user"],
});
