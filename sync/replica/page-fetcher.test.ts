import { expect, test } from "vitest";
import { ShopError } from "../protocol/errors.ts";
import type { PullResponse } from "../protocol/protocol.ts";
import { feedVersion } from "../protocol/protocol.ts";
import { PageFetcher, shouldFetchMore } from "./page-fetcher.ts";

const first = { changes: [], cursor: "e.0", hasMore: true };
const range = { first: 4, least: 1, most: 16 };

/** A fetcher on a connection that answers with pages of so many rows, in order. */
function openFetcher(pages: (number | Error)[], rowsPerWrite = 10) {
	const limits: number[] = [];
	let version = 0;
	const transport = {
		async pull(_cursor: string, limit: number): Promise<PullResponse> {
			limits.push(limit);
			const rows = pages.shift();
			if (rows instanceof Error) throw rows;
			version += 1;
			return {
				...{
					businessId: "shop",
					epoch: "e",
					serverNow: "",
					backedUpTo: version,
					feed: feedVersion,
				},
				changes: Array.from({ length: rows ?? 0 }, (_, i) => ({
					...{ entity: "sale", id: `${version}-${i}`, version },
					...{ deleted: false, row: {} },
				})),
				cursor: `e.${version}`,
				hasMore: pages.length > 0,
			};
		},
	};
	const fetcher = new PageFetcher(transport, "shop", range, rowsPerWrite);
	return { fetcher, limits };
}

test.each([
	[4, false, false],
	[3, false, true],
	[9, true, true],
	[10, true, false],
])(
	"with %i of 10 rows fetched (storing: %s), fetching one more page is %s",
	(rows, isStoring, more) => {
		expect(shouldFetchMore(rows, 10, isStoring)).toBe(more);
	},
);

test("pages are fetched until there are enough rows for a transaction", async () => {
	const { fetcher } = openFetcher([4, 4, 4, 4]);
	const { pages, last, backedUpTo } = await fetcher.fetchAfter(
		first,
		() => true,
	);
	expect(pages.map(({ cursor }) => cursor)).toEqual(["e.1", "e.2", "e.3"]);
	expect([last.cursor, backedUpTo]).toEqual(["e.3", 3]);
});

test("pages that came before the connection broke are kept, with the error", async () => {
	const broken = new ShopError("unreachable", "The line broke");
	const { fetcher, limits } = openFetcher([2, broken, 2]);
	const fetched = await fetcher.fetchAfter(first, () => true);
	expect(fetched.pages).toHaveLength(1);
	expect(fetched.failure).toEqual({ reason: broken });
	await fetcher.fetchAfter(fetched.last, () => true);
	expect(limits).toEqual([4, 4, 2]);
});

test("only a page that the till waited for is followed by a longer one", async () => {
	const { fetcher, limits } = openFetcher([1, 1, 1]);
	await fetcher.fetchAfter(first, () => false);
	expect(limits).toEqual([4, 8, 16]);
	const busy = openFetcher([1, 1, 1]);
	await busy.fetcher.fetchAfter(first, () => true);
	expect(busy.limits).toEqual([4, 4, 4]);
});

test("a page of another business is refused", async () => {
	const other = new PageFetcher(
		{
			pull: async () => ({
				...first,
				...{ businessId: "other", epoch: "e", serverNow: "", backedUpTo: 0 },
			}),
		},
		"shop",
		range,
		10,
	);
	const { pages, failure } = await other.fetchAfter(first, () => true);
	expect(pages).toEqual([]);
	expect(failure?.reason).toMatchObject({ code: "wrong_business" });
});
