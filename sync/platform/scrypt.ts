import { scrypt } from "node:crypto";
import { promisify } from "node:util";

/** The cost of a key that is derived from a text by scrypt, and its length in bytes. */
export interface ScryptCost {
	N: number;
	r: number;
	p: number;
	dkLen: number;
}

const deriveKey = promisify<
	string,
	Uint8Array,
	number,
	Omit<ScryptCost, "dkLen">,
	Uint8Array
>(scrypt);

/** Derives a key from a text by scrypt. Import it as "#scrypt"; `scrypt.browser.ts` has the same in JavaScript. */
export function scryptKey(
	text: string,
	salt: Uint8Array,
	{ dkLen, ...cost }: ScryptCost,
): Promise<Uint8Array> {
	return deriveKey(text, salt, dkLen, cost);
}
