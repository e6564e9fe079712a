import { commonFields, speakChatCompletions } from "./chat-completions.ts";

export const groq = speakChatCompletions({
	id: "groq",
	name: "Groq",
	baseUrl: "https://api.groq.com/openai/v1",
	takes: [
		...commonFields,
		"parallel_tool_calls",
		"reasoning_effort",
		"user",
		"service_tier",
	],
	adjust(body) {
		// It divides by the temperature, and refuses names in messages.
		if (body.temperature === 0) body.temperature = 1e-8;
		body.messages = (body.messages as { name?: string }[]).map(
			({ name: _, ...message }) => message,
		);
	},
});
