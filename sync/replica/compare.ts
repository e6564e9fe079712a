import {
	forgetBlocks,
	forgetGroup,
	readBlocks,
	readStockSum,
	settleBlocks,
} from "../feed/digest-blocks.ts";
import { toIso } from "../protocol/clock.ts";
import type { Env } from "../protocol/ids.ts";
import {
	assertSameBusiness,
	assertSameFeed,
	type Change,
} from "../protocol/protocol.ts";
import type { Connection, Store } from "../store/store.ts";
import {
	type HealedRow,
	heal,
	type Remedy,
	type ServerBlocks,
} from "./heal.ts";
import { type Pace, storingRestMs } from "./pace.ts";
import { type RowKey, redo, restartFeed, undo } from "./rebase.ts";
import { readState, wholeCursor } from "./replica-state.ts";
import type { Comparison, Transport } from "./transport.ts";
import { addWrongStock, differingBlocks, type Found, keyOf } from "./verify.ts";
import { balanceStock, isBalanced } from "./window-stock.ts";

/*
 * A till that holds all of its shop's rows compares them with its server's by itself:
 *
 *   the digest at the till's own cursor ── equal ──► in step, for one small request
 *      │ differs
 *   the sums of blocks, and the rows of some that differ, all at that cursor
 *      │
 *   one transaction, if the till is still there: undo, put right, redo
 *
 * If the server or the till moves meanwhile, nothing is concluded.
 */

/** Blocks that are put right in one transaction: about as many rows as a page that is stored. */
const blocksAtOnce = 8;
/** Sums can wait, but on a till that is in use all day they must be made too. */
const restMs = 5_000;
/** A row that differs again right after it was put right so often is left to a person. */
const healedMax = 2;
const namedMax = 10;

/**
 * `unknown`: rows are still to come, or one side moved meanwhile. `healed`: rows were put right,
 * and another comparison shows whether that was all. `different`: what still differs is left to a person.
 */
export type Compared = "unknown" | "same" | "healed" | "different";

/** What differed, for the log: no text that a person typed. */
export interface DifferenceReport {
	businessId: string;
	/** The number of rows that differed, by entity. */
	rows: Record<string, number>;
	/** The entities and ids of the first of them. */
	first: string[];
	/** The number of rows by what became of them. */
	done: Partial<Record<Remedy, number>>;
	/** The first rows that were removed, because neither the server nor this till's log knows them. */
	removed: { row: string; was: unknown }[];
}

export interface Comparing {
	store: Store;
	businessId: string;
	transport: Transport;
	env: Env;
	pace: Pace;
	onFault(error: unknown): void;
	onDifference(report: DifferenceReport): void;
	/** Called with the rows that a commit touched. */
	notify(rows: readonly RowKey[]): void;
}

export interface CompareOptions {
	/** Sums all rows again first, and not only some. */
	isThorough?: boolean;
}

/** Opens the comparisons of one session. It remembers what it has put right before. */
export function openComparison(
	comparing: Comparing,
): (options?: CompareOptions) => Promise<Compared> {
	const { store, businessId, transport, env, pace, notify } = comparing;
	/** How often in a row each row has differed. */
	let times = new Map<string, number>();
	/** True once sums have differed where rows didn't: this program and the server's sum otherwise. */
	let isFutile = false;
	let hasRestarted = false;

	async function compare({ isThorough = false } = {}): Promise<Compared> {
		const { digest, blocks, blockRows } = transport;
		if (!digest || !blocks || !blockRows) return "unknown";
		if (isFutile) return "different";
		const state = await store.read((tx) => readState(tx, businessId));
		if (!wholeCursor(state)) return "unknown";
		await sumAgain(isThorough);
		const theirs = await digest(state.window.version);
		assertSameBusiness(businessId, theirs.businessId);
		const own = await readBelow(store, businessId, pace);
		const { cursor, window } = own;
		if (cursor === undefined || cursor !== theirs.cursor) return "unknown";
		// An older server sums what the window leaves out.
		if (window !== (theirs.window ?? 0)) return "unknown";
		const isStockSame = own.stock === theirs.stock;
		if (own.digest === theirs.digest && isStockSame) {
			times = new Map();
			// The next sync waits for it too.
			const rest = () => pace.rest(storingRestMs);
			// Without a window, what is equal already says so.
			if (window === 0 || (await isBalanced(store, businessId, rest)))
				return "same";
			// A kept sum may hide the fact that is wrong.
			if (!isThorough) return compare({ isThorough: true });
			return balance(cursor);
		}
		const server = await readServer({ blocks, blockRows }, own, cursor);
		return server
			? putRight({ ...server, isStockSame }, isThorough)
			: "unknown";
	}

	/** Forgets kept sums: a program sees what a failing disk changes only if it reads the rows again. */
	async function sumAgain(isThorough: boolean): Promise<void> {
		const [byte = 0] = env.randomBytes(1);
		await store.write((tx) =>
			isThorough
				? forgetBlocks(tx, businessId)
				: forgetGroup(tx, businessId, byte / 256),
		);
	}

	/** What the till's window leaves out follows from facts and stock that are the server's. */
	async function balance(cursor: string): Promise<Compared> {
		const rows = await store.write(async (tx) => {
			const state = await readState(tx, businessId);
			if (wholeCursor(state) !== cursor) return undefined;
			const wrong: Found["differences"] = new Map();
			await undo(tx, businessId);
			await addWrongStock(tx, businessId, wrong);
			await balanceStock(tx, businessId);
			const { version } = state.position;
			await redo(tx, businessId, version, comparing.onFault);
			if (wrong.size > 0) await noteHealed(tx, wrong.size, false);
			return [...wrong.values()].map(
				(row): HealedRow => ({ ...row, remedy: "written" }),
			);
		});
		if (!rows) return "unknown";
		// What is wrong is an unsent change's own.
		if (rows.length === 0) return "different";
		comparing.onDifference(reportOf(businessId, rows));
		return "healed";
	}

	/** @returns undefined if the server has moved from the cursor */
	async function readServer(
		{ blocks, blockRows }: Pick<Comparison, "blocks" | "blockRows">,
		own: OwnSums,
		cursor: string,
	): Promise<Omit<ServerBlocks, "isStockSame"> | undefined> {
		const { window } = own;
		const theirs = await blocks(window);
		assertSameBusiness(businessId, theirs.businessId);
		if (theirs.cursor !== cursor) return undefined;
		const all = [...differingBlocks(own.blocks, theirs.blocks)];
		const some = all.slice(0, blocksAtOnce);
		const answers = await Promise.all(some.map((block) => blockRows(block)));
		const changes: Change[] = [];
		for (const answer of answers) {
			assertSameBusiness(businessId, answer.businessId);
			assertSameFeed(answer.feed);
			if (answer.cursor !== cursor) return undefined;
			changes.push(...answer.changes);
		}
		const isWhole = some.length === all.length;
		return { cursor, blocks: some, changes, isWhole, window };
	}

	async function putRight(
		server: ServerBlocks,
		isThorough: boolean,
	): Promise<Compared> {
		const wasHealing = times.size > 0;
		const mayHeal = (key: string) => (times.get(key) ?? 0) < healedMax;
		const done = await store.write(
			async (tx) => {
				const touched: RowKey[] = [];
				const { onFault } = comparing;
				const healing = { businessId, mayHeal, onFault, touched };
				const rows = await heal(tx, server, healing);
				const count = rows?.filter(isHealed).length ?? 0;
				if (count > 0) await noteHealed(tx, count, wasHealing);
				return rows && { rows, touched };
			},
			{ isLong: true },
		);
		if (!done) return "unknown";
		const { rows, touched } = done;
		if (rows.length === 0) {
			// What differs may be a kept sum, or what had differed was put back meanwhile.
			if (server.isWhole && !isThorough) return compare({ isThorough: true });
			isFutile = server.isWhole;
			return isFutile && mayRestart(server) ? restart() : "different";
		}
		times = new Map(
			rows.map(({ entity, id }) => {
				const key = keyOf(entity, id);
				return [key, (times.get(key) ?? 0) + 1];
			}),
		);
		comparing.onDifference(reportOf(businessId, rows));
		notify(touched);
		return rows.some(isHealed) ? "healed" : "different";
	}

	/** What a window leaves out counts in stock, and only the facts themselves say what it is. */
	const mayRestart = ({ window, isStockSame }: ServerBlocks) =>
		window > 0 && !isStockSame && !hasRestarted;

	/** Brings the whole shop again, which sums stock by its facts. */
	async function restart(): Promise<Compared> {
		hasRestarted = true;
		isFutile = false;
		const { onFault } = comparing;
		await store.write((tx) => restartFeed(tx, businessId, onFault));
		return "healed";
	}

	/** @param isMore whether the rows belong to those that were put right right before */
	async function noteHealed(
		tx: Connection,
		rows: number,
		isMore: boolean,
	): Promise<void> {
		await tx.run(
			"UPDATE replica SET window_asked = NULL, healed_at = ?, healed_rows = ? + CASE WHEN ? = 1 THEN coalesce(healed_rows, 0) ELSE 0 END WHERE business_id = ?",
			toIso(env.now()),
			rows,
			Number(isMore),
			businessId,
		);
	}

	return compare;
}

/** What a comparison reads of this till. */
interface OwnSums {
	cursor: string | undefined;
	digest: string;
	blocks: string[];
	stock: string;
	/** Up to this version, records alone are summed. */
	window: number;
}

/** Reads the sums of the server's rows here, as they are below what is pending. */
async function readBelow(
	store: Store,
	businessId: string,
	pace: Pace,
): Promise<OwnSums> {
	await settleBlocks(store, businessId, () => pace.rest(restMs));
	const read = async (tx: Connection) => {
		const state = await readState(tx, businessId);
		const window = state.window.version;
		return {
			...{ cursor: wholeCursor(state), window },
			...(await readBlocks(tx, businessId, window)),
			stock: await readStockSum(tx, businessId),
		};
	};
	const clean = await store.read(async (tx) =>
		(await hasPending(tx, businessId)) ? undefined : read(tx),
	);
	if (clean) return clean;
	let sums: OwnSums | undefined;
	const undone = new Error("Only read");
	await store
		.write(async (tx) => {
			await undo(tx, businessId);
			sums = await read(tx);
			throw undone;
		})
		.catch((error) => {
			if (error !== undone) throw error;
		});
	return sums as OwnSums;
}

async function hasPending(
	tx: Connection,
	businessId: string,
): Promise<boolean> {
	const one = await tx.get(
		"SELECT 1 AS pending FROM base_rows WHERE business_id = ? LIMIT 1",
		businessId,
	);
	return one !== undefined;
}

const isHealed = ({ remedy }: HealedRow) => remedy !== "left";

function reportOf(
	businessId: string,
	rows: readonly HealedRow[],
): DifferenceReport {
	const count = <Key extends string>(keyOf: (row: HealedRow) => Key) => {
		const counts: Partial<Record<Key, number>> = {};
		for (const row of rows) {
			const key = keyOf(row);
			counts[key] = (counts[key] ?? 0) + 1;
		}
		return counts;
	};
	const named = ({ entity, id }: HealedRow) => keyOf(entity, id);
	return {
		businessId,
		rows: count(({ entity }) => entity) as Record<string, number>,
		first: rows.slice(0, namedMax).map(named),
		done: count(({ remedy }) => remedy),
		removed: rows
			.filter(({ remedy }) => remedy === "removed")
			.slice(0, namedMax)
			.map((row) => ({ row: named(row), was: row.was })),
	};
}
