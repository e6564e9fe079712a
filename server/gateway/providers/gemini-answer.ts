import { hash } from "node:crypto";
import type { ChoiceDelta, FinishReason, ToolCall, Usage } from "../chat.ts";
import { Fault, faultOfText } from "../fault.ts";
import { type Finish, finishOf } from "./finish.ts";
import type { Part } from "./gemini.ts";
import { rememberCall } from "./gemini-calls.ts";
import type { AnswerReader, Chunk } from "./provider.ts";

interface WireAnswer {
	candidates?: {
		content?: { parts?: Part[] };
		finishReason?: string;
		index?: number;
	}[];
	promptFeedback?: { blockReason?: string };
	usageMetadata?: {
		promptTokenCount?: number;
		toolUsePromptTokenCount?: number;
		candidatesTokenCount?: number;
		thoughtsTokenCount?: number;
		cachedContentTokenCount?: number;
	};
	error?: unknown;
}

const filtered =
	/^(SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE|IMAGE_)/;
const failures =
	/^(MALFORMED_|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE|OTHER$)/;
const finishByReason: Record<string, FinishReason> = {
	STOP: "stop",
	MAX_TOKENS: "length",
};

/** @throws Fault for a reason that means failure, and for an unknown reason in an answer without calls */
function readFinish(reason: string | undefined, hasCalls: boolean): Finish {
	if (reason && filtered.test(reason)) return { reason: "content_filter" };
	if (reason && !hasCalls && !(reason in finishByReason))
		throw new Fault("server", `aborted its answer (${reason})`);
	return finishOf(reason, finishByReason, failures, hasCalls);
}

function toUsage(wire: WireAnswer["usageMetadata"]): Usage | undefined {
	if (!wire) return undefined;
	return {
		promptTokens:
			(wire.promptTokenCount ?? 0) + (wire.toolUsePromptTokenCount ?? 0),
		// Thoughts are billed as output but counted separately.
		completionTokens:
			(wire.candidatesTokenCount ?? 0) + (wire.thoughtsTokenCount ?? 0),
		cachedTokens: wire.cachedContentTokenCount,
		reasoningTokens: wire.thoughtsTokenCount,
	};
}

function toToolCall({ functionCall, thoughtSignature }: Part): ToolCall {
	const { id, name = "", args = {} } = functionCall ?? {};
	const text = JSON.stringify(args);
	const made = hash("sha256", `${name}${text}${performance.now()}`);
	const callId = id || `call_${made.slice(0, 24)}`;
	rememberCall(callId, { signature: thoughtSignature, hasOwnId: Boolean(id) });
	return {
		id: callId,
		type: "function",
		function: { name, arguments: text },
	};
}

export function openReader(): AnswerReader {
	const callsByChoice = new Map<number, number>();

	function toDeltas(
		candidate: NonNullable<WireAnswer["candidates"]>[number],
		position: number,
		isWhole: boolean,
	): ChoiceDelta[] {
		const index = candidate.index ?? position;
		const deltas: ChoiceDelta[] = [];
		for (const part of candidate.content?.parts ?? []) {
			if (part.functionCall) {
				const position = callsByChoice.get(index) ?? 0;
				callsByChoice.set(index, position + 1);
				deltas.push({
					index,
					delta: { tool_calls: [{ index: position, ...toToolCall(part) }] },
				});
			} else if (part.text)
				deltas.push({
					index,
					delta: part.thought
						? { reasoning_content: part.text }
						: { content: part.text },
				});
		}
		const reason = candidate.finishReason;
		if (isWhole || (reason && reason !== "CONTINUATION")) {
			const finish = readFinish(reason, callsByChoice.has(index));
			deltas.push({
				index,
				delta: {},
				finish: finish.reason,
				...(finish.isUncertain && { isUncertain: true }),
			});
		}
		return deltas;
	}

	function readPart(part: object, isWhole: boolean): Chunk {
		const wire = (Array.isArray(part) ? part[0] : part) as WireAnswer;
		if (wire.error) throw faultOfText(wire.error);
		const usage = toUsage(wire.usageMetadata);
		if (wire.promptFeedback?.blockReason !== undefined)
			return {
				deltas: [{ index: 0, delta: {}, finish: "content_filter" }],
				usage,
			};
		const deltas = (wire.candidates ?? []).flatMap((candidate, position) =>
			toDeltas(candidate, position, isWhole),
		);
		return { deltas, usage };
	}

	return {
		read: (event) => readPart(event, false),
		readWhole: (body) => readPart(body, true),
	};
}
