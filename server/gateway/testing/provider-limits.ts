import { type Model, readCatalogue } from "../catalogue.ts";
import { type Asked, isRefused } from "../refusals.ts";

/** Requests that are valid for OpenAI but refused by other providers, with the messages quoted in public issues. */

// biome-ignore lint/suspicious/noExplicitAny: a wall inspects arbitrary request bodies
type Body = any;
/** @returns the refusal's message, or undefined to accept */
type Wall = (body: Body) => string | undefined;

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

const anthropic: Wall = (body) => {
	const { model, system, messages, tools, output_config } = body;
	const isPrefilled = messages.at(-1)?.role === "assistant";
	if (isPrefilled && !listed.find((it) => it.upstream_id === model)?.prefill)
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

const walls: Record<string, Wall> = {
	anthropic,
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
		response_format: config?.format,
	}),
	cohere: (body) => ({ ...body, top_p: body.p, stop: body.stop_sequences }),
};

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
	return (body) => {
		const model = listed.find(
			(one) => one.provider === provider && one.upstream_id === body.model,
		);
		return (
			(model && refusedBy(model, toAsked[provider]?.(body) ?? body)) ??
			walls[provider]?.(body)
		);
	};
}
