import type {
	Context,
	Entity,
	FieldEdit,
	Notice,
	RowOf,
	ServerTime,
} from "../entities/entity.ts";
import { sumMax } from "../entities/money.ts";
import { ShopError } from "../protocol/errors.ts";
import { derivedId } from "../protocol/ids.ts";
import type { Connection, DbRow, Value } from "../store/store.ts";
import type { BufferedIncrements } from "./buffered-increments.ts";
import { toColumns } from "./columns.ts";
import {
	addToRow,
	insertRow,
	readRow,
	type StoredRow,
	updateRow,
} from "./rows.ts";

export interface ContextOptions {
	businessId: string;
	mutationId: string;
	at: string;
	server?: ServerTime | undefined;
	userId: string | null;
	deviceId: string | null;
	carrierId?: string | null | undefined;
	asksApproval?: boolean | undefined;
	/** The version that this mutation makes. Undefined on a replica, where only the server assigns versions. */
	version?: number | undefined;
	/** True if the database may lack a record that a till still has and will bring. */
	mayLack?: boolean;
	/** True if what followed from a mutation may be here without it. What is here then stays as it is. */
	mayHave?: boolean;
	onNotice?: ((notice: Notice) => Promise<void>) | undefined;
	/** Collects additions until the end of the mutation's batch. */
	increments?: BufferedIncrements | undefined;
	/** Called before each write. */
	onWrite?(): void;
	/** Called with each inserted row. */
	onInserted?(entity: Entity, row: object): void;
	/** Called with each row before its first write. A replica saves the server's state of the row. */
	beforeWrite?(
		entity: Entity,
		id: string,
		before: StoredRow | undefined,
	): Promise<void>;
}

/**
 * Opens the only interface that writes business data: scoped to one business, stamped with the version, and observed by
 * a replica.
 */
export function openContext(tx: Connection, options: ContextOptions): Context {
	const { businessId, mutationId, at, increments, beforeWrite } = options;
	const version = options.version;
	let derived = 0;

	async function write(
		entity: Entity,
		id: string,
		set: Record<string, unknown>,
		extra: DbRow = {},
	): Promise<void> {
		options.onWrite?.();
		await increments?.write(entity);
		if (beforeWrite)
			await beforeWrite(entity, id, await readRow(tx, entity, businessId, id));
		const values: DbRow = { ...toColumns(entity, set), ...extra };
		if (version !== undefined) values.version = version;
		await updateRow(tx, entity, businessId, id, values);
	}

	async function readEdits(
		entity: Entity,
		id: string,
	): Promise<Record<string, FieldEdit>> {
		const row = await tx.get(
			`SELECT edits FROM ${entity.table} WHERE business_id = ? AND id = ?`,
			businessId,
			id,
		);
		return row ? JSON.parse(row.edits as string) : {};
	}

	async function find<E extends Entity>(
		entity: E,
		id: string,
	): Promise<RowOf<E> | undefined> {
		await increments?.write(entity);
		const found = await readRow(tx, entity, businessId, id);
		return found && !found.deleted ? found.row : undefined;
	}

	return {
		businessId,
		mutationId,
		at,
		server: options.server,
		userId: options.userId,
		deviceId: options.deviceId,
		carrierId: options.carrierId ?? null,
		isServers: version !== undefined,
		asksApproval: options.asksApproval === true,
		find,

		async get(entity, id, field) {
			const found = await find(entity, id);
			if (found) return found;
			throw new ShopError(
				options.mayLack ? "unknown_record" : "not_found",
				notFoundMessage(entity),
				field,
			);
		},

		async insert(entity, row) {
			assertCountable(row);
			options.onWrite?.();
			if (beforeWrite) {
				const before = await readRow(tx, entity, businessId, row.id);
				await beforeWrite(entity, row.id, before);
			}
			const inserted = await insertRow(tx, entity, businessId, {
				row,
				version: version ?? 0,
				deleted: false,
			});
			if (!inserted && options.mayHave) return;
			if (!inserted) throw idReused(entity);
			options.onInserted?.(entity, row);
		},

		async add(entity, id, field, delta, at) {
			options.onWrite?.();
			if (beforeWrite)
				await beforeWrite(
					entity,
					id,
					await readRow(tx, entity, businessId, id),
				);
			const increment = { field, delta, at };
			return increments
				? increments.add(entity, id, increment)
				: addToRow(tx, entity, businessId, id, increment);
		},

		async isRecorded(entity, id, isSame) {
			const existing = await find(entity, id);
			if (!existing) return false;
			if (isSame(existing)) return true;
			throw idReused(entity);
		},

		async update(entity, id, set) {
			await write(entity, id, set);
		},

		async overwrite(entity, id, set) {
			await write(entity, id, set, { edits: "{}" });
		},

		async edit(entity, id, set) {
			const edits = await readEdits(entity, id);
			const before = (await find(entity, id)) as
				| Record<string, unknown>
				| undefined;
			if (!before) return;
			const winning: Record<string, unknown> = {};
			for (const [field, value] of Object.entries(set)) {
				const last = edits[field];
				if (value === undefined || (last && last.at > at)) continue;
				edits[field] = { at, was: before[field] ?? null };
				winning[field] = value;
			}
			if (Object.keys(winning).length === 0) return;
			const updatedAt = before.updatedAt as string;
			winning.updatedAt = updatedAt > at ? updatedAt : at;
			await write(entity, id, winning, { edits: JSON.stringify(edits) });
		},

		async remove(entity, id) {
			await write(entity, id, {}, { deleted: 1 });
		},

		async lastEdit(entity, id, field) {
			return (await readEdits(entity, id))[field];
		},

		async all(sql: string, ...params: Value[]) {
			await increments?.write();
			return tx.all(sql, ...params);
		},

		async notify(notice) {
			if (!options.onNotice) return;
			await increments?.write();
			await options.onNotice(notice);
		},

		nextId() {
			derived += 1;
			return derivedId(mutationId, derived);
		},
	};
}

/** Each argument may be in its range, and their sum not. No till could read such a row, nor anything that comes after it. */
function assertCountable(row: object): void {
	for (const [field, value] of Object.entries(row))
		if (typeof value === "number" && Math.abs(value) > sumMax)
			throw new ShopError(
				"invalid_args",
				"Too large to be counted exactly",
				field,
			);
}

function idReused(entity: Entity): ShopError {
	const message = `Another ${wordsOf(entity)} has this id`;
	return new ShopError("id_reused", message, "id");
}

function notFoundMessage(entity: Entity): string {
	const words = wordsOf(entity);
	return `${words.charAt(0).toUpperCase()}${words.slice(1)} not found`;
}

/** @example wordsOf(stockMovement) === "stock movement" */
function wordsOf({ name }: Entity): string {
	return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
