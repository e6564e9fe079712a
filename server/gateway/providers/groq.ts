import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const groq = speakChatCompletions({
	id: "groq",
	name: "Groq",
	baseUrl: "https://api.groq.com/openai/v1",
	takes: [...commonFields, "parallel_tool_calls", "reasoning_effort", "user"],
	refusesNames: true,
	adjust(body) {
		// Groq divides by the temperature.
		if (body.temperature === 0) body.temperature = 1e-8;
	},
});
