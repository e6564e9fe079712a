/** Mutants that no test can notice, since they change nothing that anybody could see. */
export interface Harmless {
	/** Below `sync/`. */
	file: string;
	/** A part of the mutated line. */
	code: string;
	/** A part of what is replaced by what; absent for all mutants of the line. */
	change?: string;
	reason: string;
}

export const harmless: readonly Harmless[] = [
	{
		file: "log.ts",
		code: "if (head !== before)",
		change: "-> true",
		reason: "the head that is there is written once more",
	},
	{
		file: "log.ts",
		code: "let hasWritten = false",
		reason: "the batch is done again with savepoints, to the same end",
	},
	{
		file: "log.ts",
		code: "if ((hasWritten || isFault) && !recording.isolate)",
		change: "-> (!recording.isolate)",
		reason: "the batch is done again with savepoints, to the same end",
	},
	{
		file: "log.ts",
		code: "additions,",
		reason: "sums are then written one by one, to the same end",
	},
	{
		file: "log.ts",
		code: "throw error;",
		reason: "a parser throws nothing but what zod throws",
	},
	{
		file: "log.ts",
		code: "if (error instanceof z.ZodError)",
		change: "-> true",
		reason: "a parser throws nothing but what zod throws",
	},
	{
		file: "money.ts",
		code: "if (!Number.isSafeInteger(next))",
		change: "-> true",
		reason: "the long way round gives the same sum",
	},
	{
		file: "outbox.ts",
		code: "if (run && run.last === position - 1",
		change: "-> false",
		reason: "each answer is then written by a statement for itself",
	},
	{
		file: "outbox.ts",
		code: "if (run && run.last === position - 1",
		change: "- -> +",
		reason: "each answer is then written by a statement for itself",
	},
	{
		file: "backoff.ts",
		code: "env.randomBytes(1)",
		change: "1 -> 2",
		reason: "a random byte that nobody looks at",
	},
	{
		file: "push-outbox.ts",
		code: "batchBytesMax = 4_000_000",
		reason: "any length that is well below the server's limit will do",
	},
	{
		file: "push-outbox.ts",
		code: "await store.read(() => nextTurn())",
		reason: "who works first, the server or this till",
	},
	{
		file: "replica.ts",
		code: "gatherMax = 5_000",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica.ts",
		code: "worthwhileShare = 0.4",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "catch-up.ts",
		code: "let finished = 0",
		reason: "it is compared with what it was a moment before",
	},
	{
		file: "push-outbox.ts",
		code: "answered = undefined;",
		reason: "the same answers are written down once more",
	},
	{
		file: "till-log.ts",
		code: "prefix ?? randomPrefix(env)",
		reason: "the database keeps the prefix that it has",
	},
	{
		file: "dating.ts",
		code: "const isRecent = ms >= now - earlierSlackMs",
		change: "- -> +",
		reason: "what is recent is before nothing that was noted, as a look shows",
	},
	{
		file: "dating.ts",
		code: "const isRecent = ms >= now - earlierSlackMs",
		change: ">= -> >",
		reason: "what is recent is before nothing that was noted, as a look shows",
	},
	{
		file: "dating.ts",
		code: "if (isRecent)",
		change: "-> false",
		reason: "what is recent is before nothing that was noted, as a look shows",
	},
	{
		file: "dating.ts",
		code: "if (ms > now) return",
		change: "> -> >=",
		reason: "now is the same moment either way",
	},
	{
		file: "transport.ts",
		code: "timeoutMs = 60_000",
		reason: "a millisecond more to wait",
	},
	{
		file: "transport.ts",
		code: "AbortSignal.timeout(5_000)",
		reason: "it is given up later, to the same end",
	},
	{
		file: "transport.ts",
		code: "{ statusCode = 0 }: IncomingMessage",
		reason: "an answer has a status",
	},
	{
		file: "transport.ts",
		code: "{ statusCode = 0, headers }",
		reason: "an answer has a status",
	},
	{
		file: "transport.ts",
		code: "return waitMs > 0 ? waitMs : undefined",
		change: "0 -> 1",
		reason: "the dates of HTTP are whole seconds",
	},
	{
		file: "transport.ts",
		code: 'return new ShopError("unreachable", message, undefined, { cause })',
		reason: "what stands behind an error, for a developer",
	},
	{
		file: "keep-in-step.ts",
		code: "let isDue = false",
		reason: "it is set before it is first read",
	},
	{
		file: "clock.ts",
		code: "const day = new Date(0)",
		change: "0 -> 1",
		reason: "a millisecond of a day that is then set",
	},
	{
		file: "clock.ts",
		code: "if (!minutesByDay.has(day))",
		change: "-> true",
		reason: "the zone is asked more often, for the same hour",
	},
	{
		file: "clock.ts",
		code: "if (!minutesByDay.has(day))",
		change: "-> false",
		reason: "the zone is asked more often, for the same hour",
	},
	{
		file: "clock.ts",
		code: "minutesByDay.get(day) ?? minutesAhead(quarter)",
		change: "-> (minutesAhead(quarter))",
		reason: "the zone is asked more often, for the same hour",
	},
	{
		file: "clock.ts",
		code: "(end - start) % dayMinutes === 0 ? start",
		change: "0 -> 1",
		reason: "the zone is asked more often, for the same hour",
	},
	{
		file: "clock.ts",
		code: "(end - start) % dayMinutes === 0 ? start",
		change: "- -> +",
		reason:
			"the zone is asked more often, for the same hour: no clock is put from one side of UTC as far to the other",
	},
	{
		file: "clock.ts",
		code: "(end - start) % dayMinutes === 0 ? start",
		change: "% -> *",
		reason: "the zone is asked more often, for the same hour",
	},
	{
		file: "clock.ts",
		code: "if (!format)",
		change: "-> true",
		reason: "the same format is made once more",
	},
	{
		file: "clock.ts",
		code: "formatsByZone.set(timeZone, format)",
		reason: "the same format is made once more",
	},
	{
		file: "rebase.ts",
		code: "const unconfirmed = -1",
		change: "1 -> 2",
		reason: "any number that is no version will do",
	},
	{
		file: "replica.ts",
		code: "rows < (isStoring()",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica.ts",
		code: "gathered.last.hasMore &&",
		change: "-> (gathered.last.hasMore)",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica.ts",
		code: "let rows = 0",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica.ts",
		code: "rows += pulled.changes.length",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica.ts",
		code: "if (resetting && !page.hasMore)",
		change: "-> (!page.hasMore)",
		reason: "but for a reset no row is unconfirmed",
	},
	{
		file: "replica.ts",
		code: "undefined, { cause: error }",
		reason: "what stands behind an error, for a developer",
	},
	{
		file: "replica.ts",
		code: "let changes = 0",
		reason: "listeners are told that something moved, not how far",
	},
	{
		file: "replica.ts",
		code: "changes += 1",
		change: "1 -> 2",
		reason: "listeners are told that something moved, not how far",
	},
	{
		file: "replica.ts",
		code: "backedUpTo = gathered.backedUpTo ?? backedUpTo",
		reason: "the next sync says it, and more is kept until then",
	},
	{
		file: "push-outbox.ts",
		code: "outbox.nextBatch(tx, businessId, last, 1, 0)",
		change: "1 -> 2",
		reason: "it is asked only whether there is one",
	},
	{
		file: "push-outbox.ts",
		code: "outbox.nextBatch(tx, businessId, last, 1, 0)",
		change: "0 -> 1",
		reason: "it is asked only whether there is one",
	},
	{
		file: "replica.ts",
		code: "gathered.backedUpTo = pulled.backedUpTo",
		reason: "the next sync says it, and more is kept until then",
	},
	{
		file: "feed-tail.ts",
		code: "if (tails.size >= businessesMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "entities/refund.ts",
		code: "moved.version = sales.version",
		change: "moved.version = sales.version ->",
		reason:
			"the version only leads to the rows by an index; sale and line name the same ones",
	},
	{
		file: "additions.ts",
		code: "if (fields.size === 0) continue;",
		change: "-> false",
		reason: "what stands there is written once more",
	},
	{
		file: "additions.ts",
		code: "const sums = sumsByEntity.get(entity) ?? new Map",
		reason: "each sum is then written by itself, to the same end",
	},
	{
		file: "additions.ts",
		code: "sumsByEntity.set(entity, sums);",
		reason: "each sum is then written by itself, to the same end",
	},
	{
		file: "additions.ts",
		code: "if (at > (row.updatedAt as string)) row.updatedAt = at;",
		change: "> -> >=",
		reason: "the moment that is there is set once more",
	},
	{
		file: "columns.ts",
		code: "if (!columns) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "columns.ts",
		code: "columnsBySchema.set(schema, columns);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "columns.ts",
		code: "if (column === undefined) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "columns.ts",
		code: "columnsByField.set(field, column);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "columns.ts",
		code: "entityColumns.set(entity, columns);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "context.ts",
		code: "winning.updatedAt = updatedAt > at ? updatedAt : at;",
		change: "> -> >=",
		reason: "either is the same moment",
	},
	{
		file: "rows.ts",
		code: "if (!byWhere) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: "selects.set(entity, byWhere);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: "if (sql === undefined) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: "byWhere.set(where, sql);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: "ids.push(ids.at(-1) as string);",
		change: "-1 -> 1",
		reason: "any of the ids fills the place",
	},
	{
		file: "rows.ts",
		code: "ids.push(ids.at(-1) as string);",
		change: "1 -> 2",
		reason: "any of the ids fills the place",
	},
	{
		file: "rows.ts",
		code: "const linesChunk = 100",
		reason: "lines are read with a query more or less",
	},
	{
		file: "rows.ts",
		code: "if (!writer) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: "writers.set(entity, writer);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: ".filter((name) => !keys.includes(name))",
		reason: "a key is set to what it is",
	},
	{
		file: "rows.ts",
		code: "additions.set(key, sql);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: "if (!encode) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows.ts",
		code: "encoders.set(entity, encode);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "tallies.ts",
		code: "const tailMax = 200",
		reason: "a tail that is one longer is folded, to the same sums",
	},
	{
		file: "tallies.ts",
		code: "const foldMax = ",
		reason:
			"facts are folded in one transaction more or less, to the same sums",
	},
	{
		file: "tallies.ts",
		code: "const tail = newest - (tallies?.version ?? 0);",
		change: "0 -> 1",
		reason: "a tail that is one longer is folded, to the same sums",
	},
	{
		file: "tallies.ts",
		code: "tail <= tailMax && (tallies",
		change: "<= -> <",
		reason: "a tail that is one shorter is folded, to the same sums",
	},
	{
		file: "feed-tail.ts",
		code: "tailBytes: 4_000_000",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "pagesBytes: 48_000_000",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "const pageAgeMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "const keptRowsMin",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "const businessesMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "const behindMax",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "head.version - tail.head > behindMax",
		change: "- -> +",
		reason: "a tail that begins again holds less, and what it lacks is read",
	},
	{
		file: "feed-tail.ts",
		code: "head.version - tail.head > behindMax",
		change: "> -> >=",
		reason: "a tail that begins again holds less, and what it lacks is read",
	},
	{
		file: "feed-tail.ts",
		code: "head.version - tail.head > behindMax",
		change: "-> (tail?.epoch !== epoch)",
		reason: "one that is far behind is brought on at greater cost",
	},
	{
		file: "feed-tail.ts",
		code: "isOwn && from < head.version",
		change: "-> (from < head.version)",
		reason: "what is read in vain is thrown away",
	},
	{
		file: "feed-tail.ts",
		code: "isOwn && from < head.version",
		change: "-> (isOwn)",
		reason: "between equal versions there is nothing to read",
	},
	{
		file: "feed-tail.ts",
		code: "isOwn && from < head.version",
		change: "< -> <=",
		reason: "between equal versions there is nothing to read",
	},
	{
		file: "feed-tail.ts",
		code: "if (change.version > (following[rows]?.version",
		change: "-> false",
		reason: "more rows are looked at, and left out afterwards",
	},
	{
		file: "feed-tail.ts",
		code: "if (change.version > (following[rows]?.version",
		change: "-> (head)",
		reason: "more rows are looked at, and left out afterwards",
	},
	{
		file: "feed-tail.ts",
		code: "if (text === undefined)",
		change: "-> true",
		reason: "the same text is made again",
	},
	{
		file: "feed-tail.ts",
		code: "texts.set(change, text);",
		reason: "the same text is made again",
	},
	{
		file: "feed-tail.ts",
		code: "tails.delete(businessId);",
		reason: "memory alone: which shop's rows are forgotten first",
	},
	{
		file: "feed-tail.ts",
		code: "dropped: 0",
		change: "0 -> 1",
		reason:
			"places are compared with each other alone, from whatever number they count",
	},
	{
		file: "feed-tail.ts",
		code: "bytes: 0",
		change: "0 -> 1",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "devices.ts",
		code: "if (number > last && follows)",
		change: "> -> >=",
		reason: "a device gives a number once",
	},
	{
		file: "feed.ts",
		code: "const digestPage",
		change: "200 -> 201",
		reason: "the same rows are summed, one more at a time",
	},
	{
		file: "lost-facts.ts",
		code: "const pageRows",
		change: "200 -> 201",
		reason: "the same rows are read, one more at a time",
	},
	{
		file: "verify-log.ts",
		code: "pageRows = 5_000",
		change: "5_000 -> 5001",
		reason: "the same mutations are read, one more at a time",
	},
	{
		file: "feed-tail.ts",
		code: "if (age < 0 || age > pageAgeMax)",
		change: "-> (age < 0)",
		reason: "a page of any age is a right one, with more to follow",
	},
	{
		file: "feed-tail.ts",
		code: "if (age < 0 || age > pageAgeMax)",
		change: "> -> >=",
		reason: "a page of any age is a right one, with more to follow",
	},
	{
		file: "feed-tail.ts",
		code: "if (!page.hasMore && page.changes.length < keptRowsMin)",
		change: "-> (!page.hasMore)",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "if (!page.hasMore && page.changes.length < keptRowsMin)",
		change: "< -> <=",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "let bytes = 0;",
		change: "0 -> 1",
		reason: "memory alone: what is not kept is read again",
	},
	{
		file: "feed-tail.ts",
		code: "bytes -= kept.get(key)?.page.packed.deflated.length ?? 0;",
		change: "0 -> 1",
		reason: "memory alone: a byte less for each page",
	},
	{
		file: "feed-tail.ts",
		code: "drop(key);",
		reason:
			"memory alone: the room of a page that is read again is counted twice",
	},
	{
		file: "feed-tail.ts",
		code: "if (bytes <= maxBytes) break;",
		change: "<= -> <",
		reason: "memory alone: a page that fits exactly is read again",
	},
	{
		file: "feed-tail.ts",
		code: "if (tail.bytes > maxBytes)",
		change: "> -> >=",
		reason: "memory alone: rows that fit exactly are read again",
	},
	{
		file: "feed-tail.ts",
		code: "tail.bytes -= encodeChange(change).length;",
		reason: "memory alone: less is kept than there is room for",
	},
	{
		file: "feed-tail.ts",
		code: "const end = Math.ceil(versions.length / 2);",
		change: "ceil -> floor",
		reason: "memory alone: one row more is kept",
	},
	{
		file: "feed-tail.ts",
		code: "const end = Math.ceil(versions.length / 2);",
		change: "2 -> 3",
		reason: "memory alone: a third is forgotten at a time",
	},
	{
		file: "feed-tail.ts",
		code: "for (let i = 0; i < end; i += 1) {",
		change: "0 -> 1",
		reason:
			"memory alone: what is no longer there is not found, and not counted out",
	},
	{
		file: "feed-tail.ts",
		code: "placeByRow.delete(",
		reason: "memory alone: a row that is no longer there is not found",
	},
	{
		file: "feed-tail.ts",
		code: "remove(tail, i);",
		reason: "memory alone: more is forgotten the next time",
	},
	{
		file: "tallies.ts",
		code: "if (windowDay !== today)",
		change: "-> true",
		reason: "no days leave and none enter where the window stays",
	},
	{
		file: "feed-tail.ts",
		code: "tail.base = versions[end - 1] as number;",
		change: "- -> +",
		reason: "memory alone: less is answered from it",
	},
	{
		file: "feed-tail.ts",
		code: "i < changes.length; i += 1)",
		change: "< -> <=",
		reason: "behind the last there is nothing",
	},
	{
		file: "lost-history.ts",
		code: "(await isGone(tx, businessId, request))",
		change: "await isGone",
		reason: "a promise that is returned is waited for",
	},
];
