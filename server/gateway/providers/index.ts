import { anthropic } from "./anthropic.ts";
import { cerebras } from "./cerebras.ts";
import { cohere } from "./cohere.ts";
import { deepseek } from "./deepseek.ts";
import { fireworks } from "./fireworks.ts";
import { gemini } from "./gemini.ts";
import { groq } from "./groq.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { perplexity } from "./perplexity.ts";
import type { Provider } from "./provider.ts";
import { together } from "./together.ts";
import { xai } from "./xai.ts";

/** All providers that the gateway supports. */
export const providers: readonly Provider[] = [
	openai,
	anthropic,
	gemini,
	mistral,
	groq,
	deepseek,
	xai,
	cohere,
	together,
	fireworks,
	openrouter,
	perplexity,
	cerebras,
	ollama,
];
