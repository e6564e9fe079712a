import { hash } from "node:crypto";
import { commonFields, speakChatCompletions } from "./chat-completions.ts";
import { embedLikeOpenai } from "./embedder.ts";

export const openai = speakChatCompletions({
	id: "openai",
	name: "OpenAI",
	baseUrl: "https://api.openai.com/v1",
	embedder: embedLikeOpenai(),
	takes: [
		...commonFields,
		"n",
		"parallel_tool_calls",
		"reasoning_effort",
		"user",
		"logprobs",
		"top_logprobs",
		"logit_bias",
		"metadata",
		"store",
		"prompt_cache_key",
		"verbosity",
		"safety_identifier",
		"web_search_options",
	],
	// OpenAI's reasoning models refuse the older name; all models take this one.
	maxTokensField: "max_completion_tokens",
	hasDeveloperRole: true,
	adjust(body, { businessId, stream }) {
		body.prompt_cache_key ??= hash("sha256", businessId).slice(0, 32);
		// Turns off stream padding, which costs more than its protection against eavesdroppers is worth here.
		if (stream)
			body.stream_options = { include_usage: true, include_obfuscation: false };
	},
});
