import type { Entity } from "../entities/entity.ts";
import { inboxItem } from "../entities/inbox.ts";
import { entities } from "../entities/index.ts";
import { refund } from "../entities/refund.ts";
import { sale } from "../entities/sale.ts";
import {
	cursorUpTo,
	headCursor,
	isOwnCursor,
	proofAt,
	readChainHead,
} from "../log/chain.ts";
import {
	type Change,
	type Cursor,
	formatCursor,
} from "../protocol/protocol.ts";
import { rowPages } from "../rows/row-pages.ts";
import { toWire } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { type CompressedRows, compressRows } from "./compressed-rows.ts";
import { readChanges } from "./feed.ts";
import { PageCache } from "./page-cache.ts";

/*
 * A till joins by a snapshot instead of the feed from its start. What it sells by comes first, whole and with its sums
 * at one version; the facts follow, newest first, while the till already sells:
 *
 *   version 1 ──────────────────────────────────────── head ──────────► later
 *   facts, block by block, newest first ◄─────────────┤ 1. snapshot: products, settings, open items
 *                                                      └──────────────► 2. the feed, as ever
 */

/** The rows that members edit, and what customers owe. */
const catalogue = entities.filter(isNeededFirst);
/** The other rows: sales and everything else that happened. */
const facts = entities.filter((entity) => !isNeededFirst(entity));
/** What a till with a window has of the time before it. */
const otherFacts = facts.filter(
	({ name }) => name !== sale.name && name !== refund.name,
);

function isNeededFirst({ editable, isNeededFirst }: Entity): boolean {
	return editable ?? isNeededFirst ?? false;
}

/** What one answer holds: rows of a part, and versions of a block, whose borders are the same for every till. */
export interface SnapshotSize {
	partRows: number;
	blockVersions: number;
}
/** Some 100 KB each: a slow line carries one in the time that a till waits for an answer, and a sale waits for none. */
const usualSize: SnapshotSize = { partRows: 2_000, blockVersions: 1_024 };
/** A snapshot is shared for this long. Tills that join by it pull what was sold since. */
const keptMs = 10 * 60_000;
const snapshotsMax = 8;
const blocksBytes = 24_000_000;

interface Snapshot {
	cursor: Cursor;
	madeAt: number;
	parts: CompressedRows[];
}

/** Facts of a range of versions, compressed. */
interface FactBlock {
	from: number;
	/** The reader's cursor, with the proof of the head: facts that were written again up to it are in no older block. */
	cursor: string;
	compressed: CompressedRows;
}

/** Makes snapshots and blocks of older facts, and shares them between tills that join within some minutes. */
export class Snapshots {
	readonly #size: SnapshotSize;
	readonly #kept = new Map<string, Snapshot>();
	readonly #blocks = new PageCache(blocksBytes);

	constructor(size = usualSize) {
		this.#size = size;
	}

	/** @returns a part of the named snapshot, or the first part of another if that one is gone */
	async read(
		tx: Connection,
		businessId: string,
		epoch: string,
		now: number,
		named: string | undefined,
		part: number,
	) {
		const snapshot =
			(await this.#find(tx, businessId, epoch, now)) ??
			(await this.#make(tx, businessId, epoch, now));
		const cursor = formatCursor(snapshot.cursor);
		const number = cursor === named && part in snapshot.parts ? part : 0;
		return {
			cursor,
			part: number,
			parts: snapshot.parts.length,
			compressed: snapshot.parts[number] as CompressedRows,
		};
	}

	/**
	 * Reads the block of facts that ends at a version.
	 *
	 * @param window sales and refunds up to this version are left out
	 * @returns undefined for a cursor of another history, and for a version beyond it
	 */
	async readFacts(
		tx: Connection,
		businessId: string,
		epoch: string,
		cursor: Cursor | undefined,
		upTo: number,
		window = 0,
	): Promise<FactBlock | undefined> {
		const head = await readChainHead(tx, businessId);
		const isOwn =
			cursor !== undefined &&
			upTo <= cursor.version &&
			(await isOwnCursor(tx, businessId, epoch, head, cursor));
		if (!isOwn) return undefined;
		const proven = formatCursor(cursorUpTo(head, epoch, cursor.version));
		const { blockVersions } = this.#size;
		const isOlder = upTo <= window;
		const sent = isOlder ? otherFacts : facts;
		const newest = await newestFact(tx, businessId, upTo, sent);
		const start =
			Math.floor(Math.max(newest - 1, 0) / blockVersions) * blockVersions;
		const from = isOlder ? start : Math.max(start, window);
		const key = `${businessId} ${epoch} ${from} ${upTo} ${isOlder}`;
		const kept = await this.#blocks.find(tx, businessId, key, head);
		if (kept) return { from, cursor: proven, compressed: kept.compressed };
		const changes = await readChanges(tx, businessId, from, upTo, sent);
		const page = {
			cursor: { ...cursor, version: from },
			hasMore: from > 0,
			compressed: compressRows(changes),
		};
		const proof = await proofAt(tx, businessId, head.version, head);
		this.#blocks.keep(key, page, head.version, proof);
		return { from, cursor: proven, compressed: page.compressed };
	}

	async #find(
		tx: Connection,
		businessId: string,
		epoch: string,
		now: number,
	): Promise<Snapshot | undefined> {
		for (const [id, { madeAt }] of this.#kept)
			if (Math.abs(now - madeAt) > keptMs) this.#kept.delete(id);
		const kept = this.#kept.get(businessId);
		if (!kept) return undefined;
		const head = await readChainHead(tx, businessId);
		// It may belong to a history that the database has lost.
		const isOwn = await isOwnCursor(tx, businessId, epoch, head, kept.cursor);
		return isOwn ? kept : undefined;
	}

	async #make(
		tx: Connection,
		businessId: string,
		epoch: string,
		now: number,
	): Promise<Snapshot> {
		const { partRows } = this.#size;
		const cursor = await headCursor(tx, businessId, epoch);
		const parts: CompressedRows[] = [];
		let part: Change[] = [];
		const close = () => {
			parts.push(compressRows(part));
			part = [];
		};
		for (const [entity, where] of [
			...catalogue.map((entity) => [entity, ""] as const),
			[inboxItem as Entity, "AND resolution IS NULL AND deleted = 0"] as const,
		])
			for await (const rows of rowPages(
				tx,
				entity,
				businessId,
				partRows,
				where,
			)) {
				for (const { row, version, deleted } of rows) {
					if (part.length === partRows) close();
					part.push({
						...{ entity: entity.name, id: row.id, version, deleted },
						row: deleted ? null : toWire(entity, row),
					});
				}
			}
		close();
		const snapshot = { cursor, madeAt: now, parts };
		this.#kept.delete(businessId);
		const [oldest] = this.#kept.keys();
		if (this.#kept.size >= snapshotsMax && oldest !== undefined)
			this.#kept.delete(oldest);
		this.#kept.set(businessId, snapshot);
		return snapshot;
	}
}

/** The newest version of a fact up to another, or 0: a server that was made from a till's copy has none for long. */
async function newestFact(
	tx: Connection,
	businessId: string,
	upTo: number,
	sent: readonly Entity[],
): Promise<number> {
	let newest = 0;
	for (const { table } of sent) {
		const row = await tx.get(
			`SELECT version FROM ${table} WHERE business_id = ? AND version <= ? ORDER BY version DESC LIMIT 1`,
			businessId,
			upTo,
		);
		newest = Math.max(newest, Number(row?.version ?? 0));
	}
	return newest;
}
