/** Gemini's data for a tool call, kept here because Gemini wants it back and OpenAI's clients drop unknown fields. */
interface Call {
	/** Signs the model's thoughts; only the first of parallel calls has one. */
	signature: string | undefined;
	/** Whether Gemini, not this gateway, made the call's id. */
	hasOwnId: boolean;
}

/** The calls of all conversations, by id. */
const calls = new Map<string, Call>();
const callsMax = 10_000;

/** Google's documented stand-in for a lost signature, or for a call by another model. */
export const unknownSignature = "skip_thought_signature_validator";

export function rememberCall(id: string, call: Call): void {
	const [oldest] = calls.keys();
	if (calls.size >= callsMax && oldest !== undefined) calls.delete(oldest);
	calls.set(id, call);
}

export function recallCall(id: string): Call | undefined {
	return calls.get(id);
}
