import { hash } from "node:crypto";
import {
	type ChatRequest,
	dataOf,
	type Message,
	partsOf,
	type TextPart,
	textOf,
} from "../chat.ts";
import type { Fault } from "../fault.ts";
import { unseal, withoutThoughts } from "../thoughts.ts";
import { wholeArguments } from "./chat-completions-answer.ts";
import { openReader } from "./openai-responses-answer.ts";
import type { Api, ProviderCall } from "./provider.ts";

const keys = new Map<string, string>();
const keysMax = 1_000;

/** Keeps the businesses' prompt caches apart without naming them. */
export function cacheKeyOf({ businessId }: ProviderCall): string {
	const known = keys.get(businessId);
	if (known !== undefined) return known;
	if (keys.size >= keysMax) keys.clear();
	const key = hash("sha256", businessId).slice(0, 32);
	keys.set(businessId, key);
	return key;
}

/** OpenAI's Responses API: items in place of messages, and sealed thoughts that come back with the calls they led to. */
export const responsesApi: Api = {
	takes: [
		"tools",
		"tool_choice",
		"parallel_tool_calls",
		"top_p",
		"response_format",
		"reasoning_effort",
		"reasoning_summary",
		"user",
		"logprobs",
		"top_logprobs",
		"metadata",
		"store",
		"prompt_cache_key",
		"verbosity",
		"safety_identifier",
	],
	takesOfMessages: ["detail", "reasoning_content"],
	toRequest: ask,
	openReader,
	without,
};

/** The API's least limit; clients send 1 to see whether a model answers. */
const maxTokensLeast = 16;

function ask(call: ProviderCall) {
	const { model, params, stream } = call;
	const {
		tools,
		tool_choice,
		response_format,
		reasoning_effort: effort,
		reasoning_summary: summary,
		logprobs,
		verbosity,
		...same
	} = params.optional;
	const { reasoning } = model.capabilities;
	const body: Record<string, unknown> = {
		model: model.upstream_id,
		input: toItems(call),
		...same,
		max_output_tokens: Math.max(maxTokensLeast, params.maxTokens),
		store: same.store ?? false,
		prompt_cache_key: same.prompt_cache_key ?? cacheKeyOf(call),
		include: [
			...(reasoning ? ["reasoning.encrypted_content"] : []),
			...(logprobs ? ["message.output_text.logprobs"] : []),
		],
	};
	if (params.maxTokens < maxTokensLeast)
		call.report(`max_tokens=${maxTokensLeast}`);
	if (params.temperature !== undefined) body.temperature = params.temperature;
	if (effort !== undefined || summary !== undefined)
		body.reasoning = { effort, summary };
	const format = toFormat(response_format);
	if (format || verbosity !== undefined) body.text = { format, verbosity };
	if (tools?.length) {
		body.tools = tools.map(({ function: { strict, ...declared } }) => ({
			type: "function",
			name: declared.name,
			description: declared.description,
			parameters: declared.parameters ?? { type: "object", properties: {} },
			// Strict unless it says otherwise, unlike Chat Completions.
			strict: strict ?? false,
		}));
		body.tool_choice =
			typeof tool_choice === "object"
				? { type: "function", name: tool_choice.function.name }
				: tool_choice;
	}
	if (stream) {
		body.stream = true;
		body.stream_options = { include_obfuscation: false };
	}
	return { path: "/responses", body };
}

function toFormat(format: ChatRequest["response_format"]): object | undefined {
	if (format?.type !== "json_schema") return format;
	const { name = "answer", schema = {}, ...others } = format.json_schema;
	return { type: "json_schema", strict: false, ...others, name, schema };
}

function toItems({ request, model, report }: ProviderCall): object[] {
	return request.messages.flatMap((message): object[] => {
		switch (message.role) {
			case "system":
			case "developer":
				return [{ role: "developer", content: textOf(message.content) }];
			case "user":
				return [{ role: "user", content: toContent(message) }];
			case "tool":
				return [
					{
						type: "function_call_output",
						call_id: message.tool_call_id,
						output: textOf(message.content),
					},
				];
			default:
				return toTurn(message, model.id, report);
		}
	});
}

function toContent({ content }: Message): string | object[] {
	const parts = partsOf(content);
	if (parts.every((part): part is TextPart => part.type === "text"))
		return textOf(content);
	return parts.map((part) => {
		if (part.type === "text") return { type: "input_text", text: part.text };
		if (part.type === "image_url") {
			const { url: image_url, detail = "auto" } = part.image_url;
			return { type: "input_image", image_url, detail };
		}
		const { file_data, filename } = part.file;
		return dataOf(file_data)
			? { type: "input_file", filename, file_data }
			: { type: "input_file", file_url: file_data };
	});
}

function toTurn(
	message: Extract<Message, { role: "assistant" }>,
	model: string,
	report: ProviderCall["report"],
): object[] {
	const { thoughts = [], tool_calls, content } = message;
	const own = thoughts.flatMap((thought) => {
		const fields = unseal(model, thought);
		if (!fields) return [];
		const { text } = thought;
		const summary = text === "" ? [] : [{ type: "summary_text", text }];
		return [{ type: "reasoning", summary, ...fields }];
	});
	const isGiven = message.reasoning_content !== undefined;
	if (isGiven && own.length < thoughts.length) report(lostThought);
	const said = textOf(content);
	return [
		...own,
		...(said === "" ? [] : [{ role: "assistant", content: said }]),
		...(tool_calls ?? []).map(({ id, function: called }) => ({
			type: "function_call",
			call_id: id,
			name: called.name,
			arguments: wholeArguments(called.arguments),
		})),
	];
}

const lostThought = "messages.reasoning_content=dropped";

/**
 * Thoughts are sealed for one account, and only a verified one may see summaries of them. A host that stands in for OpenAI
 * may lack this API: then tools go without thinking.
 */
function without(
	{ status, message }: Fault,
	call: ProviderCall,
): ProviderCall | undefined {
	const { request, params, report } = call;
	const { reasoning_summary: summary, ...optional } = params.optional;
	if (status === 404 && !/model/i.test(message)) {
		report("reasoning_effort=none");
		if (summary !== undefined) report("reasoning_summary=dropped");
		const reasoning_effort = "none";
		return {
			...call,
			params: {
				...params,
				over: undefined,
				optional: { ...optional, reasoning_effort },
			},
		};
	}
	if (status !== 400) return undefined;
	if (/encrypted.content/i.test(message)) {
		report(lostThought);
		return { ...call, request: withoutThoughts(request) };
	}
	if (summary === undefined || !/reasoning (summary|summaries)/i.test(message))
		return undefined;
	report("reasoning_summary=dropped");
	return { ...call, params: { ...params, optional } };
}
