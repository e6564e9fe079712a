import * as z from "zod";
import type { Entity } from "../entities/entity.ts";
import type { DbRow, Value } from "../store/store.ts";

/** Converts between fields of entities and columns of their tables. */

export interface Columns {
	fields: string[];
	names: string[];
	booleans: Set<string>;
	/** Fields whose column has a list as JSON, with numbers in millionths. */
	lists: Set<string> | undefined;
	/** Fields that a row has only where their column is not NULL. */
	optional: Set<string>;
}

const columnsBySchema = new WeakMap<z.ZodObject, Columns>();

export function columnsOf(schema: z.ZodObject): Columns {
	let columns = columnsBySchema.get(schema);
	if (!columns) {
		const fields = Object.keys(schema.shape);
		const lists = fieldsOfType(schema, z.ZodArray);
		columns = {
			fields,
			names: fields.map(toColumn),
			booleans: fieldsOfType(schema, z.ZodBoolean),
			lists: lists.size > 0 ? lists : undefined,
			optional: fieldsOfType(schema, z.ZodOptional),
		};
		columnsBySchema.set(schema, columns);
	}
	return columns;
}

function fieldsOfType(
	{ shape }: z.ZodObject,
	type: typeof z.ZodArray | typeof z.ZodBoolean | typeof z.ZodOptional,
): Set<string> {
	return new Set(
		Object.keys(shape).filter((name) => {
			const field = shape[name];
			const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
			return field instanceof type || inner instanceof type;
		}),
	);
}

const columnsByField = new Map<string, string>();

/** Caches every name: only names from schemas come here, and there are few. */
export function toColumn(field: string): string {
	let column = columnsByField.get(field);
	if (column === undefined) {
		column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
		columnsByField.set(field, column);
	}
	return column;
}

/** The columns of the entity's own table, without those of its lines. */
function rowColumns({ row, lines }: Entity): Columns {
	return columnsOf(lines ? row.omit({ [lines.field]: true }) : row);
}

const entityColumns = new WeakMap<Entity, Columns>();

export function columnsOfEntity(entity: Entity): Columns {
	let columns = entityColumns.get(entity);
	if (!columns) {
		columns = rowColumns(entity);
		entityColumns.set(entity, columns);
	}
	return columns;
}

export function toRow(
	columns: Columns,
	stored: DbRow,
): Record<string, unknown> {
	const row: Record<string, unknown> = {};
	for (let i = 0; i < columns.fields.length; i += 1) {
		const field = columns.fields[i] as string;
		const value = stored[columns.names[i] as string];
		if (value === null && columns.optional.has(field)) continue;
		row[field] = columns.booleans.has(field)
			? value === 1
			: columns.lists?.has(field)
				? listIn(value as string)
				: value;
	}
	return row;
}

/** A damaged text counts as an empty list, so that the row can still be compared with the server's and put right. */
function listIn(text: string): unknown[] {
	try {
		const list = JSON.parse(text);
		return Array.isArray(list) ? list : [];
	} catch {
		return [];
	}
}

export function toValue(value: unknown): Value {
	if (typeof value === "boolean") return Number(value);
	if (Array.isArray(value)) return JSON.stringify(value);
	return (value ?? null) as Value;
}

/** Returns the columns that a partial row sets, including the computed ones. */
export function toColumns(entity: Entity, set: Record<string, unknown>): DbRow {
	const values: DbRow = {};
	for (const [field, value] of Object.entries(set))
		values[toColumn(field)] = toValue(value);
	return { ...values, ...entity.columns?.(set as never) };
}
