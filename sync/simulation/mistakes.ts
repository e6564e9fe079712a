import type { StoreKind } from "../store/test-store-kind.ts";

/** A defect that somebody might make one day: a piece of the code, and what stands there in its place. */
export interface Mistake {
	name: string;
	/** Below `sync/`. */
	file: string;
	find: string;
	replace: string;
	/** The seed that noticed it last, tried before all others. */
	seed?: number;
	/** Where it does harm on one kind of store alone. */
	store?: StoreKind;
	/** What else keeps it from doing harm, where the simulation is not to notice it. */
	maskedBy?: string;
}

/** Each must be noticed within a few seeds, or the simulation is blind to its kind. */
export const mistakes: readonly Mistake[] = [
	{
		name: "sums that a batch has kept are not written at its end",
		file: "log.ts",
		find: "await additions?.write();\n\tif (head",
		replace: "if (head",
	},
	{
		name: "sums that a batch has kept are not written before their rows are read",
		file: "context.ts",
		find: "await additions?.write(entity);\n\t\tconst found",
		replace: "const found",
		maskedBy:
			"a till says which quantity it saw, and all else of a row is written at once",
	},
	{
		name: "what fails half-way leaves its sums with a batch",
		file: "log.ts",
		find: "const additions = recording.isolate\n\t\t? undefined\n\t\t: openAdditions(tx, businessId);",
		replace: "const additions = openAdditions(tx, businessId);",
		seed: 14,
	},
	{
		name: "a mutation is applied without a look into the log",
		file: "log.ts",
		find: "if (seen) return seen;",
		replace: "",
	},
	{
		name: "an id that another mutation has is taken for a repeat",
		file: "log.ts",
		find: "if (seen.name !== nameOf(message) || seen.args !== args)",
		replace: "if (false)",
		maskedBy: "ids are random: no till makes the same one twice",
	},
	{
		name: "a sale that exists is made again by another mutation",
		file: "entities/sale.ts",
		find: "if (await context.isRecorded(sale, id, isSame)) return;",
		replace: "await context.isRecorded(sale, id, isSame);",
		maskedBy:
			"the log knows a mutation by its id, and the table a sale by its own",
	},
	{
		name: "versions are moments by the server's clock",
		file: "log.ts",
		find: "const result = await recordMutation(tx, item, batch, head + 1);\n\t\tif (result.version === head + 1) head += 1;",
		replace:
			"const moment = Math.floor(recording.now / 1e4) % 1e6;\n\t\tconst result = await recordMutation(tx, item, batch, moment);\n\t\tif (result.version === moment) head = moment;",
	},
	{
		name: "versions are taken outside the transaction",
		file: "log.ts",
		find: "let head = before;",
		replace:
			"const taken = recording.onFault.taken ??= new Map();\n\tlet head = taken.get(businessId) ?? before;\n\ttaken.set(businessId, head + items.length);",
	},
	{
		name: "a fault of the server is written down as a refusal",
		file: "log.ts",
		find: "if (deferringCodes.has(error.code))",
		replace: "if (false)",
		seed: 4,
	},
	{
		name: "a full disk is written down as a refusal",
		file: "log.ts",
		find: "if (isStorageError(thrown)) throw thrown;",
		replace: "",
		seed: 57,
	},
	{
		name: "a mutation that failed half-way is not undone",
		file: "log.ts",
		find: 'if ((hasWritten || isFault) && !recording.isolate)\n\t\t\tthrow new HalfDone("To be undone", { cause: thrown });',
		replace: "",
		seed: 22,
	},
	{
		name: "the page's cursor is the head, not its end",
		file: "feed.ts",
		find: "cursor: { epoch, version: upTo },",
		replace: "cursor: { epoch, version: head },",
		seed: 13,
	},
	{
		name: "a page ends in the middle of a version",
		file: "feed.ts",
		find: '"AND version > ? AND version <= ?",',
		replace: '"AND version > ? AND version <= ? LIMIT 3",',
	},
	{
		name: "the feed forgets what was deleted",
		file: "feed.ts",
		find: "stored.forEach(({ row, version, deleted }, i) => {",
		replace:
			"stored.forEach(({ row, version, deleted }, i) => {\n\t\t\tif (deleted) return;",
		seed: 33,
	},
	{
		name: "a cursor of another history is taken for one of this",
		file: "feed.ts",
		find: "cursor !== undefined && cursor.epoch === epoch && cursor.version <= head;",
		replace: "cursor !== undefined && cursor.version <= head;",
		seed: 13,
	},
	{
		name: "the digest leaves out a column",
		file: "feed.ts",
		find: "JSON.stringify(toWire(entity, row))",
		replace: "JSON.stringify({ ...toWire(entity, row), quantity: 0 })",
		seed: 13,
	},
	{
		name: "rows are read whatever business they are of",
		file: "rows.ts",
		find: "WHERE business_id = ? $",
		replace: "WHERE ? <> '' $",
	},
	{
		name: "stock is set and not added to",
		file: "rows.ts",
		find: "} + ?, version",
		replace: "} * 0 + ?, version",
	},
	{
		name: "an older edit that arrives late undoes a newer one",
		file: "context.ts",
		find: "if (value === undefined || (last && last.at > at)) continue;",
		replace: "if (value === undefined) continue;",
		seed: 149,
	},
	{
		name: "a decrement is lost on rebase",
		file: "rebase.ts",
		find: "await tx.savepoint(() => apply(tx, businessId, entry, touched));",
		replace:
			'if (entry.name !== "sale.create") await tx.savepoint(() => apply(tx, businessId, entry, touched));',
		seed: 4,
	},
	{
		name: "what the outbox did is not undone before the server's rows come",
		file: "rebase.ts",
		find: "else await writeRow(tx, entity, businessId, JSON.parse(data as string));",
		replace: "",
		seed: 37,
	},
	{
		name: "a record of its own is not taken back before the server's comes",
		file: "rebase.ts",
		find: "if (data === null) await eraseRow(tx, entity, businessId, id as string);\n\t\telse",
		replace: "if (data !== null)",
		seed: 3,
	},
	{
		name: "what a restored server no longer has stays on the tills",
		file: "rebase.ts",
		find: "for (const { table, lines } of entities) {",
		replace: "for (const { table, lines } of []) {",
		seed: 133,
	},
	{
		name: "the tills do not heal a restored server",
		file: "replica.ts",
		find: "await outbox.reoffer(tx, businessId);",
		replace: "",
		seed: 4,
	},
	{
		name: "a restore goes on with the old history",
		file: "history.ts",
		find: 'await tx.run(sql, "epoch", newId(env));',
		replace: "",
		seed: 4,
	},
	{
		name: "a till forgets what the server took as soon as it took it",
		file: "outbox.ts",
		find: "(state = 'acknowledged' AND server_version <= ?))`;\n\tconst params = [businessId, toIso(now - keptMs), backedUpTo] as const;",
		replace:
			"(state = 'acknowledged' AND server_version > -?))`;\n\tconst params = [businessId, toIso(now + 1), backedUpTo] as const;",
		seed: 4,
	},
	{
		name: "a till forgets after a month, whatever the backups hold",
		file: "outbox.ts",
		find: "(state = 'acknowledged' AND server_version <= ?))`;",
		replace: "(state = 'acknowledged' AND server_version > -?))`;",
		seed: 13,
	},
	{
		name: "a refusal is taken for a yes",
		file: "outbox.ts",
		find: 'status === "rejected" ? "rejected" : "pending"',
		replace: 'status === "rejected" ? "acknowledged" : "pending"',
		seed: 3,
	},
	{
		name: "what is put off is taken for done",
		file: "outbox.ts",
		find: 'status === "rejected" ? "rejected" : "pending"',
		replace: 'status === "rejected" ? "rejected" : "acknowledged"',
		seed: 4,
	},
	{
		name: "the cursor is stored before the rows",
		file: "replica.ts",
		find: "const before = touched.length;\n\t\treturn store.write(async (tx) => {",
		replace:
			"const before = touched.length;\n\t\tawait store.write((tx) => tx.run('UPDATE replica SET cursor_version = ? WHERE business_id = ? AND epoch = ?', parseCursor(pages.at(-1).cursor).version, businessId, parseCursor(pages.at(-1).cursor).epoch));\n\t\treturn store.write(async (tx) => {",
		seed: 8,
	},
	{
		name: "a piece of a page is taken for all of it",
		file: "pieces.ts",
		find: "cursor: formatCursor({ ...at, version: upTo }),\n\t\t\thasMore: true,",
		replace: "cursor: page.cursor,\n\t\t\thasMore: page.hasMore,",
		seed: 22,
	},
	{
		name: "a sale is done before it is on the disk",
		file: "replica.ts",
		find: "const result = await store.write(async (tx) => {",
		replace: "const result = void store.write(async (tx) => {",
	},
	{
		name: "the store answers before the commit",
		file: "store/sqlite.ts",
		find: 'this.#writer.exec("COMMIT");\n\t\t} catch',
		replace:
			'for (const job of done) job.resolve();\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tthis.#writer.exec("COMMIT");\n\t\t} catch',
		seed: 3,
	},
	{
		name: "the store on PostgreSQL answers before the commit",
		file: "store/postgres.ts",
		find: "this.#isCommitting = true;",
		replace:
			"for (const job of this.#group) job.resolve();\n\t\tawait new Promise((resolve) => setTimeout(resolve, 50));\n\t\tthis.#isCommitting = true;",
		store: "postgres",
		seed: 38,
	},
	{
		name: "a write that met another is done again on top of its first half",
		file: "store/postgres.ts",
		find: 'this.#writer.send("ROLLBACK");',
		replace: "",
		store: "postgres",
		seed: 11,
	},
	{
		name: "a page that tills share is given to another business",
		file: "feed-tail.ts",
		find: "{businessId} $",
		replace: "{''} $",
		seed: 166,
	},
	{
		name: "a page that tills share is given out in another history",
		file: "feed-tail.ts",
		find: "{epoch} $",
		replace: "{''} $",
		maskedBy: "a server that was restored has been started anew, with no pages",
	},
	{
		name: "the newest rows that tills share lack one that changed",
		file: "feed-tail.ts",
		find: "readChanges(tx, businessId, from, head)",
		replace: "readChanges(tx, businessId, from + 1, head)",
	},
	{
		name: "a retry makes a new mutation",
		file: "push-outbox.ts",
		find: "requestOf(read.mutations,",
		replace:
			"requestOf(JSON.stringify(JSON.parse(read.mutations).map((m: any) => ({ ...m, id: m.id.slice(0, 23) + sentAt }))),",
	},
	{
		name: "nobody notices a till that was restored or cloned",
		file: "devices.ts",
		find: "if (lastNumber !== undefined && lastNumber < device.lastNumber) return true;",
		replace: "return false;",
		seed: 6,
	},
	{
		name: "two tills are given the same receipt prefix",
		file: "devices.ts",
		find: "if (!taken.has(prefix)) return prefix;",
		replace: "return toLetters(0);",
	},
];
