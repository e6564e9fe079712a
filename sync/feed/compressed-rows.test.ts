import { deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressRows, decompress } from "./compressed-rows.ts";

const changes = ["Maziwa", "Chai ☕"].map((name, i) => ({
	entity: "products",
	id: `p-${i}`,
	version: i + 1,
	deleted: false,
	row: { name },
}));

test("an answer's rest can follow its compressed rows", () => {
	const compressed = compressRows(changes);
	const rest = ',"hasMore":false}';
	const whole = inflateRawSync(
		Buffer.concat([compressed.deflated, deflateRawSync(rest)]),
	);
	expect(JSON.parse(String(whole))).toEqual({ changes, hasMore: false });
	expect(compressed.length).toBe(whole.length - rest.length);
	expect(decompress({ compressed })).toEqual({ changes });
});
