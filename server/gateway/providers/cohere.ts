import {
	type ChatRequest,
	type ChoiceDelta,
	type FinishReason,
	type Message,
	noResult,
	partsOf,
	type ToolCall,
	textOf,
	type Usage,
} from "../chat.ts";
import { Fault, faultOfText } from "../fault.ts";
import { commonFields } from "./chat-completions.ts";
import { cohereEmbedder } from "./embedder.ts";
import type { AnswerReader, Provider, ProviderCall } from "./provider.ts";
import { beginCall, continueCall } from "./tool-calls.ts";

/** Cohere's Chat API v2: OpenAI's turns and tools under other names, and events that start and end each block. */
export const cohere: Provider = {
	id: "cohere",
	name: "Cohere",
	baseUrl: "https://api.cohere.com/v2",
	takes: [...commonFields, "reasoning_effort"],
	takesOfMessages: ["detail"],
	headers: (key = "") => ({ authorization: `Bearer ${key}` }),
	toRequest: ask,
	openReader,
	embedder: cohereEmbedder,
};

function ask({ request, model, params, stream }: ProviderCall) {
	const { optional } = params;
	const body: Record<string, unknown> = {
		model: model.upstream_id,
		messages: request.messages.filter(isSaid).map(toWireMessage),
		max_tokens: params.maxTokens,
		stream,
	};
	if (params.temperature !== undefined) body.temperature = params.temperature;
	if (optional.top_p !== undefined) body.p = optional.top_p;
	if (optional.seed !== undefined) body.seed = optional.seed;
	const stop = [optional.stop ?? []].flat();
	if (stop.length > 0) body.stop_sequences = stop;
	for (const field of ["frequency_penalty", "presence_penalty"] as const)
		if (optional[field] !== undefined) body[field] = optional[field];
	if (optional.reasoning_effort !== undefined)
		body.thinking = {
			type: optional.reasoning_effort === "none" ? "disabled" : "enabled",
		};
	const { response_format: format } = optional;
	if (format?.type === "json_object")
		body.response_format = { type: "json_object" };
	if (format?.type === "json_schema")
		body.response_format = {
			type: "json_object",
			json_schema: format.json_schema.schema,
		};
	Object.assign(body, toTools(optional));
	return { path: "/chat", body };
}

/**
 * Translates the tools; a named tool choice becomes that tool alone, and required.
 *
 * @throws Fault if the chosen tool isn't among the tools
 */
function toTools({
	tools,
	tool_choice: choice,
}: Partial<Pick<ChatRequest, "tools" | "tool_choice">>): object {
	if (!tools?.length) return {};
	if (typeof choice === "object") {
		const chosen = tools.filter(
			({ function: { name } }) => name === choice.function.name,
		);
		if (chosen.length === 0)
			throw new Fault("client", "has no such tool to choose", {
				param: "tool_choice",
			});
		return { tools: chosen, tool_choice: "REQUIRED" };
	}
	if (choice === "none") return { tools, tool_choice: "NONE" };
	return choice === "required" ? { tools, tool_choice: "REQUIRED" } : { tools };
}

/** Cohere refuses empty turns. */
function isSaid(message: Message): boolean {
	return (
		message.role === "tool" ||
		partsOf(message.content).some(
			(part) => part.type !== "text" || part.text !== "",
		) ||
		(message.role === "assistant" && Boolean(message.tool_calls?.length))
	);
}

function toWireMessage(message: Message): object {
	switch (message.role) {
		case "developer":
		case "system":
			return { role: "system", content: textOf(message.content) };
		case "assistant":
			return message.tool_calls?.length
				? {
						role: "assistant",
						tool_calls: message.tool_calls,
						...(message.content && { tool_plan: textOf(message.content) }),
					}
				: { role: "assistant", content: textOf(message.content) };
		case "tool":
			return {
				role: "tool",
				tool_call_id: message.tool_call_id,
				content: textOf(message.content) || noResult,
			};
		default:
			return {
				role: "user",
				content:
					typeof message.content === "string"
						? message.content
						: partsOf(message.content),
			};
	}
}

const finishByReason: Record<string, FinishReason> = {
	COMPLETE: "stop",
	STOP_SEQUENCE: "stop",
	MAX_TOKENS: "length",
	TOOL_CALL: "tool_calls",
	ERROR_TOXIC: "content_filter",
};

/** @throws Fault for a reason that means failure */
function readFinish(reason = "COMPLETE"): FinishReason {
	const finish = finishByReason[reason];
	if (finish === undefined)
		throw new Fault("server", `aborted its answer (${reason})`);
	return finish;
}

interface WireUsage {
	tokens?: { input_tokens?: number; output_tokens?: number };
	billed_units?: { input_tokens?: number; output_tokens?: number };
	cached_tokens?: number;
}

function toUsage(wire: WireUsage | undefined): Usage | undefined {
	const { billed_units: billed } = wire ?? {};
	const counted = wire?.tokens ?? billed;
	if (!wire || !counted) return undefined;
	return {
		billed: billed && {
			promptTokens: billed.input_tokens ?? 0,
			completionTokens: billed.output_tokens ?? 0,
		},
		promptTokens: counted.input_tokens ?? 0,
		completionTokens: counted.output_tokens ?? 0,
		cachedTokens: wire.cached_tokens,
	};
}

interface WireContent {
	type?: string;
	text?: string;
	thinking?: string;
}
interface WireMessage {
	content?: WireContent[];
	tool_plan?: string;
	tool_calls?: ToolCall[];
}

interface WireAnswer {
	message?: WireMessage | string;
	finish_reason?: string;
	usage?: WireUsage;
}

interface StreamEvent {
	type?: string;
	index?: number;
	delta?: {
		message?: {
			content?: WireContent;
			tool_plan?: string;
			tool_calls?: { id?: string; function?: ToolCall["function"] };
		};
		finish_reason?: string;
		usage?: WireUsage;
		error?: string;
	};
}

function openReader(): AnswerReader {
	let tools = 0;
	/** Whether the open call has arguments. */
	let hasArguments = false;
	const say = (delta: ChoiceDelta["delta"]): ChoiceDelta[] => [
		{ index: 0, delta },
	];

	/** Cohere's index numbers content blocks, since there is only one choice. */
	function toDeltas({ type, delta }: StreamEvent): ChoiceDelta[] {
		const message = delta?.message;
		switch (type) {
			case "content-start":
			case "content-delta": {
				const { text, thinking } = message?.content ?? {};
				if (text) return say({ content: text });
				return thinking ? say({ reasoning_content: thinking }) : [];
			}
			case "tool-plan-delta":
				return message?.tool_plan ? say({ content: message.tool_plan }) : [];
			case "tool-call-start": {
				const { id = `call_${tools}`, function: called } =
					message?.tool_calls ?? {};
				tools += 1;
				hasArguments = Boolean(called?.arguments);
				return [beginCall(tools - 1, id, called?.name, called?.arguments)];
			}
			case "tool-call-delta":
				hasArguments ||= Boolean(message?.tool_calls?.function?.arguments);
				return [
					continueCall(tools - 1, message?.tool_calls?.function?.arguments),
				];
			case "tool-call-end":
				// A call without arguments streams none, but clients parse them as JSON.
				return hasArguments ? [] : [continueCall(tools - 1, "{}")];
			case "message-end":
				if (delta?.error) throw faultOfText(delta.error);
				return [
					{ index: 0, delta: {}, finish: readFinish(delta?.finish_reason) },
				];
			default:
				return [];
		}
	}

	return {
		read(event: StreamEvent) {
			return { deltas: toDeltas(event), usage: toUsage(event.delta?.usage) };
		},

		readWhole(body) {
			const { message, finish_reason, usage } = body as WireAnswer;
			if (typeof message === "string") throw faultOfText(message);
			if (typeof message !== "object")
				throw new Fault("server", "answered without a message");
			const { content = [], tool_plan, tool_calls = [] } = message;
			const hasText = content.some(({ text }) => text);
			const events: StreamEvent[] = [
				...content.map((part) => toEvent("content-delta", { content: part })),
				toEvent("tool-plan-delta", hasText ? {} : { tool_plan }),
				...tool_calls.flatMap((call) => [
					toEvent("tool-call-start", { tool_calls: call }),
					toEvent("tool-call-end", {}),
				]),
				{ type: "message-end", delta: { finish_reason } },
			];
			return { deltas: events.flatMap(toDeltas), usage: toUsage(usage) };
		},
	};
}

function toEvent(
	type: string,
	message: NonNullable<StreamEvent["delta"]>["message"],
): StreamEvent {
	return { type, delta: { message } };
}
