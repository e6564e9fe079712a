import { commonFields, speakChatCompletions } from "./chat-completions.ts";

const unknown = new Set(["tools", "tool_choice", "seed", "stop"]);

export const perplexity = speakChatCompletions({
	id: "perplexity",
	name: "Perplexity",
	baseUrl: "https://api.perplexity.ai",
	takes: [
		...commonFields.filter((field) => !unknown.has(field)),
		"reasoning_effort",
		"web_search_options",
	],
});
