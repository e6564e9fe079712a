import { getPublicKey, hashes } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, randomBytes } from "@noble/hashes/utils.js";
import { scryptKey } from "#platform";

/*
 * A PIN as an Ed25519 key pair: its seed is scrypt(PIN, salt), and only the salt and the public key are stored.
 */

hashes.sha512 = sha512;

/** How the seed is derived: scrypt with N = 2^14, r = 8, p = 1, which takes a cheap phone about a second. */
export const kdf = "scrypt-14-8-1";
const cost = { N: 2 ** 14, r: 8, p: 1, dkLen: 32 };
const saltBytes = 16;

/** What a PIN is checked against. `salt` and `publicKey` are hexadecimal. */
export interface PinKey {
	salt: string;
	publicKey: string;
	kdf: typeof kdf;
}

/** Derives the key of a new PIN, with a random salt. */
export async function makePinKey(pin: string): Promise<PinKey> {
	const salt = bytesToHex(randomBytes(saltBytes));
	return { salt, publicKey: await publicKeyOf(pin, salt), kdf };
}

export async function isPinOf(key: PinKey, pin: string): Promise<boolean> {
	return (await publicKeyOf(pin, key.salt)) === key.publicKey;
}

async function publicKeyOf(pin: string, salt: string): Promise<string> {
	return bytesToHex(getPublicKey(await scryptKey(pin, hexToBytes(salt), cost)));
}
