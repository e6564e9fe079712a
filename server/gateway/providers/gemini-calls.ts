/** What Gemini said beside a tool call, and wants to be told again: OpenAI's clients drop what they don't know. */
interface Call {
	/** Of its thoughts; of parallel calls only the first one has any. */
	signature: string | undefined;
	/** The call's id is Gemini's, and not made up by this gateway. */
	hasOwnId: boolean;
}

/** By the call's id, of all conversations. */
const calls = new Map<string, Call>();
const callsMax = 10_000;

/** What Google documents for calls whose signature is lost, or that another model made. */
export const unknownSignature = "skip_thought_signature_validator";

export function rememberCall(id: string, call: Call): void {
	const [oldest] = calls.keys();
	if (calls.size >= callsMax && oldest !== undefined) calls.delete(oldest);
	calls.set(id, call);
}

export function recallCall(id: string): Call | undefined {
	return calls.get(id);
}
