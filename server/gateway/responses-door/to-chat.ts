import { type ChatRequest, chatBody, type Message } from "../chat.ts";
import { GatewayError } from "../errors.ts";
import { namesOutside } from "../params.ts";
import {
	isOwnTool,
	type OwnTool,
	type ResponsesRequest,
	responsesBody,
} from "./body.ts";
import { type SentItem, toMessages } from "./input-items.ts";

interface Translated {
	chat: ChatRequest;
	/** What no provider gets, as `name=dropped`. */
	dropped: string[];
	/** The names of tools that take any text. */
	custom: ReadonlySet<string>;
}

/**
 * Translates a request of the Responses API.
 *
 * @param items its conversation, from the first item
 * @throws GatewayError 400
 */
export function toChat(
	body: ResponsesRequest,
	items: readonly SentItem[],
): Translated {
	assertSupported(body);
	const dropped: string[] = [];
	const messages: Message[] = toMessages(items);
	if (body.instructions)
		messages.unshift({ role: "system", content: body.instructions });
	if (messages.length === 0)
		throw new GatewayError(400, "input: must hold at least one item", {
			param: "input",
		});
	const own = (body.tools ?? []).filter(isOwnTool);
	for (const tool of body.tools ?? [])
		if (!isOwnTool(tool)) dropped.push(`tools.${safe(tool.type)}=dropped`);
	dropped.push(...nestedLosses(body, own));
	const tools = allowed(own, body.tool_choice);
	const logs = body.include?.includes(outputLogprobs);
	const chat: ChatRequest = {
		...unknownFields(body, dropped),
		model: body.model,
		messages,
		stream: body.stream,
		stream_options: undefined,
		temperature: body.temperature,
		max_tokens: undefined,
		max_completion_tokens: body.max_output_tokens,
		tools: tools.length > 0 ? tools.map(toChatTool) : undefined,
		tool_choice: tools.length > 0 ? toToolChoice(body, own) : undefined,
		parallel_tool_calls:
			tools.length > 0 ? body.parallel_tool_calls : undefined,
		top_p: body.top_p,
		n: undefined,
		stop: undefined,
		seed: undefined,
		presence_penalty: undefined,
		frequency_penalty: undefined,
		response_format: toResponseFormat(body),
		reasoning_effort: body.reasoning?.effort,
		reasoning_summary: body.reasoning?.summary,
		user: body.user,
		metadata: body.metadata,
		verbosity: body.text?.verbosity,
		...(logs && { logprobs: true, top_logprobs: body.top_logprobs }),
	};
	const custom = own.filter(({ type }) => type === "custom");
	return { chat, dropped, custom: new Set(custom.map(({ name }) => name)) };
}

const outputLogprobs = "message.output_text.logprobs";
/** Always included. */
const sealedThoughts = "reasoning.encrypted_content";

/** What is inside fields that are passed on, but has no place in the inner form. */
function nestedLosses(
	{ text, reasoning, include = [], top_logprobs }: ResponsesRequest,
	own: readonly OwnTool[],
): string[] {
	const within = (prefix: string, fields: object, known: string[]) =>
		namesOutside(fields, new Set(known)).map((name) => `${prefix}.${name}`);
	const lost = [
		...within("text", text ?? {}, ["format", "verbosity"]),
		...within("reasoning", reasoning ?? {}, ["effort", "summary"]),
		...own.flatMap((tool) =>
			within("tools", tool, [
				...["type", "name", "description", "parameters", "strict"],
			]),
		),
		...include
			.filter((name) => name !== outputLogprobs && name !== sealedThoughts)
			.map((name) => `include.${safe(name)}`),
		...(top_logprobs !== undefined && !include.includes(outputLogprobs)
			? ["top_logprobs"]
			: []),
	];
	return [...new Set(lost)].map((name) => `${name}=dropped`);
}

function assertSupported(body: ResponsesRequest): void {
	for (const name of ["background", "conversation", "prompt"] as const)
		if (body[name] != null && body[name] !== false)
			throw new GatewayError(400, `${name}: isn't supported by this gateway`, {
				param: name,
				code: "unsupported_value",
			});
	const { tool_choice: choice } = body;
	if (
		typeof choice === "object" &&
		!["function", "custom", "allowed_tools"].includes(choice.type)
	)
		throw new GatewayError(
			400,
			`tool_choice: the tool ${choice.type} runs at OpenAI, not at this gateway`,
			{ param: "tool_choice", code: "unsupported_value" },
		);
}

/** Fields that need no report, since nothing is lost without them. */
const harmless = new Set(["stream_options"]);

/** Passes on fields that the inner form leaves unchecked, and reports those that would mean something else there. */
function unknownFields(
	body: ResponsesRequest,
	dropped: string[],
): Record<string, unknown> {
	const kept: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(body)) {
		if (name in responsesBody.shape || harmless.has(name) || value == null)
			continue;
		if (name in chatBody.shape) dropped.push(`${name}=dropped`);
		else kept[name] = value;
	}
	if (body.truncation !== undefined && body.truncation !== "disabled")
		dropped.push("truncation=dropped");
	return kept;
}

/** Safe for a header. */
function safe(type: string): string {
	return /^[\w.-]{1,64}$/.test(type) ? type : "unknown";
}

function allowed(
	own: readonly OwnTool[],
	choice: ResponsesRequest["tool_choice"],
): readonly OwnTool[] {
	if (typeof choice !== "object" || choice.type !== "allowed_tools") return own;
	const names = new Set((choice.tools ?? []).map(({ name }) => name));
	return own.filter(({ name }) => names.has(name));
}

function toChatTool({
	type,
	name,
	description,
	parameters,
	strict,
}: OwnTool): NonNullable<ChatRequest["tools"]>[number] {
	return {
		type: "function",
		function: {
			name,
			...(description !== undefined && { description }),
			parameters: type === "custom" ? anyText : parameters,
			...(strict !== undefined && { strict }),
		},
	};
}

const anyText = {
	type: "object",
	properties: { input: { type: "string" } },
	required: ["input"],
	additionalProperties: false,
};

function toToolChoice(
	{ tool_choice: choice }: ResponsesRequest,
	own: readonly OwnTool[],
): ChatRequest["tool_choice"] {
	if (typeof choice !== "object") return choice;
	if (choice.type === "allowed_tools") return choice.mode ?? "auto";
	const { name = "" } = choice;
	if (!own.some((tool) => tool.name === name))
		throw new GatewayError(400, `tool_choice: there is no tool "${name}"`, {
			param: "tool_choice",
		});
	return { type: "function", function: { name } };
}

function toResponseFormat({
	text,
}: ResponsesRequest): ChatRequest["response_format"] {
	const format = text?.format;
	if (format?.type !== "json_schema") return format;
	const { type, name, schema, strict, description } = format;
	return { type, json_schema: { name, schema, strict, description } };
}
