import { describe, expect, test } from "vitest";
import type { Change } from "../protocol/protocol.ts";
import { firstAfter, RecentChanges } from "./recent-changes.ts";

const change = (id: string, version: number): Change => ({
	...{ entity: "product", id, version, deleted: false, row: { id } },
});

test.each([
	[[], 3, 0],
	[[3, 3, 5], 2, 0],
	[[3, 3, 5], 3, 2],
	[[3, 3, 5], 5, 3],
])(
	"in %j the first number after %i has the index %i",
	(sorted, value, index) => {
		expect(firstAfter(sorted, value)).toBe(index);
	},
);

describe("the newest rows of a feed", () => {
	function open(maxBytes = 1_000_000) {
		const recent = new RecentChanges("e", 10, "proof");
		const rows = [change("a", 11), change("b", 12), change("a", 13)];
		recent.append(rows, 13, "later", maxBytes);
		return recent;
	}
	const versions = (recent: RecentChanges, after: number, limit = 10) =>
		recent.pageAfter(after, limit).changes.map(({ version }) => version);

	test("the newest rows hold each row once, in its last state", () => {
		const recent = open();
		expect(versions(recent, 10)).toEqual([12, 13]);
		expect(versions(recent, 12)).toEqual([13]);
		expect(recent).toMatchObject({ base: 10, head: 13, proof: "later" });
	});

	test("the newest rows are read by pages of at least one version", () => {
		const page = open().pageAfter(10, 1);
		expect(page).toMatchObject({ upTo: 12, hasMore: true });
	});

	test("the newest rows drop their older half beyond their size", () => {
		const recent = open(1);
		expect(recent.base).toBe(12);
		expect(versions(recent, 12)).toEqual([13]);
	});
});
