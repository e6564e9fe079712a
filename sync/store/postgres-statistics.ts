import { connectPostgres } from "./postgres-connection.ts";

/*
 * PostgreSQL chooses plans by statistics that it gathers itself, but only a minute or so after rows came. Without any it
 * joins each sale with each line, and the first report of a shop that has just sold a hundred times takes half a minute.
 * So a process has them gathered as soon as most rows may be its own.
 */

/** Rows that a process writes before it looks: a till sends hundreds in one write. Plans stay right while tables grow to ten times what is known of them. */
const firstRows = 32;
const growth = 8;

export interface Statistics {
	/** Counts rows that were written. */
	wrote(rows: number): void;
	/** Resolves once nothing is being gathered. */
	close(): Promise<void>;
}

/** Has a database's statistics gathered in time. */
export function openStatistics(url: string): Statistics {
	let written = 0;
	let next = firstRows;
	let gathering = Promise.resolve();
	return {
		wrote(rows) {
			written += rows;
			if (written < next) return;
			next = written * growth;
			const known = written;
			gathering = gathering.then(() => gather(url, known));
		},
		close: () => gathering,
	};
}

/** @param rows of the log that statistics have to know of */
async function gather(url: string, rows: number): Promise<void> {
	try {
		const connection = await connectPostgres(url);
		try {
			const stale = await connection.get(
				"SELECT 1 AS stale FROM pg_class WHERE oid = CAST('stored_mutations' AS regclass) AND reltuples < ?",
				rows,
			);
			if (stale) await connection.run("ANALYZE");
		} finally {
			await connection.end();
		}
	} catch {
		// The database server gathers them later by itself.
	}
}
