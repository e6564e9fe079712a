import type { Message, ToolCall } from "../chat.ts";
import { partsOf, textOf } from "../chat.ts";
import { openReader, wholeArguments } from "./chat-completions-answer.ts";
import type { OptionalField, Provider, ProviderCall } from "./provider.ts";

/** How a provider deviates from OpenAI's Chat Completions API. */
interface Accent
	extends Omit<Provider, "headers" | "toRequest" | "openReader"> {
	path?: string;
	maxTokensField?: "max_tokens" | "max_completion_tokens";
	/** Knows the role `developer`; others get `system`. */
	hasDeveloperRole?: true;
	/** Refuses the field `name` of a message. */
	refusesNames?: true;
	/** Wants its model's reasoning back in later requests; others refuse it. */
	recallsThoughts?: true;
	/** Makes the last changes to a request's body. */
	adjust?(body: Record<string, unknown>, call: ProviderCall): void;
}

/** Optional fields that all compatible providers take. */
export const commonFields = [
	"tools",
	"tool_choice",
	"top_p",
	"stop",
	"seed",
	"presence_penalty",
	"frequency_penalty",
	"response_format",
] as const satisfies readonly OptionalField[];

export function speakChatCompletions(accent: Accent): Provider {
	return {
		...accent,
		takesOfMessages: [
			"detail",
			...(accent.refusesNames ? [] : (["name"] as const)),
			...(accent.recallsThoughts ? (["reasoning_content"] as const) : []),
		],
		headers: (key): Record<string, string> =>
			key === undefined ? {} : { authorization: `Bearer ${key}` },
		toRequest(call) {
			const { request, model, params, stream } = call;
			const body: Record<string, unknown> = {
				model: model.upstream_id,
				messages: request.messages.map((message) =>
					toWireMessage(message, accent),
				),
				...params.optional,
				[accent.maxTokensField ?? "max_tokens"]: params.maxTokens,
			};
			if (params.temperature !== undefined)
				body.temperature = params.temperature;
			if (stream) {
				body.stream = true;
				// The gateway meters usage even if the client doesn't ask for it.
				body.stream_options = { include_usage: true };
			}
			accent.adjust?.(body, call);
			return { path: accent.path ?? "/chat/completions", body };
		},
		openReader,
	};
}

/** Drops unknown fields: clients send back whole answers of other models, and most providers refuse them. */
function toWireMessage(message: Message, accent: Accent): object {
	const { role } = message;
	const content = contentOf(message);
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
		// An answer that only called tools goes back as its provider wrote it.
		content: calls?.length ? content || null : (content ?? null),
		...named,
		...(calls?.length && { tool_calls: calls.map(toWireCall) }),
		...(accent.recallsThoughts &&
			typeof thought === "string" && { reasoning_content: thought }),
	};
}

/** Joins texts, since some providers refuse parts. */
function contentOf({ content }: Message): Message["content"] {
	if (!Array.isArray(content)) return content;
	return content.every(({ type }) => type === "text")
		? textOf(content)
		: partsOf(content);
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
