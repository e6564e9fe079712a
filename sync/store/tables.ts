import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { ownSchema } from "./schema.ts";
import type { Connection, DbRow, Value } from "./store.ts";

/** Characters of a page of rows in memory, estimated from the page before it. */
const pageLength = 1_000_000;
const pageRowsMax = 1_000;
/** Rows of the first page, when their size is unknown. */
const firstPageRows = 20;

export interface Table {
	name: string;
	columns: string[];
	/** The columns of the primary key, in its order. */
	key: string[];
}

/** The content of a table, in a form that two stores can compare. */
export interface Rows {
	count: number;
	/** Over all values of all rows, in order of their keys. */
	sha256: string;
}

/** Lists every table of this program's schema, referenced tables first. */
export function readTables(): Table[] {
	const db = new Database(":memory:");
	try {
		db.exec(ownSchema.whole);
		const names = db
			.prepare(
				"SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid",
			)
			.pluck()
			.all() as string[];
		return names.map((name) => {
			const columns = db
				.prepare("SELECT name, pk FROM pragma_table_xinfo(?) ORDER BY cid")
				.all(name) as { name: string; pk: number }[];
			return {
				name,
				columns: columns.map((column) => column.name),
				key: columns
					.filter(({ pk }) => pk > 0)
					.toSorted((a, b) => a.pk - b.pk)
					.map((column) => column.name),
			};
		});
	} finally {
		db.close();
	}
}

/** Reads a whole table in order of its key, page by page. */
export async function readRows(
	tx: Connection,
	table: Table,
	onPage: (rows: DbRow[]) => Promise<void> | void = () => {},
): Promise<Rows> {
	const hash = createHash("sha256");
	let count = 0;
	let limit = firstPageRows;
	let last: DbRow | undefined;
	for (;;) {
		const rows = await tx.all(
			pageSql(table, last !== undefined),
			...(last ? table.key.map((column) => last?.[column] as Value) : []),
			limit,
		);
		let length = 0;
		for (const row of rows) {
			const text = `${JSON.stringify(Object.values(row))}\n`;
			hash.update(text);
			length += text.length;
		}
		await onPage(rows);
		count += rows.length;
		if (rows.length < limit) return { count, sha256: hash.digest("hex") };
		last = rows.at(-1);
		limit = Math.ceil((pageLength * rows.length) / length);
		limit = Math.min(limit, pageRowsMax);
		// A synchronous database gives signals no turn.
		await nextTurn();
	}
}

function pageSql({ name, columns, key }: Table, isLater: boolean): string {
	const keys = key.join(", ");
	const after = isLater
		? `WHERE (${keys}) > (${key.map(() => "?").join(", ")})`
		: "";
	return `SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${keys} LIMIT ?`;
}

/** Inserts rows as `readRows` returns them. */
export async function insertRows(
	tx: Connection,
	{ name, columns }: Table,
	rows: readonly DbRow[],
): Promise<void> {
	const sql = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
	// Sent together, they cost one round trip to a server on another machine.
	await Promise.all(
		rows.map((row) =>
			tx.run(sql, ...columns.map((column) => row[column] as Value)),
		),
	);
}
