import type { Model } from "../catalogue.ts";
import type { ChatRequest, ChoiceDelta, Usage } from "../chat.ts";
import type { Fault } from "../fault.ts";
import type { Params } from "../params.ts";
import type { Embedder } from "./embedder.ts";

/** Optional request fields that a provider may take besides temperature and the token limit. */
export const optionalFields = [
	"tools",
	"tool_choice",
	"parallel_tool_calls",
	"top_p",
	"n",
	"stop",
	"seed",
	"presence_penalty",
	"frequency_penalty",
	"response_format",
	"reasoning_effort",
	"reasoning_summary",
	"user",
	"logprobs",
	"top_logprobs",
	"logit_bias",
	"metadata",
	"store",
	"service_tier",
	"prompt_cache_key",
	"verbosity",
	"prediction",
	"safety_identifier",
	"thinking",
	"web_search_options",
] as const;
export type OptionalField = (typeof optionalFields)[number];

/** One request to one model of a provider. */
export interface ProviderCall {
	request: ChatRequest;
	model: Model;
	/** The request's parameters, fitted to the model. */
	params: Params;
	stream: boolean;
	/** Separates the businesses' prompt caches at a provider, which gets at most a digest of it. */
	businessId: string;
	/** Reports a parameter that was dropped or changed. */
	report(change: string): void;
}

/** A POST request: a path below the base URL, and a JSON body. */
export interface ProviderRequest {
	path: string;
	body: object;
}

/** The content of one stream event. */
export interface Chunk {
	deltas: ChoiceDelta[];
	/** Cumulative, so the last one counts. */
	usage?: Usage;
	/** The model that goes on from here with an answer that broke off. */
	resumedBy?: string;
}

/** Translates one answer. */
export interface AnswerReader {
	/** Reads the next event of a stream. @throws Fault for an event that reports a failure */
	read(event: object): Chunk;
	/** Reads an answer that came whole. @throws Fault for a failure reported with status 200 */
	readWhole(body: object): Chunk;
}

/** One way to ask a provider. */
export interface Api {
	takes: readonly OptionalField[];
	/** Fields of messages that it takes besides those that all do. */
	takesOfMessages?: readonly ("name" | "detail" | "reasoning_content")[];
	/** @throws Fault of kind `client` if the API can't express the request */
	toRequest(call: ProviderCall): ProviderRequest;
	openReader(call: ProviderCall): AnswerReader;
	/** The same call without what the provider refused of it and can do without. */
	without?(fault: Fault, call: ProviderCall): ProviderCall | undefined;
}

/** Adapts one provider's API. */
export interface Provider extends Api {
	id: string;
	name: string;
	baseUrl: string;
	/** Runs on this machine, without a key or the internet. */
	isLocal?: true;
	/** Takes what its usual API refuses of some models. */
	responses?: Api;
	/** What automatic routing doesn't ask of it: images or files by URL, or JSON that it is only begged for in the prompt. */
	lacks?: readonly ("image_url" | "file_url" | "json_object")[];
	headers(key: string | undefined): Record<string, string>;
	/** Absent for a provider without such models. */
	embedder?: Embedder;
}

export function apiOf(provider: Provider, over: "responses" | undefined): Api {
	return (over && provider[over]) ?? provider;
}
