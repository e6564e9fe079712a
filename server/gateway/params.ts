import type { ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import { type ChatRequest, maxTokensDefault } from "./chat.ts";
import {
	type OptionalField,
	optionalFields,
	type Provider,
} from "./providers/provider.ts";
import { type Asked, withoutRefused } from "./refusals.ts";

/** A request's parameters for one model, besides the messages. */
export interface Params {
	temperature?: number;
	maxTokens: number;
	optional: Partial<Pick<ChatRequest, OptionalField>>;
}

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
	const asked: Asked = {
		temperature: request.temperature ?? temperatureDefault,
	};
	for (const field of optionalFields) {
		if (request[field] === undefined || request[field] === null) continue;
		if (takesField(field, model, provider)) asked[field] = request[field];
		else report(`${field}=dropped`);
	}
	for (const field of namesOutside(request, knownFields))
		report(`${field}=dropped`);
	for (const field of lostOfMessages(request, provider))
		report(`messages.${field}=dropped`);
	const { temperature, ...optional } = withoutRefused(
		asked,
		model.refusals ?? [],
		(name, change) => {
			// Nobody named the default, so nobody misses it.
			if (name !== "temperature" || request.temperature !== undefined)
				report(`${name}=${change}`);
		},
	);
	return {
		temperature: typeof temperature === "number" ? temperature : undefined,
		maxTokens: fitMaxTokens(request, model, promptTokens, report),
		optional,
	};
}

function takesField(
	field: OptionalField,
	{ capabilities: { tool_use, reasoning } }: Model,
	{ takes }: Provider,
): boolean {
	if (!takes.includes(field)) return false;
	if (toolFields.has(field)) return tool_use;
	return reasoning || !reasoningFields.has(field);
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

function lostOfMessages(
	{ messages }: ChatRequest,
	{ takesOfMessages = [] }: Provider,
): Set<string> {
	const known = new Set([...messageFields, ...takesOfMessages]);
	return new Set(messages.flatMap((one) => namesOutside(one, known)));
}

/** What every provider gets of a message in one form or another. */
const messageFields = "role content refusal tool_calls tool_call_id".split(" ");

/** Fields that no provider gets, such as `top_k` or the legacy `functions`; safe for a header. */
export function namesOutside(
	fields: object,
	known: ReadonlySet<string>,
): string[] {
	return Object.entries(fields)
		.filter(([name, value]) => !known.has(name) && value != null)
		.map(([name], i) =>
			i === namedMax
				? "others"
				: /^[\w.-]{1,64}$/.test(name)
					? name
					: "unknown",
		)
		.slice(0, namedMax + 1);
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
