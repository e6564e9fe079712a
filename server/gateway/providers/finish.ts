import type { FinishReason } from "../chat.ts";
import { Fault } from "../fault.ts";

export interface Finish {
	reason: FinishReason;
	/** The provider used a word that isn't known, or none: the answer may be incomplete, so it is never kept. */
	isUncertain?: true;
}

/**
 * A provider's word for why an answer ended. One that isn't known is told as `length`: OpenAI's clients then don't take the
 * answer for whole.
 *
 * @param failures words that mean that the answer failed
 * @throws Fault for one of those
 */
export function finishOf(
	word: string | null | undefined,
	known: Readonly<Record<string, FinishReason>>,
	failures: RegExp,
	hasCalls: boolean,
): Finish {
	if (word && failures.test(word))
		throw new Fault("server", `gave up its answer (${word})`);
	const found = word ? known[word] : "stop";
	// Some say the same of an answer that ends in calls.
	const reason =
		hasCalls && (found === undefined || found === "stop")
			? "tool_calls"
			: (found ?? "length");
	return word && found !== undefined
		? { reason }
		: { reason, isUncertain: true };
}
