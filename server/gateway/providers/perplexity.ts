import {
	instructionsOf,
	type Message,
	noResult,
	partsOf,
	type TextPart,
	textOf,
} from "../chat.ts";
import { commonFields, speakChatCompletions } from "./chat-completions.ts";

const unknown = new Set(["tools", "tool_choice", "seed", "stop"]);

export const perplexity = speakChatCompletions({
	id: "perplexity",
	name: "Perplexity",
	baseUrl: "https://api.perplexity.ai",
	takes: [
		...commonFields.filter((field) => !unknown.has(field)),
		"reasoning_effort",
		"web_search_options",
	],
	refusesNames: true,
	adjust(body, { request: { messages } }) {
		const system = instructionsOf(messages);
		const turns = toTurns(messages).map(({ role, parts }) => ({
			role,
			content: parts.every(isText)
				? parts.map(({ text }) => text).join("\n\n")
				: parts,
		}));
		body.messages =
			system === "" ? turns : [{ role: "system", content: system }, ...turns];
	},
});

type Part = ReturnType<typeof partsOf>[number];
interface Turn {
	role: "user" | "assistant";
	parts: Part[];
}

/** Makes user and assistant alternate after the instructions, beginning with the user. Perplexity has no tools. */
function toTurns(messages: readonly Message[]): Turn[] {
	const turns: Turn[] = [];
	for (const message of messages) {
		if (message.role === "system" || message.role === "developer") continue;
		const role = message.role === "assistant" ? "assistant" : "user";
		const parts = inWords(message).filter(
			(part) => !isText(part) || part.text !== "",
		);
		const last = turns.at(-1);
		if (last?.role === role) last.parts.push(...parts);
		else if (parts.length > 0) turns.push({ role, parts });
	}
	if (turns[0]?.role !== "user")
		turns.unshift({ role: "user", parts: [{ type: "text", text: "…" }] });
	return turns;
}

/** Joins the parts of a text without a separator. */
function inWords(message: Message): Part[] {
	if (message.role === "tool")
		return [{ type: "text", text: textOf(message.content) || noResult }];
	const parts = partsOf(message.content);
	const said: Part[] = parts.every(isText)
		? [{ type: "text", text: textOf(message.content) }]
		: parts;
	if (message.role !== "assistant") return said;
	const calls = (message.tool_calls ?? []).map(
		({ function: { name, arguments: text } }): TextPart => ({
			type: "text",
			text: `${name}(${text.trim() || "{}"})`,
		}),
	);
	return [...said, ...calls];
}

function isText(part: Part): part is TextPart {
	return part.type === "text";
}
