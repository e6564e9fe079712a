import type { EventSourceMessage } from "eventsource-parser";
import type { Model } from "../catalogue.ts";
import type { ChatRequest, ChoiceDelta, Completion, Usage } from "../chat.ts";
import type { Params } from "../params.ts";

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
	/** What of the request's parameters the model takes. */
	params: Params;
	stream: boolean;
	/** Tells apart whose prompts a provider may keep ready for reuse: it is told a digest at most. */
	businessId: string;
	/** Adds to the report of what was dropped or changed. */
	report(change: string): void;
}

/** A POST: a path below the base address, and a JSON body. */
interface ProviderRequest {
	path: string;
	body: object;
}

/** What one event of a stream contains. */
export interface Chunk {
	deltas: ChoiceDelta[];
	/** Cumulative: the last one counts. */
	usage?: Usage;
}

/** Translates the events of one stream, in order. */
export interface StreamReader {
	/** @throws Fault for an event that reports a failure */
	read(event: EventSourceMessage): Chunk;
}

/** An API that serves models, and how it is called. */
export interface Provider {
	id: string;
	name: string;
	baseUrl: string;
	/** On this machine: it needs no key and no internet. */
	isLocal?: true;
	takes: readonly OptionalField[];
	/** What those of its models refuse that reason. */
	refusedByReasoning?: readonly OptionalField[];
	/** Of what a field may say, what this one can't do: images by their address, JSON of no schema, JSON of one. */
	lacks?: readonly ("image_url" | "json_object" | "json_schema")[];
	/** Of those, what it is asked for in words: good for a model that is named, not a reason to choose one. */
	emulates?: readonly "json_object"[];
	headers(key: string | undefined): Record<string, string>;
	/** @throws Fault of kind `client` for what can't be said in the provider's words */
	toRequest(call: ProviderCall): ProviderRequest;
	/** @throws Fault for a failure told under a status of success */
	toCompletion(body: unknown, call: ProviderCall): Completion;
	openReader(call: ProviderCall): StreamReader;
}
