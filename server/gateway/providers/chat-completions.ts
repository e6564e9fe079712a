import { hash } from "node:crypto";
import type {
	Choice,
	Delta,
	FinishReason,
	Message,
	Piece,
	ToolCall,
	ToolCallDelta,
	Usage,
} from "../chat.ts";
import { textOf } from "../chat.ts";
import { Fault, faultOfText } from "../fault.ts";
import type { Call, FurtherField, Provider, Reader } from "./provider.ts";

/** OpenAI's own form, which most providers speak with an accent. */
export interface Accent {
	id: string;
	name: string;
	baseUrl: string;
	isLocal?: true;
	takes: readonly FurtherField[];
	refusedByReasoning?: readonly FurtherField[];
	lacks?: Provider["lacks"];
	path?: string;
	maxTokensField?: "max_tokens" | "max_completion_tokens";
	/** Knows the role `developer`; others are told `system`. */
	hasDeveloperRole?: true;
	/** Refuses the names of those who speak. */
	refusesNames?: true;
	/** Wants to be told again what its model thought; others refuse that. */
	recallsThoughts?: true;
	/** The last words on a request's body. */
	adjust?(body: Record<string, unknown>, call: Call): void;
}

/** What every accent understands. */
export const commonFields = [
	"tools",
	"tool_choice",
	"top_p",
	"stop",
	"seed",
	"presence_penalty",
	"frequency_penalty",
	"response_format",
] as const satisfies readonly FurtherField[];

export function speakChatCompletions(accent: Accent): Provider {
	return {
		id: accent.id,
		name: accent.name,
		baseUrl: accent.baseUrl,
		isLocal: accent.isLocal,
		takes: accent.takes,
		refusedByReasoning: accent.refusedByReasoning,
		lacks: accent.lacks,
		headers: (key): Record<string, string> =>
			key === undefined ? {} : { authorization: `Bearer ${key}` },
		ask(call) {
			const { request, model, params, stream } = call;
			const body: Record<string, unknown> = {
				model: model.upstream_id,
				messages: request.messages.map((message) =>
					toWireMessage(message, accent),
				),
				...params.further,
				[accent.maxTokensField ?? "max_tokens"]: params.maxTokens,
			};
			if (params.temperature !== undefined)
				body.temperature = params.temperature;
			if (stream) {
				body.stream = true;
				// Asked for always: what was used is metered, whether or not the client wants to know.
				body.stream_options = { include_usage: true };
			}
			accent.adjust?.(body, call);
			return { path: accent.path ?? "/chat/completions", body };
		},
		answer: readAnswer,
		openReader,
	};
}

/** Clients send back whole answers of other models, and most providers refuse a field that they don't know. */
function toWireMessage(message: Message, accent: Accent): object {
	const { role, content } = message;
	if (role === "tool")
		return {
			role,
			tool_call_id: message.tool_call_id,
			content: textOf(content),
		};
	const { name } = message;
	const named =
		typeof name === "string" && !accent.refusesNames ? { name } : {};
	if (role === "developer" && !accent.hasDeveloperRole)
		return { role: "system", content, ...named };
	if (role !== "assistant") return { role, content, ...named };
	const { tool_calls: calls, reasoning_content: thought } = message;
	return {
		role,
		content: content ?? null,
		...named,
		...(calls?.length && { tool_calls: calls.map(toWireCall) }),
		...(accent.recallsThoughts &&
			typeof thought === "string" && { reasoning_content: thought }),
	};
}

function toWireCall({ id, function: called }: ToolCall): ToolCall {
	return {
		id,
		type: "function",
		function: {
			name: called.name,
			arguments: wholeArguments(called.arguments),
		},
	};
}

/** What any of them may answer, in the many ways in which they are known to. */
interface WireMessage {
	content?: string | { type?: string; text?: string; thinking?: unknown }[];
	reasoning_content?: string | null;
	reasoning?: string | null;
	refusal?: string | null;
	tool_calls?:
		| {
				index?: number;
				id?: string;
				function?: { name?: string; arguments?: string | object };
		  }[]
		| null;
}
interface WireChoice {
	index?: number;
	message?: WireMessage;
	delta?: WireMessage;
	finish_reason?: string | null;
	logprobs?: unknown;
}
interface WireUsage {
	prompt_tokens?: number;
	completion_tokens?: number;
	total_tokens?: number;
	prompt_tokens_details?: {
		cached_tokens?: number;
		cache_write_tokens?: number;
	} | null;
	prompt_cache_hit_tokens?: number;
	completion_tokens_details?: { reasoning_tokens?: number } | null;
	cost?: number | { total_cost?: number };
}
interface WireAnswer {
	choices?: WireChoice[] | null;
	usage?: WireUsage | null;
	x_groq?: { usage?: WireUsage };
	error?: unknown;
}

function readAnswer(body: unknown): {
	choices: Choice[];
	usage?: Usage;
} {
	const answer = body as WireAnswer | null;
	if (answer?.error) throw faultOfText(answer.error);
	const wire = answer?.choices;
	if (!Array.isArray(wire) || wire.length === 0)
		throw new Fault("server", "answered without a choice");
	return {
		choices: wire.map((choice, position) => toChoice(choice, position)),
		usage: readUsage(answer?.usage),
	};
}

function toChoice(wire: WireChoice, position: number): Choice {
	const message = wire.message ?? {};
	const toolCalls = message.tool_calls?.map(
		({ id, function: called }, n): ToolCall => ({
			id: id || madeId(position, n),
			type: "function",
			function: {
				name: called?.name ?? "",
				arguments: wholeArguments(called?.arguments),
			},
		}),
	);
	const content = readContent(message);
	const choice: Choice = {
		index: wire.index ?? position,
		message: {
			role: "assistant",
			content: content === "" && toolCalls?.length ? null : content,
			refusal: message.refusal ?? null,
		},
		logprobs: wire.logprobs ?? null,
		finish_reason: readFinish(wire.finish_reason, Boolean(toolCalls?.length)),
	};
	const reasoning = readReasoning(message);
	if (reasoning) choice.message.reasoning_content = reasoning;
	if (toolCalls?.length) choice.message.tool_calls = toolCalls;
	return choice;
}

function readContent({ content }: WireMessage): string {
	if (content === undefined || content === null) return "";
	if (typeof content === "string") return content;
	return content
		.map(({ type, text }) =>
			type === "text" || type === undefined ? (text ?? "") : "",
		)
		.join("");
}

function readReasoning({
	content,
	reasoning_content,
	reasoning,
}: WireMessage): string {
	if (reasoning_content) return reasoning_content;
	if (reasoning) return reasoning;
	if (!Array.isArray(content)) return "";
	return content
		.filter(({ type }) => type === "thinking")
		.map(({ thinking }) =>
			Array.isArray(thinking)
				? thinking
						.map((part) => (part as { text?: string }).text ?? "")
						.join("")
				: String(thinking ?? ""),
		)
		.join("");
}

function argumentsOf(given: string | object | undefined): string {
	return typeof given === "string" ? given : JSON.stringify(given ?? {});
}

/** Nothing is what some say for no arguments, and clients parse what came. */
function wholeArguments(given: string | object | undefined): string {
	return argumentsOf(given).trim() || "{}";
}

function madeId(choice: number, n: number): string {
	const seed = `${choice} ${n} ${performance.now()}`;
	return `call_${hash("sha256", seed).slice(0, 24)}`;
}

const finishByWord: Record<string, FinishReason> = {
	stop: "stop",
	eos: "stop",
	end: "stop",
	end_turn: "stop",
	stop_sequence: "stop",
	done: "stop",
	length: "length",
	max_tokens: "length",
	model_length: "length",
	tool_calls: "tool_calls",
	function_call: "tool_calls",
	tool_use: "tool_calls",
	content_filter: "content_filter",
	safety: "content_filter",
};

/** @throws Fault for the words that mean a failure */
function readFinish(
	word: string | null | undefined,
	hasToolCalls: boolean,
): FinishReason {
	if (word === "error" || word === "network_error")
		throw new Fault("server", "failed in mid-answer");
	const finish = finishByWord[word?.toLowerCase() ?? "stop"] ?? "stop";
	return finish === "stop" && hasToolCalls ? "tool_calls" : finish;
}

function readUsage(wire: WireUsage | null | undefined): Usage | undefined {
	if (typeof wire?.prompt_tokens !== "number") return undefined;
	const { completion_tokens = 0, total_tokens = 0 } = wire;
	const cost =
		typeof wire.cost === "object" ? wire.cost?.total_cost : wire.cost;
	return {
		promptTokens: wire.prompt_tokens,
		// Some count the thoughts beside the answer, and some in it.
		completionTokens: Math.max(
			completion_tokens,
			total_tokens - wire.prompt_tokens,
		),
		cachedTokens:
			wire.prompt_tokens_details?.cached_tokens ?? wire.prompt_cache_hit_tokens,
		cacheWriteTokens: wire.prompt_tokens_details?.cache_write_tokens,
		reasoningTokens: wire.completion_tokens_details?.reasoning_tokens,
		costNanos: typeof cost === "number" ? Math.round(cost * 1e9) : undefined,
	};
}

type WireCall = NonNullable<WireMessage["tool_calls"]>[number];
interface OpenCall {
	/** As it was told, and as it is passed on. */
	wireId: string | undefined;
	id: string;
	key: string;
	hasArguments: boolean;
}

/**
 * Some leave out the index, the id, or the first part's name; parts belong together by the first two. Ollama gives all calls
 * the same index, and each an id of its own.
 *
 * @returns -1 for the first part of a call
 */
function positionOf(
	calls: readonly OpenCall[],
	{ index, id, function: called }: WireCall,
): number {
	if (index === undefined && !id) return called?.name ? -1 : calls.length - 1;
	const key = keyOf(index, id);
	const own = calls.findLastIndex(
		(call) => call.key === key && (!id || !call.wireId || call.wireId === id),
	);
	if (own >= 0 || (id && called?.name)) return own;
	return calls.findLastIndex((call) => call.key === key);
}

function keyOf(index: number | undefined, id: string | undefined): string {
	return index === undefined ? (id ?? "") : `#${index}`;
}

function openReader(): Reader {
	/** The calls of each choice, in the order of their first parts. */
	const callsByChoice = new Map<number, OpenCall[]>();

	function readToolCalls(choice: number, wire: WireMessage): ToolCallDelta[] {
		const calls = callsByChoice.get(choice) ?? [];
		callsByChoice.set(choice, calls);
		return (wire.tool_calls ?? []).map((part) => {
			const { index, id, function: called } = part;
			const text = argumentsOf(called?.arguments ?? "");
			const known = positionOf(calls, part);
			const position = known >= 0 ? known : calls.length;
			const call = calls[known] ?? {
				wireId: id,
				id: id || madeId(choice, position),
				key: keyOf(index, id),
				hasArguments: false,
			};
			call.hasArguments ||= text.trim() !== "";
			if (known >= 0) return { index: position, function: { arguments: text } };
			calls.push(call);
			return {
				index: position,
				id: call.id,
				type: "function",
				function: { name: called?.name ?? "", arguments: text },
			};
		});
	}

	/** What is missing when an answer has ended: a call without arguments streams none. */
	function missingArguments(choice: number): ToolCallDelta[] {
		return (callsByChoice.get(choice) ?? []).flatMap((call, index) => {
			if (call.hasArguments) return [];
			call.hasArguments = true;
			return [{ index, function: { arguments: "{}" } }];
		});
	}

	function toPieces(wire: WireChoice, position: number): Piece[] {
		const index = wire.index ?? position;
		const message = wire.delta ?? wire.message ?? {};
		const delta: Delta = {};
		const content = readContent(message);
		const reasoning = readReasoning(message);
		if (content !== "") delta.content = content;
		if (reasoning !== "") delta.reasoning_content = reasoning;
		if (message.refusal) delta.refusal = message.refusal;
		if (message.tool_calls?.length)
			delta.tool_calls = readToolCalls(index, message);
		const piece: Piece = { index, delta };
		if (wire.logprobs) piece.logprobs = wire.logprobs;
		if (!wire.finish_reason) return [piece];
		const finish = readFinish(
			wire.finish_reason,
			(callsByChoice.get(index)?.length ?? 0) > 0,
		);
		const missing = missingArguments(index);
		return missing.length > 0
			? [piece, { index, delta: { tool_calls: missing }, finish }]
			: [{ ...piece, finish }];
	}

	return {
		read({ data }) {
			if (data.startsWith("[DONE]")) return { pieces: [] };
			const event = parseEvent(data) as WireAnswer;
			if (event.error) throw faultOfText(event.error);
			return {
				pieces: (event.choices ?? []).flatMap(toPieces),
				usage: readUsage(event.usage ?? event.x_groq?.usage),
			};
		},
	};
}

/** @throws Fault for what is not a JSON object */
export function parseEvent(data: string): object {
	try {
		const value: unknown = JSON.parse(data);
		if (typeof value === "object" && value !== null) return value;
	} catch (cause) {
		throw new Fault("server", "sent an event that is not JSON", { cause });
	}
	throw new Fault("server", "sent an event that is not an object");
}
