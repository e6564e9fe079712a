import { hash } from "node:crypto";
import {
	type ChatRequest,
	dataOf,
	instructionsOf,
	type Message,
	noResult,
	parseArguments,
	partsOf,
	textOf,
} from "../chat.ts";
import type { Fault } from "../fault.ts";
import { unseal, withoutThoughts } from "../thoughts.ts";
import { openReader } from "./anthropic-answer.ts";
import { toInputSchema, toOutputSchema } from "./anthropic-schema.ts";
import type { Provider, ProviderCall } from "./provider.ts";

/** Anthropic's Messages API: a separate system prompt, alternating turns, tools as content blocks. */
export const anthropic: Provider = {
	id: "anthropic",
	name: "Anthropic",
	baseUrl: "https://api.anthropic.com/v1",
	takes: [
		"tools",
		"tool_choice",
		"parallel_tool_calls",
		"top_p",
		"stop",
		"response_format",
		"reasoning_effort",
		"reasoning_summary",
		"user",
	],
	takesOfMessages: ["reasoning_content"],
	lacks: ["json_object"],
	headers: (key = "") => ({
		"x-api-key": key,
		"anthropic-version": "2023-06-01",
	}),
	toRequest: ask,
	openReader,
	without,
};

export interface Block {
	type: string;
	[field: string]: unknown;
}
interface Turn {
	role: "user" | "assistant";
	content: Block[];
}

/** Prompts of at least this many characters are worth caching at the provider. */
const cachedCharsMin = 4_000;

function ask(call: ProviderCall) {
	const { request, model, params, stream, report } = call;
	const { optional } = params;
	const isObject = optional.response_format?.type === "json_object";
	const system = [
		instructionsOf(request.messages),
		// The nearest to OpenAI's JSON mode.
		isObject ? "Answer with one JSON object and nothing else." : "",
	]
		.filter((text) => !isBlank(text))
		.join("\n\n");
	if (isObject) report("response_format=instruction");
	const body: Record<string, unknown> = {
		model: model.upstream_id,
		max_tokens: params.maxTokens,
		messages: toTurns(call),
	};
	if (system !== "") body.system = system;
	if (params.temperature !== undefined) body.temperature = params.temperature;
	if (optional.top_p !== undefined) body.top_p = optional.top_p;
	const thinking = toThinking(call);
	if (thinking) body.thinking = thinking;
	const stop = [optional.stop ?? []].flat();
	const said = stop.filter((text) => text.trim() !== "");
	if (said.length > 0) body.stop_sequences = said;
	if (said.length < stop.length)
		report(`stop=${said.length > 0 ? "without blanks" : "dropped"}`);
	if (optional.user !== undefined) body.metadata = { user_id: optional.user };
	const tools = toTools(request, optional.tools, report);
	if (tools.length > 0) {
		body.tools = tools;
		const choice = toToolChoice(request);
		if (choice) body.tool_choice = choice;
	}
	const config = toOutputConfig(call);
	if (config) body.output_config = config;
	if (JSON.stringify([system, tools]).length >= cachedCharsMin)
		body.cache_control = { type: "ephemeral" };
	if (stream) body.stream = true;
	return { path: "/messages", body };
}

/** Merges neighbours of one role into one turn; tool results come first in the turn after their calls. */
function toTurns({ request, model, report }: ProviderCall): Turn[] {
	const { messages } = request;
	const turns: Turn[] = [];
	const ids = openToolIds();
	const add = (role: Turn["role"], content: Block[]) => {
		const last = turns.at(-1);
		if (last?.role === role) last.content.push(...content);
		else if (content.length > 0) turns.push({ role, content });
	};
	for (const message of messages) {
		if (message.role === "tool") {
			const text = textOf(message.content);
			add("user", [
				{
					type: "tool_result",
					tool_use_id: ids.ofResult(message.tool_call_id),
					content: isBlank(text) ? noResult : text,
				},
			]);
		} else if (message.role === "user") add("user", toBlocks(message.content));
		else if (message.role === "assistant") {
			ids.beginTurn();
			const thoughts = toThoughts(message, model.id);
			const isGiven = message.reasoning_content !== undefined;
			if (isGiven && thoughts.length < (message.thoughts?.length ?? 0))
				report(lostThought);
			add("assistant", [
				...thoughts,
				...toBlocks(message.content),
				...(message.tool_calls ?? []).map((call) => ({
					type: "tool_use",
					id: ids.ofCall(call.id),
					name: call.function.name,
					input: parseArguments(call.function.arguments),
				})),
			]);
		}
	}
	// A conversation must begin with the user, even if it continues from the middle.
	if (turns[0]?.role !== "user")
		turns.unshift({ role: "user", content: [{ type: "text", text: "…" }] });
	for (const { content } of turns)
		content.sort((a, b) => Number(isResult(b)) - Number(isResult(a)));
	return turns;
}

const lostThought = "messages.reasoning_content=dropped";

type AssistantMessage = Extract<Message, { role: "assistant" }>;

/** The thoughts of a turn that are the model's own, as it signed or hid them. */
function toThoughts(
	{ thoughts = [] }: AssistantMessage,
	model: string,
): Block[] {
	return thoughts.flatMap((thought): Block[] => {
		const { signature, data } = unseal(model, thought) ?? {};
		if (data !== undefined) return [{ type: "redacted_thinking", data }];
		if (signature === undefined) return [];
		return [{ type: "thinking", thinking: thought.text, signature }];
	});
}

const budgetMin = 1_024;
const budgets = { low: budgetMin, medium: 4_096, high: 16_384 };

/** Lets a model think aloud where the caller wants to see it. */
function toThinking(call: ProviderCall): object | undefined {
	const { request, model, params, report } = call;
	const { reasoning_effort: effort, reasoning_summary } = params.optional;
	if (reasoning_summary === undefined || request.reasoning_effort === "none")
		return undefined;
	if (model.thinking?.by === "adaptive")
		return { type: "adaptive", display: "summarized" };
	const wanted =
		effort === undefined || effort === "medium"
			? budgets.medium
			: effort === "low"
				? budgets.low
				: budgets.high;
	// A budget counts against the answer's limit.
	const budget_tokens = Math.min(wanted, Math.floor(params.maxTokens / 2));
	if (budget_tokens < budgetMin || goesOnUnthought(call)) {
		report("reasoning_summary=dropped");
		if (effort !== undefined) report("reasoning_effort=dropped");
		return undefined;
	}
	return { type: "enabled", budget_tokens };
}

/** Whether the last turn called tools and lost its thoughts, so that this model may not think on. */
function goesOnUnthought({ request, model }: ProviderCall): boolean {
	const turn = request.messages.findLast(
		(one): one is AssistantMessage => one.role === "assistant",
	);
	return (
		Boolean(turn?.tool_calls?.length) &&
		turn !== undefined &&
		toThoughts(turn, model.id).length === 0
	);
}

/** Another account's signatures may not hold here. */
function without(
	{ status, message }: Fault,
	call: ProviderCall,
): ProviderCall | undefined {
	if (status !== 400 || !/signature/i.test(message)) return undefined;
	call.report(lostThought);
	return { ...call, request: withoutThoughts(call.request) };
}

function isBlank(text: string): boolean {
	return text.trim() === "";
}

/** Makes tool call ids unique within a conversation; local models start with `call_0` in every turn. */
function openToolIds() {
	const uses = new Map<string, number>();
	/** The calls that still wait for results, in order. */
	const open = new Map<string, string[]>();
	return {
		beginTurn: () => open.clear(),
		ofCall(id: string): string {
			const count = (uses.get(id) ?? 0) + 1;
			uses.set(id, count);
			const own = count === 1 ? toToolId(id) : `${toToolId(id)}_${count}`;
			open.set(id, [...(open.get(id) ?? []), own]);
			return own;
		},
		ofResult(id: string): string {
			const [first, ...others] = open.get(id) ?? [];
			if (others.length > 0) open.set(id, others);
			return first ?? toToolId(id);
		},
	};
}

/** Replaces the characters that Anthropic refuses in another provider's ids. */
function toToolId(id: string): string {
	return /^[\w-]+$/.test(id) ? id : `call_${hash("sha256", id).slice(0, 24)}`;
}

function isResult({ type }: Block): boolean {
	return type === "tool_result";
}

function toBlocks(content: Message["content"]): Block[] {
	return partsOf(content).flatMap((part): Block[] => {
		// Anthropic refuses blank texts.
		if (part.type === "text")
			return isBlank(part.text) ? [] : [{ type: "text", text: part.text }];
		if (part.type === "image_url")
			return [{ type: "image", source: toSource(part.image_url.url) }];
		const { file_data, filename: title } = part.file;
		return [{ type: "document", source: toSource(file_data), title }];
	});
}

function toSource(url: string): object {
	const data = dataOf(url);
	return data
		? { type: "base64", media_type: data.mediaType, data: data.data }
		: { type: "url", url };
}

function toTools(
	{ messages }: ChatRequest,
	tools: ChatRequest["tools"],
	report: ProviderCall["report"],
): object[] {
	if (tools?.length)
		return tools.map(({ function: { name, description, parameters } }) => ({
			name,
			description,
			input_schema: toInputSchema(parameters, report),
		}));
	// Tools called earlier must be declared, even if this request offers none.
	const names = new Set(
		messages.flatMap((message) =>
			message.role === "assistant"
				? (message.tool_calls ?? []).map((call) => call.function.name)
				: [],
		),
	);
	return [...names].map((name) => ({ name, input_schema: { type: "object" } }));
}

function toToolChoice(request: ChatRequest): object | undefined {
	const { tool_choice: choice, parallel_tool_calls, tools } = request;
	const one =
		parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {};
	if (!tools?.length || choice === "none") return { type: "none" };
	if (typeof choice === "object")
		return { type: "tool", name: choice.function.name, ...one };
	if (choice === "required") return { type: "any", ...one };
	return choice === "auto" || parallel_tool_calls === false
		? { type: "auto", ...one }
		: undefined;
}

function toOutputConfig({
	model,
	params,
	report,
}: ProviderCall): object | undefined {
	const { reasoning_effort, response_format } = params.optional;
	const config: Record<string, unknown> = {};
	if (reasoning_effort !== undefined && model.thinking?.by !== "budget")
		config.effort = reasoning_effort;
	if (response_format?.type === "json_schema")
		config.format = {
			type: "json_schema",
			schema: toOutputSchema(
				response_format.json_schema.schema ?? { type: "object" },
				report,
			),
		};
	return Object.keys(config).length > 0 ? config : undefined;
}
