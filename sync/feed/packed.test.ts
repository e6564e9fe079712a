import { deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { pack, unpack } from "./packed.ts";

const changes = ["Maziwa", "Chai ☕"].map((name, i) => ({
	entity: "products",
	id: `p-${i}`,
	version: i + 1,
	deleted: false,
	row: { name },
}));

test("the rest of an answer may follow packed rows", () => {
	const packed = pack(changes);
	const rest = ',"hasMore":false}';
	const whole = inflateRawSync(
		Buffer.concat([packed.deflated, deflateRawSync(rest)]),
	);
	expect(JSON.parse(String(whole))).toEqual({ changes, hasMore: false });
	expect(packed.length).toBe(whole.length - rest.length);
	expect(unpack({ packed })).toEqual({ changes });
});
