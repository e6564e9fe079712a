import { expect, test } from "vitest";
import { threadTimeOf } from "../testing/thread-time.ts";
import { parseJsonExactly } from "./exact-json.ts";

test.each([
	'{"a":12345678901234567890,"b":[-98765432109876543210,1.5]}',
	'[12345678901234567890,"12345678901234567890","a\\\\",12345678901234567891]',
	'{"\\"":98765432109876543210,"b\\\\\\"":"{\\"c\\":98765432109876543210}"}',
	"12345678901234567890",
	'["\\" 0",12345678901234567890,[],{},null,true]',
	'{"__proto__":{"a":12345678901234567890}}',
])("an integer of any length is written back as it was: %s", (text) => {
	expect(JSON.stringify(parseJsonExactly(text))).toBe(text);
});

test.each([
	["a safe integer", "[1234567890123456,9007199254740991]"],
	["a fraction", "[0.12345678901234567890,12345678901234567.5]"],
	["an exponent", "[1e-1234567890123456,12345678901234567e3]"],
	["a text", '["12345678901234567890"]'],
])("%s is what JSON.parse makes of it", (_, text) => {
	expect(parseJsonExactly(text)).toEqual(JSON.parse(text));
});

test.each([
	"{12345678901234567890:1}",
	"[-012345678901234567890]",
	'["12345678901234567890]',
	"[12345678901234567890 1]",
])("a text that isn't JSON is refused: %s", (text) => {
	expect(() => parseJsonExactly(text)).toThrow(SyntaxError);
});

test("many numbers are read several times faster than through a reviver", async () => {
	const text = `[12345678901234567890${",1".repeat(200_000)}]`;
	const through = () => JSON.parse(text, (_key, value) => value);
	let [exactly, reviver] = [Infinity, Infinity];
	for (let round = 0; round < 3; round += 1) {
		const parsed = await threadTimeOf(() => parseJsonExactly(text));
		exactly = Math.min(exactly, parsed);
		reviver = Math.min(reviver, await threadTimeOf(through));
	}
	expect(exactly).toBeLessThan(reviver / 3);
});
