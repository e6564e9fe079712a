import { expect, test } from "vitest";
import { derivedId, newId, systemEnv } from "./ids.ts";

const uuidV7 =
	/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("new ids are UUIDs of version 7, sort by creation time and never repeat [MUT-2]", () => {
	let now = Date.parse("2026-11-20T09:00:00.000Z");
	const env = { ...systemEnv, now: () => now++ };
	const ids = Array.from({ length: 1_000 }, () => newId(env));
	for (const id of ids) expect(id).toMatch(uuidV7);
	expect(ids).toEqual(ids.toSorted());
	const frozen = { ...systemEnv, now: () => now };
	const together = Array.from({ length: 2_048 }, () => newId(frozen));
	for (const id of together) expect(id).toMatch(uuidV7);
	expect(together).toEqual(together.toSorted());
	// More than sort in one millisecond are still different.
	for (let i = 0; i < 10_000; i += 1) together.push(newId(frozen));
	expect(new Set(together).size).toBe(12_048);
	for (const id of together) expect(id).toMatch(uuidV7);
	expect(
		Number.parseInt(ids[0]?.replace("-", "").slice(0, 12) as string, 16),
	).toBe(Date.parse("2026-11-20T09:00:00.000Z"));
});

test("derived ids are equal on every machine, differ by mutation and count, and keep the mutation's time [MUT-7]", () => {
	const mutation = newId(systemEnv);
	expect(derivedId(mutation, 1)).toBe(derivedId(mutation, 1));
	const others = [
		derivedId(mutation, 1),
		derivedId(mutation, 2),
		derivedId(newId(systemEnv), 1),
		derivedId("m-1", 1),
		derivedId("m-2", 1),
	];
	expect(new Set(others).size).toBe(others.length);
	for (const id of others)
		expect(id).toMatch(/^[0-9a-f-]{13}-8[0-9a-f]{3}-[89ab]/);
	expect(derivedId(mutation, 1).slice(0, 13)).toBe(mutation.slice(0, 13));
});

test("an id holds its time, version, variant and random bits in their places", () => {
	const idOf = (now: string | number, byteAt: (i: number) => number) =>
		newId({
			now: () => new Date(now).getTime(),
			randomBytes: (count) =>
				Uint8Array.from({ length: count }, (_, i) => byteAt(i)),
		});
	expect(idOf("2026-11-20T09:00:00.000Z", (i) => 0x10 + i * 0x11)).toBe(
		"01a1f82f-1e80-7021-b243-5465768798a9",
	);
	expect(idOf(1, () => 0x00)).toBe("00000000-0001-7000-8000-000000000000");
	expect(idOf(1, () => 0x40)).toBe("00000000-0001-7040-8040-404040404040");
	expect(idOf(1, () => 0x80)).toBe("00000000-0001-7080-8080-808080808080");
	expect(idOf(1, () => 0xff)).toBe("00000000-0001-77ff-bfff-ffffffffffff");
});

test.each([
	[
		"0193d2a4-7c00-7abc-8def-0123456789ab",
		1,
		"0193d2a4-7c00-8e32-9c0f-030b08225dd4",
	],
	[
		"0193d2a4-7c00-7abc-8def-0123456789ab",
		12,
		"0193d2a4-7c00-855e-9454-c99eb2ffb6f6",
	],
	[
		"0193d2a4-7c00-4abc-8def-0123456789ab",
		1,
		"c4cfdfed-34c2-8da8-bee7-8f0a41d51743",
	],
	["m-1", 1, "89efebf6-f970-8e99-8c00-8f6dfd42b303"],
])(
	"the record that mutation %s makes gets the id that every released program gives it",
	(mutationId, n, id) => {
		expect(derivedId(mutationId, n)).toBe(id);
	},
);

test("random bytes come in the requested number and are never given out twice", () => {
	const counts = [0, 1, 10, 4_095, 4_096, 4_097, 10_000, 16];
	const seen = new Set<string>();
	let words = 0;
	for (const count of counts) {
		const bytes = Buffer.from(systemEnv.randomBytes(count));
		expect(bytes).toHaveLength(count);
		for (let at = 0; at + 8 <= count; at += 8) {
			seen.add(bytes.toString("hex", at, at + 8));
			words += 1;
		}
	}
	for (let i = 0; i < 1_000; i += 1)
		seen.add(Buffer.from(systemEnv.randomBytes(8)).toString("hex"));
	expect(seen.size).toBe(words + 1_000);
});
