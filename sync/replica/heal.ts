import { business } from "../entities/business.ts";
import { entitiesByName } from "../entities/index.ts";
import { refund } from "../entities/refund.ts";
import { sale } from "../entities/sale.ts";
import { forgetSums } from "../feed/digest-blocks.ts";
import { resubmitFact } from "../log/lost-facts.ts";
import type { Change } from "../protocol/protocol.ts";
import { forgetTallies } from "../queries/tallies.ts";
import { eraseRow, readRow, toWire } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { type RowKey, redo, undo } from "./rebase.ts";
import { readState, wholeCursor } from "./replica-state.ts";
import { overwrite, sumWrongStock } from "./server-rows.ts";
import {
	addOwn,
	addWrongStock,
	comparable,
	compareRows,
	type Found,
	keyOf,
	openFound,
	type RowDifference,
	unsentBlock,
} from "./verify.ts";

/** The server's rows of some blocks, all of one moment. */
export interface ServerBlocks {
	/** The server's head at that moment. */
	cursor: string;
	blocks: readonly number[];
	changes: readonly Change[];
	/** Whether these are all blocks that differ: a row that is in none of them is none of the server's. */
	isWhole: boolean;
	/** Whether the sums of products' quantities are equal. */
	isStockSame: boolean;
	/** Up to this version, records alone were compared. */
	window: number;
}

/** What became of a row that differed: `left` as it was, because it differed again after it had been put right. */
export type Remedy = "written" | "sent again" | "removed" | "left";

/** A row that differed, and what became of it. */
export interface HealedRow extends RowDifference {
	remedy: Remedy;
	/** A removed fact in numbers, for someone who misses it. */
	was?: Record<string, unknown>;
}

interface Healing {
	businessId: string;
	mayHeal(key: string): boolean;
	onFault(error: unknown): void;
	touched: RowKey[];
}

/**
 * Puts rows right that differ from the server's, below what is pending. Does nothing unless the till is still where the
 * server was.
 *
 * @returns undefined if the till has moved on
 */
export async function heal(
	tx: Connection,
	server: ServerBlocks,
	healing: Healing,
): Promise<HealedRow[] | undefined> {
	const { businessId, touched, onFault } = healing;
	const state = await readState(tx, businessId);
	const isSame =
		wholeCursor(state) === server.cursor &&
		state.window.version === server.window;
	if (!isSame) return undefined;
	await undo(tx, businessId, touched);
	const found = await findDifferent(tx, businessId, server);
	const healed = await healRows(tx, server, healing, found);
	// The ledger counts only once it is the server's.
	if (server.isWhole)
		healed.push(...(await healStock(tx, businessId, server, found)));
	await redo(tx, businessId, state.position.version, onFault, touched);
	touched.push(...healed.map(({ entity, id }) => ({ entity, id })));
	return healed;
}

/** Sums stock, and names products whose quantity is another than the server's although no row of theirs differed. */
async function healStock(
	tx: Connection,
	businessId: string,
	{ isStockSame }: ServerBlocks,
	found: ReadonlyMap<string, RowDifference>,
): Promise<HealedRow[]> {
	const wrong: Found["differences"] = new Map();
	if (!isStockSame) await addWrongStock(tx, businessId, wrong);
	await sumWrongStock(tx, businessId);
	return [...wrong]
		.filter(([key]) => !found.has(key))
		.map(([, difference]) => ({ ...difference, remedy: "written" }));
}

async function findDifferent(
	tx: Connection,
	businessId: string,
	{ changes, blocks, window }: ServerBlocks,
): Promise<Found["differences"]> {
	const found = openFound();
	// A newer server's other entities are none of this program's.
	const known = changes.filter(({ entity }) => entitiesByName.has(entity));
	await compareRows(tx, businessId, comparable(known, window), found);
	for (const block of [unsentBlock, ...blocks])
		await addOwn(tx, businessId, block, found, window);
	return found.differences;
}

async function healRows(
	tx: Connection,
	server: ServerBlocks,
	{ businessId, mayHeal, onFault }: Healing,
	found: Found["differences"],
): Promise<HealedRow[]> {
	const sent = new Map(
		server.changes.map((change) => [keyOf(change.entity, change.id), change]),
	);
	const written: Change[] = [];
	const healed: HealedRow[] = [];
	for (const [key, difference] of found) {
		const change = sent.get(key);
		if (!mayHeal(key)) healed.push({ ...difference, remedy: "left" });
		else if (change) {
			written.push(change);
			healed.push({ ...difference, remedy: "written" });
		} else if (server.isWhole)
			healed.push(await takeBack(tx, businessId, difference, server.cursor));
	}
	await overwrite(tx, businessId, written, onFault);
	const isFact = ({ entity }: HealedRow) =>
		entity === sale.name || entity === refund.name;
	if (healed.some(isFact)) await forgetTallies(tx, businessId);
	// Inserted rows change no kept sum.
	await forgetSums(tx, businessId, server.blocks);
	return healed;
}

/** Removes a row that the server lacks. A fact of this till's own log is sent again. */
async function takeBack(
	tx: Connection,
	businessId: string,
	difference: RowDifference,
	cursor: string,
): Promise<HealedRow> {
	const { entity: name, id } = difference;
	const entity = entitiesByName.get(name);
	const own = entity && (await readRow(tx, entity, businessId, id));
	if (!entity || !own || entity.name === business.name)
		return { ...difference, remedy: "left" };
	const isOwn = await resubmitFact(
		tx,
		businessId,
		{ entity: name, id },
		cursor,
	);
	await eraseRow(tx, entity, businessId, id);
	if (isOwn) return { ...difference, remedy: "sent again" };
	return {
		...{ ...difference, remedy: "removed" },
		was: inNumbers(toWire(entity, own.row)),
	};
}

/** The fields of a row that no person typed. */
const numeric = ["total", "quantity", "delta", "receiptNumber", "createdAt"];

function inNumbers(wire: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(
		numeric
			.filter((field) => wire[field] !== undefined)
			.map((field) => [field, wire[field]]),
	);
}
