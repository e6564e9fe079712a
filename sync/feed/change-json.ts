import type { Change } from "../protocol/protocol.ts";

const texts = new WeakMap<object, string>();

/** Serializes a page's rows as JSON. Each row is encoded once, for however many tills. */
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
