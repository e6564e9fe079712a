import type { ChoiceDelta, FinishReason, Usage } from "../chat.ts";
import { Fault, faultOfText } from "../fault.ts";
import { seal } from "../thoughts.ts";
import type { Block } from "./anthropic.ts";
import { finishOf } from "./finish.ts";
import type { AnswerReader, Chunk, ProviderCall } from "./provider.ts";
import { beginCall, continueCall } from "./tool-calls.ts";

const finishByReason: Record<string, FinishReason> = {
	end_turn: "stop",
	stop_sequence: "stop",
	pause_turn: "stop",
	max_tokens: "length",
	model_context_window_exceeded: "length",
	tool_use: "tool_calls",
	refusal: "content_filter",
};

/** Matches nothing: Anthropic reports failures as events, not as stop reasons. */
const failures = /^$/;

interface WireUsage {
	input_tokens?: number | null;
	output_tokens?: number | null;
	cache_read_input_tokens?: number | null;
	cache_creation_input_tokens?: number | null;
	output_tokens_details?: { thinking_tokens?: number };
}

/**
 * Adds up the input tokens, which Anthropic counts without its cache's reads and writes.
 *
 * @returns undefined without both counts, so that usage is estimated
 */
function toUsage(wire: WireUsage): Usage | undefined {
	const { input_tokens: input, output_tokens: output } = wire;
	if (input == null || output == null) return undefined;
	const read = wire.cache_read_input_tokens ?? 0;
	const written = wire.cache_creation_input_tokens ?? 0;
	return {
		promptTokens: input + read + written,
		completionTokens: output,
		cachedTokens: read,
		cacheWriteTokens: written,
		reasoningTokens: wire.output_tokens_details?.thinking_tokens,
	};
}

/** Leaves out the missing counts, so that they keep their earlier values. */
function counted(wire: WireUsage | null | undefined): WireUsage {
	return Object.fromEntries(
		Object.entries(wire ?? {}).filter(([, value]) => value !== null),
	);
}

interface WireAnswer {
	error?: unknown;
	content?: Block[];
	stop_reason?: string | null;
	usage?: WireUsage;
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

export function openReader({ model }: ProviderCall): AnswerReader {
	let usage: WireUsage = {};
	let tools = 0;
	/** By block, the open tool calls: the position among the calls, and whether any arguments came. */
	const openTools = new Map<number, { index: number; hasArguments: boolean }>();
	/** By block, what signs the open thoughts. */
	const signatures = new Map<number, string>();
	const say = (delta: ChoiceDelta["delta"]): ChoiceDelta[] => [
		{ index: 0, delta },
	];

	function startBlock({ index = 0, content_block: block }: StreamEvent) {
		if (block?.type === "text" && block.text)
			return say({ content: String(block.text) });
		if (block?.type === "thinking") {
			signatures.set(index, String(block.signature ?? ""));
			return block.thinking
				? say({ reasoning_content: String(block.thinking) })
				: [];
		}
		if (block?.type === "redacted_thinking")
			return say({ seal: seal(model.id, { data: String(block.data) }) });
		if (block?.type !== "tool_use") return [];
		// Some compatible APIs send the whole input at once.
		const isWhole =
			typeof block.input === "object" &&
			block.input !== null &&
			Object.keys(block.input).length > 0;
		openTools.set(index, { index: tools, hasArguments: isWhole });
		tools += 1;
		const input = isWhole ? JSON.stringify(block.input) : "";
		return [beginCall(tools - 1, String(block.id), String(block.name), input)];
	}

	function readDelta({ index = 0, delta }: StreamEvent) {
		if (delta?.type === "text_delta" && delta.text)
			return say({ content: String(delta.text) });
		if (delta?.type === "thinking_delta" && delta.thinking)
			return say({ reasoning_content: String(delta.thinking) });
		if (delta?.type === "signature_delta") {
			const before = signatures.get(index) ?? "";
			signatures.set(index, before + String(delta.signature));
			return [];
		}
		const tool = openTools.get(index);
		if (delta?.type !== "input_json_delta" || !tool || !delta.partial_json)
			return [];
		tool.hasArguments = true;
		return [continueCall(tool.index, String(delta.partial_json))];
	}

	function stopBlock({ index = 0 }: StreamEvent) {
		const signature = signatures.get(index);
		signatures.delete(index);
		if (signature) return say({ seal: seal(model.id, { signature }) });
		const tool = openTools.get(index);
		openTools.delete(index);
		// A call without arguments streams none, but clients parse them as JSON.
		return tool && !tool.hasArguments ? [continueCall(tool.index, "{}")] : [];
	}

	function toEnd(word?: string | null): ChoiceDelta {
		const { reason, ...certainty } = finishOf(
			word,
			finishByReason,
			failures,
			tools > 0,
		);
		return { index: 0, delta: {}, finish: reason, ...certainty };
	}

	function read(event: StreamEvent): Chunk {
		switch (event.type) {
			case "error":
				throw faultOfText(event.error);
			case "message_start":
				usage = { ...event.message?.usage };
				return { deltas: [], usage: toUsage(usage) };
			case "content_block_start":
				return { deltas: startBlock(event) };
			case "content_block_delta":
				return { deltas: readDelta(event) };
			case "content_block_stop":
				return { deltas: stopBlock(event) };
			case "message_delta": {
				usage = { ...usage, ...counted(event.usage) };
				const reason = event.delta?.stop_reason;
				return {
					deltas: reason ? [toEnd(reason)] : [],
					usage: toUsage(usage),
				};
			}
			default:
				// Pings, and events newer than this code.
				return { deltas: [] };
		}
	}

	return {
		read,

		readWhole(body) {
			const { content, error, stop_reason, usage } = body as WireAnswer;
			if (error) throw faultOfText(error);
			if (!Array.isArray(content))
				throw new Fault("server", "answered without content");
			const blocks = content.flatMap((content_block, index) => [
				...startBlock({ index, content_block }),
				...stopBlock({ index }),
			]);
			return {
				deltas: [...blocks, toEnd(stop_reason)],
				usage: toUsage(usage ?? {}),
			};
		},
	};
}
