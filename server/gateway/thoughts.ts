import * as z from "zod";
import type { ChatRequest, Choice, Delta, Thought } from "./chat.ts";
import { parseJson } from "./exact-json.ts";

const mark = "cf1.";
const kept = z.tuple([z.string(), z.record(z.string(), z.string())]);

/** Wraps what a provider wants back, so that clients can carry it and no other model gets it. */
export function seal(model: string, fields: Record<string, string>): string {
	const text = JSON.stringify([model, fields]);
	return mark + Buffer.from(text).toString("base64url");
}

/** @returns undefined if another model thought that */
export function unseal(
	model: string,
	{ seal: sealed = "" }: Thought,
): Record<string, string> | undefined {
	if (!sealed.startsWith(mark)) return undefined;
	const text = Buffer.from(sealed.slice(mark.length), "base64url").toString();
	const [thinker, fields] = kept.safeParse(parseJson(text)).data ?? [];
	return thinker === model ? fields : undefined;
}

type Said = Pick<Choice["message"], "reasoning_content" | "thoughts">;

/** Adds a delta's thoughts to a message; a seal ends the thought before it. */
export function addThought(
	message: Said,
	{ reasoning_content: text, seal: sealed }: Delta,
): void {
	if (text)
		message.reasoning_content = (message.reasoning_content ?? "") + text;
	if (!sealed) return;
	const ended = { text: openThought(message), seal: sealed };
	message.thoughts = [...(message.thoughts ?? []), ended];
}

/** A message's thoughts, the last of which may have no seal. */
export function thoughtsOf(message: Said): Thought[] {
	const open = openThought(message);
	return [
		...(message.thoughts ?? []),
		...(open === "" ? [] : [{ text: open }]),
	];
}

function openThought({ reasoning_content = "", thoughts = [] }: Said): string {
	const ended = thoughts.reduce((sum, { text }) => sum + text.length, 0);
	return reasoning_content.slice(ended);
}

/** What a turn that is passed back says of its thoughts, for all providers. */
export function recalled(
	all: readonly Thought[],
): { reasoning_content: string; thoughts: Thought[] } | undefined {
	const thoughts = all.filter(({ text, seal: sealed }) => text || sealed);
	if (thoughts.length === 0) return undefined;
	const texts = thoughts.map(({ text }) => text).filter((text) => text !== "");
	return { reasoning_content: texts.join("\n\n"), thoughts };
}

export function withoutThoughts(request: ChatRequest): ChatRequest {
	const messages = request.messages.map((one) =>
		one.role === "assistant" ? { ...one, thoughts: undefined } : one,
	);
	return { ...request, messages };
}
