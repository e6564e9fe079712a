import { prefixOf } from "../log/prefix.ts";
import { type PauseCode, ShopError } from "../protocol/errors.ts";
import {
	type Cursor,
	formatCursor,
	parseCursor,
} from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import { renumber } from "./outbox.ts";

/** A replica's position in its server's feed. */
export interface FeedPosition extends Omit<Cursor, "epoch"> {
	/** Null before the first answer. */
	epoch: string | null;
	/** True during a reset: rows that the new snapshot has not brought yet are unconfirmed. */
	resetting: boolean;
}

/** Which sales, with their refunds, a till holds: all newer ones, and older ones where something needs them. */
export interface Window {
	/** Up to this version a sale may be missing. 0 if none is, and while the till takes its shop again. */
	version: number;
	/** The first business day of which all are here. Null if all are. While the till takes its shop again, that of before. */
	day: string | null;
	/** The first day for which the older sales that something needs were brought. Null if they are to be asked for again. */
	asked: string | null;
}

/** The single row with a till's identity and progress. */
export interface ReplicaState {
	deviceId: string;
	/** The prefix of its receipts. The server names another one if a device already has this. */
	prefix: string;
	lastNumber: number;
	lastReceipt: number;
	/** See PushRequest. */
	resumesAfter: number | null;
	position: FeedPosition;
	paused: PauseCode | null;
	clockOffsetMs: number;
	lastSyncAt: string | null;
	/** NULL if the replica has never pulled, or only with a program older than this column. */
	feedForm: string | null;
	/** The snapshot that the till joins by. Null before, and once it holds the whole history. */
	snapshot: string | null;
	/** How many parts of the snapshot are stored. */
	snapshotParts: number;
	/** Facts up to this version are still to come. Null if there are none. */
	historyVersion: number | null;
	/** What the till holds of older sales. */
	window: Window;
	/** When rows that differed from the server's were last put right, and how many. Null if none ever differed. */
	healed: { at: string; rows: number } | null;
}

let derived = { from: "", prefix: "" };

/** Hashed once: in a browser that takes longer than a statement, and each sale reads the state several times. */
function derivedPrefix(businessId: string, deviceId: string): string {
	const from = `${businessId} ${deviceId}`;
	if (derived.from !== from)
		derived = { from, prefix: prefixOf(businessId, deviceId) };
	return derived.prefix;
}

/** @throws ShopError `not_found` if the database is not a replica of the business */
export async function readState(
	tx: Connection,
	businessId: string,
): Promise<ReplicaState> {
	const row = await tx.get(
		"SELECT * FROM replica WHERE business_id = ?",
		businessId,
	);
	if (!row) throw new ShopError("not_found", "This is not the shop's replica");
	const deviceId = row.device_id as string;
	return {
		deviceId,
		prefix:
			(row.prefix as string | null) ?? derivedPrefix(businessId, deviceId),
		lastNumber: row.last_number as number,
		lastReceipt: row.last_receipt as number,
		resumesAfter: row.resumes_after as number | null,
		position: {
			epoch: row.epoch as string | null,
			version: row.cursor_version as number,
			proof: row.cursor_proof as string,
			resetting: row.resetting === 1,
		},
		paused: row.paused as PauseCode | null,
		clockOffsetMs: row.clock_offset_ms as number,
		lastSyncAt: row.last_sync_at as string | null,
		feedForm: row.feed_form as string | null,
		snapshot: row.snapshot as string | null,
		snapshotParts: row.snapshot_parts as number,
		historyVersion: row.history_version as number | null,
		window: {
			version: row.window_version as number,
			day: row.window_day as string | null,
			asked: row.window_asked as string | null,
		},
		healed:
			row.healed_at === null
				? null
				: { at: row.healed_at as string, rows: row.healed_rows as number },
	};
}

export async function saveFeedPosition(
	tx: Connection,
	businessId: string,
	{ epoch, version, proof, resetting }: FeedPosition,
): Promise<void> {
	await tx.run(
		"UPDATE replica SET epoch = ?, cursor_version = ?, cursor_proof = ?, resetting = ? WHERE business_id = ?",
		epoch,
		version,
		proof,
		Number(resetting),
		businessId,
	);
}

/** Notes that the till has seen more of the history up to which its place is known, without rows of the feed. */
export async function saveProof(
	tx: Connection,
	businessId: string,
	{ position }: Pick<ReplicaState, "position">,
	cursor: string,
): Promise<void> {
	const at = parseCursor(cursor);
	if (at?.version !== position.version) return;
	await saveFeedPosition(tx, businessId, { ...position, proof: at.proof });
}

/** Notes how far the till has come with joining by a snapshot. */
export async function saveJoining(
	tx: Connection,
	businessId: string,
	{
		snapshot,
		snapshotParts,
		historyVersion,
	}: Pick<ReplicaState, "snapshot" | "snapshotParts" | "historyVersion">,
): Promise<void> {
	await tx.run(
		"UPDATE replica SET snapshot = ?, snapshot_parts = ?, history_version = ? WHERE business_id = ?",
		snapshot,
		snapshotParts,
		historyVersion,
		businessId,
	);
}

/** What is noted of a till that holds the whole history, or gets it by the feed. */
export const notJoining = {
	snapshot: null,
	snapshotParts: 0,
	historyVersion: null,
} as const;

export async function saveWindow(
	tx: Connection,
	businessId: string,
	{ version, day, asked }: Window,
): Promise<void> {
	await tx.run(
		"UPDATE replica SET window_version = ?, window_day = ?, window_asked = ? WHERE business_id = ?",
		version,
		day,
		asked,
		businessId,
	);
}

/** The window of a till that holds everything. */
export const noWindow: Window = { version: 0, day: null, asked: null };

/** The first business day of which all sales are here. Null if they all are, whatever the day. */
export function firstDayHere({
	window,
	position,
}: Pick<ReplicaState, "window" | "position">): string | null {
	return window.version > 0 || position.resetting ? window.day : null;
}

export async function setState(
	tx: Connection,
	businessId: string,
	column: "paused" | "last_sync_at",
	value: string | null,
): Promise<void> {
	await tx.run(
		`UPDATE replica SET ${column} = ? WHERE business_id = ?`,
		value,
		businessId,
	);
}

/** Continues as another device that the server does not know. Pending mutations are numbered from 1. */
export async function takeNewDevice(
	tx: Connection,
	businessId: string,
	deviceId: string,
): Promise<void> {
	const last = await renumber(tx, businessId);
	await tx.run(
		// The epoch stays: if it is no longer the server's, acknowledged mutations are offered again.
		"UPDATE replica SET device_id = ?, prefix = NULL, last_receipt = 0, last_number = ? WHERE business_id = ?",
		deviceId,
		last,
		businessId,
	);
}

/**
 * Returns the cursor up to which all of the shop's rows are here, as the server names it.
 *
 * @returns undefined while rows are still to come
 */
export function wholeCursor({
	position,
	historyVersion,
}: ReplicaState): string | undefined {
	const isWhole = historyVersion === null && !position.resetting;
	return (isWhole && cursorOf(position)) || undefined;
}

/** Returns the cursor of the next pull. */
export function cursorOf({ epoch, version, proof }: FeedPosition): string {
	return epoch === null ? "" : formatCursor({ epoch, version, proof });
}
