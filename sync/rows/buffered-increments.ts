import type { Entity, RowOf } from "../entities/entity.ts";
import { SumOverflow } from "../protocol/errors.ts";
import type { Connection } from "../store/store.ts";
import { toColumns } from "./columns.ts";
import { addToRow, type Increment, updateRow } from "./rows.ts";

/**
 * Buffers what the mutations of a batch add to rows and writes each sum once: a thousand sales of a hundred products
 * take two hundred writes instead of three thousand.
 */
export interface BufferedIncrements {
	/**
	 * @returns the row after the addition, without its lines and valid until the next one; undefined if there is none
	 * @throws SumOverflow with nothing added
	 */
	add<E extends Entity>(
		entity: E,
		id: string,
		increment: Increment,
	): Promise<RowOf<E> | undefined>;
	/** Writes the buffered sums of an entity, or of all. Call it before its rows are read or written in any other way. */
	write(entity?: Entity): Promise<void>;
}

interface Sum {
	row: Record<string, unknown>;
	fields: Set<string>;
}

/** @param tx must end with all sums written, or roll back */
export function openBufferedIncrements(
	tx: Connection,
	businessId: string,
): BufferedIncrements {
	const sumsByEntity = new Map<Entity, Map<string, Sum>>();

	async function writeSums(entity: Entity): Promise<void> {
		for (const [id, { row, fields }] of sumsByEntity.get(entity) ?? []) {
			if (fields.size === 0) continue;
			const set: Record<string, unknown> = { updatedAt: row.updatedAt };
			for (const field of fields) set[field] = row[field];
			await updateRow(tx, entity, businessId, id, toColumns(entity, set));
		}
		sumsByEntity.delete(entity);
	}

	return {
		async add(entity, id, increment) {
			const { field, delta, at } = increment;
			const sums = sumsByEntity.get(entity) ?? new Map<string, Sum>();
			sumsByEntity.set(entity, sums);
			const sum = sums.get(id);
			if (!sum) {
				const row = await addToRow(tx, entity, businessId, id, increment);
				if (row) sums.set(id, { row, fields: new Set() });
				return row;
			}
			const { row } = sum;
			const total = (row[field] as number) + delta;
			if (!Number.isSafeInteger(total)) throw new SumOverflow(field);
			row[field] = total;
			if (at > (row.updatedAt as string)) row.updatedAt = at;
			sum.fields.add(field);
			return row as RowOf<typeof entity>;
		},

		async write(entity) {
			if (entity) await writeSums(entity);
			else
				for (const entity of [...sumsByEntity.keys()]) await writeSums(entity);
		},
	};
}
