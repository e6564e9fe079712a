import type { CacheUse } from "./call-record.ts";
import type { ChatRequest, Completion } from "./chat.ts";
import type { Payer } from "./meter.ts";
import type { Chunk } from "./providers/provider.ts";
import type { Policy } from "./settings.ts";

/** A chat request with its payer and the options from its headers. */
export interface ChatCall {
	request: ChatRequest;
	payer: Payer;
	/** What the API that it came through promises where a request names no temperature. */
	temperatureDefault?: number;
	policy?: Policy;
	/** `on` reads and writes the cache, `refresh` only writes; if undefined, requests at temperature 0 are cached. */
	cache?: "on" | "off" | "refresh";
	cacheSeconds?: number;
	fallback?: string[];
	/** `off` ends an answer that breaks off with an error. */
	rescue?: "on" | "off";
	/** Aborts when the client disconnects. */
	signal: AbortSignal;
}

/** How an answer was made, for the response headers. */
export interface AnswerInfo {
	model: string;
	/** Why that model was chosen. */
	route: string;
	attempts: number;
	/** The models that failed before it. */
	failed: string[];
	cache: CacheUse;
	ageSeconds?: number;
	/** Parameters that were dropped or changed. */
	report: string[];
}

export interface ChatAnswer {
	info: AnswerInfo;
	/** One completion, or the chunks of a stream. Throws GatewayError if a stream breaks off. */
	parts(): AsyncIterableIterator<Chunk | Completion, void>;
}
