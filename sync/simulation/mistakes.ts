import type { StoreKind } from "../testing/store-kind.ts";
import type { Script } from "./script.ts";

/** A plausible defect: a piece of code and its replacement. */
export interface Mistake {
	name: string;
	/** Relative to `sync/`. */
	file: string;
	find: string;
	replace: string;
	/** A run that shows it. Without one, seeds are searched. */
	script?: Script;
	/** A seed's run, shrunk, that `npm test` tries before it searches seeds: its many steps take long with this mistake. */
	short?: Script;
	/** The store that it affects, if only one. */
	store?: StoreKind;
}

/**
 * Mistakes that `npm run mutants` does not generate, because they change several places or a store that it has no tests
 * for. A few seeds must notice each one, or the simulation is blind to its kind.
 */
export const mistakes: readonly Mistake[] = [
	{
		name: "the cursor is stored before the rows",
		file: "replica/store-pages.ts",
		find: "return store.write(async (tx) => {\n\t\tconst touched: RowKey[] = [];\n\t\tlet { position }",
		replace:
			"await store.write((tx) => tx.run('UPDATE replica SET cursor_version = ?, cursor_proof = ? WHERE business_id = ? AND epoch = ?', parseCursor(pages.at(-1).cursor).version, parseCursor(pages.at(-1).cursor).proof, businessId, parseCursor(pages.at(-1).cursor).epoch));\n\treturn store.write(async (tx) => {\n\t\tconst touched: RowKey[] = [];\n\t\tlet { position }",
		short: {
			seed: 26,
			tills: 1,
			faults: { delay: 0.2492277040728368 },
			steps: [
				{ name: "diskFills", wait: 575, seed: 489715516 },
				{ name: "sells", wait: 13372814, seed: 1445751965 },
			],
			snapshots: 0.4096659976057708,
		},
	},
	{
		name: "the store answers before the commit",
		file: "store/write-queue.ts",
		find: 'this.#writer.exec("COMMIT");\n\t\t} catch',
		replace:
			'for (const job of done) job.resolve();\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tawait null;\n\t\t\tthis.#writer.exec("COMMIT");\n\t\t} catch',
	},
	{
		name: "a browser's disk is not waited for",
		file: "simulation/opfs.ts",
		find: "if (!this.#faults.flushes()) return;",
		replace: "return;",
		script: {
			seed: 4,
			tills: 2,
			faults: {},
			steps: [
				{ name: "crashes", wait: 7411243, seed: 207384318 },
				{ name: "sells", wait: 893295, seed: 556763359 },
			],
		},
	},
	{
		name: "a sale in a browser does not wait for the disk",
		file: "store/write-queue.ts",
		find: "isDurable = true }: WriteOptions",
		replace: "isDurable = false }: WriteOptions",
		script: {
			seed: 4,
			tills: 2,
			faults: {},
			steps: [
				{ name: "crashes", wait: 7411243, seed: 207384318 },
				{ name: "sells", wait: 893295, seed: 556763359 },
			],
		},
	},
	{
		name: "the store on PostgreSQL answers before the commit",
		file: "store/postgres.ts",
		find: "this.#isCommitting = true;",
		replace:
			"for (const job of this.#group) job.resolve();\n\t\tawait new Promise((resolve) => setTimeout(resolve, 50));\n\t\tthis.#isCommitting = true;",
		store: "postgres",
	},
	{
		name: "a write that met another is done again on top of its first half",
		file: "store/postgres.ts",
		find: 'this.#writer.send("ROLLBACK");',
		replace: "",
		store: "postgres",
	},
	{
		name: "a block of the digest is summed before it is closed",
		file: "feed/digest-blocks.ts",
		find: "return Math.floor((await newestHere(tx, businessId)) / blockVersions);",
		replace:
			"return Math.ceil((await newestHere(tx, businessId)) / blockVersions);",
	},
	{
		name: "what is pending is not done again after rows were put right",
		file: "replica/heal.ts",
		find: "await redo(tx, businessId, state.position.version, onFault, touched);",
		replace: "",
	},
	{
		name: "rows are put right and the sums of their blocks stay",
		file: "replica/heal.ts",
		find: "await forgetSums(tx, businessId, server.blocks);",
		replace: "",
	},
	{
		name: "an approval's signature is not looked at",
		file: "entities/approval.ts",
		find: "if (!context.isServers) return true;",
		replace: "return true;",
		short: {
			seed: 3,
			tills: 1,
			faults: {},
			steps: [
				{ name: "takesCash", wait: 26336980, seed: 2113596939 },
				{ name: "isCloned", wait: 17046, seed: 1758757507 },
				{ name: "takesCash", wait: 6865421, seed: 1447526793 },
			],
			snapshots: 0.6429575923830271,
		},
	},
	{
		name: "a merge leaves earlier merged records behind",
		file: "entities/customer.ts",
		find: "for (const id of await recordsOf(context, context.businessId, from.id))",
		replace: "for (const id of [from.id])",
		short: {
			seed: 5,
			tills: 1,
			faults: {},
			steps: [{ name: "lends", wait: 50590, seed: 1519938175 }],
			snapshots: 0.1897308207117021,
		},
	},
	{
		name: "a retry makes a new mutation",
		file: "replica/push-outbox.ts",
		find: "requestOf(read.mutations,",
		replace:
			"requestOf(JSON.stringify(JSON.parse(read.mutations).map((m: any) => ({ ...m, id: m.id.slice(0, 23) + sentAt }))),",
		short: {
			seed: 1,
			tills: 1,
			faults: {},
			steps: [],
			snapshots: 0.11238102451898158,
		},
	},
	{
		name: "sales leave a window and take along what they moved",
		file: "replica/window.ts",
		find: "await moveOlder(tx, businessId, moves, 1);",
		replace: "",
	},
	{
		name: "a window that widens brings no older sales",
		file: "replica/window.ts",
		find: "await bringAgain(tx, businessId, state);\n\t\t\tawait saveWindow(tx, businessId, noWindow);",
		replace: "await saveWindow(tx, businessId, noWindow);",
	},
];
