import type { ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import { type ChatRequest, maxTokensDefault } from "./chat.ts";
import {
	type OptionalField,
	optionalFields,
	type Provider,
} from "./providers/provider.ts";

/** A request's parameters for one model, besides the messages. */
export interface Params {
	temperature?: number;
	maxTokens: number;
	optional: Partial<Pick<ChatRequest, OptionalField>>;
}

/** Sampling fields; a reasoning model refuses all of them or none. */
const sampling: ReadonlySet<OptionalField> = new Set<OptionalField>([
	"top_p",
	"presence_penalty",
	"frequency_penalty",
	"logprobs",
	"top_logprobs",
	"logit_bias",
]);
const toolFields: ReadonlySet<OptionalField> = new Set<OptionalField>([
	"tools",
	"tool_choice",
	"parallel_tool_calls",
]);
const reasoningFields: ReadonlySet<OptionalField> = new Set<OptionalField>([
	"reasoning_effort",
	"thinking",
]);

/**
 * Fits a request's parameters to a model: drops the unsupported ones and clamps the others into range. Each change is
 * reported as `name=dropped` or `name=value`.
 *
 * @param promptTokens the messages' estimated size
 */
export function fitParams(
	{
		request,
		temperatureDefault,
	}: Pick<ChatCall, "request" | "temperatureDefault">,
	model: Model,
	provider: Provider,
	promptTokens: number,
	report: (change: string) => void,
): Params {
	const effort = fitEffort(request, model);
	const samples = takesSampling(effort, model);
	const optional: Record<string, unknown> = {};
	for (const field of optionalFields) {
		const value = field === "reasoning_effort" ? effort : request[field];
		if (value === undefined || value === null) continue;
		const isTaken =
			takesField(field, model, provider) &&
			(samples || !sampling.has(field)) &&
			(field !== "response_format" || takesFormat(request, model, provider));
		if (isTaken) optional[field] = value;
		else report(`${field}=dropped`);
	}
	for (const field of namesOutside(request, knownFields))
		report(`${field}=dropped`);
	if (effort !== request.reasoning_effort) report(`reasoning_effort=${effort}`);
	if (!samples && request.temperature !== undefined)
		report("temperature=dropped");
	return {
		temperature: samples
			? fitTemperature(request.temperature ?? temperatureDefault, model, report)
			: undefined,
		maxTokens: fitMaxTokens(request, model, promptTokens, report),
		optional,
	};
}

function takesField(
	field: OptionalField,
	{ capabilities: { tool_use, reasoning } }: Model,
	{ takes, refusedByReasoning = [] }: Provider,
): boolean {
	if (!takes.includes(field)) return false;
	if (toolFields.has(field)) return tool_use;
	return reasoning
		? !refusedByReasoning.includes(field)
		: !reasoningFields.has(field);
}

function takesFormat(
	{ response_format }: ChatRequest,
	model: Model,
	provider: Provider,
): boolean {
	const type = response_format?.type;
	if (type === undefined || type === "text") return true;
	if (type === "json_object" && provider.emulates?.includes(type)) return true;
	return !provider.lacks?.includes(type) && !model.lacks?.includes(type);
}

/** Request fields that other code handles. */
const otherFields = new Set([
	"model",
	"messages",
	"stream",
	"stream_options",
	"temperature",
	"max_tokens",
	"max_completion_tokens",
]);
const knownFields: ReadonlySet<string> = new Set([
	...optionalFields,
	...otherFields,
]);
const namedMax = 20;

/** Fields that no provider gets, such as `top_k` or the legacy `functions`; safe for a header. */
export function namesOutside(
	fields: object,
	known: ReadonlySet<string>,
): string[] {
	return Object.entries(fields)
		.filter(([name, value]) => !known.has(name) && value != null)
		.map(([name]) => (/^[\w.-]{1,64}$/.test(name) ? name : "unknown"))
		.slice(0, namedMax);
}

/** Turns reasoning off for models that take function tools only without it. */
function fitEffort(
	{ reasoning_effort: effort, tools }: ChatRequest,
	{ tools_effort }: Model,
): string | undefined {
	if (!tools?.length || tools_effort === undefined) return effort;
	return tools_effort === "unset" && effort === undefined ? undefined : "none";
}

function takesSampling(
	effort: string | undefined,
	{ temperature }: Model,
): boolean {
	if (temperature === "without_reasoning") return effort === "none";
	return temperature !== "never";
}

function fitTemperature(
	temperature: number | undefined,
	{ temperature: range }: Model,
	report: (change: string) => void,
): number | undefined {
	if (range === "0..1" && temperature !== undefined && temperature > 1) {
		report("temperature=1");
		return 1;
	}
	return temperature;
}

function fitMaxTokens(
	request: ChatRequest,
	{ max_output_tokens, context_window }: Model,
	promptTokens: number,
	report: (change: string) => void,
): number {
	const requested = requestedMaxTokens(request);
	const fitting = Math.max(
		1,
		Math.min(
			requested,
			max_output_tokens ?? requested,
			context_window - promptTokens,
		),
	);
	if (fitting !== requested) report(`max_tokens=${fitting}`);
	return fitting;
}

/** Prefers the newer name if both are given. */
export function requestedMaxTokens(request: ChatRequest): number {
	return (
		request.max_completion_tokens ?? request.max_tokens ?? maxTokensDefault
	);
}
