import * as z from "zod";
import { imageUrl, orNothing, pdfUrl, toolName } from "../chat.ts";

/**
 * Anthropic's Messages API, as far as all providers can take it. A block that the gateway can't translate is refused; a
 * field that it can't is dropped and reported.
 */

const text = z.looseObject({ type: z.literal("text"), text: z.string() });

const image = z.looseObject({
	type: z.literal("image"),
	source: z.discriminatedUnion("type", [
		z.looseObject({
			type: z.literal("base64"),
			media_type: z.string().regex(/^image\/[\w.+-]+$/, "must be an image's"),
			data: z.string().min(1),
		}),
		z.looseObject({ type: z.literal("url"), url: imageUrl }),
	]),
});

const document = z.looseObject({
	type: z.literal("document"),
	title: orNothing(z.string()),
	context: orNothing(z.string()),
	source: z.discriminatedUnion(
		"type",
		[
			z.looseObject({ type: z.literal("text"), data: z.string() }),
			z.looseObject({
				type: z.literal("content"),
				content: z.union([
					z.string(),
					z.array(z.discriminatedUnion("type", [text, image])),
				]),
			}),
			z.looseObject({
				type: z.literal("base64"),
				media_type: z.literal("application/pdf"),
				data: z.string().min(1),
			}),
			z.looseObject({ type: z.literal("url"), url: pdfUrl }),
		],
		"must hold the document: this gateway keeps no files",
	),
});

const shown = z.discriminatedUnion("type", [text, image, document]);
export type Shown = z.infer<typeof shown>;

const toolResult = z.looseObject({
	type: z.literal("tool_result"),
	tool_use_id: z.string().min(1),
	content: orNothing(z.union([z.string(), z.array(shown)])),
	is_error: orNothing(z.boolean()),
});
export type ToolResult = z.infer<typeof toolResult>;

const userBlock = z.discriminatedUnion("type", [
	text,
	image,
	document,
	toolResult,
]);

const assistantBlock = z.discriminatedUnion("type", [
	text,
	z.looseObject({
		type: z.literal("thinking"),
		thinking: z.string(),
		signature: orNothing(z.string()),
	}),
	z.looseObject({
		type: z.literal("redacted_thinking"),
		data: orNothing(z.string()),
	}),
	z.looseObject({
		type: z.literal("tool_use"),
		id: z.string().min(1),
		name: z.string().min(1),
		input: z.record(z.string(), z.unknown()),
	}),
]);

const texts = z.union([z.string(), z.array(text)]);
export type Texts = z.infer<typeof texts>;

const message = z.discriminatedUnion("role", [
	z.looseObject({
		role: z.literal("user"),
		content: z.union([z.string(), z.array(userBlock).min(1)]),
	}),
	z.looseObject({
		role: z.literal("assistant"),
		content: z.union([z.string(), z.array(assistantBlock)]),
	}),
	z.looseObject({ role: z.literal("system"), content: texts }),
]);
export type TurnOf<Role> = Extract<z.infer<typeof message>, { role: Role }>;

const ownTool = z
	.looseObject({
		type: z.literal("custom").nullish(),
		name: toolName,
		description: orNothing(z.string()),
		input_schema: z.record(z.string(), z.unknown()),
	})
	.transform((own) => ({ own }));
/** A tool that Anthropic defines or runs. */
const hostedTool = z
	.looseObject({ type: z.string().regex(/^(?!custom$)\w{1,64}$/) })
	.transform(({ type }) => ({ hosted: type }));
const tool = z.union([ownTool, hostedTool]);

const onlyOne = { disable_parallel_tool_use: orNothing(z.boolean()) };
const toolChoice = z.discriminatedUnion("type", [
	z.looseObject({ type: z.enum(["auto", "any"]), ...onlyOne }),
	z.looseObject({ type: z.literal("tool"), name: z.string(), ...onlyOne }),
	z.looseObject({ type: z.literal("none") }),
]);

const thinking = z.discriminatedUnion("type", [
	z.looseObject({
		type: z.literal("enabled"),
		budget_tokens: z.int().min(1),
	}),
	z.looseObject({ type: z.enum(["adaptive", "between_tools", "disabled"]) }),
]);

const outputConfig = z.looseObject({
	effort: orNothing(z.string().max(20)),
	format: orNothing(
		z.looseObject({
			type: z.literal("json_schema"),
			schema: z.record(z.string(), z.unknown()),
		}),
	),
});

const promptFields = {
	model: z.string().min(1).max(200),
	messages: z.array(message).min(1, "must hold at least one message"),
	system: orNothing(texts),
	tools: orNothing(z.array(tool)),
	tool_choice: orNothing(toolChoice),
	thinking: orNothing(thinking),
	output_config: orNothing(outputConfig),
};
const answerFields = {
	max_tokens: z.int().min(1),
	stream: orNothing(z.boolean()),
	stop_sequences: orNothing(z.array(z.string()).max(16)),
	temperature: orNothing(z.number().min(0).max(1)),
	top_p: orNothing(z.number().min(0).max(1)),
	metadata: orNothing(z.looseObject({ user_id: orNothing(z.string()) })),
};
export const bodyFields = [
	...Object.keys(promptFields),
	...Object.keys(answerFields),
];

export const countBody = z
	.looseObject(promptFields)
	.meta({ id: "MessageCountRequest" });
export type CountBody = z.output<typeof countBody>;

export const messageBody = z
	.looseObject({ ...promptFields, ...answerFields })
	.meta({ id: "MessageRequest" });
export type MessageBody = z.output<typeof messageBody>;
