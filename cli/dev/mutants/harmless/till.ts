import type { Harmless } from "../harmless.ts";

/** Of a till's outbox, and of its way to the server and back. */
export const ofTill: readonly Harmless[] = [
	{
		file: "replica/outbox.ts",
		code: "if (run && run.last === position - 1",
		change: "-> false",
		reason: "each answer is then written by a statement for itself",
	},
	{
		file: "replica/outbox.ts",
		code: "if (run && run.last === position - 1",
		change: "- -> +",
		reason: "each answer is then written by a statement for itself",
	},
	{
		file: "replica/push-outbox.ts",
		code: "batchBytesMax = 4_000_000",
		reason: "any length that is well below the server's limit will do",
	},
	{
		file: "replica/push-outbox.ts",
		code: "await store.read(() => nextTurn())",
		reason: "who works first, the server or this till",
	},
	{
		file: "replica/push-outbox.ts",
		code: "answered = undefined;",
		reason: "the same answers are written down once more",
	},
	{
		file: "replica/push-outbox.ts",
		code: "outbox.nextBatch(tx, businessId, last, 1, 0)",
		change: "1 -> 2",
		reason: "it is asked only whether there is one",
	},
	{
		file: "replica/push-outbox.ts",
		code: "outbox.nextBatch(tx, businessId, last, 1, 0)",
		change: "0 -> 1",
		reason: "it is asked only whether there is one",
	},
	{
		file: "replica/replica.ts",
		code: "rowsPerWriteMax = 5_000",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "worthwhileShare = 0.4",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "return rows < (isStoring ?",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "fetched.last.hasMore &&",
		change: "-> (fetched.last.hasMore)",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "let rows = 0",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "rows += pulled.changes.length",
		reason: "a page more or less is stored in one transaction",
	},
	{
		file: "replica/store-pages.ts",
		code: "endsSnapshot: isSnapshot && !hasMore",
		change: "-> (!hasMore)",
		reason: "but for a reset no row is unconfirmed",
	},
	{
		file: "replica/replica.ts",
		code: "undefined, { cause: error }",
		reason: "what stands behind an error, for a developer",
	},
	{
		file: "replica/row-notifier.ts",
		code: "#changes = 0",
		reason: "listeners are told that something moved, not how far",
	},
	{
		file: "replica/row-notifier.ts",
		code: "changes += 1",
		change: "1 -> 2",
		reason: "listeners are told that something moved, not how far",
	},
	{
		file: "replica/sync-round.ts",
		code: "backedUpTo = fetched.backedUpTo ?? backedUpTo",
		reason: "the next sync says it, and more is kept until then",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "fetched.backedUpTo = pulled.backedUpTo",
		reason: "the next sync says it, and more is kept until then",
	},
	{
		file: "replica/rebase.ts",
		code: "const unconfirmed = -1",
		change: "1 -> 2",
		reason: "any number that is no version will do",
	},
	{
		file: "feed/pull-queue.ts",
		code: "let finished = 0",
		reason: "it is compared with what it was a moment before",
	},
	{
		file: "replica/sync-loop.ts",
		code: "let isDue = false",
		reason: "it is set before it is first read",
	},
	{
		file: "protocol/backoff.ts",
		code: "env.randomBytes(1)",
		change: "1 -> 2",
		reason: "a random byte that nobody looks at",
	},
	{
		file: "replica/transport.ts",
		code: "timeoutMs = 60_000",
		reason: "a millisecond more to wait",
	},
	{
		file: "replica/transport.ts",
		code: "AbortSignal.timeout(5_000)",
		reason: "it is given up later, to the same end",
	},
	{
		file: "protocol/retry-after.ts",
		code: "return waitMs > 0 ? waitMs : undefined",
		change: "0 -> 1",
		reason: "the dates of HTTP are whole seconds",
	},
	{
		file: "replica/transport.ts",
		code: 'return new ShopError("unreachable", message, undefined, { cause })',
		reason: "what stands behind an error, for a developer",
	},
	{
		file: "replica/sync-loop.ts",
		code: "if (ms <= 0 || mayEnd())",
		change: "0 -> 1",
		reason: "a millisecond less to wait",
	},
];
