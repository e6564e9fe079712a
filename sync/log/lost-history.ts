import {
	type Cursor,
	type PushRequest,
	parseCursor,
} from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import { isOwnCursor, readChainHead } from "./chain.ts";
import type { KnownDevice } from "./devices.ts";

/**
 * Returns true for a push that proves that this database has lost answered mutations, by an older file or missing
 * writes at its end. Nothing of such a push is applied, so that lost mutations come back before those that build on
 * them.
 *
 * @param device undefined if the client names none
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

/** True if the device got answers for more mutations than this database knows, and has not been notified yet. */
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

/** True if the mutation that the device was last answered for is missing here, whatever its numbers say. */
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
