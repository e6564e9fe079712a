import type { ChoiceDelta } from "../chat.ts";

/** The first part of the only choice's tool call. */
export function beginCall(
	index: number,
	id: string,
	name = "",
	input = "",
): ChoiceDelta {
	const called = { name, arguments: input };
	const call = { index, id, type: "function" as const, function: called };
	return { index: 0, delta: { tool_calls: [call] } };
}

/** Further arguments of the only choice's tool call. */
export function continueCall(index: number, input = ""): ChoiceDelta {
	const call = { index, function: { arguments: input } };
	return { index: 0, delta: { tool_calls: [call] } };
}
