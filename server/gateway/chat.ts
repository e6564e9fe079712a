import * as z from "zod";
import { parseJsonExactly } from "./exact-json.ts";

/**
 * The gateway's public API: OpenAI's chat completions, with the further fields and roles that its clients send. A request
 * that no provider could understand is refused here; fields that only some providers take are dropped later.
 */

/** What this API's contract promises; the other doors send no temperature that nobody named. */
export const temperatureDefault = 0.7;
export const maxTokensDefault = 4096;

export const imageUrl = z
	.string()
	.regex(/^(https?:\/\/|data:image\/)/, "must be an http or data URL");

const textPart = z.looseObject({
	type: z.literal("text"),
	text: z.string(),
});
const imagePart = z.looseObject({
	type: z.literal("image_url"),
	image_url: z.object({
		url: imageUrl,
		detail: z.enum(["auto", "low", "high"]).optional(),
	}),
});
/** Files that were uploaded elsewhere can't be read here. */
export const pdfUrl = z
	.string("must hold the file: this gateway keeps none")
	.regex(
		/^(https?:\/\/|data:application\/pdf;base64,)/,
		"must be a PDF as a data: URL",
	);
/** What a file is called that has no name, since OpenAI demands one. */
export const fileName = "document.pdf";
const filePart = z.looseObject({
	type: z.literal("file"),
	file: z.object({
		file_data: pdfUrl,
		filename: z.string().default(fileName),
	}),
});
export type TextPart = z.infer<typeof textPart>;
type ImagePart = z.infer<typeof imagePart>;
type FilePart = z.infer<typeof filePart>;
export type ContentPart = TextPart | ImagePart | FilePart;

/** A refusal is read as the model's text. */
const refusalPart = z
	.object({ type: z.literal("refusal"), refusal: z.string() })
	.transform(({ refusal }): TextPart => ({ type: "text", text: refusal }));

const texts = z.union([z.string(), z.array(textPart).min(1)]);
const answerTexts = z.union([
	z.string(),
	z.array(z.discriminatedUnion("type", [textPart, refusalPart])).min(1),
]);
const parts = z.union([
	z.string(),
	z.array(z.discriminatedUnion("type", [textPart, imagePart, filePart])).min(1),
]);

const toolCall = z.object({
	id: z.string().min(1),
	type: z.literal("function").default("function"),
	function: z.object({ name: z.string().min(1), arguments: z.string() }),
});
export type ToolCall = z.infer<typeof toolCall>;

/** A part of what a model thought before it answered. */
const thought = z.object({
	text: z.string(),
	/** What its provider wants back with it, for that model alone. */
	seal: z.string().optional(),
});
export type Thought = z.infer<typeof thought>;

const message = z.discriminatedUnion("role", [
	z.looseObject({ role: z.literal("system"), content: texts }),
	z.looseObject({ role: z.literal("developer"), content: texts }),
	z.looseObject({ role: z.literal("user"), content: parts }),
	z
		.looseObject({
			role: z.literal("assistant"),
			content: answerTexts.nullish(),
			tool_calls: z.array(toolCall).nullish(),
			refusal: z.string().nullish(),
			thoughts: z.array(thought).optional().catch(undefined),
		})
		.transform((said) => {
			said.content ??= said.refusal;
			return said;
		})
		.refine(
			({ content, tool_calls }) => content != null || tool_calls?.length,
			{ path: ["content"], error: "is missing" },
		),
	z.looseObject({
		role: z.literal("tool"),
		content: texts,
		tool_call_id: z.string().min(1),
	}),
]);
export type Message = z.infer<typeof message>;

export const toolName = z
	.string()
	.regex(/^[\w.-]{1,128}$/, "must be a function's name");

const tool = z.looseObject({
	type: z.literal("function"),
	function: z.looseObject({
		name: toolName,
		description: z.string().optional(),
		parameters: z.record(z.string(), z.unknown()).optional(),
		strict: z.boolean().nullish(),
	}),
});

const toolChoice = z.union([
	// Mistral and Anthropic call it `any`.
	z
		.enum(["auto", "none", "required", "any"])
		.transform((choice) => (choice === "any" ? "required" : choice)),
	z.looseObject({
		type: z.literal("function"),
		function: z.looseObject({ name: z.string() }),
	}),
]);

const responseFormat = z.discriminatedUnion("type", [
	z.looseObject({ type: z.literal("text") }),
	z.looseObject({ type: z.literal("json_object") }),
	z.looseObject({
		type: z.literal("json_schema"),
		json_schema: z.looseObject({
			name: z.string().optional(),
			schema: z.record(z.string(), z.unknown()).optional(),
		}),
	}),
]);

/** A field that clients also send as null. */
export const orNothing = <S extends z.ZodType>(schema: S) =>
	schema
		.nullish()
		.transform((value) => value ?? undefined)
		.optional();

const penalty = orNothing(z.number().min(-2).max(2));

export const chatBody = z
	.looseObject({
		model: z.string().min(1).max(200),
		messages: z.array(message).min(1, "must hold at least one message"),
		stream: orNothing(z.boolean()),
		stream_options: orNothing(
			z.looseObject({ include_usage: z.boolean().optional() }),
		),
		temperature: orNothing(z.number().min(0).max(2)),
		max_tokens: orNothing(z.int().min(1)),
		max_completion_tokens: orNothing(z.int().min(1)),
		tools: orNothing(z.array(tool)),
		tool_choice: orNothing(toolChoice),
		parallel_tool_calls: orNothing(z.boolean()),
		top_p: orNothing(z.number().min(0).max(1)),
		n: orNothing(z.int().min(1).max(16)),
		stop: orNothing(z.union([z.string(), z.array(z.string()).max(16)])),
		seed: orNothing(z.int()),
		presence_penalty: penalty,
		frequency_penalty: penalty,
		response_format: orNothing(responseFormat),
		reasoning_effort: orNothing(z.string().max(20)),
		reasoning_summary: orNothing(z.string().max(20)),
		user: orNothing(z.string()),
	})
	.meta({ id: "ChatCompletionRequest" });
export type ChatRequest = z.output<typeof chatBody>;

/** OpenAI's five without the legacy one; clients know no others. */
export const finishReasons = [
	"stop",
	"length",
	"tool_calls",
	"content_filter",
] as const;
export type FinishReason = (typeof finishReasons)[number];

export const usage = z.object({
	prompt_tokens: z.int(),
	completion_tokens: z.int(),
	total_tokens: z.int(),
	prompt_tokens_details: z.object({ cached_tokens: z.int() }),
	completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
});

/** The tokens of one call, counted by its provider or estimated. */
export interface Usage {
	promptTokens: number;
	completionTokens: number;
	/** The prompt tokens that the provider read from its cache, and those that it wrote to it. */
	cachedTokens?: number;
	cacheWriteTokens?: number;
	/** The completion tokens spent on reasoning. */
	reasoningTokens?: number;
	/** The billed tokens, if they differ from the counted ones. */
	billed?: { promptTokens: number; completionTokens: number };
	/** The charge in nanodollars, if the provider reports it. */
	costNanos?: number;
}

/** @param of undefined if the provider reported no usage */
export function toWireUsage(
	of: Usage = { promptTokens: 0, completionTokens: 0 },
): z.infer<typeof usage> {
	return {
		prompt_tokens: of.promptTokens,
		completion_tokens: of.completionTokens,
		total_tokens: of.promptTokens + of.completionTokens,
		prompt_tokens_details: { cached_tokens: of.cachedTokens ?? 0 },
		completion_tokens_details: { reasoning_tokens: of.reasoningTokens ?? 0 },
	};
}

export interface Choice {
	index: number;
	message: {
		role: "assistant";
		content: string | null;
		refusal: string | null;
		reasoning_content?: string;
		/** The parts of it that have a seal. */
		thoughts?: Thought[];
		tool_calls?: ToolCall[];
	};
	logprobs: unknown;
	finish_reason: FinishReason;
}

/** A whole answer, in the same shape for every provider. */
export interface Completion {
	choices: Choice[];
	usage?: Usage;
	/** The answer may be incomplete. */
	isUncertain?: true;
}

export interface ToolCallDelta {
	index: number;
	id?: string;
	type?: "function";
	function?: { name?: string; arguments?: string };
}

export interface Delta {
	role?: "assistant";
	content?: string;
	refusal?: string;
	reasoning_content?: string;
	/** Ends a thought. */
	seal?: string;
	tool_calls?: ToolCallDelta[];
}

/** A streamed part of one choice. */
export interface ChoiceDelta {
	/** The index of its choice. */
	index: number;
	delta: Delta;
	finish?: FinishReason;
	/** Set with `finish` if the answer may be incomplete. */
	isUncertain?: true;
	logprobs?: unknown;
}

/** Joins the text parts of a message's content. */
export function textOf(content: Message["content"]): string {
	if (content == null) return "";
	if (typeof content === "string") return content;
	return content
		.map((part) => (part.type === "text" ? part.text : ""))
		.join("");
}

/** Joins a conversation's system and developer messages, for providers that take them apart from its turns. */
export function instructionsOf(messages: readonly Message[]): string {
	return messages
		.filter(({ role }) => role === "system" || role === "developer")
		.map(({ content }) => textOf(content))
		.filter((text) => text !== "")
		.join("\n\n");
}

/** A content's parts, without the fields that no provider knows. */
export function partsOf(content: Message["content"]): ContentPart[] {
	if (content == null || content === "") return [];
	return typeof content === "string"
		? [{ type: "text", text: content }]
		: content.map(bare);
}

function bare(part: ContentPart): ContentPart {
	const { type } = part;
	if (type === "text") return { type, text: part.text };
	return type === "file"
		? { type, file: part.file }
		: { type, image_url: part.image_url };
}

/** The URLs of the images or files that a request shows. */
export function urlsOf(
	{ messages }: Pick<ChatRequest, "messages">,
	kind: "image_url" | "file",
): string[] {
	return messages.flatMap(({ content }) =>
		Array.isArray(content)
			? content.flatMap((part) =>
					part.type === "text" || part.type !== kind ? [] : [urlOf(part)],
				)
			: [],
	);
}

function urlOf(part: ImagePart | FilePart): string {
	return part.type === "file" ? part.file.file_data : part.image_url.url;
}

/** Replaces a tool's empty result, since providers refuse an empty text. */
export const noResult = "(no result)";

/** The most characters of a data URL before its data. */
const headMax = 1_000;

/** Reads the media type and the base64 from a data URL. */
export function dataOf(
	url: string,
): { mediaType: string; data: string } | undefined {
	// Over all of a long URL, the expression would exhaust the stack.
	const comma = url.slice(0, headMax).indexOf(",");
	const [, mediaType] =
		/^data:([^;,]+)(?:;[^;,]+)*;base64$/.exec(
			url.slice(0, Math.max(0, comma)),
		) ?? [];
	return mediaType === undefined
		? undefined
		: { mediaType, data: url.slice(comma + 1) };
}

/** Parses a tool call's arguments into the object that most providers want; some models send broken JSON. */
export function parseArguments(text: string): Record<string, unknown> {
	try {
		const value = parseJsonExactly(text);
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? (value as Record<string, unknown>)
			: {};
	} catch {
		// To the model, its broken call then looks like a call without arguments.
		return {};
	}
}
