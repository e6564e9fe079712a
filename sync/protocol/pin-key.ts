import { getPublicKey, hashes, sign, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import {
	bytesToHex,
	hexToBytes,
	randomBytes,
	utf8ToBytes,
} from "@noble/hashes/utils.js";
import { scryptKey } from "#scrypt";

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
	/** How many digits the PIN has. */
	digits: number;
}

/** What a right PIN can do, until it is forgotten. */
export interface OpenedPin {
	/** Signs a text. @returns 128 hexadecimal digits */
	sign(text: string): string;
}

/** Derives the key of a new PIN, with a random salt. */
export async function makePinKey(pin: string): Promise<PinKey> {
	const salt = bytesToHex(randomBytes(saltBytes));
	const seed = await seedOf(pin, salt);
	const publicKey = bytesToHex(getPublicKey(seed));
	return { salt, publicKey, kdf, digits: pin.length };
}

/** @returns undefined if the PIN is wrong */
export async function openPin(
	{ salt, publicKey }: Pick<PinKey, "salt" | "publicKey">,
	pin: string,
): Promise<OpenedPin | undefined> {
	const seed = await seedOf(pin, salt);
	if (bytesToHex(getPublicKey(seed)) !== publicKey) return undefined;
	return { sign: (text) => bytesToHex(sign(utf8ToBytes(text), seed)) };
}

/** @param publicKey in hexadecimal, like the signature */
export function isSignedBy(
	publicKey: string,
	text: string,
	signature: string,
): boolean {
	return verify(
		hexToBytes(signature),
		utf8ToBytes(text),
		hexToBytes(publicKey),
	);
}

function seedOf(pin: string, salt: string): Promise<Uint8Array> {
	return scryptKey(pin, hexToBytes(salt), cost);
}
