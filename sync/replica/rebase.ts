import { newestArgsVersion } from "../entities/args-version.ts";
import type { Entity } from "../entities/entity.ts";
import { entitiesByName, mutationsByName } from "../entities/index.ts";
import { parseArgs } from "../entities/parse-args.ts";
import { blockOf, forgetSums } from "../feed/digest-blocks.ts";
import { feedForm } from "../feed/feed-form.ts";
import { isStorageError, ShopError } from "../protocol/errors.ts";
import { openContext } from "../rows/context.ts";
import { eraseRow, readRow, type StoredRow, writeRow } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { type LocalMutation, unseen } from "./outbox.ts";
import {
	firstDayHere,
	notJoining,
	noWindow,
	readState,
	saveJoining,
	saveWindow,
} from "./replica-state.ts";
import { markUnconfirmed } from "./server-rows.ts";

/*
 * A replica shows the server's rows with its own unseen mutations on top. All in one transaction:
 *
 *    rows that the outbox touched        other rows
 *    ────────────────────────────        ──────────
 *    1. undo   back to the server's  ◄── base_rows (as they were before the outbox's first write)
 *    2. pull   write the server's newer rows, in both
 *    3. redo   apply the mutations that the server's rows do not include, and save what they touch in base_rows
 *
 * A reader sees the shop before or after, so that a pending sale never vanishes.
 */

/** Identifies a row of a business. */
export interface RowKey {
	entity: string;
	id: string;
}

/**
 * Saves a row as the server sent it, before the outbox first touches it.
 *
 * @param touched receives each row, if given
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
		else await putBack(tx, entity, businessId, JSON.parse(data as string));
	}
	await tx.run("DELETE FROM base_rows WHERE business_id = ?", businessId);
}

/** Kept sums follow changes. A row that is not there to be changed, because a failing disk lost it, would be missed. */
async function putBack(
	tx: Connection,
	entity: Entity,
	businessId: string,
	stored: StoredRow,
): Promise<void> {
	const { id } = stored.row as { id: string };
	if (!(await readRow(tx, entity, businessId, id)))
		await forgetSums(tx, businessId, [blockOf(stored.version)]);
	await writeRow(tx, entity, businessId, stored);
}

/** Applies the mutations that the server's rows up to a version do not include. One that fails is left to the server. */
export async function redo(
	tx: Connection,
	businessId: string,
	cursorVersion: number,
	onFault: (error: unknown) => void,
	touched?: RowKey[],
): Promise<void> {
	const entries = await unseen(tx, businessId, cursorVersion);
	if (entries.length === 0) return;
	const lacksSales = await mayLackSales(tx, businessId);
	for (const entry of entries) {
		// Payments and movements come before the sales and refunds that they are of, and stay when these have left the window.
		const mayHave = lacksSales || entry.answeredAt !== undefined;
		try {
			await tx.savepoint(() =>
				apply(tx, businessId, entry, { touched, mayHave }),
			);
		} catch (error) {
			if (isStorageError(error)) throw error;
			if (!(error instanceof ShopError)) onFault(error);
		}
	}
}

/** Whether the server may have sales that are not here: they are still to come, or have left the window. */
async function mayLackSales(
	tx: Connection,
	businessId: string,
): Promise<boolean> {
	const { snapshot, window } = await readState(tx, businessId);
	return snapshot !== null || window.version > 0;
}

interface ApplyOptions {
	/** Receives each row that it touches. */
	touched?: RowKey[] | undefined;
	/** True if what follows from it may be here without it. */
	mayHave?: boolean;
	/** The signed-in member, if another one makes it. */
	carrierId?: string | null | undefined;
	asksApproval?: boolean | undefined;
}

/** Applies a mutation on top of the server's rows. Its rows have version 0 until the server assigns one. */
export async function apply(
	tx: Connection,
	businessId: string,
	made: LocalMutation,
	{ touched, mayHave, carrierId, asksApproval }: ApplyOptions = {},
): Promise<void> {
	const { id, name, args, argsVersion, at, userId, deviceId } = made;
	const mutation = mutationsByName.get(name);
	if (!mutation || argsVersion > newestArgsVersion(mutation))
		throw new ShopError("unknown_mutation", name);
	const context = openContext(tx, {
		businessId,
		mutationId: id,
		at,
		userId,
		deviceId,
		...{ mayHave, carrierId, asksApproval },
		beforeWrite: captureBase(tx, businessId, touched),
	});
	await mutation.apply(context, parseArgs(mutation, JSON.parse(args)));
}

/**
 * Pulls the feed again from its start. Rows and pending mutations stay visible; the next pulls bring all of the
 * server's rows, and then delete those that it no longer has.
 */
export async function restartFeed(
	tx: Connection,
	businessId: string,
	onFault: (error: unknown) => void,
): Promise<void> {
	const state = await readState(tx, businessId);
	await undo(tx, businessId);
	await markUnconfirmed(tx, businessId);
	await tx.run(
		"UPDATE replica SET cursor_version = 0, cursor_proof = '', resetting = 1, feed_form = ? WHERE business_id = ?",
		feedForm(),
		businessId,
	);
	await saveJoining(tx, businessId, notJoining);
	const day = firstDayHere(state);
	await saveWindow(tx, businessId, { ...noWindow, day });
	await redo(tx, businessId, state.position.version, onFault);
}
