import * as z from "zod";
import type { Entity, RowOf } from "./entity.ts";
import type { Connection, DbRow, Value } from "./store/store.ts";
import { encoderOf } from "./wire.ts";

/**
 * Rows of entities in and out of their tables. The SQL follows from the entity's schema, so that a column is written
 * in one place; it is made once per entity and kept.
 */

interface Columns {
	fields: string[];
	names: string[];
	booleans: Set<string>;
}

/** A row with what the feed needs to know of it. */
export interface StoredRow<E extends Entity = Entity> {
	row: RowOf<E>;
	version: number;
	deleted: boolean;
}

const columnsBySchema = new WeakMap<z.ZodObject, Columns>();

function columnsOf(schema: z.ZodObject): Columns {
	let columns = columnsBySchema.get(schema);
	if (!columns) {
		const fields = Object.keys(schema.shape);
		columns = {
			fields,
			names: fields.map(toColumn),
			booleans: new Set(
				fields.filter((field) => schema.shape[field] instanceof z.ZodBoolean),
			),
		};
		columnsBySchema.set(schema, columns);
	}
	return columns;
}

const columnsByField = new Map<string, string>();

/** Only names from schemas come here, so that what is kept stays small. */
function toColumn(field: string): string {
	let column = columnsByField.get(field);
	if (column === undefined) {
		column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
		columnsByField.set(field, column);
	}
	return column;
}

/** The entity's own columns; its lines live in a table of their own. */
function rowColumns(entity: Entity): Columns {
	const all = columnsOf(entity.row);
	if (!entity.lines) return all;
	const index = all.fields.indexOf(entity.lines.field);
	return {
		...all,
		fields: all.fields.toSpliced(index, 1),
		names: all.names.toSpliced(index, 1),
	};
}

const entityColumns = new WeakMap<Entity, Columns>();

function columnsOfEntity(entity: Entity): Columns {
	let columns = entityColumns.get(entity);
	if (!columns) {
		columns = rowColumns(entity);
		entityColumns.set(entity, columns);
	}
	return columns;
}

function toRow(columns: Columns, stored: DbRow): Record<string, unknown> {
	const row: Record<string, unknown> = {};
	for (let i = 0; i < columns.fields.length; i += 1) {
		const field = columns.fields[i] as string;
		const value = stored[columns.names[i] as string];
		row[field] = columns.booleans.has(field) ? value === 1 : value;
	}
	return row;
}

function toValue(value: unknown): Value {
	return typeof value === "boolean" ? Number(value) : (value as Value);
}

/** Rows that match, tombstones included. `where` begins after the scope and may end in ORDER BY and LIMIT. */
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
	await readLines(
		tx,
		entity,
		businessId,
		rows.map(({ row }) => row),
	);
	return rows;
}

const selects = new WeakMap<Entity, Map<string, string>>();

/** The same text for the same question, so that finding its prepared statement costs no building of strings. */
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

/** Fills in the lines of many rows with few queries, in order of position. */
async function readLines(
	tx: Connection,
	entity: Entity,
	businessId: string,
	rows: Record<string, unknown>[],
): Promise<void> {
	const { lines } = entity;
	if (!lines) return;
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

/** Writes a whole row, over whatever stands at its id. */
export async function writeRow<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	stored: StoredRow<E>,
): Promise<void> {
	const values = valuesOf(entity, businessId, stored);
	await tx.run(
		upsertSql(entity.table, keyOf(entity), values),
		...Object.values(values),
	);
	await writeLines(tx, entity, businessId, stored.row);
}

/** @returns false where the id is taken, by a tombstone too; nothing is written then */
export async function insertRow<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	stored: StoredRow<E>,
): Promise<boolean> {
	const values = valuesOf(entity, businessId, stored);
	const written = await tx.run(
		insertSql(entity.table, keyOf(entity), values),
		...Object.values(values),
	);
	if (written === 0) return false;
	await writeLines(tx, entity, businessId, stored.row);
	return true;
}

function valuesOf<E extends Entity>(
	entity: E,
	businessId: string,
	{ row, version, deleted }: StoredRow<E>,
): DbRow {
	const values: DbRow = { business_id: businessId };
	const columns = columnsOfEntity(entity);
	for (let i = 0; i < columns.fields.length; i += 1)
		values[columns.names[i] as string] = toValue(
			(row as Record<string, unknown>)[columns.fields[i] as string],
		);
	Object.assign(values, entity.columns?.(row));
	if (entity.editable) values.edits = "{}";
	values.business_id = businessId;
	values.version = version;
	values.deleted = Number(deleted);
	return values;
}

async function writeLines(
	tx: Connection,
	entity: Entity,
	businessId: string,
	row: Record<string, unknown>,
): Promise<void> {
	const { lines } = entity;
	if (!lines) return;
	const columns = columnsOf(lines.row);
	const all = row[lines.field] as Record<string, unknown>[];
	for (const [position, line] of all.entries()) {
		const values: DbRow = { business_id: businessId, position };
		for (let i = 0; i < columns.fields.length; i += 1)
			values[columns.names[i] as string] = toValue(
				line[columns.fields[i] as string],
			);
		const sql = upsertSql(
			lines.table,
			["business_id", lines.parent, "id"],
			values,
		);
		await tx.run(sql, ...Object.values(values));
	}
}

function keyOf(entity: Entity): string[] {
	return entity.table === "businesses"
		? ["business_id"]
		: ["business_id", "id"];
}

const upserts = new Map<string, string>();
const inserts = new Map<string, string>();

/** A table is always written with the same columns, so its statement is made once. */
function upsertSql(table: string, key: string[], values: DbRow): string {
	let sql = upserts.get(table);
	if (!sql) {
		const set = Object.keys(values)
			.filter((name) => !key.includes(name))
			.map((name) => `${name} = excluded.${name}`);
		sql = `${intoSql(table, values)} ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${set.join(", ")}`;
		upserts.set(table, sql);
	}
	return sql;
}

function insertSql(table: string, key: string[], values: DbRow): string {
	let sql = inserts.get(table);
	if (!sql) {
		sql = `${intoSql(table, values)} ON CONFLICT (${key.join(", ")}) DO NOTHING`;
		inserts.set(table, sql);
	}
	return sql;
}

function intoSql(table: string, values: DbRow): string {
	const names = Object.keys(values);
	return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${placeholders(names.length)})`;
}

/** Sets some columns of a row; the version always, where it is given. */
export async function updateRow(
	tx: Connection,
	entity: Entity,
	businessId: string,
	id: string,
	set: DbRow,
): Promise<void> {
	const names = Object.keys(set);
	await tx.run(
		`UPDATE ${entity.table} SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE business_id = ? AND id = ?`,
		...Object.values(set).map(toValue),
		businessId,
		id,
	);
}

const additions = new Map<string, string>();

/**
 * Adds to a field of a live row in one statement.
 *
 * @param version undefined leaves the row's own
 * @returns the row as it stands after, without lines; undefined where there is none
 */
export async function addToRow<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	id: string,
	field: string,
	delta: number,
	at: string,
	version: number | undefined,
): Promise<RowOf<E> | undefined> {
	const columns = columnsOfEntity(entity);
	const key = `${entity.table} ${field}`;
	let sql = additions.get(key);
	if (sql === undefined) {
		const column = toColumn(field);
		sql = `UPDATE ${entity.table} SET ${column} = ${column} + ?, version = coalesce(?, version),
			updated_at = CASE WHEN updated_at > ? THEN updated_at ELSE ? END
			WHERE business_id = ? AND id = ? AND deleted = 0 RETURNING ${columns.names.join(", ")}`;
		additions.set(key, sql);
	}
	const stored = await tx.get(
		sql,
		delta,
		version ?? null,
		at,
		at,
		businessId,
		id,
	);
	return stored && (toRow(columns, stored) as RowOf<E>);
}

/** Takes a row away without a trace, as if it had never been here. */
export async function eraseRow(
	tx: Connection,
	entity: Entity,
	businessId: string,
	id: string,
): Promise<void> {
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

/** The columns that a partial row sets, with those that follow from it. */
export function toColumns(entity: Entity, set: Record<string, unknown>): DbRow {
	const values: DbRow = {};
	for (const [field, value] of Object.entries(set))
		values[toColumn(field)] = toValue(value);
	return { ...values, ...entity.columns?.(set as never) };
}

/** The wire form of a row without what comes from other tables: what the digest counts. */
export function toWire(
	entity: Entity,
	row: Record<string, unknown>,
): Record<string, unknown> {
	let encode = encoders.get(entity);
	if (!encode) {
		encode = encoderOf(entity.row);
		encoders.set(entity, encode);
	}
	const wire = encode(row) as Record<string, unknown>;
	return entity.derive ? { ...wire, ...entity.derive(row) } : wire;
}

const encoders = new WeakMap<Entity, ReturnType<typeof encoderOf>>();

/** The wire forms of many rows, exactly as REST and the feed show them. */
export async function present(
	tx: Connection,
	entity: Entity,
	businessId: string,
	rows: Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
	const wires = rows.map((row) => toWire(entity, row));
	if (!entity.expand || rows.length === 0) return wires;
	const expanded = await entity.expand(tx, businessId, rows);
	return wires.map((wire, i) => ({ ...wire, ...expanded[i] }));
}
