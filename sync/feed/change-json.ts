import type { Change } from "../protocol/protocol.ts";

const texts = new WeakMap<object, string>();

/** Rows of a page as JSON: each row is encoded once, however many tills it goes to. */
export function encodeChanges(changes: readonly Change[]): string {
	return `[${changes.map(encodeChange).join(",")}]`;
}

export function encodeChange(change: Change): string {
	let text = texts.get(change);
	if (text === undefined) {
		text = JSON.stringify(change);
		texts.set(change, text);
	}
	return text;
}
