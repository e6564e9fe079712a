import { deleteDB, type IDBPDatabase, openDB } from "idb";
import type { ShopError } from "../../../sync/protocol/errors.ts";
import type {
	MutationMessage,
	TillApi,
} from "../../../sync/protocol/till-api.ts";
import type { Cart } from "../../../sync/till/cart.ts";

/** A mutation as the previous client stored it. */
interface OldEntry {
	id: string;
	name: string;
	args: unknown;
	at: string;
	by?: string;
	state: "pending" | "acknowledged" | "rejected";
}

/** The previous client's storage, with mutations that its server may not have. */
export interface OldStorage {
	/** Moves its content to the till, and removes the storage once the server has answered for everything in it. */
	move(): Promise<void>;
}

/** Characters per request, of up to three bytes each; a request may have 5 MB. */
const batchMax = 1_500_000;

/** @param calls the till's API, which checks everything */
export function openOldStorage(
	businessId: string,
	{ bring, keepCart }: Pick<TillApi, "bring" | "keepCart">,
): OldStorage {
	const name = `counterfoil-${businessId}`;
	let isOver = false;
	let areCartsDue = true;
	let moving: Promise<void> | undefined;

	/** @returns undefined if there is none; doesn't create one */
	function open(): Promise<IDBPDatabase | undefined> {
		return openDB(name, undefined, {
			upgrade(_made, _from, _to, tx) {
				tx.done.catch(() => {});
				tx.abort();
			},
		}).catch((error: DOMException) => {
			if (error.name === "AbortError") return undefined;
			throw error;
		});
	}

	async function read() {
		const old = await open();
		if (!old) return undefined;
		try {
			const { version } = old;
			// Removal takes two steps; a crash may have left only the first done.
			if (!old.objectStoreNames.contains("outbox"))
				return { version, entries: [], carts: [] };
			const entries: OldEntry[] = await old.getAll("outbox");
			const carts: Cart[] = await old.getAll("carts");
			return { version, entries, carts };
		} finally {
			// Don't block a page that wants to open or remove it.
			old.close();
		}
	}

	async function moveCarts(found: readonly Cart[]): Promise<void> {
		for (const one of found)
			await keepCart(one.id, one, false).catch(skipInvalid);
		const old = await open();
		await old?.clear("carts");
		old?.close();
	}

	/** Removes it in a transaction that excludes older pages, unless one of them wrote to it since it was read. */
	async function remove(
		version: number,
		over: ReadonlySet<string>,
	): Promise<boolean> {
		let isEmpty = true;
		const old = await openDB(name, version + 1, {
			async upgrade(database, _from, _to, tx) {
				const stores = [...database.objectStoreNames];
				if (stores.includes("outbox")) {
					const entries: OldEntry[] = await tx.objectStore("outbox").getAll();
					const carts = await tx.objectStore("carts").count();
					isEmpty =
						carts === 0 &&
						untaken(entries).every((entry) => over.has(entry.id));
				}
				if (isEmpty)
					for (const store of stores) database.deleteObjectStore(store);
			},
		});
		old.close();
		if (isEmpty) await deleteDB(name);
		return isEmpty;
	}

	async function moveAll(): Promise<void> {
		if (isOver) return;
		const found = await read();
		isOver = found === undefined;
		if (!found) return;
		// Only once: carts that an open older page writes later belong to that page.
		if (areCartsDue && found.carts.length > 0) await moveCarts(found.carts);
		areCartsDue = false;
		const over = new Set<string>();
		const messages = untaken(found.entries).map(toMessage);
		for (const batch of batchesOf(messages))
			for (const id of await bring(batch)) over.add(id);
		if (over.size < messages.length) return;
		isOver = await remove(found.version, over);
		// By the next start that page is closed, and the rest moves then.
		areCartsDue = true;
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

const untaken = (entries: readonly OldEntry[]) =>
	entries.filter(({ state }) => state !== "acknowledged");

/** Skips a cart that can't be read. */
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
