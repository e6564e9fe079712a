import { commonFields, speakChatCompletions } from "./chat-completions.ts";
import { embedLikeOpenai } from "./embedder.ts";

export const ollama = speakChatCompletions({
	id: "ollama",
	name: "Ollama",
	baseUrl: "http://127.0.0.1:11434/v1",
	embedder: embedLikeOpenai(),
	isLocal: true,
	lacks: ["image_url"],
	takes: [...commonFields, "reasoning_effort"],
});
