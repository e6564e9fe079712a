import type { Delta, Usage } from "./chat.ts";
import { Fault } from "./fault.ts";
import type { Chunk } from "./providers/provider.ts";

/** Far above any model's window, and small enough for an exact price. */
const tokensMax = 1_000_000_000;
/** A million dollars. */
const costNanosMax = 1_000_000_000_000_000;

/**
 * Checks a chunk of a provider's answer, which the gateway counts, caches and passes on.
 *
 * @throws Fault for a malformed one
 */
export function sanitizeChunk(read: () => Chunk): Chunk {
	const { deltas, usage } = readOrFault(read);
	for (const { index, delta } of deltas) assertWellFormed(index, delta);
	return { deltas, usage: sanitizeUsage(usage) };
}

/** An error while reading an answer is the provider's fault. */
function readOrFault<Read>(read: () => Read): Read {
	try {
		return read();
	} catch (cause) {
		throw cause instanceof Fault ? cause : malformed(cause);
	}
}

function assertWellFormed(index: number, said: Delta): void {
	const isWell =
		isCount(index, tokensMax) &&
		isOptionalText(said.content) &&
		isOptionalText(said.refusal) &&
		isOptionalText(said.reasoning_content) &&
		isOptionalText(said.seal);
	if (!isWell) throw malformed();
	for (const { id, function: called } of said.tool_calls ?? [])
		if (![id, called?.name, called?.arguments].every(isOptionalText))
			throw malformed();
}

function malformed(cause?: unknown): Fault {
	return new Fault("server", "sent a malformed answer", { cause });
}

/** Drops impossible counts, so that usage is estimated. */
function sanitizeUsage(usage: Usage | undefined): Usage | undefined {
	if (!usage) return undefined;
	const { billed, costNanos, ...counts } = usage;
	const tokens = [...Object.values(counts), ...Object.values(billed ?? {})];
	return tokens.every((count) => isCount(count ?? 0, tokensMax)) &&
		isCount(costNanos ?? 0, costNanosMax)
		? usage
		: undefined;
}

/** Drops an impossible count of tokens, so that it is estimated. */
export function toCount(tokens: number | undefined): number | undefined {
	return isCount(tokens, tokensMax) ? tokens : undefined;
}

function isCount(value: unknown, max: number): boolean {
	return (
		Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max
	);
}

function isOptionalText(value: unknown): boolean {
	return typeof value === "string" || value === undefined || value === null;
}
