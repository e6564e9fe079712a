import { hmac } from "@noble/hashes/hmac.js";
import { sha256 as digest } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { Scope } from "./node.ts";

/*
 * The browser's worker's version of `node.ts`. It hashes in JavaScript, because `crypto.subtle` is asynchronous and an
 * id is needed at once, and is absent on plain http.
 */

const encoder = /* @__PURE__ */ new TextEncoder();

/** Unlike `crypto.subtle` and `randomUUID`, `getRandomValues` also works over plain HTTP. */
export function randomBytes(count: number): Uint8Array {
	return crypto.getRandomValues(new Uint8Array(count));
}

export function sha256(text: string): Uint8Array {
	return digest(encoder.encode(text));
}

export function sha256Hex(text: string): string {
	return bytesToHex(sha256(text));
}

export function sha256Base64url(text: string): string {
	return toBase64url(sha256(text));
}

export function hmacSha256(key: string, text: string): string {
	return toBase64url(hmac(digest, encoder.encode(key), encoder.encode(text)));
}

export function isSameSecret(a: string, b: string): boolean {
	let difference = 0;
	for (let i = 0; i < a.length; i += 1)
		difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
	return difference === 0;
}

export function utf8Length(text: string): number {
	return encoder.encode(text).length;
}

let channel: MessageChannel | undefined;
const waiting: (() => void)[] = [];

/** Yields by a message, because browsers clamp nested timers to 4 ms. */
export function nextTurn(): Promise<void> {
	if (!channel) {
		channel = new MessageChannel();
		channel.port1.onmessage = () => waiting.shift()?.();
	}
	const { port2 } = channel;
	return new Promise((resolve) => {
		waiting.push(resolve);
		port2.postMessage(null);
	});
}

/** Returns the function unchanged: a browser has no async context to bind. */
export function bindAsync<Fn>(fn: Fn): Fn {
	return fn;
}

/** Runs the function without tracking: a nested call that this would miss is caught in Node. */
export function openScope(): Scope {
	return { run: (fn) => fn(), isInside: () => false };
}

function toBase64url(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
}
