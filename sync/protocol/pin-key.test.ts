import {
	createPrivateKey,
	createPublicKey,
	scryptSync,
	sign,
	verify,
} from "node:crypto";
import { expect, test } from "vitest";
import { isSignedBy, makePinKey, openPin } from "./pin-key.ts";

test("a key accepts its own PIN and no other", async () => {
	const key = await makePinKey("1234");
	expect(await openPin(key, "1234")).toBeDefined();
	for (const other of ["1235", "4321", "123", "12345", ""])
		expect(await openPin(key, other)).toBeUndefined();
});

test("what a right PIN signs is signed by its key, and nothing else is", async () => {
	const [key, other] = [await makePinKey("1234"), await makePinKey("1234")];
	const signature = (await openPin(key, "1234"))?.sign("void s1") ?? "";
	expect(signature).toMatch(/^[0-9a-f]{128}$/);
	expect(isSignedBy(key.publicKey, "void s1", signature)).toBe(true);
	expect(isSignedBy(key.publicKey, "void s2", signature)).toBe(false);
	expect(isSignedBy(other.publicKey, "void s1", signature)).toBe(false);
	const forged = "0".repeat(128);
	expect(isSignedBy(key.publicKey, "void s1", forged)).toBe(false);
});

test("two people with one PIN have different keys", async () => {
	const [one, two] = [await makePinKey("1234"), await makePinKey("1234")];
	expect(one.salt).not.toBe(two.salt);
	expect(one.publicKey).not.toBe(two.publicKey);
});

test("Node's scrypt and Ed25519 derive the same key, so that what a PIN signs can be verified [PERM-8]", async () => {
	const { salt, publicKey, kdf } = await makePinKey("0417");
	expect(kdf).toBe("scrypt-14-8-1");
	const seed = scryptSync("0417", Buffer.from(salt, "hex"), 32, {
		...{ N: 2 ** 14, r: 8, p: 1 },
	});
	const prefix = Buffer.from("302e020100300506032b657004220420", "hex");
	const secret = createPrivateKey({
		key: Buffer.concat([prefix, seed]),
		...{ format: "der", type: "pkcs8" },
	});
	const spki = createPublicKey(secret).export({ format: "der", type: "spki" });
	expect(spki.subarray(-32).toString("hex")).toBe(publicKey);
	const text = Buffer.from("void s1");
	const signed = sign(null, text, secret);
	expect(verify(null, text, createPublicKey(secret), signed)).toBe(true);
});
