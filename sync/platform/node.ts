import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/*
 * What the core needs of the machine that runs it. This is Node's face; `platform.browser.ts` is the one of a browser's worker,
 * with the same names. Import it as "#platform": package.json says which face that is.
 */

export { randomBytes } from "node:crypto";

/** SHA-256 of a text as UTF-8. */
export function sha256(text: string): Uint8Array {
	return hash("sha256", text, "buffer");
}

export function sha256Hex(text: string): string {
	return hash("sha256", text, "hex");
}

export function sha256Base64url(text: string): string {
	return hash("sha256", text, "base64url");
}

/** HMAC with SHA-256, as base64url. */
export function hmacSha256(key: string, text: string): string {
	return createHmac("sha256", key).update(text).digest("base64url");
}

/** Compares two texts of the same length in a time that does not tell where they differ. */
export function isSameSecret(a: string, b: string): boolean {
	return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** How many bytes a text has as UTF-8. */
export function utf8Length(text: string): number {
	return Buffer.byteLength(text);
}

/** Everything else that waits has its turn first. */
export function nextTurn(): Promise<void> {
	return setImmediate();
}

/** Lets a function run later in the name of whoever asks for it now. */
export function bindAsync<Args extends unknown[], Result>(
	fn: (...args: Args) => Result,
): (...args: Args) => Result {
	return AsyncResource.bind(fn);
}

/** Knows what is done inside a call, and in the name of it. */
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
