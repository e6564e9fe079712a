import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/*
 * What the core needs of its machine, for Node; `browser.ts` has the same names for a browser's worker. Import it as
 * "#platform", which package.json maps to one of the two.
 */

export { randomBytes } from "node:crypto";

/** Returns the SHA-256 of a text's UTF-8 bytes. */
export function sha256(text: string): Uint8Array {
	return hash("sha256", text, "buffer");
}

export function sha256Hex(text: string): string {
	return hash("sha256", text, "hex");
}

export function sha256Base64url(text: string): string {
	return hash("sha256", text, "base64url");
}

/** Returns the HMAC-SHA256 of a text as base64url. */
export function hmacSha256(key: string, text: string): string {
	return createHmac("sha256", key).update(text).digest("base64url");
}

/** Compares two texts of equal length in constant time. */
export function isSameSecret(a: string, b: string): boolean {
	return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Returns a text's length in UTF-8 bytes. */
export function utf8Length(text: string): number {
	return Buffer.byteLength(text);
}

/** Lets other waiting tasks run first. */
export function nextTurn(): Promise<void> {
	return setImmediate();
}

/** Binds a function to the async context of the caller. */
export function bindAsync<Args extends unknown[], Result>(
	fn: (...args: Args) => Result,
): (...args: Args) => Result {
	return AsyncResource.bind(fn);
}

/** An async context: knows whether the current code runs inside `run`. */
export interface Scope {
	run<T>(fn: () => T): T;
	isInside(): boolean;
}

export function openScope(): Scope {
	const storage = new AsyncLocalStorage<true>();
	return {
		run: (fn) => storage.run(true, fn),
		isInside: () => storage.getStore() === true,
	};
}
