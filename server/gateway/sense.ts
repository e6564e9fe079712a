import type { Choice, Completion, Delta, Usage } from "./chat.ts";
import { Fault } from "./fault.ts";
import type { Reading } from "./providers/provider.ts";

/** Far more than any model's window, and little enough that its price is exact. */
const tokensMax = 1_000_000_000;
/** A million dollars. */
const costNanosMax = 1_000_000_000_000_000;

/**
 * What was made of a provider's answer, where it makes sense: the gateway counts, keeps and passes on what stands in it.
 *
 * @throws Fault where it does not
 */
export function sensibleCompletion(read: () => Completion): Completion {
	const { usage, ...answer } = readable(read);
	for (const { index, message } of answer.choices) assertSpoken(index, message);
	return { ...answer, usage: sensibleUsage(usage) };
}

/** The same of one event of a stream. @throws Fault */
export function sensibleReading(read: () => Reading): Reading {
	const { pieces, usage } = readable(read);
	for (const { index, delta } of pieces) assertSpoken(index, delta);
	return { pieces, usage: sensibleUsage(usage) };
}

/** What stumbles over an answer is not this program's fault. */
function readable<Read>(read: () => Read): Read {
	try {
		return read();
	} catch (cause) {
		throw cause instanceof Fault ? cause : senseless(cause);
	}
}

function assertSpoken(index: number, said: Delta | Choice["message"]): void {
	const texts: unknown[] = [said.content, said.refusal, said.reasoning_content];
	for (const call of said.tool_calls ?? [])
		texts.push(call.id, call.function?.name, call.function?.arguments);
	if (!isCount(index, tokensMax) || !texts.every(isTextOrNothing))
		throw senseless();
}

function senseless(cause?: unknown): Fault {
	return new Fault("server", "answered with what makes no sense", { cause });
}

/** A count that can't be one is none: what was used is estimated then. */
function sensibleUsage(usage: Usage | undefined): Usage | undefined {
	if (!usage) return undefined;
	const { billed, costNanos, ...counts } = usage;
	const tokens = [...Object.values(counts), ...Object.values(billed ?? {})];
	return tokens.every((count) => isCount(count ?? 0, tokensMax)) &&
		isCount(costNanos ?? 0, costNanosMax)
		? usage
		: undefined;
}

function isCount(value: unknown, max: number): boolean {
	return (
		Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max
	);
}

function isTextOrNothing(value: unknown): boolean {
	return typeof value === "string" || value === undefined || value === null;
}
