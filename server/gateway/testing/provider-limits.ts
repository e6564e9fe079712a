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

const openai: Wall = ({ model, tools, reasoning_effort: effort }) => {
	if (!tools?.length) return undefined;
	const isRefused = model.startsWith("gpt-6-astra")
		? true
		: /^gpt-(5\.6|6)/.test(model)
			? effort !== "none"
			: /^gpt-5\.[45]/.test(model) && (effort ?? "none") !== "none";
	return isRefused
		? `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`
		: undefined;
};

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

const anthropic: Wall = ({ system, messages, tools, output_config }) => {
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

export const walls: Record<string, Wall> = {
	openai,
	anthropic,
	mistral,
	deepseek,
	ollama,
	perplexity,
	cohere,
};
