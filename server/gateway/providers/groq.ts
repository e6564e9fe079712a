import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const groq = speakChatCompletions({
	id: "groq",
	name: "Groq",
	baseUrl: "https://api.groq.com/openai/v1",
	takes: [...commonFields, "parallel_tool_calls", "reasoning_effort", "user"],
	refusesNames: true,
});
