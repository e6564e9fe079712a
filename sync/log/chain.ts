import { sha256Base64url } from "#platform";
import type { Cursor } from "../protocol/protocol.ts";
import type { Connection, DbRow } from "../store/store.ts";

/*
 * A business's log is a hash chain. Each applied mutation has a link:
 *
 *    link = SHA-256 of the JSON array [previous link, version, id, name, args, argsVersion, at, receivedAt, deviceAt, userId,
 *           carrierId, deviceId], base64url; args is the log's canonical JSON text, a missing id is null
 *
 * The first link follows a hash of the business's id. In a database that is older than the chain, it starts with the
 * first mutation after the upgrade. Rejected mutations have no version and no link: they change nothing in the shop,
 * and sending one again gets the same answer or applies it.
 *
 * The chain is made of whole links, and the shop's newest stands in its row. The log keeps the first 22 characters of each, 132
 * bits: to change the log unnoticed, somebody would have to find other content with a given beginning.
 *
 * Equal links of a version mean equal histories up to it. So a cursor with the characters of a link proves what its
 * till has seen, and a restored server notices what it has lost.
 */

/** Characters of a link in a proof, of 43: 72 bits. */
const proofLength = 12;

/** Characters of a link in the log. Older entries may have all 43. */
const keptLength = 22;

/** The columns of the log that a link covers. */
export interface ChainedMutation {
	version: number;
	id: string;
	name: string;
	args: string;
	args_version: number;
	at: string;
	received_at: string;
	device_at: string | null;
	user_id: string | null;
	carrier_id: string | null;
	device_id: string | null;
}

export const chainedColumns =
	"version, id, name, args, args_version, at, received_at, device_at, user_id, carrier_id, device_id";

export function nextLink(previous: string, made: ChainedMutation): string {
	const content = [
		...[previous, made.version, made.id, made.name, made.args],
		...[made.args_version, made.at, made.received_at, made.device_at],
		...[made.user_id, made.carrier_id, made.device_id],
	];
	return sha256Base64url(JSON.stringify(content));
}

/** Returns what the log keeps of a link. */
export function keptOf(link: string): string {
	return link.slice(0, keptLength);
}

/** True if the log has a link, or at least as much of it as it keeps. */
export function isKept(link: string, kept: string): boolean {
	return kept.length >= keptLength && link.startsWith(kept);
}

/** The hash before a business's first link. */
export function chainStart(businessId: string): string {
	return sha256Base64url(`The log of ${businessId}`);
}

/** The newest version of a business and its whole link, which is null before the chain's start. */
export interface Head {
	version: number;
	link: string | null;
}

export async function readChainHead(
	tx: Connection,
	businessId: string,
): Promise<Head> {
	const row = await tx.get(
		"SELECT head, link FROM businesses WHERE business_id = ?",
		businessId,
	);
	return {
		version: Number(row?.head ?? 0),
		link: (row?.link as string | null | undefined) ?? null,
	};
}

/** Returns the head as a cursor. */
export async function headCursor(
	tx: Connection,
	businessId: string,
	epoch: string,
): Promise<Cursor> {
	return toCursor(await readChainHead(tx, businessId), epoch);
}

function toCursor({ version, link }: Head, epoch: string): Cursor {
	return { epoch, version, proof: toProof(link) };
}

/** Returns the proof of a cursor at a version. Empty for a version from before the chain. */
export async function proofAt(
	tx: Connection,
	businessId: string,
	version: number,
	head?: Head,
): Promise<string> {
	if (head?.version === version) return toProof(head.link);
	const row = await tx.get(
		"SELECT link FROM mutations WHERE business_id = ? AND version = ?",
		businessId,
		version,
	);
	return toProof(row?.link);
}

function toProof(link: DbRow[string] | undefined): string {
	return typeof link === "string" ? link.slice(0, proofLength) : "";
}

/**
 * Makes a cursor behind the head that its rows were read at, or inside such a page. It carries that head's proof with its
 * version, `proof.head`: a row that was written again in between was left to a later page, and in a history that has lost
 * the write it would stand below the cursor, unread.
 *
 * @param head of the rows, or the end of the page that they are from
 */
export function cursorWithin(head: Cursor, version: number): Cursor {
	const { proof } = head;
	if (version === head.version) return head;
	const isBare = proof !== "" && !proof.includes(".");
	return {
		...head,
		version,
		proof: isBare ? `${proof}.${head.version}` : proof,
	};
}

/** Makes the cursor of what was read at a head up to a version. */
export function cursorUpTo(head: Head, epoch: string, version: number): Cursor {
	return cursorWithin(toCursor(head, epoch), version);
}

/**
 * Returns true for a cursor that this business's history has given out, and false for another epoch's or a lost
 * history's.
 */
export async function isOwnCursor(
	tx: Connection,
	businessId: string,
	epoch: string,
	head: Head,
	cursor: Cursor,
): Promise<boolean> {
	const [proof = "", at = `${cursor.version}`] = cursor.proof.split(".");
	const version = Number(at);
	if (cursor.epoch !== epoch) return false;
	if (cursor.version > version || version > head.version) return false;
	return (await proofAt(tx, businessId, version, head)) === proof;
}

/** Opens the end of a business's hash chain for appending. */
export async function openChain(tx: Connection, businessId: string) {
	const row = await tx.get(
		"SELECT link FROM businesses WHERE business_id = ?",
		businessId,
	);
	let link = (row?.link as string | null) ?? chainStart(businessId);
	return {
		get link() {
			return link;
		},
		/** @returns its whole link */
		add(made: ChainedMutation): string {
			link = nextLink(link, made);
			return link;
		},
	};
}
