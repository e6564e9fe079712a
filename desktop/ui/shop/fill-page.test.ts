import { expect, test } from "vitest";
import { fillPage } from "./fill-page.ts";

const { signal } = new AbortController();

test("a page is filled from short slices, up to its limit or the end of the list", async () => {
	const asked: object[] = [];
	const slices: Record<string, { rows: string[]; next: string | null }> = {
		"": { rows: ["a"], next: "1" },
		1: { rows: [], next: "2" },
		2: { rows: ["b", "c"], next: "3" },
		3: { rows: ["d"], next: null },
	};
	const ask = async (slice: { limit: number; after?: string }) => {
		asked.push(slice);
		return slices[slice.after ?? ""] ?? { rows: [], next: null };
	};
	expect(await fillPage(ask, null, { limit: 3, signal })).toEqual({
		...{ rows: ["a", "b", "c"], next: "3" },
	});
	expect(asked).toEqual([
		{ limit: 3 },
		{ limit: 2, after: "1" },
		{ limit: 2, after: "2" },
	]);
	expect(await fillPage(ask, "3", { limit: 3, signal })).toEqual({
		...{ rows: ["d"], next: null },
	});
});

test("a page shows what has come where the rest of it fails, and the next one asks for the rest again", async () => {
	let isAway = true;
	const ask = async ({ after }: { after?: string }) => {
		if (after === undefined) return { rows: ["here"], next: "older" };
		if (isAway) throw new Error("Away");
		return { rows: ["there"], next: null };
	};
	const first = await fillPage(ask, null, { limit: 9, signal });
	expect(first).toEqual({ rows: ["here"], next: "older" });
	const again = () => fillPage(ask, first.next, { limit: 9, signal });
	await expect(again()).rejects.toThrow("Away");
	isAway = false;
	expect(await again()).toEqual({ rows: ["there"], next: null });
});
