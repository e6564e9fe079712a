import type { EventSourceMessage } from "eventsource-parser";
import type { Model } from "../catalogue.ts";
import type { ChatRequest, Completion, Piece, Usage } from "../chat.ts";
import type { Params } from "../params.ts";

/** The optional fields of a request that a provider may take beside temperature and the limit of tokens. */
export const furtherFields = [
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
export type FurtherField = (typeof furtherFields)[number];

/** One request to one model of a provider. */
export interface Call {
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

/** What is posted: a path below the base address, and JSON. */
interface Outgoing {
	path: string;
	body: object;
}

/** What one event of a stream came to. */
export interface Reading {
	pieces: Piece[];
	/** Cumulative: the last one holds. */
	usage?: Usage;
}

/** Translates a stream's events, in their order. */
export interface Reader {
	/** @throws Fault for an event that tells of a failure */
	read(event: EventSourceMessage): Reading;
}

/** Where models are had from, and how they are asked there. */
export interface Provider {
	id: string;
	name: string;
	baseUrl: string;
	/** On this machine: it needs no key and no internet. */
	isLocal?: true;
	takes: readonly FurtherField[];
	/** What those of its models refuse that reason. */
	refusedByReasoning?: readonly FurtherField[];
	/** Of what a field may say, what this one can't do: images by their address, JSON of no schema, JSON of one. */
	lacks?: readonly ("image_url" | "json_object" | "json_schema")[];
	/** Of those, what it is asked for in words: good for a model that is named, not a reason to choose one. */
	emulates?: readonly "json_object"[];
	headers(key: string | undefined): Record<string, string>;
	/** @throws Fault of kind `client` for what can't be said in the provider's words */
	ask(call: Call): Outgoing;
	/** @throws Fault for a failure told under a status of success */
	answer(body: unknown, call: Call): Completion;
	openReader(call: Call): Reader;
}
