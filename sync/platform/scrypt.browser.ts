import { scryptAsync } from "@noble/hashes/scrypt.js";
import type { ScryptCost } from "./scrypt.ts";

/** `crypto.subtle` has no scrypt. Apart from `browser.ts`, because a till opens and sells without it. */
export function scryptKey(
	text: string,
	salt: Uint8Array,
	cost: ScryptCost,
): Promise<Uint8Array> {
	return scryptAsync(text, salt, cost);
}
