import * as z from "zod";
import { parseInput } from "../../http/input.ts";
import {
	type ContentPart,
	fileName,
	imageUrl,
	type Message,
	pdfUrl,
	type Thought,
} from "../chat.ts";
import { GatewayError } from "../errors.ts";
import { recalled } from "../thoughts.ts";
import type { itemStub } from "./body.ts";

const part = z.discriminatedUnion("type", [
	z.object({
		type: z.enum(["input_text", "output_text", "text"]),
		text: z.string(),
	}),
	z.object({ type: z.literal("refusal"), refusal: z.string() }),
	z.object({
		type: z.literal("input_image"),
		image_url: imageUrl,
		detail: z.string().nullish(),
	}),
	z
		.object({
			type: z.literal("input_file"),
			file_data: pdfUrl.nullish(),
			file_url: pdfUrl.nullish(),
			filename: z.string().nullish(),
		})
		.transform(({ file_data, file_url, ...file }, { addIssue }) => {
			const url = pdfUrl.safeParse(file_data ?? file_url);
			if (!url.success) {
				const { message = "" } = url.error.issues[0] ?? {};
				addIssue({ code: "custom", path: ["file_data"], message });
			}
			return { ...file, file_data: url.data ?? "" };
		}),
]);

/** A text counts as one part, so that the errors of a content name their place. */
const content = z.preprocess(
	(value) =>
		typeof value === "string" ? [{ type: "input_text", text: value }] : value,
	z.array(part),
);
type Parts = z.output<typeof content>;

const item = z.discriminatedUnion("type", [
	z.object({
		type: z.literal("message"),
		role: z.enum(["user", "assistant", "system", "developer"]),
		content,
	}),
	z.object({
		type: z.literal("function_call"),
		call_id: z.string().min(1),
		name: z.string().min(1),
		arguments: z.string(),
	}),
	z.object({
		type: z.literal("custom_tool_call"),
		call_id: z.string().min(1),
		name: z.string().min(1),
		input: z.string(),
	}),
	z.object({
		type: z.enum(["function_call_output", "custom_tool_call_output"]),
		call_id: z.string().min(1),
		output: content,
	}),
	z.object({
		type: z.literal("reasoning"),
		summary: z.array(z.looseObject({ text: z.string() })).default([]),
		encrypted_content: z.string().nullish(),
	}),
]);
const items = z.object({ input: z.array(item) });
type Item = z.output<typeof item>;

/** An item as a client sends it, before its content is checked. */
export type SentItem = z.output<typeof itemStub>;

/** Clients leave out the type of a message, and of a reference to an item. */
export function typeOf({ type, role, id }: SentItem): string | undefined {
	if (type !== undefined) return type;
	if (role !== undefined) return "message";
	return id == null ? undefined : "item_reference";
}

/** Translates the items of a conversation. @throws HttpError, GatewayError 400 naming the item */
export function toMessages(sent: readonly SentItem[]): Message[] {
	const { input } = parseInput(items, {
		input: sent.map((one) => ({ ...one, type: typeOf(one) })),
	});
	assertPaired(input);
	const messages: Message[] = [];
	let thoughts: Thought[] = [];
	/** The images and files of tools' results, which only a user's message may hold. */
	let shown: ContentPart[] = [];

	/** The turn that a model's next call belongs to. */
	function turn(): Extract<Message, { role: "assistant" }> {
		const last = messages.at(-1);
		if (last?.role === "assistant") return last;
		const begun: Message = { role: "assistant" };
		messages.push(begun);
		return begun;
	}

	function show(): void {
		if (shown.length > 0) messages.push({ role: "user", content: shown });
		shown = [];
	}

	function think(message: Extract<Message, { role: "assistant" }>): void {
		Object.assign(message, recalled(thoughts));
		thoughts = [];
	}

	for (const one of input) {
		if (!("output" in one)) show();
		if (one.type === "reasoning")
			thoughts.push({
				text: one.summary.map(({ text }) => text).join("\n\n"),
				seal: one.encrypted_content ?? undefined,
			});
		else if (one.type === "message") {
			if (one.role === "user")
				messages.push({ role: "user", content: simplest(one.content) });
			else {
				const message: Message = {
					role: one.role,
					content: textOf(one.content),
				};
				if (message.role === "assistant") think(message);
				messages.push(message);
			}
		} else if ("output" in one) {
			messages.push({
				role: "tool",
				tool_call_id: one.call_id,
				content: textOf(one.output),
			});
			shown.push(...one.output.map(toInner).filter(isShown));
		} else {
			const message = turn();
			think(message);
			message.tool_calls = [
				...(message.tool_calls ?? []),
				{
					id: one.call_id,
					type: "function",
					function: { name: one.name, arguments: argumentsOf(one) },
				},
			];
		}
	}
	show();
	return messages;
}

function argumentsOf(
	call: Extract<Item, { call_id: string; name: string }>,
): string {
	return call.type === "function_call"
		? call.arguments
		: JSON.stringify({ input: call.input });
}

/** Refuses calls without results and results without calls, in OpenAI's words. */
function assertPaired(input: readonly Item[]): void {
	const called = new Set<string>();
	const answered = new Set<string>();
	for (const one of input) {
		if ("output" in one) {
			if (!called.has(one.call_id))
				throw new GatewayError(
					400,
					`No tool call found for function call output with call_id ${one.call_id}.`,
					{ param: "input" },
				);
			answered.add(one.call_id);
		} else if ("call_id" in one) called.add(one.call_id);
	}
	for (const id of called)
		if (!answered.has(id))
			throw new GatewayError(
				400,
				`No tool output found for function call ${id}.`,
				{ param: "input" },
			);
}

function toInner(one: Parts[number]): ContentPart {
	if (one.type === "refusal") return { type: "text", text: one.refusal };
	if (one.type === "input_file") {
		const { file_data, filename } = one;
		return {
			type: "file",
			file: { file_data, filename: filename ?? fileName },
		};
	}
	if (one.type !== "input_image") return { type: "text", text: one.text };
	const { image_url: url, detail } = one;
	return {
		type: "image_url",
		image_url: {
			url,
			...((detail === "low" || detail === "high") && { detail }),
		},
	};
}

function isShown({ type }: ContentPart): boolean {
	return type !== "text";
}

function textOf(parts: Parts): string {
	return parts
		.map(toInner)
		.map((one) => (one.type === "text" ? one.text : ""))
		.join("");
}

/** A text alone isn't sent as parts, which some providers refuse. */
function simplest(parts: Parts): string | ContentPart[] {
	const inner = parts.map(toInner);
	return inner.some(isShown) ? inner : textOf(parts);
}
