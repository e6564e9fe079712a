import { hash } from "node:crypto";
import type {
	ChoiceDelta,
	Completion,
	FinishReason,
	ToolCall,
	Usage,
} from "../chat.ts";
import { Fault, faultOfText } from "../fault.ts";
import { parseEvent } from "./chat-completions-answer.ts";
import { type Finish, finishOf } from "./finish.ts";
import type { Part } from "./gemini.ts";
import { rememberCall } from "./gemini-calls.ts";
import type { StreamReader } from "./provider.ts";

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

export function readAnswer(body: unknown): Completion {
	const wire = (Array.isArray(body) ? body[0] : body) as WireAnswer | null;
	if (wire?.error) throw faultOfText(wire.error);
	const blocked = wire?.promptFeedback?.blockReason !== undefined;
	const candidates = wire?.candidates ?? [];
	if (candidates.length === 0 && !blocked)
		throw new Fault("server", "answered without a candidate");
	let isUncertain: true | undefined;
	const choices = (candidates.length > 0 ? candidates : [{}]).map(
		(candidate: NonNullable<WireAnswer["candidates"]>[number], position) => {
			const parts = candidate.content?.parts ?? [];
			const text = (isThought: boolean) =>
				parts
					.filter(({ thought }) => Boolean(thought) === isThought)
					.map((part) => part.text ?? "")
					.join("");
			const calls = parts.filter((part) => part.functionCall).map(toToolCall);
			const content = text(false);
			const finish: Finish = blocked
				? { reason: "content_filter" }
				: readFinish(candidate.finishReason, calls.length > 0);
			isUncertain ??= finish.isUncertain;
			return {
				index: candidate.index ?? position,
				message: {
					role: "assistant" as const,
					content: content === "" && calls.length > 0 ? null : content,
					refusal: null,
					...(text(true) !== "" && { reasoning_content: text(true) }),
					...(calls.length > 0 && { tool_calls: calls }),
				},
				logprobs: null,
				finish_reason: finish.reason,
			};
		},
	);
	return {
		choices,
		usage: toUsage(wire?.usageMetadata),
		...(isUncertain && { isUncertain }),
	};
}

export function openReader(): StreamReader {
	const callsByChoice = new Map<number, number>();

	function toDeltas(
		candidate: NonNullable<WireAnswer["candidates"]>[number],
	): ChoiceDelta[] {
		const index = candidate.index ?? 0;
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
		if (reason && reason !== "CONTINUATION") {
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

	return {
		read({ data }) {
			const event = parseEvent(data);
			const wire = (Array.isArray(event) ? event[0] : event) as WireAnswer;
			if (wire.error) throw faultOfText(wire.error);
			const usage = toUsage(wire.usageMetadata);
			if (wire.promptFeedback?.blockReason !== undefined)
				return {
					deltas: [{ index: 0, delta: {}, finish: "content_filter" }],
					usage,
				};
			return { deltas: (wire.candidates ?? []).flatMap(toDeltas), usage };
		},
	};
}
