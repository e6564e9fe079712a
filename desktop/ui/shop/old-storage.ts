import { deleteDB, type IDBPDatabase, openDB } from "idb";
import type { ShopError } from "../../../sync/errors.ts";
import type { Calls, MutationMessage } from "../../../sync/till/calls.ts";
import type { Cart } from "../../../sync/till/cart.ts";

/** What the client before this one kept of a mutation. */
interface OldEntry {
	id: string;
	name: string;
	args: unknown;
	at: string;
	by?: string;
	state: "pending" | "acknowledged" | "rejected";
}

/** The storage of the client before this one, with what its server never took. */
export interface OldStorage {
	/** Brings what is in it to the till. Once nothing of it is needed any more, it goes. */
	move(): Promise<void>;
}

/** Characters that are brought at once, of up to three bytes: a request may hold five million. */
const batchMax = 1_500_000;

/**
 * @param calls which the till checks
 * @returns undefined where there is none, or nothing in it
 */
export async function openOldStorage(
	businessId: string,
	{ bring, keepCart }: Pick<Calls, "bring" | "keepCart">,
): Promise<OldStorage | undefined> {
	const name = `counterfoil-${businessId}`;
	const all = await indexedDB.databases();
	if (!all.some((one) => one.name === name)) return undefined;
	let isOver = false;
	let moving: Promise<void> | undefined;
	if (!(await read(async (old) => old.objectStoreNames.contains("outbox")))) {
		await deleteDB(name);
		return undefined;
	}

	async function read<T>(work: (old: IDBPDatabase) => Promise<T>): Promise<T> {
		const old = await openDB(name);
		try {
			return await work(old);
		} finally {
			// An older page in another tab may want it, and this one may want it gone.
			old.close();
		}
	}

	async function moveCarts(): Promise<void> {
		const found: Cart[] = await read((old) => old.getAll("carts"));
		for (const one of found) {
			await keepCart(one.id, one, false).catch(skipInvalid);
		}
		await read((old) => old.clear("carts"));
	}

	async function moveAll(): Promise<void> {
		if (isOver) return;
		await moveCarts();
		const entries: OldEntry[] = await read((old) => old.getAll("outbox"));
		const untaken = entries.filter(({ state }) => state !== "acknowledged");
		let isNeeded = false;
		for (const batch of batchesOf(untaken.map(toMessage))) {
			const over = await bring(batch);
			if (over.length < batch.length) isNeeded = true;
		}
		if (isNeeded) return;
		isOver = true;
		await deleteDB(name);
	}

	return {
		move() {
			moving ??= moveAll().finally(() => {
				moving = undefined;
			});
			return moving;
		},
	};
}

/** A cart that can't be read is nobody's. */
function skipInvalid(error: ShopError): void {
	if (error.code !== "invalid_args") throw error;
}

function toMessage({ id, name, args, at, by }: OldEntry): MutationMessage {
	return { id, name, args, at, ...(by !== undefined && { by }) };
}

function* batchesOf(
	messages: readonly MutationMessage[],
): Generator<MutationMessage[]> {
	let batch: MutationMessage[] = [];
	let length = 0;
	for (const message of messages) {
		const own = JSON.stringify(message).length;
		if (length + own > batchMax && batch.length > 0) {
			yield batch;
			batch = [];
			length = 0;
		}
		batch.push(message);
		length += own;
	}
	if (batch.length > 0) yield batch;
}
