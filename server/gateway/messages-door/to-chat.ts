import {
	type ChatRequest,
	type ContentPart,
	fileName,
	type Message,
	type TextPart,
	type Thought,
	type ToolCall,
	textOf,
} from "../chat.ts";
import { namesOutside } from "../params.ts";
import { recalled } from "../thoughts.ts";
import {
	bodyFields,
	type CountBody,
	type MessageBody,
	type Shown,
	type Texts,
	type ToolResult,
	type TurnOf,
} from "./body.ts";

interface Translated {
	chat: ChatRequest;
	/** What was lost, each as `name=dropped` or `name=value`. */
	dropped: string[];
}

/** Keeps the header short. */
const droppedMax = 40;

/** Translates a request for a message into the gateway's own form. */
export function toChat(body: MessageBody): Translated {
	const losses = openLosses();
	const { max_tokens, stream, stop_sequences, metadata } = body;
	losses.check(body, bodyFields);
	if (metadata) losses.check(metadata, ["user_id"], "metadata.");
	const chat: ChatRequest = {
		...toPrompt(body, losses),
		max_tokens,
		stream,
		stop: stop_sequences?.length ? stop_sequences : undefined,
		temperature: body.temperature,
		top_p: body.top_p,
		user: metadata?.user_id,
	};
	return { chat, dropped: losses.found() };
}

/** Translates the part of a request whose tokens are counted. */
export function toPrompt(
	body: CountBody,
	losses: Losses = openLosses(),
): ChatRequest {
	const { model, system = [], output_config: config } = body;
	if (config) losses.check(config, ["effort", "format"], "output_config.");
	return {
		model,
		messages: [
			...toSystem(system, losses),
			...body.messages.flatMap((turn) => toMessages(turn, losses)),
		],
		...toTools(body, losses),
		reasoning_effort: toEffort(body, losses),
		reasoning_summary: toSummary(body, losses),
		response_format: config?.format && {
			type: "json_schema",
			json_schema: { name: "answer", schema: config.format.schema },
		},
	};
}

type Losses = ReturnType<typeof openLosses>;

function openLosses() {
	const found = new Set<string>();
	return {
		note: (name: string, value = "dropped") =>
			void found.add(`${name}=${value}`),

		/** Notes the fields besides the known ones. */
		check(fields: object, known: readonly string[], prefix = ""): void {
			for (const name of namesOutside(fields, new Set(known)))
				found.add(`${prefix}${name}=dropped`);
		},

		found: () => [
			...[...found].slice(0, droppedMax),
			...(found.size > droppedMax ? ["others=dropped"] : []),
		],
	};
}

function toSystem(content: Texts, losses: Losses): Message[] {
	const text = toTexts(content, losses)
		.map((part) => part.text)
		.join("\n\n");
	return text === "" ? [] : [{ role: "system", content: text }];
}

function toTexts(content: Texts, losses: Losses): TextPart[] {
	if (typeof content === "string") return [{ type: "text", text: content }];
	return content.map((block) => {
		losses.check(block, ["type", "text"]);
		return { type: "text", text: block.text };
	});
}

function toMessages(
	turn: CountBody["messages"][number],
	losses: Losses,
): Message[] {
	if (turn.role === "user") return toUserMessages(turn, losses);
	if (turn.role === "assistant") return toAssistantMessages(turn, losses);
	return toSystem(turn.content, losses);
}

/** The results of tools come first, each as its own message. */
function toUserMessages(
	{ content }: TurnOf<"user">,
	losses: Losses,
): Message[] {
	if (typeof content === "string") return [{ role: "user", content }];
	const results: Message[] = [];
	const parts: ContentPart[] = [];
	for (const block of content) {
		if (block.type !== "tool_result") {
			parts.push(...toParts(block, losses));
			continue;
		}
		const { result, shown } = toResult(block, losses);
		results.push(result);
		parts.push(...shown);
	}
	return parts.length > 0
		? [...results, { role: "user", content: parts }]
		: results;
}

/** Providers take only texts as results, so a result's images and files follow as the user's. */
function toResult(
	block: ToolResult,
	losses: Losses,
): { result: Message; shown: ContentPart[] } {
	losses.check(block, ["type", "tool_use_id", "content", "is_error"]);
	const { tool_use_id, content = "", is_error } = block;
	const parts =
		typeof content === "string"
			? toTexts(content, losses)
			: content.flatMap((part) => toParts(part, losses));
	const text = textOf(parts);
	return {
		result: {
			role: "tool",
			tool_call_id: tool_use_id,
			content: is_error ? `Error: ${text}` : text,
		},
		shown: parts.filter(({ type }) => type !== "text"),
	};
}

function toParts(block: Shown, losses: Losses): ContentPart[] {
	if (block.type === "text") return toTexts([block], losses);
	if (block.type === "image") {
		losses.check(block, ["type", "source"]);
		const { source } = block;
		const url =
			source.type === "url"
				? source.url
				: `data:${source.media_type};base64,${source.data}`;
		return [{ type: "image_url", image_url: { url } }];
	}
	losses.check(block, ["type", "source", "title", "context"]);
	const { title, context, source } = block;
	const introduce = (...lines: (string | undefined)[]) =>
		lines
			.filter((line) => line !== undefined)
			.map((line): TextPart => ({ type: "text", text: `${line}\n\n` }));
	if (source.type === "base64" || source.type === "url") {
		const file_data =
			source.type === "url"
				? source.url
				: `data:${source.media_type};base64,${source.data}`;
		return [
			...introduce(context),
			{ type: "file", file: { file_data, filename: title ?? fileName } },
		];
	}
	const content = source.type === "text" ? source.data : source.content;
	return [
		...introduce(title, context),
		...(typeof content === "string"
			? toTexts(content, losses)
			: content.flatMap((part) => toParts(part, losses))),
	];
}

function toAssistantMessages(
	{ content }: TurnOf<"assistant">,
	losses: Losses,
): Message[] {
	if (typeof content === "string")
		return content === "" ? [] : [{ role: "assistant", content }];
	const texts: TextPart[] = [];
	const thoughts: Thought[] = [];
	const calls: ToolCall[] = [];
	for (const block of content) {
		if (block.type === "text") texts.push(...toTexts([block], losses));
		else if (block.type === "thinking") {
			losses.check(block, ["type", "thinking", "signature"]);
			thoughts.push({ text: block.thinking, seal: block.signature });
		} else if (block.type === "redacted_thinking")
			thoughts.push({ text: "", seal: block.data });
		else {
			losses.check(block, ["type", "id", "name", "input"]);
			const { id, name, input } = block;
			calls.push({
				id,
				type: "function",
				function: { name, arguments: JSON.stringify(input) },
			});
		}
	}
	if (texts.length === 0 && calls.length === 0) return [];
	return [
		{
			role: "assistant",
			content: texts.length > 0 ? texts : null,
			...(calls.length > 0 && { tool_calls: calls }),
			...recalled(thoughts),
		},
	];
}

function toTools(
	{ tools = [], tool_choice: choice }: CountBody,
	losses: Losses,
): Pick<ChatRequest, "tools" | "tool_choice" | "parallel_tool_calls"> {
	const taken: NonNullable<ChatRequest["tools"]> = [];
	for (const tool of tools) {
		if ("hosted" in tool) {
			losses.note(`tools.${tool.hosted}`);
			continue;
		}
		const { name, description, input_schema: parameters } = tool.own;
		losses.check(
			tool.own,
			["type", "name", "description", "input_schema"],
			"tools.",
		);
		taken.push({
			type: "function",
			function: { name, description, parameters },
		});
	}
	if (taken.length === 0) {
		if (choice && choice.type !== "none") losses.note("tool_choice");
		return {};
	}
	return {
		tools: taken,
		tool_choice:
			choice?.type === "any"
				? "required"
				: choice?.type === "tool"
					? { type: "function", function: { name: choice.name } }
					: choice?.type,
		parallel_tool_calls: choice?.disable_parallel_tool_use ? false : undefined,
	};
}

/** A client that lets a model think wants to see its thoughts. */
function toSummary(
	{ thinking }: CountBody,
	losses: Losses,
): string | undefined {
	if (!thinking || thinking.type === "disabled") return undefined;
	const shows = thinking.display === "summarized" ? ["display"] : [];
	losses.check(thinking, ["type", "budget_tokens", ...shows], "thinking.");
	return "auto";
}

/** Every provider knows efforts, but only Anthropic budgets of thought. */
function toEffort(
	{ thinking, output_config }: CountBody,
	losses: Losses,
): string | undefined {
	if (thinking?.type === "disabled") losses.note("thinking");
	const { effort } = output_config ?? {};
	if (effort !== undefined || !thinking || thinking.type === "disabled")
		return effort;
	const { budget_tokens: budget } = { budget_tokens: 4_000, ...thinking };
	const made = budget < 2_000 ? "low" : budget < 8_000 ? "medium" : "high";
	losses.note("thinking", made);
	return made;
}
