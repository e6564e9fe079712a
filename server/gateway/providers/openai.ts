import { dataOf, urlsOf } from "../chat.ts";
import { Fault } from "../fault.ts";
import { commonFields, speakChatCompletions } from "./chat-completions.ts";
import { embedLikeOpenai } from "./embedder.ts";
import { cacheKeyOf, responsesApi } from "./openai-responses.ts";

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
	responses: responsesApi,
	lacks: ["file_url"],
	adjust(body, call) {
		if (urlsOf(call.request, "file").some((url) => !dataOf(url)))
			throw new Fault("client", "takes files as data: URLs only", {
				param: "messages",
			});
		body.prompt_cache_key ??= cacheKeyOf(call);
		// Turns off stream padding, which costs more than its protection against eavesdroppers is worth here.
		if (call.stream)
			body.stream_options = { include_usage: true, include_obfuscation: false };
	},
});
