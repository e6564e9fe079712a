import type { FinishReason } from "../chat.ts";
import { Fault } from "../fault.ts";

export interface Finish {
	reason: FinishReason;
	/** The provider gave no known reason, so the answer may be incomplete and is never cached. */
	isUncertain?: true;
}

/**
 * Translates a provider's word for why an answer ended. An unknown word becomes `length`, so that OpenAI's clients don't
 * take the answer for whole.
 *
 * @param failures matches the words that mean failure
 * @throws Fault for such a word
 */
export function finishOf(
	word: string | null | undefined,
	known: Readonly<Record<string, FinishReason>>,
	failures: RegExp,
	hasCalls: boolean,
): Finish {
	if (word && failures.test(word))
		throw new Fault("server", `aborted its answer (${word})`);
	const found = word ? known[word] : "stop";
	// Some providers send `stop` for an answer that ends in calls too.
	const reason =
		hasCalls && (found === undefined || found === "stop")
			? "tool_calls"
			: (found ?? "length");
	return word && found !== undefined
		? { reason }
		: { reason, isUncertain: true };
}
