import { describe, expect, test } from "vitest";
import * as browser from "./browser.ts";
import * as node from "./node.ts";
import * as browserScrypt from "./scrypt.browser.ts";
import * as nodeScrypt from "./scrypt.ts";

const texts = ["", "a", "Maziwa 500 ml", "łódź 牛奶 😀", "\uD800 alone", "\0"];
const faces = [
	["Node", node],
	["a browser's worker", browser],
] as const;

describe("browser platform", () => {
	test("the browser's platform exports the names that Node's exports", () => {
		expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort());
	});

	test.each([...texts, "x".repeat(100_000)])(
		"the browser's platform hashes and measures %j as Node's does",
		(text) => {
			expect(Buffer.from(browser.sha256(text))).toEqual(node.sha256(text));
			expect(browser.sha256Hex(text)).toBe(node.sha256Hex(text));
			expect(browser.sha256Base64url(text)).toBe(node.sha256Base64url(text));
			expect(browser.utf8Length(text)).toBe(node.utf8Length(text));
			const key = `${text}!`;
			expect(browser.hmacSha256(key, text)).toBe(node.hmacSha256(key, text));
		},
	);
});

test("the browser's platform derives the same key from a text as Node's does", async () => {
	const cost = { N: 2 ** 10, r: 8, p: 1, dkLen: 32 };
	for (const text of ["1234", ...texts.slice(0, 4)]) {
		const salt = node.randomBytes(16);
		const key = await nodeScrypt.scryptKey(text, salt, cost);
		expect(key).toHaveLength(32);
		const same = await browserScrypt.scryptKey(text, salt, cost);
		expect(Buffer.from(same)).toEqual(key);
	}
});

describe.each(faces)("the platform in %s", (_name, face) => {
	test("random bytes come in the requested number and differ each time", () => {
		const [one, two] = [face.randomBytes(4_096), face.randomBytes(4_096)];
		expect([one.length, two.length]).toEqual([4_096, 4_096]);
		expect(Buffer.from(one).equals(two)).toBe(false);
	});

	test("secrets compare as different wherever they differ", () => {
		expect(face.isSameSecret("secret", "secret")).toBe(true);
		for (const other of ["Secret", "secreT", "seCret"])
			expect(face.isSameSecret("secret", other)).toBe(false);
	});

	test("waiting tasks continue in their order, after pending promises", async () => {
		const order: string[] = [];
		const first = face.nextTurn().then(() => order.push("first"));
		const second = face.nextTurn().then(() => order.push("second"));
		await Promise.resolve().then(() => order.push("ready"));
		await Promise.all([first, second]);
		expect(order).toEqual(["ready", "first", "second"]);
	});

	test("a bound function does what the original does", () => {
		const bind: typeof node.bindAsync = face.bindAsync;
		expect(bind((a: number, b: number) => a - b)(3, 1)).toBe(2);
	});
});
