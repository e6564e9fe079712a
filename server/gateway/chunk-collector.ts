import type { Choice, ChoiceDelta, Completion, Usage } from "./chat.ts";
import type { Chunk } from "./providers/provider.ts";
import { addThought, thoughtsOf } from "./thoughts.ts";

/** Assembles a streamed answer into a completion. */
export function openCollector() {
	const choices: Choice[] = [];
	let usage: Usage | undefined;
	let isUncertain = false;

	function choiceOf(index: number): Choice {
		let choice = choices.find((it) => it.index === index);
		if (!choice) {
			choice = {
				index,
				message: { role: "assistant", content: null, refusal: null },
				logprobs: null,
				finish_reason: "stop",
			};
			choices.push(choice);
		}
		return choice;
	}

	function add({ index, delta, finish, logprobs }: ChoiceDelta): void {
		const choice = choiceOf(index);
		choice.logprobs = joinLogprobs(
			choice.logprobs as Record<string, unknown> | null,
			logprobs,
		);
		const { message } = choice;
		if (delta.content)
			message.content = (message.content ?? "") + delta.content;
		if (delta.refusal)
			message.refusal = (message.refusal ?? "") + delta.refusal;
		addThought(message, delta);
		for (const { index: position, id, function: called } of delta.tool_calls ??
			[]) {
			message.tool_calls ??= [];
			message.tool_calls[position] ??= {
				id: id ?? "",
				type: "function",
				function: { name: "", arguments: "" },
			};
			const call = message.tool_calls[position];
			call.function.name += called?.name ?? "";
			call.function.arguments += called?.arguments ?? "";
		}
		if (finish) choice.finish_reason = finish;
	}

	return {
		add(chunk: Chunk): void {
			for (const choiceDelta of chunk.deltas) {
				add(choiceDelta);
				isUncertain ||= choiceDelta.isUncertain === true;
			}
			usage = chunk.usage ?? usage;
		},
		completion(): Completion {
			// OpenAI's clients expect a text, if only an empty one, from an answer without calls.
			for (const { message } of choices)
				if (!message.tool_calls) message.content ??= "";
			return { choices, usage, ...(isUncertain && { isUncertain }) };
		},
	};
}

/** Appends each list of log probabilities to the list of the same name. */
function joinLogprobs(
	before: Record<string, unknown> | null,
	more: unknown,
): Record<string, unknown> | null {
	if (typeof more !== "object" || more === null) return before;
	const joined = before ?? {};
	for (const [name, list] of Object.entries(more)) {
		const known = joined[name];
		if (!Array.isArray(list)) joined[name] ??= list;
		else if (Array.isArray(known)) known.push(...list);
		// A copy, since other readers share the chunk that it came in.
		else joined[name] = [...list];
	}
	return joined;
}

/** In characters: a word or two, as models stream. */
const replayChunkLength = 12;

/** Streams a finished answer in chunks. */
export async function* replay(
	completion: Completion,
): AsyncGenerator<Chunk, void> {
	for (const choice of completion.choices) {
		const { index, message, logprobs, finish_reason } = choice;
		const deltas: ChoiceDelta[] = [];
		for (const { text, seal } of thoughtsOf(message))
			deltas.push({
				index,
				delta: {
					...(text !== "" && { reasoning_content: text }),
					...(seal !== undefined && { seal }),
				},
			});
		// Splits by code point, never inside a surrogate pair.
		const letters = [...(message.content ?? "")];
		for (let at = 0; at < letters.length; at += replayChunkLength)
			deltas.push({
				index,
				delta: { content: letters.slice(at, at + replayChunkLength).join("") },
			});
		if (message.refusal)
			deltas.push({ index, delta: { refusal: message.refusal } });
		for (const [position, call] of (message.tool_calls ?? []).entries())
			deltas.push({
				index,
				delta: { tool_calls: [{ index: position, ...call }] },
			});
		deltas.push({ index, delta: {}, finish: finish_reason });
		// Clients collect log probabilities, so one chunk may carry them all.
		const carrier = deltas.find(({ delta }) => delta.content) ?? deltas[0];
		if (carrier && logprobs) carrier.logprobs = logprobs;
		yield { deltas };
	}
	if (completion.usage) yield { deltas: [], usage: completion.usage };
}
