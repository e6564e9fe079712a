import { describe, expect, test } from "vitest";
import { advance } from "./store-pages.ts";

const proof = "abcdefghijkl";
const page = { cursor: `e.7.${proof}`, hasMore: false };

describe("after a page", () => {
	test("a replica's position after a page is the page's cursor", () => {
		expect(advance({ resetting: false }, page)).toEqual({
			position: { epoch: "e", version: 7, proof, resetting: false },
			startsSnapshot: false,
			endsSnapshot: false,
		});
	});

	test.each([
		{ resetting: false, reset: true, hasMore: true, starts: true, ends: false },
		{ resetting: false, reset: true, hasMore: false, starts: true, ends: true },
		{
			resetting: true,
			reset: undefined,
			hasMore: true,
			starts: false,
			ends: false,
		},
		{
			resetting: true,
			reset: undefined,
			hasMore: false,
			starts: false,
			ends: true,
		},
		{ resetting: true, reset: true, hasMore: true, starts: true, ends: false },
	] as const)(
		"a page starts and ends a snapshot correctly: %o",
		({ resetting, reset, hasMore, starts, ends }) => {
			const next = advance({ resetting }, { ...page, reset, hasMore });
			expect([next.startsSnapshot, next.endsSnapshot]).toEqual([starts, ends]);
			expect(next.position.resetting).toBe(hasMore);
		},
	);

	test("an unreadable cursor is an error of the server", () => {
		expect(() =>
			advance({ resetting: false }, { ...page, cursor: "nonsense" }),
		).toThrow("The server's cursor makes no sense");
	});
});
