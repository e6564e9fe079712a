import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { openSum256 } from "./sum256.ts";

function toHex(sum: bigint): string {
	return (sum % 2n ** 256n).toString(16).padStart(64, "0");
}

test("a sum of 256-bit numbers carries from word to word and wraps at 2^256", () => {
	const sum = openSum256();
	let expected = 0n;
	for (let i = 0; i < 500; i += 1) {
		const number = hash("sha256", String(i), "buffer");
		sum.add(number);
		expected += BigInt(`0x${number.toString("hex")}`);
		expect(sum.toHex()).toBe(toHex(expected));
	}
});

test("a sum of 256-bit numbers stays exact beyond the precision of a double", () => {
	const sum = openSum256();
	const largest = Buffer.alloc(32, 0xff);
	const count = 2_500_000;
	for (let i = 0; i < count; i += 1) sum.add(largest);
	expect(sum.toHex()).toBe(toHex(BigInt(count) * (2n ** 256n - 1n)));
});

test("an empty sum has all its digits", () => {
	expect(openSum256().toHex()).toBe("0".repeat(64));
});
