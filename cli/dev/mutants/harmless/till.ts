import type { Harmless } from "../harmless.ts";

/** Equivalent mutants of a till's outbox and transport. */
export const ofTill: readonly Harmless[] = [
	{
		file: "replica/outbox.ts",
		code: "if (run && run.last === position - 1",
		change: "-> false",
		reason: "each answer is written by its own statement",
	},
	{
		file: "replica/outbox.ts",
		code: "if (run && run.last === position - 1",
		change: "- -> +",
		reason: "each answer is written by its own statement",
	},
	{
		file: "replica/push-outbox.ts",
		code: "batchBytesMax = 4_000_000",
		reason: "any length well below the server's limit works",
	},
	{
		file: "replica/push-outbox.ts",
		code: "await store.read(() => nextTurn())",
		reason: "only the order of the server's and this till's work changes",
	},
	{
		file: "replica/push-outbox.ts",
		code: "answered = undefined;",
		reason: "the same answers are written again",
	},
	{
		file: "replica/push-outbox.ts",
		code: "outbox.nextBatch(tx, businessId, last, 1, 0)",
		change: "1 -> 2",
		reason: "only existence is checked",
	},
	{
		file: "replica/push-outbox.ts",
		code: "outbox.nextBatch(tx, businessId, last, 1, 0)",
		change: "0 -> 1",
		reason: "only existence is checked",
	},
	{
		file: "replica/replica.ts",
		code: "rowsPerWriteMax = 5_000",
		reason: "a transaction stores one page more or less",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "worthwhileShare = 0.4",
		reason: "a transaction stores one page more or less",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "return rows < (isStoring ?",
		reason: "a transaction stores one page more or less",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "fetched.last.hasMore &&",
		change: "-> (fetched.last.hasMore)",
		reason: "a transaction stores one page more or less",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "let rows = 0",
		reason: "a transaction stores one page more or less",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "rows += pulled.changes.length",
		reason: "a transaction stores one page more or less",
	},
	{
		file: "replica/store-pages.ts",
		code: "endsSnapshot: isSnapshot && !hasMore",
		change: "-> (!hasMore)",
		reason: "no row is unconfirmed except during a reset",
	},
	{
		file: "replica/replica.ts",
		code: "undefined, { cause: error }",
		reason: "only an error's cause, for developers",
	},
	{
		file: "replica/row-notifier.ts",
		code: "#changes = 0",
		reason: "listeners learn only that something changed, not how much",
	},
	{
		file: "replica/row-notifier.ts",
		code: "changes += 1",
		change: "1 -> 2",
		reason: "listeners learn only that something changed, not how much",
	},
	{
		file: "replica/sync-round.ts",
		code: "backedUpTo = fetched.backedUpTo ?? backedUpTo",
		reason: "the next sync reports it; until then more mutations are kept",
	},
	{
		file: "replica/page-fetcher.ts",
		code: "fetched.backedUpTo = pulled.backedUpTo",
		reason: "the next sync reports it; until then more mutations are kept",
	},
	{
		file: "replica/server-rows.ts",
		code: "const unconfirmed = -1",
		change: "1 -> 2",
		reason: "any number that isn't a version works",
	},
	{
		file: "feed/pull-queue.ts",
		code: "let finished = 0",
		reason: "it is only compared with its previous value",
	},
	{
		file: "replica/sync-loop.ts",
		code: "let isDue = false",
		reason: "it is set before its first read",
	},
	{
		file: "protocol/backoff.ts",
		code: "env.randomBytes(1)",
		change: "1 -> 2",
		reason: "a random byte that is never read",
	},
	{
		file: "replica/transport.ts",
		code: "timeoutMs = 60_000",
		reason: "the wait is a millisecond longer",
	},
	{
		file: "replica/transport.ts",
		code: "AbortSignal.timeout(5_000)",
		reason: "it is given up later, with the same result",
	},
	{
		file: "protocol/retry-after.ts",
		code: "return waitMs > 0 ? waitMs : undefined",
		change: "0 -> 1",
		reason: "HTTP dates are whole seconds",
	},
	{
		file: "replica/transport.ts",
		code: 'return new ShopError("unreachable", message, undefined, { cause })',
		reason: "only an error's cause, for developers",
	},
	{
		file: "replica/sync-loop.ts",
		code: "if (ms <= 0 || mayEnd())",
		change: "0 -> 1",
		reason: "the wait is a millisecond shorter",
	},
];
