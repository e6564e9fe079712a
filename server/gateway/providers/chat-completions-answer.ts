import { hash } from "node:crypto";
import type {
	ChoiceDelta,
	Delta,
	FinishReason,
	ToolCallDelta,
	Usage,
} from "../chat.ts";
import { faultOfText } from "../fault.ts";
import { type Finish, finishOf } from "./finish.ts";
import type { AnswerReader, Chunk } from "./provider.ts";

/** A message in any of the variants that providers are known to send. */
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

/** Replaces empty arguments, which some providers send, by `{}`, since clients parse them as JSON. */
export function wholeArguments(given: string | object | undefined): string {
	return argumentsOf(given).trim() || "{}";
}

function madeId(choice: number, n: number): string {
	const seed = `${choice} ${n} ${performance.now()}`;
	return `call_${hash("sha256", seed).slice(0, 24)}`;
}

const failures =
	/^(error|network_error|abort(ed)?|insufficient_system_resource)$/i;
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

/** @throws Fault for a word that means failure */
function readFinish(
	word: string | null | undefined,
	hasToolCalls: boolean,
): Finish {
	return finishOf(word?.toLowerCase(), finishByWord, failures, hasToolCalls);
}

function readUsage(wire: WireUsage | null | undefined): Usage | undefined {
	if (typeof wire?.prompt_tokens !== "number") return undefined;
	const { completion_tokens = 0, total_tokens = 0 } = wire;
	const cost =
		typeof wire.cost === "object" ? wire.cost?.total_cost : wire.cost;
	return {
		promptTokens: wire.prompt_tokens,
		// Some providers count reasoning within the answer, some separately.
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
	/** The id as the provider sent it; `id` is the one passed on. */
	wireId: string | undefined;
	id: string;
	key: string;
	isTold: boolean;
	/** Arguments that arrived before the call's name. */
	untold: string;
	hasArguments: boolean;
}

function tellCall(call: OpenCall, index: number, name: string): ToolCallDelta {
	call.isTold = true;
	return {
		index,
		id: call.id,
		type: "function",
		function: { name, arguments: call.untold },
	};
}

/**
 * Finds the call that a part belongs to, by index and id; some providers leave out one of them, or the first part's name.
 * Ollama gives all calls the same index, and each its own id.
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

export function openReader(): AnswerReader {
	/** Each choice's calls, in the order of their first parts. */
	const callsByChoice = new Map<number, OpenCall[]>();
	/** The choices that have ended; some providers repeat the end. */
	const ended = new Set<number>();

	function readToolCalls(
		choice: number,
		wire: WireMessage,
		isWhole: boolean,
	): ToolCallDelta[] {
		// Most parts of a stream are a few letters.
		if (!wire.tool_calls?.length) return [];
		const calls = callsByChoice.get(choice) ?? [];
		callsByChoice.set(choice, calls);
		return wire.tool_calls.flatMap((part) => {
			const { index, id, function: called } = part;
			const text = argumentsOf(called?.arguments ?? "");
			const known = isWhole ? -1 : positionOf(calls, part);
			const position = known >= 0 ? known : calls.length;
			const call = calls[known] ?? {
				wireId: id,
				id: id || madeId(choice, position),
				key: keyOf(index, id),
				isTold: false,
				untold: "",
				hasArguments: false,
			};
			if (known < 0) calls.push(call);
			call.hasArguments ||= text.trim() !== "";
			if (call.isTold)
				return [{ index: position, function: { arguments: text } }];
			call.untold += text;
			// Clients take the name from a call's first part, so hold the parts back until it comes.
			return called?.name ? [tellCall(call, position, called.name)] : [];
		});
	}

	/** Sends `{}` for the calls that ended without arguments. */
	function missingArguments(choice: number): ToolCallDelta[] {
		return (callsByChoice.get(choice) ?? []).flatMap((call, index) => {
			const deltas = call.isTold ? [] : [tellCall(call, index, "")];
			if (call.hasArguments) return deltas;
			call.hasArguments = true;
			return [...deltas, { index, function: { arguments: "{}" } }];
		});
	}

	function toDeltas(
		wire: WireChoice,
		position: number,
		isWhole: boolean,
	): ChoiceDelta[] {
		const index = wire.index ?? position;
		const message = wire.delta ?? wire.message ?? {};
		const delta: Delta = {};
		const content = readContent(message);
		const reasoning = readReasoning(message);
		if (content !== "") delta.content = content;
		if (reasoning !== "") delta.reasoning_content = reasoning;
		if (message.refusal) delta.refusal = message.refusal;
		const calls = readToolCalls(index, message, isWhole);
		if (calls.length > 0) delta.tool_calls = calls;
		const choiceDelta: ChoiceDelta = { index, delta };
		if (wire.logprobs) choiceDelta.logprobs = wire.logprobs;
		if ((!wire.finish_reason && !isWhole) || ended.has(index))
			return [choiceDelta];
		ended.add(index);
		const { reason: finish, ...certainty } = readFinish(
			wire.finish_reason,
			(callsByChoice.get(index)?.length ?? 0) > 0,
		);
		const missing = missingArguments(index);
		return missing.length > 0
			? [
					choiceDelta,
					{ index, delta: { tool_calls: missing }, finish, ...certainty },
				]
			: [{ ...choiceDelta, finish, ...certainty }];
	}

	function readPart(part: WireAnswer, isWhole: boolean): Chunk {
		if (part.error) throw faultOfText(part.error);
		const deltas: ChoiceDelta[] = [];
		// A stream has a part for each word, and `flatMap` takes five times as long.
		part.choices?.forEach((choice, position) => {
			deltas.push(...toDeltas(choice, position, isWhole));
		});
		return { deltas, usage: readUsage(part.usage ?? part.x_groq?.usage) };
	}

	return {
		read: (event) => readPart(event, false),
		readWhole: (body) => readPart(body, true),
	};
}
