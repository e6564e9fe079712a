import {
	type Completion,
	type Delta,
	type FinishReason,
	parseArguments,
	type ToolCallDelta,
	type Usage,
} from "../chat.ts";
import type { EventWriter } from "../event-stream.ts";
import { thoughtsOf } from "../thoughts.ts";
import { toMessageError } from "./errors.ts";

interface Head {
	id: string;
	model: string;
}

type Block =
	| { type: "thinking"; thinking: string; signature: string }
	| { type: "redacted_thinking"; data: string }
	| { type: "text"; text: string }
	| { type: "tool_use"; id: string; name: string; input: object };

const stopReasons: Record<FinishReason, string> = {
	stop: "end_turn",
	length: "max_tokens",
	tool_calls: "tool_use",
	content_filter: "refusal",
};

/** Anthropic counts input tokens without its cache's reads and writes. */
function toWireUsage({
	promptTokens,
	completionTokens,
	cachedTokens = 0,
	cacheWriteTokens = 0,
}: Usage) {
	return {
		input_tokens: Math.max(0, promptTokens - cachedTokens - cacheWriteTokens),
		cache_creation_input_tokens: cacheWriteTokens,
		cache_read_input_tokens: cachedTokens,
		output_tokens: completionTokens,
	};
}

const noUsage: Usage = { promptTokens: 0, completionTokens: 0 };

function toMessage(
	{ id, model }: Head,
	content: Block[],
	stop_reason: string | null,
	usage: Usage,
) {
	return {
		...{ id, type: "message", role: "assistant", model, content },
		...{ stop_reason, stop_sequence: null, usage: toWireUsage(usage) },
	};
}

/** Writes an answer that came whole. */
export function writeMessage(
	{ choices: [choice], usage = noUsage }: Completion,
	head: Head,
): object {
	const { message, finish_reason = "stop" } = choice ?? {};
	const text = `${message?.content ?? ""}${message?.refusal ?? ""}`;
	const content: Block[] = [];
	for (const { text: thinking, seal = "" } of message
		? thoughtsOf(message)
		: [])
		content.push(
			thinking === ""
				? { type: "redacted_thinking", data: seal }
				: { type: "thinking", thinking, signature: seal },
		);
	if (text !== "") content.push({ type: "text", text });
	for (const { id, function: called } of message?.tool_calls ?? [])
		content.push({
			type: "tool_use",
			id,
			name: called.name,
			input: parseArguments(called.arguments),
		});
	return toMessage(head, content, stopReasons[finish_reason], usage);
}

/** A block of the stream; only the first that hasn't ended is open, and the others' events wait. */
interface Writing {
	index: number;
	kind: string;
	waiting: string;
}

function toEvent(type: string, fields: object): string {
	return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

/** Writes an answer's events. Blocks follow one another, so the arguments of parallel calls wait for the calls before. */
export function openMessageWriter(head: Head): EventWriter {
	const blocks: Writing[] = [];
	let made = 0;
	let hasBegun = false;
	let usage = noUsage;
	let stopReason: string | null = null;
	let out = "";

	function begin(): void {
		if (hasBegun) return;
		hasBegun = true;
		const message = toMessage(head, [], null, usage);
		out += toEvent("message_start", { message }) + toEvent("ping", {});
	}

	function say(block: Writing, event: string): void {
		if (block === blocks[0]) out += event;
		else block.waiting += event;
	}

	function close(): void {
		const closed = blocks.shift();
		out += toEvent("content_block_stop", { index: closed?.index });
		out += blocks[0]?.waiting ?? "";
	}

	/** Continues the last block of a kind, or opens another. */
	function blockOf(kind: string, content_block: Block): Writing {
		const found = blocks.findLast((block) => block.kind === kind);
		if (found && (kind.startsWith("call") || found === blocks.at(-1)))
			return found;
		// A call's arguments may come until the end, but other blocks end where another begins.
		if (blocks[0] && !blocks[0].kind.startsWith("call")) close();
		const block = { index: made, kind, waiting: "" };
		made += 1;
		blocks.push(block);
		say(
			block,
			toEvent("content_block_start", { index: block.index, content_block }),
		);
		return block;
	}

	function write(kind: string, empty: Block, delta: object): void {
		const block = blockOf(kind, empty);
		say(block, toEvent("content_block_delta", { index: block.index, delta }));
	}

	function writeCall({
		index,
		id = "",
		function: called,
	}: ToolCallDelta): void {
		const name = called?.name ?? "";
		const kind = `call ${index}`;
		const empty: Block = { type: "tool_use", id, name, input: {} };
		if (!called?.arguments) blockOf(kind, empty);
		else
			write(kind, empty, {
				type: "input_json_delta",
				partial_json: called.arguments,
			});
	}

	/** Ends the open thought, or tells that there was one. */
	function sealThought(signature: string): void {
		const open = blocks.at(-1);
		if (open?.kind !== "thinking")
			blockOf(`sealed ${made}`, { type: "redacted_thinking", data: signature });
		else {
			write(
				"thinking",
				{ type: "thinking", thinking: "", signature: "" },
				{ type: "signature_delta", signature },
			);
			open.kind = "sealed";
		}
	}

	function writeDelta(delta: Delta): void {
		const { reasoning_content: thinking, seal, tool_calls = [] } = delta;
		const text = `${delta.content ?? ""}${delta.refusal ?? ""}`;
		if (thinking)
			write(
				"thinking",
				{ type: "thinking", thinking: "", signature: "" },
				{ type: "thinking_delta", thinking },
			);
		if (seal) sealThought(seal);
		if (text !== "")
			write("text", { type: "text", text: "" }, { type: "text_delta", text });
		for (const call of tool_calls) writeCall(call);
	}

	function taken(): string {
		const said = out;
		out = "";
		return said;
	}

	return {
		write(chunk) {
			usage = chunk.usage ?? usage;
			for (const { index, delta, finish } of chunk.deltas) {
				// Clients of this API ask for one answer.
				if (index !== 0) continue;
				begin();
				writeDelta(delta);
				if (finish) stopReason = stopReasons[finish];
			}
			return taken();
		},

		end() {
			begin();
			while (blocks.length > 0) close();
			const delta = {
				stop_reason: stopReason ?? "end_turn",
				stop_sequence: null,
			};
			out += toEvent("message_delta", { delta, usage: toWireUsage(usage) });
			return taken() + toEvent("message_stop", {});
		},

		fail(error) {
			return toEvent("error", toMessageError(error));
		},
	};
}
