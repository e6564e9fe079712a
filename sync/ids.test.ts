import { expect, test } from "vitest";
import { derivedId, newId, systemEnv } from "./ids.ts";

const uuidV7 =
	/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("new ids are UUIDs of version 7, sort by their time, and never repeat", () => {
	let now = Date.parse("2026-11-20T09:00:00.000Z");
	const env = { ...systemEnv, now: () => now++ };
	const ids = Array.from({ length: 1_000 }, () => newId(env));
	for (const id of ids) expect(id).toMatch(uuidV7);
	expect(ids).toEqual(ids.toSorted());
	const together = Array.from({ length: 1_000 }, () =>
		newId({ ...systemEnv, now: () => now }),
	);
	expect(new Set(together).size).toBe(1_000);
	expect(
		Number.parseInt(ids[0]?.replace("-", "").slice(0, 12) as string, 16),
	).toBe(Date.parse("2026-11-20T09:00:00.000Z"));
});

test("derived ids are the same everywhere, differ by mutation and count, and keep the mutation's time", () => {
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
