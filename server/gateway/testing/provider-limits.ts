import { type Model, readCatalogue } from "../catalogue.ts";
import { type Asked, isRefused } from "../refusals.ts";
import { refusedByResponses } from "./responses-wire.ts";

/** Requests that are valid for OpenAI but refused by other providers, with the messages quoted in public issues. */

// biome-ignore lint/suspicious/noExplicitAny: a wall inspects arbitrary request bodies
type Body = any;
/** @returns the refusal's message, or undefined to accept */
type Wall = (body: Body, path?: string) => string | undefined;

const texts = (content: unknown): string[] =>
	typeof content === "string"
		? [content]
		: Array.isArray(content)
			? content.map((part) => part.text ?? "")
			: [];
const isBlank = (text: string) => text.trim() === "";
const pairs = (messages: Body[]) =>
	messages.slice(1).map((message, i) => [messages[i].role, message.role]);

/** The keywords that Claude's structured outputs accept. */
const claudeKeywords = new Set(
	"type properties required additionalProperties items enum const anyOf allOf $ref $defs description title format minItems default".split(
		" ",
	),
);

function refusedSchema(schema: Body): string | undefined {
	for (const [word, value] of Object.entries<Body>(schema)) {
		if (!claudeKeywords.has(word) || (word === "minItems" && value > 1))
			return `output_config.format.schema: For '${schema.type}' type, property '${word}' is not supported`;
		const below: Body[] =
			word === "properties" || word === "$defs"
				? Object.values(value)
				: word === "items"
					? [value]
					: word === "anyOf" || word === "allOf"
						? value
						: [];
		for (const one of below) {
			const refused = refusedSchema(one);
			if (refused) return refused;
		}
	}
	return schema.type === "object" && schema.additionalProperties !== false
		? "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
		: undefined;
}

/** What Claude refuses of thoughts. */
function refusedThoughts(
	{ thinking, messages, max_tokens }: Body,
	model: Model | undefined,
): string | undefined {
	const turns = messages.filter(({ role }: Body) => role === "assistant");
	const blocks: Body[] = turns.flatMap(({ content }: Body) => content);
	if (blocks.some((it) => it.type === "thinking" && it.signature !== "sig"))
		return "messages.1.content.0: Invalid `signature` in `thinking` block";
	if (blocks.some((it) => /^redacted/.test(it.type) && it.data !== "hidden"))
		return "messages.1.content.0: Invalid `data` in `redacted_thinking` block";
	if (!thinking) return undefined;
	const { type, budget_tokens } = thinking;
	const wanted = model?.thinking?.by === "budget" ? "enabled" : "adaptive";
	if (type !== wanted)
		return `"thinking.type.${type}" is not supported for this model. Use "thinking.type.${wanted}".`;
	if (type === "adaptive") return undefined;
	if (budget_tokens < 1_024 || budget_tokens >= max_tokens)
		return "`max_tokens` must be greater than `thinking.budget_tokens`.";
	const last: Body[] = turns.at(-1)?.content ?? [];
	return last.some((it) => it.type === "tool_use") &&
		!/thinking$/.test(last[0].type)
		? "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."
		: undefined;
}

const anthropic: Wall = (body) => {
	const { system, messages, tools, output_config } = body;
	const model = listed.find((it) => it.upstream_id === body.model);
	const isPrefilled = messages.at(-1)?.role === "assistant";
	const refused = refusedThoughts(body, model);
	if (refused) return refused;
	if (isPrefilled && !model?.prefill)
		return "This model does not support assistant message prefill. The conversation must end with a user message.";
	const blocks: Body[] = messages.flatMap(({ content }: Body) => content);
	if (
		(system !== undefined && isBlank(system)) ||
		blocks.some(({ type, text }) => type === "text" && isBlank(text))
	)
		return "messages: text content blocks must contain non-whitespace text";
	const ids = blocks
		.filter(({ type }) => type === "tool_use")
		.map(({ id }) => id);
	if (new Set(ids).size < ids.length)
		return "messages: `tool_use` ids must be unique";
	const images = blocks.filter(({ type }) => type === "image");
	if (
		images.some(
			({ source }) => source.type === "url" && !/^https?:/.test(source.url),
		)
	)
		return "messages.0.content.0.image.source.url: Only HTTP URLs are supported";
	for (const { input_schema: schema } of tools ?? [])
		if (schema.anyOf || schema.oneOf || schema.allOf)
			return "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level";
	return output_config?.format
		? refusedSchema(output_config.format.schema)
		: undefined;
};

const mistral: Wall = ({ messages }) => {
	if (pairs(messages).some(([a, b]) => a === "tool" && b === "user"))
		return "Unexpected role 'user' after role 'tool'";
	const last = messages.at(-1);
	if (last.role === "assistant" && !last.prefix)
		return "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant";
	return messages.some(
		({ role, content, tool_calls }: Body) =>
			role === "assistant" && !content?.length && !tool_calls?.length,
	)
		? "Assistant message must have either content or tool_calls, but not none."
		: undefined;
};

const deepseek: Wall = ({ messages }) =>
	messages.some(
		({ content }: Body) =>
			Array.isArray(content) && content.every(({ type }) => type === "text"),
	)
		? "Failed to deserialize the JSON body into the target type: messages[0]: invalid type: sequence, expected a string"
		: undefined;

const ollama: Wall = ({ messages }) =>
	messages.some(
		({ content }: Body) =>
			Array.isArray(content) &&
			content.some(({ image_url }) => /^http/.test(image_url?.url ?? "")),
	)
		? "invalid image input"
		: undefined;

const perplexity: Wall = ({ messages }) => {
	const turns = messages.filter(({ role }: Body) => role !== "system");
	return turns.at(-1)?.role !== "user" || pairs(turns).some(([a, b]) => a === b)
		? "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s)."
		: undefined;
};

const cohere: Wall = ({ messages }) =>
	messages.some(
		({ content, tool_calls }: Body) =>
			!tool_calls?.length && texts(content).every((text) => text === ""),
	)
		? "invalid request: message must be at least 1 token long"
		: undefined;

const google: Wall = ({ generationConfig = {} }, path = "") => {
	const model = modelIn("google", path);
	const { thinkingLevel, thinkingBudget } =
		generationConfig.thinkingConfig ?? {};
	const other =
		model?.thinking?.by === "budget" ? thinkingLevel : thinkingBudget;
	return other === undefined
		? undefined
		: "Thinking level and budget are not both supported for this model.";
};

const walls: Record<string, Wall> = {
	anthropic,
	google,
	mistral,
	deepseek,
	ollama,
	perplexity,
	cohere,
};

export const { models: listed } = readCatalogue(import.meta.dirname);

/** The names of OpenAI's parameters in other wire formats. */
const toAsked: Record<string, (body: Body) => Asked> = {
	anthropic: ({ output_config: config, ...body }) => ({
		...body,
		stop: body.stop_sequences,
		reasoning_effort: config?.effort,
		reasoning_summary: body.thinking?.type,
		response_format: config?.format,
		tool_choice: { any: "required", tool: "function" }[
			String(body.tool_choice?.type)
		],
		strict: body.tools?.find(({ strict }: Body) => strict !== undefined),
	}),
	google: ({ generationConfig: config, tools }) => ({
		...{ temperature: config.temperature, top_p: config.topP },
		stop: config.stopSequences,
		reasoning_effort:
			config.thinkingConfig?.thinkingBudget === 0
				? "none"
				: config.thinkingConfig?.thinkingLevel?.toLowerCase(),
		strict: tools?.[0].functionDeclarations.find(
			({ strict }: Body) => strict !== undefined,
		),
	}),
	cohere: (body) => ({ ...body, top_p: body.p, stop: body.stop_sequences }),
};

/** OpenAI's own names, besides a tool's. */
const toAskedOfChat = (body: Body): Asked => ({
	...body,
	strict: body.tools?.find((tool: Body) => tool.function.strict !== undefined),
});

/** The same of a request over another API of the provider. */
const toAskedOver = ({ reasoning, text, ...body }: Body): Asked => ({
	...body,
	reasoning_effort: reasoning?.effort,
	response_format: text?.format,
});

/** @param name the model's, or a path that ends with it and a method */
function modelIn(provider: string, name: string): Model | undefined {
	const [, named = name] = /models\/([^:]+):/.exec(name) ?? [];
	return listed.find(
		(one) => one.provider === provider && one.upstream_id === named,
	);
}

/** Refuses what the catalogue says that a model refuses. @returns the refusal's message */
export function refusedBy(
	{ refusals = [] }: Model,
	asked: Asked,
): string | undefined {
	for (const one of refusals)
		for (const param of one.params)
			if (isRefused(one, param, asked))
				return one.says ?? `${param} is not supported here`;
	return undefined;
}

/** What a strict stand-in for a provider refuses. */
export function wallOf(provider: string): Wall {
	return (body, path = "") => {
		const model = modelIn(provider, body.model ?? path);
		if (model && provider === "openai" && body.input) {
			const refusals = model.refusals?.filter(({ over }) => !over);
			return (
				refusedBy({ ...model, refusals }, toAskedOver(body)) ??
				refusedByResponses(body)
			);
		}
		return (
			(model && refusedBy(model, (toAsked[provider] ?? toAskedOfChat)(body))) ??
			walls[provider]?.(body, path)
		);
	};
}
