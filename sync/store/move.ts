import { readDigest, readHead } from "../feed/feed.ts";
import { beginNewHistory } from "../log/history.ts";
import { isStorageError } from "../protocol/errors.ts";
import { type Env, systemEnv } from "../protocol/ids.ts";
import { readMeta } from "./meta.ts";
import {
	type MoveEnd,
	openSource,
	openTarget,
	type Place,
} from "./move-end.ts";
import { MoveError } from "./move-error.ts";
import type { Connection, DbRow } from "./store.ts";
import { insertRows, readRows, readTables, type Table } from "./tables.ts";

export interface MovedTable {
	table: string;
	rows: number;
}

export interface MovedBusiness {
	businessId: string;
	name: string;
	head: number;
	/** Equal at both ends. */
	digest: string;
}

export interface Moved {
	tables: MovedTable[];
	businesses: MovedBusiness[];
}

export interface MoveOptions {
	env?: Env;
	/** Receives the number of rows copied or compared so far. */
	onRows?(count: number): void;
}

/**
 * Moves a whole database into an empty one of another kind: every table, with the history that its tills know, so that
 * they go on without a reset. The old database stays as a copy with a new history: a till that syncs with it by mistake
 * notices, and brings its sales to whichever it syncs with next.
 *
 * After an interruption, run it again. If the new database was complete but the old one not yet marked, it only
 * compares the two.
 *
 * @throws MoveError; ShopError `storage_*` if one of them fails meanwhile
 */
export async function moveDatabase(
	fromPlace: Place,
	toPlace: Place,
	{ env = systemEnv, onRows = () => {} }: MoveOptions = {},
): Promise<Moved> {
	const from = await openSource(fromPlace);
	let moved: Moved | undefined;
	try {
		const to = await openTarget(toPlace);
		try {
			await from.store.write(async (source) => {
				await from.hold(source);
				// If this transaction has to run again, the other one may have committed already.
				moved ??= await to.store.write(async (target) => {
					await to.hold(target);
					return fill({ from, to, source, target, onRows });
				});
				await beginNewHistory(source, env);
			});
		} finally {
			await to.close(moved !== undefined);
		}
	} finally {
		await from.close(true);
	}
	return moved as Moved;
}

interface Filling {
	from: MoveEnd;
	to: MoveEnd;
	source: Connection;
	target: Connection;
	onRows(count: number): void;
}

async function fill(filling: Filling): Promise<Moved> {
	const { from, to, source, target, onRows } = filling;
	if (await source.get("SELECT 1 AS till FROM replica LIMIT 1"))
		throw new MoveError(
			`${from.name} is a till's database, not a server's: a till fetches its shop from its server`,
		);
	const tables = readTables();
	const isThere =
		(await readMeta(source, "epoch")) === (await readMeta(target, "epoch"));
	if (!isThere) {
		await assertEmpty(to, target, tables);
		await target.run("DELETE FROM meta");
	}
	let told = 0;
	const count = (rows: DbRow[]) => {
		told += rows.length;
		onRows(told);
	};
	const moved: Moved = { tables: [], businesses: [] };
	for (const table of tables) {
		const rows = await readRows(source, table, async (page) => {
			if (!isThere) await keep(target, table, page);
			count(page);
		});
		const there = await readRows(target, table, count);
		assertSame(rows.sha256 === there.sha256, filling, isThere, table.name);
		moved.tables.push({ table: table.name, rows: rows.count });
	}
	for (const { business_id, name } of await source.all(
		"SELECT business_id, name FROM businesses ORDER BY business_id",
	)) {
		const businessId = business_id as string;
		const digest = await readDigest(source, businessId);
		const there = await readDigest(target, businessId);
		assertSame(digest === there, filling, isThere, `business ${businessId}`);
		const head = await readHead(target, businessId);
		moved.businesses.push({ businessId, name: String(name), head, digest });
	}
	return moved;
}

/** A database that was created and never used holds only metadata. */
async function assertEmpty(
	to: MoveEnd,
	target: Connection,
	tables: readonly Table[],
): Promise<void> {
	for (const { name } of tables)
		if (
			name !== "meta" &&
			(await target.get(`SELECT 1 AS one FROM ${name} LIMIT 1`))
		)
			throw new MoveError(
				`${to.name} is not empty (${name}): a database is moved into an empty one`,
			);
}

/** @throws MoveError for a value that the other kind of database refuses */
async function keep(
	target: Connection,
	table: Table,
	rows: DbRow[],
): Promise<void> {
	try {
		await insertRows(target, table, rows);
	} catch (error) {
		if (isStorageError(error)) throw error;
		throw new MoveError(
			`${table.name}: one of its rows can't be stored there: ${(error as Error).message}`,
			{ cause: error },
		);
	}
}

function assertSame(
	isSame: boolean,
	{ from, to }: Filling,
	wasThere: boolean,
	what: string,
): void {
	if (isSame) return;
	throw new MoveError(
		wasThere
			? `${to.name} was moved from ${from.name} already, and has gone on since (${what}): start no server on ${from.name} any more`
			: `${to.name} does not give back what was written (${what}): check its disk`,
	);
}
