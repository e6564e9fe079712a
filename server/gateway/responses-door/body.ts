import * as z from "zod";
import { orNothing, toolName } from "../chat.ts";

/** The body of OpenAI's Responses API. Its items are checked later, once the stored ones are in place. */

const format = z.discriminatedUnion("type", [
	z.looseObject({ type: z.literal("text") }),
	z.looseObject({ type: z.literal("json_object") }),
	z.looseObject({
		type: z.literal("json_schema"),
		name: z.string().optional(),
		schema: z.record(z.string(), z.unknown()).optional(),
		strict: orNothing(z.boolean()),
		description: z.string().optional(),
	}),
]);

const ownTool = z.looseObject({
	type: z.enum(["function", "custom"]),
	name: toolName,
	description: orNothing(z.string()),
	parameters: orNothing(z.record(z.string(), z.unknown())),
	strict: orNothing(z.boolean()),
});
const hostedTool = z.looseObject({
	type: z.string().refine((type) => type !== "function" && type !== "custom"),
});

export const itemStub = z.looseObject({
	type: z.string().optional(),
	role: z.string().optional(),
	id: z.string().nullish(),
});

export const responsesBody = z
	.looseObject({
		model: z.string().min(1).max(200),
		input: z.union([z.string(), z.array(itemStub)]),
		instructions: orNothing(z.string()),
		stream: orNothing(z.boolean()),
		max_output_tokens: orNothing(z.int().min(1)),
		temperature: orNothing(z.number().min(0).max(2)),
		top_p: orNothing(z.number().min(0).max(1)),
		tools: orNothing(z.array(z.union([ownTool, hostedTool]))),
		tool_choice: orNothing(
			z.union([
				z.enum(["auto", "none", "required"]),
				z.looseObject({
					type: z.string(),
					name: z.string().optional(),
					mode: z.enum(["auto", "required"]).optional(),
					tools: z.array(z.looseObject({ type: z.string() })).optional(),
				}),
			]),
		),
		parallel_tool_calls: orNothing(z.boolean()),
		text: orNothing(
			z.looseObject({
				format: orNothing(format),
				verbosity: orNothing(z.string().max(20)),
			}),
		),
		reasoning: orNothing(
			z.looseObject({
				effort: orNothing(z.string().max(20)),
				summary: orNothing(z.string().max(20)),
			}),
		),
		include: orNothing(z.array(z.string())),
		top_logprobs: orNothing(z.int().min(0).max(20)),
		previous_response_id: orNothing(z.string()),
		store: orNothing(z.boolean()),
		metadata: orNothing(z.record(z.string(), z.string())),
		user: orNothing(z.string()),
		truncation: orNothing(z.string()),
		background: orNothing(z.boolean()),
		conversation: z.unknown().optional(),
		prompt: z.unknown().optional(),
	})
	.meta({ id: "ResponsesRequest" });
export type ResponsesRequest = z.output<typeof responsesBody>;
type ResponsesTool = NonNullable<ResponsesRequest["tools"]>[number];
export type OwnTool = z.output<typeof ownTool>;

export function isOwnTool(tool: ResponsesTool): tool is OwnTool {
	return tool.type === "function" || tool.type === "custom";
}
