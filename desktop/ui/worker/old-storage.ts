import { deleteDB, type IDBPDatabase, openDB } from "idb";
import type { Caller } from "../../../sync/log.ts";
import type { MutationMessage } from "../../../sync/protocol.ts";
import { cart } from "../../../sync/till/cart.ts";
import type { BrowserTill } from "./browser-till.ts";

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
	/** Brings over what is not here yet. Once the server has all of it, the old storage goes. */
	move(): Promise<void>;
}

/** @returns undefined where there is none, or nothing in it */
export async function openOldStorage(
	till: BrowserTill,
	caller: Caller,
	putCart: (found: ReturnType<typeof cart.parse>) => Promise<void>,
): Promise<OldStorage | undefined> {
	const name = `counterfoil-${caller.businessId}`;
	const all = await indexedDB.databases();
	if (!all.some((one) => one.name === name)) return undefined;
	let isOver = false;
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
		const found = await read((old) => old.getAll("carts"));
		for (const one of found) {
			const { success, data } = cart.safeParse(one);
			if (success) await putCart(data);
		}
		await read((old) => old.clear("carts"));
	}

	return {
		async move() {
			if (isOver) return;
			await moveCarts();
			const entries: OldEntry[] = await read((old) => old.getAll("outbox"));
			const untaken = entries.filter(({ state }) => state !== "acknowledged");
			const missing: MutationMessage[] = [];
			let isTaken = true;
			for (const { id, name, args, at, by } of untaken) {
				const state = await till.replica.stateOf(id);
				if (state !== "acknowledged" && state !== "discarded") isTaken = false;
				if (state === undefined)
					missing.push({ id, name, args, at, ...(by !== undefined && { by }) });
			}
			if (missing.length > 0) await till.replica.take(caller, missing);
			if (!isTaken) return;
			isOver = true;
			await deleteDB(name);
		},
	};
}
