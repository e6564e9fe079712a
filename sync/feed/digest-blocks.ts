import { nextTurn, sha256, sha256Base64url, sha256Hex } from "#platform";
import { business } from "../entities/business.ts";
import { category } from "../entities/category.ts";
import { count, countLook } from "../entities/count.ts";
import { customer } from "../entities/customer.ts";
import { delivery } from "../entities/delivery.ts";
import type { Entity } from "../entities/entity.ts";
import { inboxItem } from "../entities/inbox.ts";
import { entities } from "../entities/index.ts";
import { label } from "../entities/label.ts";
import { layaway } from "../entities/layaway.ts";
import { pack } from "../entities/pack-row.ts";
import { payment } from "../entities/payment.ts";
import { product } from "../entities/product.ts";
import { productCode } from "../entities/product-code.ts";
import { refund } from "../entities/refund.ts";
import { review } from "../entities/review.ts";
import { sale } from "../entities/sale.ts";
import { shift, shiftReport } from "../entities/shift.ts";
import { statementLine } from "../entities/statement.ts";
import { stockMovement } from "../entities/stock-movement.ts";
import { supplier } from "../entities/supplier.ts";
import { tax } from "../entities/tax.ts";
import { readChainHead } from "../log/chain.ts";
import { lockHead } from "../log/log.ts";
import { isStorageError } from "../protocol/errors.ts";
import { selectRows, toWire } from "../rows/rows.ts";
import { newestVersion } from "../store/migrate.ts";
import type { Connection, Store } from "../store/store.ts";
import { feedForm } from "./feed-form.ts";
import { toFeed } from "./feed-row.ts";
import { openSum256, type Sum256 } from "./sum256.ts";

/*
 * A digest is a sum over rows, and few rows of the past change. So the database keeps the sum of each block of versions:
 *
 *     block 1          block 2                 the open block
 *   ────────────────┬────────────────┬─ … ─┬──────────────────
 *   versions 1–256  │  257–512       │     │  summed by each reader; on a till also block 0, its
 *                                          │  unsent rows, which have version 0
 *
 * Triggers (schema.sql) forget the sum of a block as soon as one of its rows changes, whatever changes it, and the next
 * reader sums it again. A row that changes on the server leaves its block for the open one. Facts and records are summed
 * apart, so that an edited product costs a new sum of a few products and not of all sales of its block.
 */

/** Versions of a block. Triggers, and programs at the other end of the line, count on it. */
const blockVersions = 256;
/** Blocks of a group, whose sum is kept too: a digest reads few sums in a shop of any size. */
const groupBlocks = 16;
const groupsAtOnce = 64;

/** The entities of each kind of sum. The sums of one that is in neither are never kept: it needs triggers first. */
const parts: Record<string, readonly Entity[]> = {
	facts: [
		sale,
		refund,
		stockMovement,
		review,
		payment,
		shiftReport,
		statementLine,
		delivery,
	],
	records: [
		...[business, category, product, productCode, pack, label],
		...[inboxItem, customer, shift, tax, layaway],
		...[count, countLook, supplier],
	],
};
const unkept = entities.filter(
	(entity) => !Object.values(parts).flat().includes(entity),
);

/** No version is beyond this block. */
export const lastBlock = Math.floor(Number.MAX_SAFE_INTEGER / blockVersions);

/** A block's sum of one part. */
interface BlockKey {
	part: string;
	block: number;
}

export function blockOf(version: number): number {
	return Math.ceil(Math.max(version, 0) / blockVersions);
}

/** The versions of a block: after one and up to another. */
export function versionsOf(block: number): [after: number, upTo: number] {
	return [(block - 1) * blockVersions, block * blockVersions];
}

/** Changes whenever a row may hash to something else: a kept sum of another program is none. */
function formOf(): string {
	form ??= sha256Base64url(`${newestVersion()} ${feedForm()}`).slice(0, 12);
	return form;
}
let form: string | undefined;

/** Returns the newest version up to which all rows are here. */
async function newestHere(tx: Connection, businessId: string): Promise<number> {
	const till = await tx.get(
		"SELECT cursor_version FROM replica WHERE business_id = ?",
		businessId,
	);
	return till
		? (till.cursor_version as number)
		: (await readChainHead(tx, businessId)).version;
}

/** Returns the last block that no further row can enter. */
async function lastClosed(tx: Connection, businessId: string): Promise<number> {
	return Math.floor((await newestHere(tx, businessId)) / blockVersions);
}

async function readKept(
	tx: Connection,
	businessId: string,
): Promise<(BlockKey & { sum: string })[]> {
	const rows = await tx.all(
		"SELECT part, block, sum FROM digest_blocks WHERE business_id = ? AND form = ? AND part <> 'groups'",
		businessId,
		formOf(),
	);
	return rows as unknown as (BlockKey & { sum: string })[];
}

/** Lists the closed blocks of a part whose sum is not kept. */
function missing(
	kept: readonly BlockKey[],
	part: string,
	closed: number,
): number[] {
	const isKept = new Uint8Array(closed + 1);
	for (const one of kept) if (one.part === part) isKept[one.block] = 1;
	const found: number[] = [];
	for (let block = 1; block <= closed; block += 1)
		if (!isKept[block]) found.push(block);
	return found;
}

/** Blocks of a part, one after the other. */
interface Span {
	part: string;
	first: number;
	last: number;
}

/**
 * Sums the blocks whose sum is not kept, more and more of them at once while they have few rows: a shop of a million
 * sales has changed few records in most blocks.
 *
 * @param sum returns the number of rows
 */
async function sumMissing(
	kept: readonly BlockKey[],
	closed: number,
	sum: (span: Span) => Promise<number>,
): Promise<void> {
	for (const part of Object.keys(parts)) {
		const blocks = missing(kept, part, closed);
		let count = 1;
		for (let i = 0; i < blocks.length; ) {
			const first = blocks[i] as number;
			let last = first;
			for (i += 1; last - first < count - 1 && blocks[i] === last + 1; i += 1)
				last += 1;
			const rows = await sum({ part, first, last });
			count = rows < blockVersions ? Math.min(4 * count, groupBlocks) : 1;
			// Answers other requests meanwhile: a million sales take seconds.
			await nextTurn();
		}
	}
}

/** The kept sums of groups and of the blocks after them, one after the other, and whether none is missing. */
interface KeptSums {
	closed: number;
	sums: string;
	isWhole: boolean;
}

async function readKeptSums(
	tx: Connection,
	businessId: string,
): Promise<KeptSums> {
	const closed = await lastClosed(tx, businessId);
	const groups = Math.floor(closed / groupBlocks);
	const names = Object.keys(parts);
	const all = ["groups", ...names].map(
		() =>
			"SELECT sum FROM digest_blocks WHERE business_id = ? AND part = ? AND block > ? AND block <= ? AND form = ?",
	);
	const kept = await tx.get(
		`SELECT count(*) AS count, string_agg(sum, '') AS sums FROM (${all.join(" UNION ALL ")}) AS kept`,
		...[businessId, "groups", 0, groups, formOf()],
		...names.flatMap((part) => [
			...[businessId, part, groups * groupBlocks, closed, formOf()],
		]),
	);
	const singles = closed - groups * groupBlocks;
	return {
		closed,
		sums: (kept?.sums as string | null) ?? "",
		isWhole: kept?.count === groups + singles * names.length,
	};
}

/** Reads in one transaction, after it has kept the sums of all closed blocks, which it rarely has to. */
export async function readSettled<T>(
	store: Store,
	businessId: string,
	read: (tx: Connection, kept: KeptSums) => Promise<T>,
): Promise<T> {
	const settled = await store.read(async (tx) => {
		const kept = await readKeptSums(tx, businessId);
		return kept.isWhole ? { result: await read(tx, kept) } : undefined;
	});
	if (settled) return settled.result;
	await settleBlocks(store, businessId);
	return store.read(async (tx) => read(tx, await readKeptSums(tx, businessId)));
}

/**
 * Keeps the sum of each closed block and of each group of them.
 *
 * @param rest awaited before each transaction
 */
export async function settleBlocks(
	store: Store,
	businessId: string,
	rest = async () => {},
): Promise<void> {
	const due = await store.read(async (tx) => ({
		kept: await readKept(tx, businessId),
		closed: await lastClosed(tx, businessId),
	}));
	try {
		// Few rows in a transaction, which is as long as a concurrent sale may have to wait.
		await sumMissing(due.kept, due.closed, async (span) => {
			await rest();
			return store.write((tx) => keep(tx, businessId, span));
		});
		const groups = await store.read((tx) => missingGroups(tx, businessId));
		for (let start = 0; start < groups.length; start += groupsAtOnce)
			await store.write(async (tx) => {
				await lockHead(tx, businessId);
				for (const group of groups.slice(start, start + groupsAtOnce))
					await keepGroup(tx, businessId, group);
			});
	} catch (error) {
		// A full disk does not prevent reading: a block without a sum makes the digest slower and not wrong.
		if (!isStorageError(error)) throw error;
	}
}

/** @returns the number of rows */
async function keep(
	tx: Connection,
	businessId: string,
	span: Span,
): Promise<number> {
	// A row that another process is changing must not be summed as it was before.
	await lockHead(tx, businessId);
	const { part, first } = span;
	const last = Math.min(span.last, await lastClosed(tx, businessId));
	const sums = Array.from({ length: last - first + 1 }, openSum256);
	const sumOf = (block: number) => sums[block - first] as Sum256;
	const closed = { part, first, last };
	const rows = await addSpan(tx, businessId, closed, sumOf);
	for (const [i, sum] of sums.entries())
		await writeSum(tx, businessId, { part, block: first + i }, sum);
	return rows;
}

async function writeSum(
	tx: Connection,
	businessId: string,
	{ part, block }: BlockKey,
	sum: Sum256,
): Promise<void> {
	await tx.run(
		`INSERT INTO digest_blocks (business_id, part, block, form, sum) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (business_id, part, block) DO UPDATE SET form = excluded.form, sum = excluded.sum`,
		businessId,
		part,
		block,
		formOf(),
		sum.toHex(),
	);
}

async function missingGroups(
	tx: Connection,
	businessId: string,
): Promise<number[]> {
	const rows = await tx.all(
		"SELECT block FROM digest_blocks WHERE business_id = ? AND part = 'groups' AND form = ?",
		businessId,
		formOf(),
	);
	const kept = new Set(rows.map(({ block }) => block));
	const closed = await lastClosed(tx, businessId);
	const groups = Math.floor(closed / groupBlocks);
	return Array.from({ length: groups }, (_, i) => i + 1).filter(
		(group) => !kept.has(group),
	);
}

/** Keeps the sum of a group, unless one of its blocks has none. */
async function keepGroup(
	tx: Connection,
	businessId: string,
	group: number,
): Promise<void> {
	const rows = await tx.all(
		"SELECT sum FROM digest_blocks WHERE business_id = ? AND part <> 'groups' AND block > ? AND block <= ? AND form = ?",
		businessId,
		(group - 1) * groupBlocks,
		group * groupBlocks,
		formOf(),
	);
	if (rows.length !== groupBlocks * Object.keys(parts).length) return;
	const sum = openSum256();
	for (const row of rows) sum.addHex(row.sum as string);
	await writeSum(tx, businessId, { part: "groups", block: group }, sum);
}

type SumOfBlock = (block: number) => Sum256;

/** @returns the number of rows */
async function addSpan(
	tx: Connection,
	businessId: string,
	{ part, first, last }: Span,
	sumOf: SumOfBlock,
): Promise<number> {
	const range = "AND version > ? AND version <= ?";
	const [after] = versionsOf(first);
	const [, upTo] = versionsOf(last);
	let rows = 0;
	for (const entity of parts[part] ?? [])
		rows += await addRows(tx, entity, businessId, sumOf, range, after, upTo);
	return rows;
}

/** @returns the number of rows */
async function addRows(
	tx: Connection,
	entity: Entity,
	businessId: string,
	sumOf: SumOfBlock,
	where: string,
	...versions: number[]
): Promise<number> {
	const rows = await selectRows(tx, entity, businessId, where, ...versions);
	for (const { row, version, deleted } of rows)
		if (!deleted) sumOf(blockOf(version)).add(sha256(textOf(entity, row)));
	return rows.length;
}

/** What the digest counts of a row: what the feed carries, without what facts change of it. */
function textOf(entity: Entity, row: Record<string, unknown>): string {
	const wire = toFeed(entity, toWire(entity, row));
	if (entity.summed) delete wire.updatedAt;
	return `${entity.name} ${row.id} ${JSON.stringify(wire)}`;
}

/** Reads the sum of all live rows of a business, modulo 2^256, in hex. */
export async function readBlockDigest(
	tx: Connection,
	businessId: string,
	{ closed, sums, isWhole }: KeptSums,
): Promise<string> {
	// A full disk keeps no sums.
	if (!isWhole) return (await readBlocks(tx, businessId)).digest;
	const sum = openSum256();
	sum.addHex(sums);
	await addOpen(tx, businessId, closed, () => sum);
	return sum.toHex();
}

interface BlockSums {
	/** The newest version of the rows here. */
	version: number;
	/** The sum of all live rows, modulo 2^256, in hex. */
	digest: string;
	/** The sum of each block, by its number. Block 0 has a till's unsent rows. */
	blocks: string[];
}

/**
 * Reads the digest of a business with its blocks. `readSettled` makes it fast.
 *
 * @param window of blocks up to this version, the end of one, only records are summed
 */
export async function readBlocks(
	tx: Connection,
	businessId: string,
	window = 0,
): Promise<BlockSums> {
	const kept = await readKept(tx, businessId);
	const version = await newestHere(tx, businessId);
	const closed = Math.floor(version / blockVersions);
	const { sums, sumOf } = openSums(closed);
	const leftOut = blockOf(window);
	const isSummed = ({ part, block }: BlockKey) =>
		block > leftOut || part !== "facts";
	const ignored = openSum256();
	for (const { part, block, sum } of kept)
		if (block <= closed && isSummed({ part, block })) sumOf(block).addHex(sum);
	await sumMissing(kept, closed, (span) =>
		addSpan(tx, businessId, span, (block) =>
			isSummed({ ...span, block }) ? sumOf(block) : ignored,
		),
	);
	await addOpen(tx, businessId, closed, sumOf);
	return toBlockSums(version, sums);
}

/** Returns true if the sums of blocks that a till's window leaves out count an entity. */
export function isRecord(entity: Entity): boolean {
	return !parts.facts?.includes(entity);
}

/** Like `readBlocks`, from the rows alone, all of an entity's at once: for proofs, in small shops. */
export async function sumAllBlocks(
	tx: Connection,
	businessId: string,
): Promise<BlockSums> {
	const version = await newestHere(tx, businessId);
	const { sums, sumOf } = openSums(Math.floor(version / blockVersions));
	for (const entity of entities)
		await addRows(tx, entity, businessId, sumOf, "");
	return toBlockSums(version, sums);
}

/** Opens the sums of the blocks up to the open one. */
function openSums(closed: number): { sums: Sum256[]; sumOf: SumOfBlock } {
	const sums: Sum256[] = [];
	const sumOf = (block: number) => {
		while (sums.length <= block) sums.push(openSum256());
		return sums[block] as Sum256;
	};
	sumOf(closed + 1);
	return { sums, sumOf };
}

function toBlockSums(version: number, sums: readonly Sum256[]): BlockSums {
	const blocks = sums.map((sum) => sum.toHex());
	const whole = openSum256();
	for (const sum of blocks) whole.addHex(sum);
	return { version, digest: whole.toHex(), blocks };
}

/** Adds what no kept sum has: the rows of the open block, a till's unsent rows, and entities without triggers. */
async function addOpen(
	tx: Connection,
	businessId: string,
	closed: number,
	sumOf: SumOfBlock,
): Promise<void> {
	const [, known] = versionsOf(closed);
	const range = "AND (version > ? OR version < 1)";
	for (const entity of Object.values(parts).flat())
		await addRows(tx, entity, businessId, sumOf, range, known);
	for (const entity of unkept) await addRows(tx, entity, businessId, sumOf, "");
}

/**
 * Reads the SHA-256 of the live products' ids and quantities, a line each in the order of the lines. It is no part of the
 * digest: a sale changes it far from the open block, and the digest counts the facts that it is the sum of.
 */
export async function readStockSum(
	tx: Connection,
	businessId: string,
): Promise<string> {
	const rows = await tx.all(
		"SELECT id, quantity FROM products WHERE business_id = ? AND deleted = 0",
		businessId,
	);
	const lines = rows.map(({ id, quantity }) => `${id} ${quantity}`);
	// Databases order texts in different ways.
	return sha256Hex(lines.sort().join("\n"));
}

/** Forgets the sums of some blocks, and of their groups. */
export async function forgetSums(
	tx: Connection,
	businessId: string,
	blocks: Iterable<number>,
): Promise<void> {
	for (const block of blocks)
		await tx.run(
			`DELETE FROM digest_blocks WHERE business_id = ?
       AND (part <> 'groups' AND block = ? OR part = 'groups' AND block = ?)`,
			businessId,
			block,
			Math.ceil(block / groupBlocks),
		);
}

/**
 * Forgets the sums of one group of blocks, so that the next reader sums it again from its rows: no trigger sees what a
 * failing disk does to them.
 *
 * @param place of the group among all, from 0 up to 1
 */
export async function forgetGroup(
	tx: Connection,
	businessId: string,
	place: number,
): Promise<void> {
	const closed = await lastClosed(tx, businessId);
	const groups = Math.ceil(closed / groupBlocks);
	const first = Math.floor(place * groups) * groupBlocks + 1;
	await forgetSums(
		tx,
		businessId,
		Array.from({ length: groupBlocks }, (_, i) => first + i),
	);
}

/**
 * Forgets all sums, because a till's versions lose their meaning when the server's history changes. A block that had no
 * row may get some, and a new row changes none.
 */
export async function forgetBlocks(
	tx: Connection,
	businessId: string,
): Promise<void> {
	await tx.run("DELETE FROM digest_blocks WHERE business_id = ?", businessId);
}
