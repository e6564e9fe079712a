import type { ChatCall } from "./call.ts";
import type { Model } from "./catalogue.ts";
import {
	type ChatRequest,
	type ContentPart,
	type Message,
	maxTokensDefault,
} from "./chat.ts";
import {
	type Api,
	apiOf,
	type OptionalField,
	optionalFields,
	type Provider,
} from "./providers/provider.ts";
import {
	type Asked,
	otherApi,
	type Refusal,
	withoutRefused,
} from "./refusals.ts";

/** A request's parameters for one model, besides the messages. */
export interface Params {
	temperature?: number;
	/** The API that takes them, if not the provider's usual one. */
	over?: "responses" | undefined;
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
	"reasoning_summary",
	"thinking",
]);
/** Most providers show thoughts unasked. */
const harmless: ReadonlySet<OptionalField> = new Set(["reasoning_summary"]);

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
	const { capabilities, refusals = [] } = model;
	const asked: Asked = { temperature: request.temperature };
	for (const field of optionalFields) {
		if (request[field] === undefined || request[field] === null) continue;
		if (isAbleTo(field, capabilities)) asked[field] = request[field];
		else report(`${field}=dropped`);
	}
	if (asked.tools) asked.strict = strictnessOf(request.tools);
	const over = otherApi(refusals, asked);
	const api = apiOf(provider, over);
	for (const field of optionalFields) {
		if (asked[field] === undefined || api.takes.includes(field)) continue;
		delete asked[field];
		if (!harmless.has(field)) report(`${field}=dropped`);
	}
	for (const field of namesOutside(request, knownFields))
		report(`${field}=dropped`);
	for (const field of lostOfMessages(request, api))
		report(`messages.${field}=dropped`);
	const named = withoutRefused(asked, refusals, (name, change) => {
		// Nothing is lost with a strictness that nobody wants.
		if (asked[name] !== false) report(`${name}=${change}`);
	});
	const { temperature, strict, ...optional } = withDefault(
		named,
		request.temperature === undefined ? temperatureDefault : undefined,
		refusals,
	);
	if (asked.strict !== undefined && strict === undefined)
		optional.tools = request.tools?.map(withoutStrictness);
	return {
		temperature: typeof temperature === "number" ? temperature : undefined,
		over,
		maxTokens: fitMaxTokens(request, model, promptTokens, report),
		optional,
	};
}

/** Adds the temperature that nobody named, unless that costs something that was named. */
function withDefault(
	named: Asked,
	temperature: number | undefined,
	refusals: readonly Refusal[],
): Asked {
	if (temperature === undefined) return named;
	let isCostly = false;
	const whole = withoutRefused({ ...named, temperature }, refusals, (name) => {
		isCostly ||= name !== "temperature";
	});
	return isCostly ? named : whole;
}

type Tools = ChatRequest["tools"];

/** Whether any tool is strict; undefined if none says so. */
function strictnessOf(tools: Tools): boolean | undefined {
	const said = (tools ?? []).map((tool) => tool.function.strict ?? undefined);
	return said.find((strict) => strict) ?? said.find((it) => it !== undefined);
}

function withoutStrictness(tool: NonNullable<Tools>[number]): typeof tool {
	const { strict: _, ...declared } = tool.function;
	return { ...tool, function: declared };
}

function isAbleTo(
	field: OptionalField,
	{ tool_use, reasoning }: Model["capabilities"],
): boolean {
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

/** The fields of messages that an API takes, once they were needed. */
const takenByApi = new WeakMap<Api, ReadonlySet<string>>();

function takenOfMessages(api: Api): ReadonlySet<string> {
	const found = takenByApi.get(api);
	if (found) return found;
	const taken = new Set([...messageFields, ...(api.takesOfMessages ?? [])]);
	takenByApi.set(api, taken);
	return taken;
}

function lostOfMessages({ messages }: ChatRequest, api: Api): Set<string> {
	const known = takenOfMessages(api);
	const partsIn = ({ content }: Message): ContentPart[] =>
		Array.isArray(content) ? content : [];
	const lost = new Set(
		messages.flatMap((one) => [
			...namesOutside(one, known),
			...partsIn(one).flatMap((part) => namesOutside(part, partFields)),
		]),
	);
	const hasDetail = messages.some((one) =>
		partsIn(one).some((it) => it.type === "image_url" && it.image_url.detail),
	);
	return hasDetail && !known.has("detail") ? lost.add("detail") : lost;
}

/** What every provider gets of a message in one form or another. */
const messageFields =
	"role content refusal tool_calls tool_call_id thoughts".split(" ");
const partFields = new Set(["type", "text", "image_url", "file"]);

/** Fields that no provider gets, such as `top_k` or the legacy `functions`; safe for a header. */
export function namesOutside(
	fields: object,
	known: ReadonlySet<string>,
): string[] {
	const names: string[] = [];
	for (const [name, value] of Object.entries(fields)) {
		if (known.has(name) || value == null) continue;
		if (names.length === namedMax) return [...names, "others"];
		names.push(/^[\w.-]{1,64}$/.test(name) ? name : "unknown");
	}
	return names;
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
