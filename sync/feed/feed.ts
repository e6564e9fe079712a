import { nextTurn, sha256 } from "#platform";
import type { Entity } from "../entities/entity.ts";
import { entities } from "../entities/index.ts";
import { cursorUpTo, isOwnCursor, readChainHead } from "../log/chain.ts";
import {
	type Change,
	type Cursor,
	pageDefault,
	pageMax,
} from "../protocol/protocol.ts";
import { rowPages } from "../rows/row-pages.ts";
import { selectRows, toWire } from "../rows/rows.ts";
import type { Connection, Value } from "../store/store.ts";
import { toFeed } from "./feed-row.ts";
import { openSum256 } from "./sum256.ts";

/** Rows per page of the digest, so that a shop of any size needs little memory. */
const digestPage = 200;

export interface FeedPage {
	changes: Change[];
	cursor: Cursor;
	hasMore: boolean;
	reset?: true;
}

/**
 * Reads the rows of a business that changed after a cursor, in order of version. A page never splits a version, so a
 * reader that stores whole pages holds a state that the shop once had.
 *
 * @param cursor the feed starts from its beginning if it is undefined or belongs to another epoch or history
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
	const page: FeedPage = {
		changes,
		cursor: cursorUpTo(head, epoch, upTo),
		hasMore: upTo < head.version,
	};
	if (!isKnown) page.reset = true;
	return page;
}

/** Reads the rows whose last change is after one version and not after another, in order of version. */
export async function readChanges(
	tx: Connection,
	businessId: string,
	after: number,
	upTo: number,
	of: readonly Entity[] = entities,
): Promise<Change[]> {
	const changes: Change[] = [];
	const range = "AND version > ? AND version <= ?";
	for (const entity of of)
		changes.push(
			...(await selectChanges(tx, entity, businessId, range, after, upTo)),
		);
	return changes.sort((a, b) => a.version - b.version);
}

/** Reads rows of an entity as the feed has them. @param where a condition on the rows */
export async function selectChanges(
	tx: Connection,
	entity: Entity,
	businessId: string,
	where: string,
	...params: Value[]
): Promise<Change[]> {
	const stored = await selectRows(tx, entity, businessId, where, ...params);
	return stored.map(({ row, version, deleted }) => ({
		...{ entity: entity.name, id: row.id, version, deleted },
		row: deleted ? null : toFeed(entity, toWire(entity, row)),
	}));
}

export async function readHead(
	tx: Connection,
	businessId: string,
): Promise<number> {
	return (await readChainHead(tx, businessId)).version;
}

/** The version of the nth next row of all entities. */
const versionAtSql = `${entities
	.map(
		({ table }) =>
			`SELECT version FROM ${table} WHERE business_id = ? AND version > ?`,
	)
	.join(" UNION ALL ")} ORDER BY version LIMIT 1 OFFSET ?`;

/** The last version of a page of at most `limit` rows: at least one version, and the head if everything fits. */
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
	const first = (await tx.get(versionAtSql, ...scopes, 0))?.version as number;
	return roundest(first, wholeBefore(first, beyond.version as number));
}

/**
 * Chooses the version where a page of at most so many rows ends: the roundest, so that readers from different cursors
 * soon pull the same pages, which are then made once.
 *
 * @param versions of the next rows, in order
 * @returns undefined if all rows fit
 */
export function endOfRows(
	versions: readonly number[],
	rows: number,
): number | undefined {
	const last = lastWhole(versions, rows);
	return last === undefined ? last : roundest(versions[0] as number, last);
}

/**
 * Returns the last version whose rows all fit.
 *
 * @param versions of the rows, in order
 * @returns undefined if all rows fit
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

/** A single version may have more rows than a page, and is not split. */
function wholeBefore(first: number, beyond: number): number {
	return beyond === first ? beyond : beyond - 1;
}

/** The number in a range that is divisible by the highest power of two. */
function roundest(from: number, to: number): number {
	let step = 1;
	while (Math.floor(to / (2 * step)) * 2 * step >= from) step *= 2;
	return Math.floor(to / step) * step;
}

/**
 * Computes a hash of all live rows that does not depend on their order: the sum of their SHA-256 modulo 2^256, in hex.
 * Equal digests mean equal rows.
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
			// Answers other requests between pages: a million sales take seconds.
			await nextTurn();
		}
	}
	return sum.toHex();
}
