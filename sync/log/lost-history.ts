import {
	type Cursor,
	type PushRequest,
	parseCursor,
} from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import { isOwnCursor, readChainHead } from "./chain.ts";
import type { KnownDevice } from "./devices.ts";

/**
 * True for a push that shows that this database has lost some of what it once answered: an older file was put back, or its
 * newest writes are gone. Nothing of such a push is applied, so that what was lost comes back before what builds on it.
 *
 * @param device undefined where the client names none
 */
export async function showsHistoryLoss(
	tx: Connection,
	businessId: string,
	epoch: string,
	device: KnownDevice | undefined,
	request: PushRequest,
): Promise<boolean> {
	if (device && hasGap(device, request)) return true;
	const cursor = parseCursor(request.cursor ?? "");
	if (cursor?.epoch !== epoch) return false;
	return (
		(await isForeign(tx, businessId, cursor)) ||
		(await isGone(tx, businessId, request))
	);
}

/** The device was answered for more mutations than are known here, and has not heard of that yet. */
function hasGap(
	{ lastNumber }: KnownDevice,
	{ settled = 0, resumesAfter }: PushRequest,
): boolean {
	return settled > lastNumber && resumesAfter !== lastNumber;
}

async function isForeign(
	tx: Connection,
	businessId: string,
	cursor: Cursor,
): Promise<boolean> {
	const head = await readChainHead(tx, businessId);
	return !(await isOwnCursor(tx, businessId, cursor.epoch, head, cursor));
}

/** What the device was last answered for is not what this database holds, whatever its numbers say. */
async function isGone(
	tx: Connection,
	businessId: string,
	{ taken }: PushRequest,
): Promise<boolean> {
	if (!taken) return false;
	const row = await tx.get(
		"SELECT version FROM mutations WHERE business_id = ? AND id = ?",
		businessId,
		taken.id,
	);
	return row?.version !== taken.version;
}
