import { nextTurn, sha256 } from "#platform";
import { entities } from "../entities/index.ts";
import { isOwnCursor, proofAt, readChainHead } from "../log/chain.ts";
import {
	type Change,
	type Cursor,
	pageDefault,
	pageMax,
} from "../protocol/protocol.ts";
import { rowPages } from "../rows/row-pages.ts";
import { present, selectRows, toWire } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { openSum256 } from "./sum256.ts";

/** Rows that are summed at a time: a digest of any shop takes the memory of few. */
const digestPage = 200;

export interface FeedPage {
	changes: Change[];
	cursor: Cursor;
	hasMore: boolean;
	reset?: true;
}

/**
 * The rows of a business that changed after a cursor, in order of version. A version is never split, so that a reader
 * who stores whole pages holds a shop that once was.
 *
 * @param cursor undefined, of another epoch, or not of this history: the feed begins at its start
 */
export async function readFeed(
	tx: Connection,
	businessId: string,
	epoch: string,
	cursor: Cursor | undefined,
	limit = pageDefault,
): Promise<FeedPage> {
	const head = await readChainHead(tx, businessId);
	const isKnown =
		cursor !== undefined &&
		(await isOwnCursor(tx, businessId, epoch, head, cursor));
	const after = isKnown ? cursor.version : 0;
	const upTo = await endOfPage(tx, businessId, after, head.version, limit);
	const changes = await readChanges(tx, businessId, after, upTo);
	const proof = await proofAt(tx, businessId, upTo, head);
	const page: FeedPage = {
		changes,
		cursor: { epoch, version: upTo, proof },
		hasMore: upTo < head.version,
	};
	if (!isKnown) page.reset = true;
	return page;
}

/** The rows that last changed after one version and no later than another, in order of version. */
export async function readChanges(
	tx: Connection,
	businessId: string,
	after: number,
	upTo: number,
): Promise<Change[]> {
	const changes: Change[] = [];
	for (const entity of entities) {
		const stored = await selectRows(
			tx,
			entity,
			businessId,
			"AND version > ? AND version <= ?",
			after,
			upTo,
		);
		const wires = await present(
			tx,
			entity,
			businessId,
			stored.map(({ row }) => row),
		);
		stored.forEach(({ row, version, deleted }, i) => {
			changes.push({
				entity: entity.name,
				id: row.id,
				version,
				deleted,
				row: deleted ? null : (wires[i] ?? null),
			});
		});
	}
	return changes.sort((a, b) => a.version - b.version);
}

export async function readHead(
	tx: Connection,
	businessId: string,
): Promise<number> {
	return (await readChainHead(tx, businessId)).version;
}

/** The version of the nth row that follows, of all entities' in their order. */
const versionAtSql = `${entities
	.map(
		({ table }) =>
			`SELECT version FROM ${table} WHERE business_id = ? AND version > ?`,
	)
	.join(" UNION ALL ")} ORDER BY version LIMIT 1 OFFSET ?`;

/** The newest version that fits into a page of `limit` rows; one version at least, and the head where all fits. */
async function endOfPage(
	tx: Connection,
	businessId: string,
	after: number,
	head: number,
	limit: number,
): Promise<number> {
	const rows = Math.min(Math.max(limit, 1), pageMax);
	const scopes = entities.flatMap(() => [businessId, after]);
	const beyond = await tx.get(versionAtSql, ...scopes, rows);
	if (!beyond) return head;
	const first = await tx.get(versionAtSql, ...scopes, 0);
	return endBetween(first?.version as number, beyond.version as number);
}

/**
 * Where a page of so many rows ends.
 *
 * @param versions of the rows that follow, in order
 * @returns undefined where all of them fit
 */
export function endOfRows(
	versions: readonly number[],
	rows: number,
): number | undefined {
	const beyond = versions[rows];
	return beyond === undefined
		? undefined
		: endBetween(versions[0] as number, beyond);
}

/**
 * Of the versions where a page may end, it is the roundest: whoever reads from wherever soon reads the same pages as all
 * others, and they are made once.
 */
function endBetween(first: number, beyond: number): number {
	return roundest(first, wholeBefore(first, beyond));
}

/**
 * The newest version that is within so many rows whole.
 *
 * @param versions of the rows, in order
 * @returns undefined where all of them fit
 */
export function lastWhole(
	versions: readonly number[],
	rows: number,
): number | undefined {
	const beyond = versions[rows];
	return beyond === undefined
		? undefined
		: wholeBefore(versions[0] as number, beyond);
}

/** One version may be longer than all the rows, and is not split. */
function wholeBefore(first: number, beyond: number): number {
	return beyond === first ? beyond : beyond - 1;
}

/** The number that the highest power of two divides, from one to another. */
function roundest(from: number, to: number): number {
	let step = 1;
	while (Math.floor(to / (2 * step)) * 2 * step >= from) step *= 2;
	return Math.floor(to / step) * step;
}

/**
 * An order-independent hash over every live row: the sum of the rows' SHA-256 modulo 2^256, in hex. Stores with equal
 * digests hold the same shop.
 */
export async function readDigest(
	tx: Connection,
	businessId: string,
): Promise<string> {
	const sum = openSum256();
	for (const entity of entities) {
		for await (const rows of rowPages(tx, entity, businessId, digestPage)) {
			for (const { row, deleted } of rows) {
				if (deleted) continue;
				const text = `${entity.name} ${row.id} ${JSON.stringify(toWire(entity, row))}`;
				sum.add(sha256(text));
			}
			// Others are answered between pages: a million sales take seconds.
			await nextTurn();
		}
	}
	return sum.toHex();
}
