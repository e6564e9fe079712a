import { hash } from "node:crypto";
import type { Model } from "../catalogue.ts";
import {
	type ChatRequest,
	type Completion,
	type FinishReason,
	instructionsOf,
	type Message,
	type Piece,
	parseArguments,
	partsOf,
	type ToolCall,
	textOf,
	type Usage,
} from "../chat.ts";
import { faultOfText } from "../fault.ts";
import { parseEvent } from "./chat-completions.ts";
import type { Call, Provider, Reader } from "./provider.ts";

/** Anthropic's Messages: a system of its own, turns that alternate, tools as blocks of content. */
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
		"user",
	],
	lacks: ["json_object"],
	headers: (key = "") => ({
		"x-api-key": key,
		"anthropic-version": "2023-06-01",
	}),
	ask,
	answer,
	openReader,
};

interface Block {
	type: string;
	[field: string]: unknown;
}
interface Turn {
	role: "user" | "assistant";
	content: Block[];
}

/** From this length on, what is the same in the next request is worth keeping ready. */
const cachedCharsMin = 4_000;

function ask({ request, model, params, stream, report }: Call) {
	const { further } = params;
	const system = instructionsOf(request.messages);
	const body: Record<string, unknown> = {
		model: model.upstream_id,
		max_tokens: params.maxTokens,
		messages: toTurns(request.messages),
	};
	if (system !== "") body.system = system;
	if (params.temperature !== undefined) body.temperature = params.temperature;
	// Newer models take one of the two, and the temperature has a default here.
	if (further.top_p !== undefined) {
		if (request.temperature === undefined) {
			body.top_p = further.top_p;
			delete body.temperature;
		} else report("top_p=dropped");
	}
	const stop = [further.stop ?? []].flat();
	const said = stop.filter((text) => text.trim() !== "");
	if (said.length > 0) body.stop_sequences = said;
	if (said.length < stop.length)
		report(`stop=${said.length > 0 ? "without blanks" : "dropped"}`);
	if (further.user !== undefined) body.metadata = { user_id: further.user };
	const tools = toTools(request, further.tools);
	if (tools.length > 0) {
		body.tools = tools;
		const choice = toToolChoice(request);
		if (choice) body.tool_choice = choice;
	}
	const config = toOutputConfig(further, model, report);
	if (config) body.output_config = config;
	if (JSON.stringify([system, tools]).length >= cachedCharsMin)
		body.cache_control = { type: "ephemeral" };
	if (stream) body.stream = true;
	return { path: "/messages", body };
}

/** Neighbours of one role are one turn; the results of a turn's tools come first in the next. */
function toTurns(messages: readonly Message[]): Turn[] {
	const turns: Turn[] = [];
	const add = (role: Turn["role"], content: Block[]) => {
		const last = turns.at(-1);
		if (last?.role === role) last.content.push(...content);
		else if (content.length > 0) turns.push({ role, content });
	};
	for (const message of messages) {
		if (message.role === "tool")
			add("user", [
				{
					type: "tool_result",
					tool_use_id: toToolId(message.tool_call_id),
					content: textOf(message.content),
				},
			]);
		else if (message.role === "user") add("user", toBlocks(message.content));
		else if (message.role === "assistant")
			add("assistant", [
				...toBlocks(message.content),
				...(message.tool_calls ?? []).map((call) => ({
					type: "tool_use",
					id: toToolId(call.id),
					name: call.function.name,
					input: parseArguments(call.function.arguments),
				})),
			]);
	}
	// A conversation begins with the user, even where it is continued from the middle.
	if (turns[0]?.role !== "user")
		turns.unshift({ role: "user", content: [{ type: "text", text: "…" }] });
	for (const { content } of turns)
		content.sort((a, b) => Number(isResult(b)) - Number(isResult(a)));
	return turns;
}

/** Ids of other models may have letters that are refused there. */
function toToolId(id: string): string {
	return /^[\w-]+$/.test(id) ? id : `call_${hash("sha256", id).slice(0, 24)}`;
}

function isResult({ type }: Block): boolean {
	return type === "tool_result";
}

function toBlocks(content: Message["content"]): Block[] {
	return partsOf(content).flatMap((part): Block[] => {
		// Empty ones are refused there.
		if (part.type === "text")
			return part.text === "" ? [] : [{ type: "text", text: part.text }];
		const { url } = part.image_url;
		const data = /^data:([^;,]+);base64,(.*)$/s.exec(url);
		const source = data
			? { type: "base64", media_type: data[1], data: data[2] }
			: { type: "url", url };
		return [{ type: "image", source }];
	});
}

function toTools(
	{ messages }: ChatRequest,
	tools: ChatRequest["tools"],
): object[] {
	if (tools?.length)
		return tools.map(({ function: { name, description, parameters } }) => ({
			name,
			description,
			input_schema: { type: "object", ...parameters },
		}));
	// A history with calls needs their tools to be declared, though none is offered any more.
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

const efforts = new Set(["low", "medium", "high", "xhigh", "max"]);

function toOutputConfig(
	{ reasoning_effort, response_format }: Call["params"]["further"],
	model: Model,
	report: (change: string) => void,
): object | undefined {
	const config: Record<string, unknown> = {};
	if (reasoning_effort !== undefined) {
		const effort = takesEffort(model)
			? toEffort(reasoning_effort, model)
			: undefined;
		if (effort !== reasoning_effort)
			report(`reasoning_effort=${effort ?? "dropped"}`);
		if (effort !== undefined) config.effort = effort;
	}
	if (response_format?.type === "json_schema")
		config.format = {
			type: "json_schema",
			schema: response_format.json_schema.schema ?? { type: "object" },
		};
	return Object.keys(config).length > 0 ? config : undefined;
}

/** From 4.6 on; the newest are known by their refusal of a temperature. */
function takesEffort({ temperature, upstream_id }: Model): boolean {
	if (temperature === "never") return true;
	// A date that follows the first number is none of a version.
	const [, major, minor] = /-(\d{1,2})-(\d{1,2})(?!\d)/.exec(upstream_id) ?? [];
	return Number(major) * 100 + Number(minor) >= 406;
}

function toEffort(effort: string, { temperature }: Model): string | undefined {
	// The first of them have nothing between high and max.
	if (effort === "xhigh" && temperature !== "never") return "high";
	return efforts.has(effort) ? effort : undefined;
}

const finishByReason: Record<string, FinishReason> = {
	end_turn: "stop",
	stop_sequence: "stop",
	pause_turn: "stop",
	max_tokens: "length",
	model_context_window_exceeded: "length",
	tool_use: "tool_calls",
	refusal: "content_filter",
};

interface WireUsage {
	input_tokens?: number | null;
	output_tokens?: number | null;
	cache_read_input_tokens?: number | null;
	cache_creation_input_tokens?: number | null;
	output_tokens_details?: { thinking_tokens?: number };
}

function answer(body: unknown): Completion {
	const wire = body as {
		type?: string;
		error?: unknown;
		content?: Block[];
		stop_reason?: string;
		usage?: WireUsage;
	} | null;
	if (wire?.error || !Array.isArray(wire?.content))
		throw faultOfText(wire?.error ?? "answered without content");
	const text = (type: string, field: string) =>
		(wire.content ?? [])
			.filter((block) => block.type === type)
			.map((block) => block[field])
			.join("");
	const calls = wire.content
		.filter(({ type }) => type === "tool_use")
		.map(
			({ id, name, input }): ToolCall => ({
				id: String(id),
				type: "function",
				function: {
					name: String(name),
					arguments: JSON.stringify(input ?? {}),
				},
			}),
		);
	const content = text("text", "text");
	const thinking = text("thinking", "thinking");
	return {
		choices: [
			{
				index: 0,
				message: {
					role: "assistant",
					content: content === "" && calls.length > 0 ? null : content,
					refusal: null,
					...(thinking !== "" && { reasoning_content: thinking }),
					...(calls.length > 0 && { tool_calls: calls }),
				},
				logprobs: null,
				finish_reason: finishByReason[wire.stop_reason ?? ""] ?? "stop",
			},
		],
		usage: toUsage(wire.usage ?? {}),
	};
}

/** Its input tokens leave out those that were read from the cache or written to it. */
function toUsage(wire: WireUsage): Usage {
	const read = wire.cache_read_input_tokens ?? 0;
	const written = wire.cache_creation_input_tokens ?? 0;
	return {
		promptTokens: (wire.input_tokens ?? 0) + read + written,
		completionTokens: wire.output_tokens ?? 0,
		cachedTokens: read,
		cacheWriteTokens: written,
		reasoningTokens: wire.output_tokens_details?.thinking_tokens,
	};
}

/** What is not counted again stays as it was counted first. */
function counted(wire: WireUsage | null | undefined): WireUsage {
	return Object.fromEntries(
		Object.entries(wire ?? {}).filter(([, value]) => value !== null),
	);
}

interface StreamEvent {
	type?: string;
	index?: number;
	message?: { usage?: WireUsage };
	content_block?: Block;
	delta?: Block & { stop_reason?: string };
	usage?: WireUsage | null;
	error?: unknown;
}

function openReader(): Reader {
	let usage: WireUsage = {};
	let tools = 0;
	/** Of the block that is open, if it is a tool's: its number among the calls, and whether any argument came. */
	const openTools = new Map<number, { index: number; hasArguments: boolean }>();
	const say = (delta: Piece["delta"]): Piece[] => [{ index: 0, delta }];

	function startBlock({ index = 0, content_block: block }: StreamEvent) {
		if (block?.type === "text" && block.text)
			return say({ content: String(block.text) });
		if (block?.type !== "tool_use") return [];
		openTools.set(index, { index: tools, hasArguments: false });
		tools += 1;
		return say({
			tool_calls: [
				{
					index: tools - 1,
					id: String(block.id),
					type: "function",
					function: { name: String(block.name), arguments: "" },
				},
			],
		});
	}

	function readDelta({ index = 0, delta }: StreamEvent) {
		if (delta?.type === "text_delta" && delta.text)
			return say({ content: String(delta.text) });
		if (delta?.type === "thinking_delta" && delta.thinking)
			return say({ reasoning_content: String(delta.thinking) });
		const tool = openTools.get(index);
		if (delta?.type !== "input_json_delta" || !tool || !delta.partial_json)
			return [];
		tool.hasArguments = true;
		return say({
			tool_calls: [
				{
					index: tool.index,
					function: { arguments: String(delta.partial_json) },
				},
			],
		});
	}

	function stopBlock({ index = 0 }: StreamEvent) {
		const tool = openTools.get(index);
		openTools.delete(index);
		// A tool without arguments streams none, and clients parse what came.
		return tool && !tool.hasArguments
			? say({
					tool_calls: [{ index: tool.index, function: { arguments: "{}" } }],
				})
			: [];
	}

	return {
		read({ data }) {
			const event = parseEvent(data) as StreamEvent;
			switch (event.type) {
				case "error":
					throw faultOfText(event.error);
				case "message_start":
					usage = { ...event.message?.usage };
					return { pieces: [], usage: toUsage(usage) };
				case "content_block_start":
					return { pieces: startBlock(event) };
				case "content_block_delta":
					return { pieces: readDelta(event) };
				case "content_block_stop":
					return { pieces: stopBlock(event) };
				case "message_delta": {
					usage = { ...usage, ...counted(event.usage) };
					const reason = event.delta?.stop_reason;
					const finish = reason && (finishByReason[reason] ?? "stop");
					return {
						pieces: finish ? [{ index: 0, delta: {}, finish }] : [],
						usage: toUsage(usage),
					};
				}
				default:
					// Pings, and what is newer than this.
					return { pieces: [] };
			}
		},
	};
}
