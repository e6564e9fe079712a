import type { Harmless } from "../harmless.ts";

/** Equivalent mutants of the feed and its cached tail. */
export const ofFeed: readonly Harmless[] = [
	{
		file: "feed/feed-cache.ts",
		code: "if (recentByBusiness.size >= businessesMax",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "tailBytes: 4_000_000",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "pagesBytes: 48_000_000",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "const pageAgeMax",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "const keptRowsMin",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "const businessesMax",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "const behindMax",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "head.version - recent.head > behindMax",
		change: "- -> +",
		reason: "a restarted tail holds less, and the rest is read",
	},
	{
		file: "feed/feed-cache.ts",
		code: "head.version - recent.head > behindMax",
		change: "> -> >=",
		reason: "a restarted tail holds less, and the rest is read",
	},
	{
		file: "feed/feed-cache.ts",
		code: "head.version - recent.head > behindMax",
		change: "-> (recent?.epoch !== epoch)",
		reason: "a tail far behind is updated at greater cost",
	},
	{
		file: "feed/feed-cache.ts",
		code: "isOwn && from < head.version",
		change: "-> (from < head.version)",
		reason: "superfluous rows are discarded",
	},
	{
		file: "feed/feed-cache.ts",
		code: "isOwn && from < head.version",
		change: "-> (isOwn)",
		reason: "there is nothing to read between equal versions",
	},
	{
		file: "feed/feed-cache.ts",
		code: "isOwn && from < head.version",
		change: "< -> <=",
		reason: "there is nothing to read between equal versions",
	},
	{
		file: "feed/recent-changes.ts",
		code: "if (change.version > (following[rows]?.version",
		change: "-> false",
		reason: "more rows are examined and then filtered out",
	},
	{
		file: "feed/recent-changes.ts",
		code: "if (change.version > (following[rows]?.version",
		change: "-> (head)",
		reason: "more rows are examined and then filtered out",
	},
	{
		file: "feed/change-json.ts",
		code: "if (text === undefined)",
		change: "-> true",
		reason: "the same text is computed again",
	},
	{
		file: "feed/change-json.ts",
		code: "texts.set(change, text);",
		reason: "the same text is computed again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "recentByBusiness.delete(businessId);",
		reason: "only memory use changes: another shop's rows are evicted first",
	},
	{
		file: "feed/recent-changes.ts",
		code: "#dropped = 0",
		change: "0 -> 1",
		reason:
			"places are only compared with each other, from any starting number",
	},
	{
		file: "feed/recent-changes.ts",
		code: "#bytes = 0",
		change: "0 -> 1",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "if (age < 0 || age > pageAgeMax)",
		change: "-> (age < 0)",
		reason: "a page of any age is correct, with more to follow",
	},
	{
		file: "feed/page-cache.ts",
		code: "if (age < 0 || age > pageAgeMax)",
		change: "> -> >=",
		reason: "a page of any age is correct, with more to follow",
	},
	{
		file: "feed/feed-cache.ts",
		code: "if (!page.hasMore && page.changes.length < keptRowsMin)",
		change: "-> (!page.hasMore)",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "if (!page.hasMore && page.changes.length < keptRowsMin)",
		change: "< -> <=",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "#bytes = 0;",
		change: "0 -> 1",
		reason: "only memory use changes: uncached rows are read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "this.#bytes -= this.#pages.get(key)?.page.compressed.deflated.length ?? 0;",
		change: "0 -> 1",
		reason: "only memory use changes: one byte less per page",
	},
	{
		file: "feed/page-cache.ts",
		code: "this.#drop(key);",
		reason:
			"only memory use changes: a page that is read again is counted twice",
	},
	{
		file: "feed/page-cache.ts",
		code: "if (this.#bytes <= this.#maxBytes) break;",
		change: "<= -> <",
		reason: "only memory use changes: a page that fits exactly is read again",
	},
	{
		file: "feed/recent-changes.ts",
		code: "if (this.#bytes > maxBytes)",
		change: "> -> >=",
		reason: "only memory use changes: rows that fit exactly are read again",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.#bytes -= encodeChange(change).length;",
		reason: "only memory use changes: fewer rows are cached than fit",
	},
	{
		file: "feed/recent-changes.ts",
		code: "const end = Math.ceil(this.#versions.length / 2);",
		change: "ceil -> floor",
		reason: "only memory use changes: one row more is cached",
	},
	{
		file: "feed/recent-changes.ts",
		code: "const end = Math.ceil(this.#versions.length / 2);",
		change: "2 -> 3",
		reason: "only memory use changes: a third is evicted at a time",
	},
	{
		file: "feed/recent-changes.ts",
		code: "for (let i = 0; i < end; i += 1) {",
		change: "0 -> 1",
		reason:
			"only memory use changes: an evicted row is not found and not subtracted",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.#placeByRow.delete(",
		reason: "only memory use changes: an evicted row is not found",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.#remove(i);",
		reason: "only memory use changes: more rows are evicted the next time",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.base = this.#versions[end - 1] as number;",
		change: "- -> +",
		reason:
			"only memory use changes: fewer requests are answered from the cache",
	},
	{
		file: "feed/recent-changes.ts",
		code: "i < changes.length; i += 1)",
		change: "< -> <=",
		reason: "there is nothing after the last element",
	},
	{
		file: "feed/feed.ts",
		code: "const digestPage",
		change: "200 -> 201",
		reason: "the same rows are summed, with one more per page",
	},
	{
		file: "feed/compressed-rows.ts",
		code: "compressionLevel",
		change: "4 -> 5",
		reason: "the same rows for slightly more processor time",
	},
	{
		file: "feed/compressed-rows.ts",
		code: "{ level: compressionLevel, finishFlush }",
		change: "level: compressionLevel, -> nothing",
		reason: "the same rows for slightly more processor time",
	},
	{
		file: "feed/sum256.ts",
		code: "const carryEvery = 1_000_000",
		reason: "carries happen at another time, but before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "let added = 0",
		reason: "carries happen at another time, but before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "added += 1",
		reason: "carries happen at another time, but before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "if (added % carryEvery === 0) carry()",
		change: "-> true",
		reason: "carries happen at another time, but before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "if (added % carryEvery === 0) carry()",
		change: "0 -> 1",
		reason: "carries happen at another time, but before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "if (i > 0)",
		change: "-> true",
		reason: "an array of numbers has nothing before its first element",
	},
	{
		file: "feed/sum256.ts",
		code: "if (i > 0)",
		change: "> -> >=",
		reason: "an array of numbers has nothing before its first element",
	},
];
