import type * as z from "zod";
import { countEnter, countLook } from "../entities/count.ts";
import type { Entity } from "../entities/entity.ts";
import { entitiesByName } from "../entities/index.ts";
import { product, type productUpdate } from "../entities/product.ts";
import { sale } from "../entities/sale.ts";
import { stockMovement } from "../entities/stock-movement.ts";
import { derivedId } from "../protocol/ids.ts";
import { readRow } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { clockSlackMs } from "./dating.ts";

/*
 * A server that was built from a till's copy has rows without the mutations that made them: of those, the till knew only its
 * own. The other tills offer theirs again. Sales, voids, refunds and stock adjustments are facts, which are recorded once
 * under their own ids, whatever mutation brings them. The others are recognized here.
 */

/** A mutation that a till brings to such a server. */
interface Sent {
	id: string;
	name: string;
	/** In wire form, validated. */
	args: unknown;
	at: string;
	/** When the lost server applied it, if its till had the answer. */
	answeredAt: unknown;
}

interface Copy {
	/** When the till of the copy last synced. */
	tillSyncedAt: string;
	/** Whether the copy counts what the mutation moved, without the movement. */
	leavesEffects: boolean;
}

/**
 * Returns true for a mutation whose effect is in the rows of the till's copy already: a creation whose record is there or was
 * removed since, a count of stock whose movement is there, and an edit that the lost server had answered before the till last
 * synced.
 */
export async function isInCopy(
	tx: Connection,
	businessId: string,
	{ tillSyncedAt, leavesEffects }: Copy,
	sent: Sent,
): Promise<boolean> {
	const [noun = "", verb = ""] = sent.name.split(".");
	const entity = entitiesByName.get(noun);
	if (!entity || entity === sale) return false;
	const { answeredAt } = sent;
	const isIn = typeof answeredAt === "string" && answeredAt <= tillSyncedAt;
	if (verb === "create")
		return (
			(isIn && (await isRemoved(tx, entity, businessId, sent))) ||
			isCreated(tx, entity, businessId, sent)
		);
	if (sent.name === countEnter.name)
		return isIn && isOfCopy(tx, businessId, sent);
	if (!entity.editable) return false;
	const counted = await findCount(tx, businessId, sent);
	if (counted || (counted === false && !leavesEffects)) return counted;
	return isIn && noteEdit(tx, entity, businessId, sent);
}

/**
 * Returns true for a record that is not there, although every till had it once: it was removed, and a till that joined later
 * has no trace of it. Products are never removed.
 */
async function isRemoved(
	tx: Connection,
	entity: Entity,
	businessId: string,
	{ args }: Sent,
): Promise<boolean> {
	if (!entity.editable || entity === product) return false;
	const { id } = args as { id: string };
	return (await readRow(tx, entity, businessId, id)) === undefined;
}

/** Returns true if the record is there. It may have been edited since, so another record shows by its name and its time. */
async function isCreated(
	tx: Connection,
	entity: Entity,
	businessId: string,
	{ args, at }: Sent,
): Promise<boolean> {
	const { id, name } = args as { id: string; name?: string };
	const found = await readRow(tx, entity, businessId, id);
	if (!found) return false;
	const row = found.row as { id: string; name?: string; createdAt: string };
	const apartMs = Math.abs(Date.parse(row.createdAt) - Date.parse(at));
	const isNamesake = name !== undefined && row.name === name;
	return apartMs <= clockSlackMs || isNamesake;
}

/** Returns true if the look that a number is of stands as it was in the copy: what was found there may have been said again since. */
async function isOfCopy(
	tx: Connection,
	businessId: string,
	{ args }: Sent,
): Promise<boolean> {
	const { id } = args as { id: string };
	const look = await readRow(tx, countLook, businessId, id);
	if (!look) return false;
	const made = await tx.get(
		"SELECT 1 AS made FROM mutations WHERE business_id = ? AND version = ?",
		...[businessId, look.version],
	);
	return made === undefined;
}

/** Returns whether the movement of a stock level that a person set is there. Undefined if it made none. */
async function findCount(
	tx: Connection,
	businessId: string,
	{ id, args }: Sent,
): Promise<boolean | undefined> {
	const { set, seenQuantity } = args as z.input<typeof productUpdate.args>;
	const isCount =
		set?.quantity !== undefined &&
		seenQuantity !== undefined &&
		set.quantity !== seenQuantity;
	if (!isCount) return undefined;
	const movement = derivedId(id, 1);
	return (await readRow(tx, stockMovement, businessId, movement)) !== undefined;
}

/**
 * Notes when fields were edited, so that no older edit wins over what stands in them.
 *
 * @returns false if an older edit has won already, because the copy did not tell the time of this one
 */
async function noteEdit(
	tx: Connection,
	{ table }: Entity,
	businessId: string,
	{ args, at }: Sent,
): Promise<boolean> {
	const { id = businessId, set = {} } = args as { id?: string; set?: object };
	const row = await tx.get(
		`SELECT edits FROM ${table} WHERE business_id = ? AND id = ?`,
		businessId,
		id,
	);
	const edits = JSON.parse((row?.edits ?? "{}") as string);
	for (const field of Object.keys(set)) {
		const last = edits[field];
		if (last && last.at >= at) continue;
		// A note has no value that it replaced.
		if (last && last.was !== undefined) return false;
		edits[field] = { at };
	}
	await tx.run(
		`UPDATE ${table} SET edits = ? WHERE business_id = ? AND id = ?`,
		JSON.stringify(edits),
		businessId,
		id,
	);
	return true;
}
