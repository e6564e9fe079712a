import { newestArgsVersion } from "../entities/args-version.ts";
import type { Entity } from "../entities/entity.ts";
import {
	entities,
	entitiesByName,
	mutationsByName,
} from "../entities/index.ts";
import { parseArgs } from "../entities/parse-args.ts";
import { feedForm } from "../feed/feed-form.ts";
import { isStorageError, ShopError } from "../protocol/errors.ts";
import type { Change } from "../protocol/protocol.ts";
import { forgetTallies } from "../queries/tallies.ts";
import { openContext } from "../rows/context.ts";
import {
	eraseRow,
	fromWire,
	type StoredRow,
	updateRow,
	writeRow,
} from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { type LocalMutation, unseen } from "./outbox.ts";
import { readState } from "./replica-state.ts";

/*
 * A replica shows the server's truth with its own unseen mutations on top. All in one transaction:
 *
 *   rows that the outbox touched        other rows
 *   ────────────────────────────        ──────────
 *   1. undo   back to the truth  ◄── base_rows (as they were before the outbox's first write)
 *   2. pull   the server's newer rows are written, in both
 *   3. redo   what the truth does not hold yet is applied again, and what it touches goes into base_rows
 *
 * A reader sees the shop before or after, so that its own pending sale never vanishes.
 */

/** Version of rows that the server has not sent again since a reset began. */
export const unconfirmed = -1;

/** Names a row of a business. */
export interface RowKey {
	entity: string;
	id: string;
}

/**
 * Keeps a row as the server gave it, before the outbox first touches it.
 *
 * @param touched is told of each, where it is given
 */
function captureBase(tx: Connection, businessId: string, touched?: RowKey[]) {
	return async (
		entity: Entity,
		id: string,
		before: StoredRow | undefined,
	): Promise<void> => {
		touched?.push({ entity: entity.name, id });
		await tx.run(
			"INSERT INTO base_rows (business_id, entity, id, data) VALUES (?, ?, ?, ?) ON CONFLICT (business_id, entity, id) DO NOTHING",
			businessId,
			entity.name,
			id,
			before ? JSON.stringify(before) : null,
		);
	};
}

export async function undo(
	tx: Connection,
	businessId: string,
	touched?: RowKey[],
): Promise<void> {
	const bases = await tx.all(
		"SELECT entity, id, data FROM base_rows WHERE business_id = ?",
		businessId,
	);
	for (const { entity: name, id, data } of bases) {
		const entity = entitiesByName.get(name as string) as Entity;
		touched?.push({ entity: entity.name, id: id as string });
		if (data === null) await eraseRow(tx, entity, businessId, id as string);
		else await writeRow(tx, entity, businessId, JSON.parse(data as string));
	}
	await tx.run("DELETE FROM base_rows WHERE business_id = ?", businessId);
}

/**
 * Writes the server's rows. A row that this program is too old to read is passed over, so that it never holds up those
 * behind it: prices and sales go on coming. A program that can read it begins the feed again (`restartFeed`).
 *
 * @param onFault is told of a row of a known entity that could not be read or written
 */
export async function writeChanges(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	onFault: (error: unknown) => void,
): Promise<void> {
	try {
		// One savepoint for a whole page, as hardly any has such a row.
		await tx.savepoint(async () => {
			for (const change of changes) await writeChange(tx, businessId, change);
		});
	} catch (error) {
		if (isStorageError(error)) throw error;
		for (const change of changes)
			try {
				await tx.savepoint(() => writeChange(tx, businessId, change));
			} catch (unreadable) {
				if (isStorageError(unreadable)) throw unreadable;
				onFault(unreadable);
			}
	}
}

async function writeChange(
	tx: Connection,
	businessId: string,
	{ entity: name, id, version, deleted, row }: Change,
): Promise<void> {
	const entity = entitiesByName.get(name);
	if (!entity) return;
	if (deleted)
		await updateRow(tx, entity, businessId, id, { deleted: 1, version });
	else
		await writeRow(tx, entity, businessId, {
			row: fromWire(entity, row),
			version,
			deleted: false,
		});
}

/** Applies what the truth up to a version does not hold yet. What can't be applied here is left to the server. */
export async function redo(
	tx: Connection,
	businessId: string,
	cursorVersion: number,
	onFault: (error: unknown) => void,
	touched?: RowKey[],
): Promise<void> {
	for (const entry of await unseen(tx, businessId, cursorVersion)) {
		try {
			await tx.savepoint(() => apply(tx, businessId, entry, touched));
		} catch (error) {
			if (isStorageError(error)) throw error;
			if (!(error instanceof ShopError)) onFault(error);
		}
	}
}

/** Applies a mutation on top of the server's truth. Its rows are version 0 until the server gives them one. */
export async function apply(
	tx: Connection,
	businessId: string,
	{ id, name, args, argsVersion, at, userId, deviceId }: LocalMutation,
	touched?: RowKey[],
): Promise<void> {
	const mutation = mutationsByName.get(name);
	if (!mutation || argsVersion > newestArgsVersion(mutation))
		throw new ShopError("unknown_mutation", name);
	const context = openContext(tx, {
		businessId,
		mutationId: id,
		at,
		userId,
		deviceId,
		beforeWrite: captureBase(tx, businessId, touched),
	});
	await mutation.apply(context, parseArgs(mutation, JSON.parse(args)));
}

/**
 * Begins the feed again from its start. Rows and unsent mutations stay in sight meanwhile; the next pulls bring all that
 * the server has, and then take away what it no longer has.
 */
export async function restartFeed(
	tx: Connection,
	businessId: string,
	onFault: (error: unknown) => void,
): Promise<void> {
	const { position } = await readState(tx, businessId);
	await undo(tx, businessId);
	await markUnconfirmed(tx, businessId);
	await tx.run(
		"UPDATE replica SET cursor_version = 0, cursor_proof = '', resetting = 1, feed_form = ? WHERE business_id = ?",
		feedForm(),
		businessId,
	);
	await redo(tx, businessId, position.version, onFault);
}

/** Begins a fresh snapshot: all rows stay in sight until the server has sent everything again. */
export async function markUnconfirmed(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const { table } of entities)
		await tx.run(
			`UPDATE ${table} SET version = ? WHERE business_id = ?`,
			unconfirmed,
			businessId,
		);
	await forgetTallies(tx, businessId);
}

/** Ends a fresh snapshot: takes away what the server no longer has. */
export async function sweepUnconfirmed(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const { table, lines } of entities) {
		if (lines)
			await tx.run(
				`DELETE FROM ${lines.table} WHERE business_id = ?
         AND ${lines.parent} IN (SELECT id FROM ${table} WHERE business_id = ? AND version = ?)`,
				businessId,
				businessId,
				unconfirmed,
			);
		await tx.run(
			`DELETE FROM ${table} WHERE business_id = ? AND version = ?`,
			businessId,
			unconfirmed,
		);
	}
}
