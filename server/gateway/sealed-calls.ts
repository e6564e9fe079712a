import type { Choice, ChoiceDelta, Message, Thought } from "./chat.ts";
import { addThought } from "./thoughts.ts";

const callsMax = 500;
const charsMax = 32_000;

/**
 * Keeps the thoughts that led to calls of tools, since Chat Completions have no place for them: for the last calls of all
 * businesses, in memory. A model whose thoughts are lost answers without them.
 */
export function openSealedCalls() {
	const byCall = new Map<string, Thought[]>();

	function keep(
		businessId: string,
		{
			thoughts,
			tool_calls,
		}: Pick<Choice["message"], "thoughts" | "tool_calls">,
	): void {
		const id = tool_calls?.[0]?.id;
		if (!thoughts || !id || JSON.stringify(thoughts).length > charsMax) return;
		const [oldest] = byCall.keys();
		if (byCall.size >= callsMax && oldest !== undefined) byCall.delete(oldest);
		byCall.set(`${businessId} ${id}`, thoughts);
	}

	return {
		keep,

		/** Reads a stream's deltas, of which the first call's id ends the thoughts before it. */
		reader(businessId: string): (delta: ChoiceDelta) => void {
			const said: Pick<Choice["message"], "reasoning_content" | "thoughts"> =
				{};
			let isKept = false;
			return ({ index, delta }) => {
				if (index > 0 || isKept) return;
				addThought(said, delta);
				const id = delta.tool_calls?.[0]?.id;
				if (!id) return;
				isKept = true;
				const called = { name: "", arguments: "" };
				keep(businessId, {
					...said,
					tool_calls: [{ id, type: "function", function: called }],
				});
			};
		},

		/** Gives turns their thoughts back. */
		recall: (businessId: string, messages: readonly Message[]): Message[] =>
			messages.map((message) => {
				if (message.role !== "assistant" || message.thoughts) return message;
				const id = message.tool_calls?.[0]?.id;
				const thoughts = byCall.get(`${businessId} ${id}`);
				return thoughts ? { ...message, thoughts } : message;
			}),
	};
}
