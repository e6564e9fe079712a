import type { Entity, LineTable, RowOf } from "../entities/entity.ts";
import { SumOverflow } from "../protocol/errors.ts";
import type { Connection, DbRow, Value } from "../store/store.ts";
import {
	type Columns,
	columnsOf,
	columnsOfEntity,
	toColumn,
	toRow,
	toValue,
} from "./columns.ts";
import { encoderOf } from "./wire.ts";

/**
 * Reads and writes rows of entities. The SQL comes from the entity's schema, so that each column is defined once. It is
 * built once per entity and cached.
 */

/** A row with the metadata that the feed needs. */
export interface StoredRow<E extends Entity = Entity> {
	row: RowOf<E>;
	version: number;
	deleted: boolean;
}

/**
 * Reads matching rows, including tombstones. `where` continues the scope's condition and may end in ORDER BY and LIMIT.
 */
export async function selectRows<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	where: string,
	...params: Value[]
): Promise<StoredRow<E>[]> {
	const columns = columnsOfEntity(entity);
	const stored = await tx.all(
		selectSql(entity, columns, where),
		businessId,
		...params,
	);
	const rows = stored.map((values) => ({
		row: toRow(columns, values) as RowOf<E>,
		version: values.version as number,
		deleted: values.deleted === 1,
	}));
	if (entity.lines)
		await readLines(
			tx,
			entity.lines,
			businessId,
			rows.map(({ row }) => row),
		);
	return rows;
}

const selects = new WeakMap<Entity, Map<string, string>>();

/** Caches the SQL text, so that looking up its prepared statement builds no strings. */
function selectSql(entity: Entity, columns: Columns, where: string): string {
	let byWhere = selects.get(entity);
	if (!byWhere) {
		byWhere = new Map();
		selects.set(entity, byWhere);
	}
	let sql = byWhere.get(where);
	if (sql === undefined) {
		sql = `SELECT ${columns.names.join(", ")}, version, deleted FROM ${entity.table} WHERE business_id = ? ${where}`;
		byWhere.set(where, sql);
	}
	return sql;
}

/** Reads the lines of many rows with few queries, in order of position. */
async function readLines(
	tx: Connection,
	lines: LineTable,
	businessId: string,
	rows: Record<string, unknown>[],
): Promise<void> {
	const columns = columnsOf(lines.row);
	const linesById = new Map<unknown, unknown[]>();
	for (const row of rows) {
		const own: unknown[] = [];
		row[lines.field] = own;
		linesById.set(row.id, own);
	}
	for (let start = 0; start < rows.length; start += linesChunk) {
		const ids = rows
			.slice(start, start + linesChunk)
			.map((row) => row.id as string);
		const parents = placeholders(ids.length === 1 ? 1 : linesChunk);
		// Padding with the last id keeps the number of distinct statements at two.
		while (ids.length > 1 && ids.length < linesChunk)
			ids.push(ids.at(-1) as string);
		const stored = await tx.all(
			`SELECT ${columns.names.join(", ")} FROM ${lines.table} WHERE business_id = ? AND ${lines.parent} IN (${parents}) ORDER BY ${lines.parent}, position`,
			businessId,
			...ids,
		);
		for (const values of stored)
			linesById.get(values[lines.parent])?.push(toRow(columns, values));
	}
}

const linesChunk = 100;

function placeholders(count: number): string {
	return new Array(count).fill("?").join(", ");
}

export async function readRow<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	id: string,
): Promise<StoredRow<E> | undefined> {
	const [found] = await selectRows(tx, entity, businessId, "AND id = ?", id);
	return found;
}

/** Inserts or replaces a whole row. Lines that the new row lacks are deleted. */
export async function writeRow<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	stored: StoredRow<E>,
): Promise<void> {
	if (entity.storage) {
		await eraseRow(tx, entity, businessId, (stored.row as { id: string }).id);
		await entity.storage.insert(tx, businessId, stored);
		return;
	}
	const { row, lines } = writerOf(entity, stored);
	await tx.run(row.upsert, ...valuesOf(entity, businessId, stored));
	if (!lines) return;
	await tx.run(lines.clear, businessId, (stored.row as { id: string }).id);
	await writeLines(tx, lines, businessId, stored.row);
}

/** @returns false, with nothing written, if the id is taken, even by a tombstone */
export async function insertRow<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	stored: StoredRow<E>,
): Promise<boolean> {
	if (entity.storage) return entity.storage.insert(tx, businessId, stored);
	const { row, lines } = writerOf(entity, stored);
	const values = valuesOf(entity, businessId, stored);
	const written = await tx.run(row.insertNew, ...values);
	if (written === 0) return false;
	if (lines) await writeLines(tx, lines, businessId, stored.row);
	return true;
}

/** The values of a whole row, in the order of `namesOf`. */
function valuesOf(
	entity: Entity,
	businessId: string,
	{ row, version, deleted }: StoredRow,
): Value[] {
	const values: Value[] = [businessId];
	const { fields, names } = columnsOfEntity(entity);
	for (let i = 0; i < fields.length; i += 1)
		if (names[i] !== "business_id")
			values.push(
				toValue((row as Record<string, unknown>)[fields[i] as string]),
			);
	const further = entity.columns?.(row);
	if (further) values.push(...Object.values(further));
	if (entity.editable) values.push("{}");
	values.push(version, Number(deleted));
	return values;
}

function namesOf(entity: Entity, { row }: StoredRow): string[] {
	return [
		"business_id",
		...columnsOfEntity(entity).names.filter((name) => name !== "business_id"),
		...Object.keys(entity.columns?.(row) ?? {}),
		...(entity.editable ? ["edits"] : []),
		"version",
		"deleted",
	];
}

async function writeLines(
	tx: Connection,
	{ field, fields, insert }: LinesWriter,
	businessId: string,
	row: object,
): Promise<void> {
	const lines = (row as Record<string, Record<string, unknown>[]>)[field];
	let position = 0;
	for (const line of lines ?? []) {
		const values: Value[] = [businessId, position];
		for (const field of fields) values.push(toValue(line[field]));
		await tx.run(insert, ...values);
		position += 1;
	}
}

/** The statements that write whole rows of an entity. */
interface Writer {
	row: Statements;
	lines: LinesWriter | undefined;
}

interface LinesWriter {
	field: string;
	fields: readonly string[];
	insert: string;
	/** Deletes all lines of one parent. */
	clear: string;
}

interface Statements {
	/** Does nothing if the id is taken. */
	insertNew: string;
	upsert: string;
}

const writers = new WeakMap<Entity, Writer>();

/** Builds a table's statements once, from the first row, because every row has the same columns. */
function writerOf(entity: Entity, first: StoredRow): Writer {
	let writer = writers.get(entity);
	if (!writer) {
		const { table, lines } = entity;
		const key = table === "businesses" ? [] : ["id"];
		writer = {
			row: statementsOf(table, namesOf(entity, first), key),
			lines: lines && linesWriterOf(lines),
		};
		writers.set(entity, writer);
	}
	return writer;
}

function linesWriterOf({ table, field, parent, row }: LineTable): LinesWriter {
	const { fields, names } = columnsOf(row);
	const all = ["business_id", "position", ...names];
	const insert = insertSql(table, all);
	const clear = `DELETE FROM ${table} WHERE business_id = ? AND ${parent} = ?`;
	return { field, fields, insert, clear };
}

function insertSql(table: string, names: readonly string[]): string {
	return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${placeholders(names.length)})`;
}

/** @param key the columns of the key after the scope's */
function statementsOf(
	table: string,
	names: string[],
	key: string[],
): Statements {
	const keys = ["business_id", ...key];
	const set = names
		.filter((name) => !keys.includes(name))
		.map((name) => `${name} = excluded.${name}`);
	const onConflict = `${insertSql(table, names)} ON CONFLICT (${keys.join(", ")})`;
	return {
		insertNew: `${onConflict} DO NOTHING`,
		upsert: `${onConflict} DO UPDATE SET ${set.join(", ")}`,
	};
}

/** Returns the table that holds an entity's rows, and the condition for those of one business, with one placeholder. */
export function storageOf({ table, storage }: Entity): {
	table: string;
	scope: string;
} {
	return storage ?? { table, scope: "business_id = ?" };
}

/** Sets some columns of a row, and its version if one is given. */
export async function updateRow(
	tx: Connection,
	entity: Entity,
	businessId: string,
	id: string,
	set: DbRow,
): Promise<void> {
	const names = Object.keys(set);
	const { table, scope } = storageOf(entity);
	await tx.run(
		`UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE ${scope} AND id = ?`,
		...Object.values(set).map(toValue),
		businessId,
		id,
	);
}

const additions = new Map<string, string>();

/** An addition to a summed field of a row, with its moment. */
export interface Increment {
	field: string;
	delta: number;
	at: string;
}

/**
 * Adds to a field of a live row in one statement.
 *
 * @returns the row after the addition, without its lines; undefined if there is none
 * @throws SumOverflow with nothing added
 */
export async function addToRow<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	id: string,
	{ field, delta, at }: Increment,
): Promise<RowOf<E> | undefined> {
	const columns = columnsOfEntity(entity);
	const column = toColumn(field);
	const key = `${entity.table} ${field}`;
	let sql = additions.get(key);
	if (sql === undefined) {
		sql = `UPDATE ${entity.table} SET ${column} = ${column} + ?,
			updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END
			WHERE business_id = ? AND id = ? AND deleted = 0
			AND ${column} BETWEEN ? AND ? RETURNING ${columns.names.join(", ")}`;
		additions.set(key, sql);
	}
	const stored = await tx.get(
		sql,
		delta,
		at,
		at,
		businessId,
		id,
		Math.max(Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER - delta),
		Math.min(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - delta),
	);
	if (stored) return toRow(columns, stored) as RowOf<E>;
	const isThere = await tx.get(
		`SELECT 1 AS there FROM ${entity.table} WHERE business_id = ? AND id = ? AND deleted = 0`,
		businessId,
		id,
	);
	if (isThere) throw new SumOverflow(field);
	return undefined;
}

/** Deletes a row without leaving a tombstone, as if it had never existed. */
export async function eraseRow(
	tx: Connection,
	entity: Entity,
	businessId: string,
	id: string,
): Promise<void> {
	if (entity.storage) {
		await entity.storage.erase(tx, businessId, "id = ?", id);
		return;
	}
	if (entity.lines)
		await tx.run(
			`DELETE FROM ${entity.lines.table} WHERE business_id = ? AND ${entity.lines.parent} = ?`,
			businessId,
			id,
		);
	await tx.run(
		`DELETE FROM ${entity.table} WHERE business_id = ? AND id = ?`,
		businessId,
		id,
	);
}

/** Returns a row's wire form without fields from other tables: the part that the digest counts. */
export function toWire(
	entity: Entity,
	row: Record<string, unknown>,
): Record<string, unknown> {
	const wire = encoderOf(entity.row)(row) as Record<string, unknown>;
	return entity.derive ? { ...wire, ...entity.derive(row) } : wire;
}

/** Returns the wire forms of many rows, as REST and the feed show them. */
export async function present(
	tx: Connection,
	entity: Entity,
	businessId: string,
	rows: Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
	const wires = rows.map((row) => toWire(entity, row));
	if (!entity.expand) return wires;
	const expanded = await entity.expand(tx, businessId, rows);
	return wires.map((wire, i) => ({ ...wire, ...expanded[i] }));
}

/** Reads live rows of a business in wire form. `where` continues the scope's condition. */
export async function selectWires<Wire = Record<string, unknown>>(
	tx: Connection,
	entity: Entity,
	businessId: string,
	where: string,
	...params: Value[]
): Promise<Wire[]> {
	const found = await selectRows(
		tx,
		entity,
		businessId,
		`AND deleted = 0 ${where}`,
		...params,
	);
	const rows = found.map(({ row }) => row);
	return (await present(tx, entity, businessId, rows)) as Wire[];
}

/** @returns undefined if there is no such row, or a tombstone */
export async function findWire<Wire = Record<string, unknown>>(
	tx: Connection,
	entity: Entity,
	businessId: string,
	id: string,
): Promise<Wire | undefined> {
	const [found] = await selectWires<Wire>(
		tx,
		entity,
		businessId,
		"AND id = ?",
		id,
	);
	return found;
}
