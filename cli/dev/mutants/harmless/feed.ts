import type { Harmless } from "../harmless.ts";

/** Of the feed, and of its tail that is kept in memory. */
export const ofFeed: readonly Harmless[] = [
	{
		file: "feed/feed-cache.ts",
		code: "if (recentByBusiness.size >= businessesMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "tailBytes: 4_000_000",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "pagesBytes: 48_000_000",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "const pageAgeMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "const keptRowsMin",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "const businessesMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "const behindMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "head.version - recent.head > behindMax",
		change: "- -> +",
		reason: "a tail that begins again holds less, and what it lacks is read",
	},
	{
		file: "feed/feed-cache.ts",
		code: "head.version - recent.head > behindMax",
		change: "> -> >=",
		reason: "a tail that begins again holds less, and what it lacks is read",
	},
	{
		file: "feed/feed-cache.ts",
		code: "head.version - recent.head > behindMax",
		change: "-> (recent?.epoch !== epoch)",
		reason: "one that is far behind is brought on at greater cost",
	},
	{
		file: "feed/feed-cache.ts",
		code: "isOwn && from < head.version",
		change: "-> (from < head.version)",
		reason: "what is read in vain is thrown away",
	},
	{
		file: "feed/feed-cache.ts",
		code: "isOwn && from < head.version",
		change: "-> (isOwn)",
		reason: "between equal versions there is nothing to read",
	},
	{
		file: "feed/feed-cache.ts",
		code: "isOwn && from < head.version",
		change: "< -> <=",
		reason: "between equal versions there is nothing to read",
	},
	{
		file: "feed/recent-changes.ts",
		code: "if (change.version > (following[rows]?.version",
		change: "-> false",
		reason: "more rows are looked at, and left out afterwards",
	},
	{
		file: "feed/recent-changes.ts",
		code: "if (change.version > (following[rows]?.version",
		change: "-> (head)",
		reason: "more rows are looked at, and left out afterwards",
	},
	{
		file: "feed/change-json.ts",
		code: "if (text === undefined)",
		change: "-> true",
		reason: "the same text is made again",
	},
	{
		file: "feed/change-json.ts",
		code: "texts.set(change, text);",
		reason: "the same text is made again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "recentByBusiness.delete(businessId);",
		reason: "memory alone: which shop's rows are forgotten first",
	},
	{
		file: "feed/recent-changes.ts",
		code: "#dropped = 0",
		change: "0 -> 1",
		reason:
			"places are compared with each other alone, from whatever number they count",
	},
	{
		file: "feed/recent-changes.ts",
		code: "#bytes = 0",
		change: "0 -> 1",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "if (age < 0 || age > pageAgeMax)",
		change: "-> (age < 0)",
		reason: "a page of any age is a right one, with more to follow",
	},
	{
		file: "feed/page-cache.ts",
		code: "if (age < 0 || age > pageAgeMax)",
		change: "> -> >=",
		reason: "a page of any age is a right one, with more to follow",
	},
	{
		file: "feed/feed-cache.ts",
		code: "if (!page.hasMore && page.changes.length < keptRowsMin)",
		change: "-> (!page.hasMore)",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/feed-cache.ts",
		code: "if (!page.hasMore && page.changes.length < keptRowsMin)",
		change: "< -> <=",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "#bytes = 0;",
		change: "0 -> 1",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed/page-cache.ts",
		code: "this.#bytes -= this.#pages.get(key)?.page.compressed.deflated.length ?? 0;",
		change: "0 -> 1",
		reason: "memory alone: a byte less for each page",
	},
	{
		file: "feed/page-cache.ts",
		code: "this.#drop(key);",
		reason:
			"memory alone: the room of a page that is read again is counted twice",
	},
	{
		file: "feed/page-cache.ts",
		code: "if (this.#bytes <= this.#maxBytes) break;",
		change: "<= -> <",
		reason: "memory alone: a page that fits exactly is read again",
	},
	{
		file: "feed/recent-changes.ts",
		code: "if (this.#bytes > maxBytes)",
		change: "> -> >=",
		reason: "memory alone: rows that fit exactly are read again",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.#bytes -= encodeChange(change).length;",
		reason: "memory alone: less is kept than there is room for",
	},
	{
		file: "feed/recent-changes.ts",
		code: "const end = Math.ceil(this.#versions.length / 2);",
		change: "ceil -> floor",
		reason: "memory alone: one row more is kept",
	},
	{
		file: "feed/recent-changes.ts",
		code: "const end = Math.ceil(this.#versions.length / 2);",
		change: "2 -> 3",
		reason: "memory alone: a third is forgotten at a time",
	},
	{
		file: "feed/recent-changes.ts",
		code: "for (let i = 0; i < end; i += 1) {",
		change: "0 -> 1",
		reason:
			"memory alone: what is no longer there is not found, and not counted out",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.#placeByRow.delete(",
		reason: "memory alone: a row that is no longer there is not found",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.#remove(i);",
		reason: "memory alone: more is forgotten the next time",
	},
	{
		file: "feed/recent-changes.ts",
		code: "this.base = this.#versions[end - 1] as number;",
		change: "- -> +",
		reason: "memory alone: less is answered from it",
	},
	{
		file: "feed/recent-changes.ts",
		code: "i < changes.length; i += 1)",
		change: "< -> <=",
		reason: "behind the last there is nothing",
	},
	{
		file: "feed/feed.ts",
		code: "const digestPage",
		change: "200 -> 201",
		reason: "the same rows are summed, one more at a time",
	},
	{
		file: "feed/compressed-rows.ts",
		code: "compressionLevel",
		change: "4 -> 5",
		reason: "the same rows, in a little more of the processor's time",
	},
	{
		file: "feed/compressed-rows.ts",
		code: "{ level: compressionLevel, finishFlush }",
		change: "level: compressionLevel, -> nothing",
		reason: "the same rows, in a little more of the processor's time",
	},
	{
		file: "feed/sum256.ts",
		code: "const carryEvery = 1_000_000",
		reason: "words are carried at another moment, before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "let added = 0",
		reason: "words are carried at another moment, before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "added += 1",
		reason: "words are carried at another moment, before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "if (added % carryEvery === 0) carry()",
		change: "-> true",
		reason: "words are carried at another moment, before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "if (added % carryEvery === 0) carry()",
		change: "0 -> 1",
		reason: "words are carried at another moment, before precision is lost",
	},
	{
		file: "feed/sum256.ts",
		code: "if (i > 0)",
		change: "-> true",
		reason: "an array of numbers has nothing before its first",
	},
	{
		file: "feed/sum256.ts",
		code: "if (i > 0)",
		change: "> -> >=",
		reason: "an array of numbers has nothing before its first",
	},
];
