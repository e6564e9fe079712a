import type { Entity } from "../entities/entity.ts";
import { entities, entitiesByName } from "../entities/index.ts";
import { product } from "../entities/product.ts";
import {
	blockOf,
	isRecord,
	readBlocks,
	readSettled,
	readStockSum,
	versionsOf,
} from "../feed/digest-blocks.ts";
import { feedRowOf, toFeed } from "../feed/feed-row.ts";
import { ShopError } from "../protocol/errors.ts";
import { canonicalJson } from "../protocol/json.ts";
import {
	assertSameBusiness,
	assertSameFeed,
	type BlockRowsResponse,
	type Change,
	parseCursor,
} from "../protocol/protocol.ts";
import { readRow, type StoredRow, selectRows, toWire } from "../rows/rows.ts";
import type { Connection, Store } from "../store/store.ts";
import { wrongStockSql } from "./server-rows.ts";
import type { Comparison } from "./transport.ts";

/** A row that differs between a database and its server. */
export interface RowDifference {
	entity: string;
	id: string;
	/** The side that has the row, or both. */
	where: "here" | "server" | "both";
	/** The fields whose values differ, if both have the row. */
	fields: string[];
}

interface Verified {
	/** True if the digests are equal, and no other difference was found. */
	inStep: boolean;
	differences: RowDifference[];
}

/** A till's unsent rows. No server has any. */
export const unsentBlock = 0;

/**
 * Compares the sums of a database's blocks with its server's, then the rows of blocks whose sums differ. It changes no row.
 *
 * @param onProgress receives the number of compared rows of the server
 * @throws ShopError `wrong_business` if the server's shop is another one; any error of the transport
 */
export async function findDifferences(
	store: Store,
	businessId: string,
	server: Pick<Comparison, "blocks" | "blockRows">,
	onProgress: (rows: number) => void = () => {},
): Promise<Verified> {
	const window = await store.read((tx) => readWindow(tx, businessId));
	const theirs = await server.blocks(window);
	assertSameBusiness(businessId, theirs.businessId);
	const own = await readSettled(store, businessId, async (tx) => ({
		...(await readBlocks(tx, businessId, window)),
		stock: await readStockSum(tx, businessId),
	}));
	const isStockSame =
		own.version === headOf(theirs) && own.stock === theirs.stock;
	const found = openFound();
	let head = headOf(theirs);
	let rows = 0;

	async function compareBlock(block: number): Promise<void> {
		const answer = await server.blockRows(block);
		assertSameBusiness(businessId, answer.businessId);
		assertSameFeed(answer.feed);
		if (answer.epoch !== theirs.epoch)
			throw new ShopError(
				"unreachable",
				"The server was restored meanwhile; try again",
			);
		await store.read((tx) =>
			compareRows(tx, businessId, comparable(answer.changes, window), found),
		);
		head = Math.max(head, headOf(answer));
		rows += answer.changes.length;
		onProgress(rows);
	}

	const differing = differingBlocks(own.blocks, theirs.blocks);
	for (const block of differing) await compareBlock(block);
	// A row that changed since the server summed its blocks left its block for one of these.
	const from = headOf(theirs) + 1;
	for (let block = blockOf(from); from <= head && block <= blockOf(head); ) {
		await compareBlock(block);
		differing.add(block);
		block += 1;
	}
	await store.read(async (tx) => {
		await addUnsent(tx, businessId, found);
		for (const block of [unsentBlock, ...differing])
			await addOwn(tx, businessId, block, found, window);
		if (!isStockSame) await addWrongStock(tx, businessId, found.differences);
	});
	const differences = [...found.differences.values()];
	const inStep = own.digest === theirs.digest && differences.length === 0;
	return { inStep, differences };
}

/** What a comparison has found so far, by entity and id. */
export interface Found {
	differences: Map<string, RowDifference>;
	/** Live rows of the server. */
	onServer: Set<string>;
	/** Rows that the server has sent, and tombstones. */
	compared: Set<string>;
}

export const keyOf = (entity: string, id: string) => `${entity} ${id}`;

export function openFound(): Found {
	return { differences: new Map(), onServer: new Set(), compared: new Set() };
}

function headOf({ cursor }: Pick<BlockRowsResponse, "cursor">): number {
	return parseCursor(cursor)?.version ?? 0;
}

/** Returns the version up to which a till's window leaves sales out; 0 if it holds everything. */
async function readWindow(tx: Connection, businessId: string): Promise<number> {
	const till = await tx.get(
		"SELECT window_version FROM replica WHERE business_id = ?",
		businessId,
	);
	return Number(till?.window_version ?? 0);
}

/** The rows that a till with a window compares: before it, records alone. */
export function comparable(
	changes: readonly Change[],
	window: number,
): Change[] {
	return changes.filter(({ entity: name, version }) => {
		const entity = entitiesByName.get(name);
		return version > window || !entity || isRecord(entity);
	});
}

/** Compares the sums of blocks, without that of a till's unsent rows. */
export function differingBlocks(
	own: readonly string[],
	theirs: readonly string[],
): Set<number> {
	const nothing = "0".repeat(64);
	const differing = new Set<number>();
	const end = Math.max(own.length, theirs.length);
	for (let block = unsentBlock + 1; block < end; block += 1)
		if ((own[block] ?? nothing) !== (theirs[block] ?? nothing))
			differing.add(block);
	return differing;
}

/** Compares rows of the server with those here. */
export async function compareRows(
	tx: Connection,
	businessId: string,
	changes: readonly Change[],
	{ differences, onServer, compared }: Found,
): Promise<void> {
	for (const change of changes) {
		const key = keyOf(change.entity, change.id);
		// A row that changes during the comparison comes again, and its last state counts.
		differences.delete(key);
		onServer.delete(key);
		compared.add(key);
		if (!change.deleted) onServer.add(key);
		const difference = await compareRow(tx, businessId, change);
		if (difference) differences.set(key, difference);
	}
}

async function compareRow(
	tx: Connection,
	businessId: string,
	{ entity: name, id, row, deleted }: Change,
): Promise<RowDifference | undefined> {
	if (deleted) return undefined;
	const entity = entitiesByName.get(name);
	const own = entity && (await readRow(tx, entity, businessId, id));
	if (!entity || !own || own.deleted)
		return { entity: name, id, where: "server", fields: [] };
	const fields = differingFields(entity, own.row, row ?? {});
	return fields.length > 0
		? { entity: name, id, where: "both", fields }
		: undefined;
}

/** Compares the fields that the digest covers. An older server's feed has others, which come from other tables. */
function differingFields(
	entity: Entity,
	own: Record<string, unknown>,
	theirs: Record<string, unknown>,
): string[] {
	// The row as a page would carry it.
	const wire = JSON.parse(JSON.stringify(toWire(entity, own)));
	// The row that lacks an optional field may be this one.
	const fields = new Set([
		...Object.keys(feedRowOf(entity).shape),
		...Object.keys(toFeed(entity, wire)),
	]);
	return [...fields].filter(
		(field) =>
			(wire[field] === undefined) !== (theirs[field] === undefined) ||
			canonicalJson(wire[field]) !== canonicalJson(theirs[field]),
	);
}

/** Adds rows of a block that the server lacks. */
export async function addOwn(
	tx: Connection,
	businessId: string,
	block: number,
	{ differences, onServer }: Found,
	window: number,
): Promise<void> {
	const [, upTo] = versionsOf(block);
	const isOlder = block !== unsentBlock && upTo <= window;
	for (const entity of entities) {
		if (isOlder && !isRecord(entity)) continue;
		const own = await selectRows(
			tx,
			entity,
			businessId,
			"AND version > ? AND version <= ?",
			...versionsOf(block),
		);
		for (const { row, deleted } of own) {
			const key = keyOf(entity.name, row.id);
			if (!deleted && !onServer.has(key))
				differences.set(key, {
					entity: entity.name,
					id: row.id,
					where: "here",
					fields: [],
				});
		}
	}
}

/** Compares the rows with unsent changes whose block does not differ otherwise with what the server last sent of them. */
async function addUnsent(
	tx: Connection,
	businessId: string,
	found: Found,
): Promise<void> {
	const bases = await tx.all(
		"SELECT entity, id, data FROM base_rows WHERE business_id = ? AND data IS NOT NULL",
		businessId,
	);
	const changes: Change[] = [];
	for (const { entity: name, id, data } of bases) {
		const entity = entitiesByName.get(name as string);
		if (!entity || found.compared.has(keyOf(name as string, id as string)))
			continue;
		const { row, version, deleted }: StoredRow = JSON.parse(data as string);
		changes.push({
			...{ entity: entity.name, id: row.id, version, deleted },
			row: toFeed(entity, toWire(entity, row)),
		});
	}
	await compareRows(tx, businessId, changes, found);
}

/**
 * Adds products whose quantity is not the sum of their ledger: equal ledgers on both sides then mean equal stock, whatever
 * is sold during the comparison.
 */
export async function addWrongStock(
	tx: Connection,
	businessId: string,
	found: Map<string, RowDifference>,
): Promise<void> {
	const wrong = await tx.all(wrongStockSql, businessId);
	for (const { id } of wrong) {
		const key = keyOf(product.name, id as string);
		const { where = "both", fields = [] } = found.get(key) ?? {};
		found.set(key, {
			entity: product.name,
			id: id as string,
			where,
			fields: where === "both" ? [...fields, "quantity"] : fields,
		});
	}
}
