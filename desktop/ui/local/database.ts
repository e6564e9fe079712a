import { type DBSchema, type IDBPDatabase, openDB, type StoreNames } from "idb";
import type { Business } from "../../../sync/entities/business.ts";
import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { Refusal } from "../../../sync/protocol.ts";
import type { Cart } from "../till/cart.ts";

/** Where a mutation of this browser's stands. */
export type OutboxState = "pending" | "acknowledged" | "rejected";

/** One mutation that was made here. It is kept after the server took it, until a backup of the server holds it. */
export interface OutboxEntry {
	position?: number;
	id: string;
	name: string;
	args: unknown;
	at: string;
	/** The member who made it; absent from an entry of an older version of the app. */
	by?: string;
	/** Counts this device's mutations; none for one that is offered again to a restored server. */
	number?: number | undefined;
	state: OutboxState;
	/** The server's head after it. */
	version?: number | undefined;
	error?: Refusal | undefined;
	answeredAt?: string | undefined;
}

/** Who this browser is to the server, and how far it has come. */
export interface Device {
	deviceId: string;
	prefix?: string | undefined;
	lastNumber: number;
	lastReceipt: number;
	cursor?: string | undefined;
	epoch?: string | undefined;
	/** What the version of the app that filled this database read of the feed. */
	feedForm?: string | undefined;
	lastSyncAt?: string | undefined;
	/** How far the server's clock is ahead of this computer's. */
	clockOffsetMs?: number | undefined;
}

interface Tables extends DBSchema {
	products: { key: string; value: Product };
	categories: { key: string; value: Category };
	businesses: { key: string; value: Business };
	device: { key: string; value: Device };
	outbox: {
		key: number;
		value: OutboxEntry;
		indexes: { state: OutboxState; id: string; version: number };
	};
	carts: { key: string; value: Cart };
}
export type LocalDatabase = IDBPDatabase<Tables>;

/** The one key of tables that hold one row. */
export const only = "only";

export type StoreName = StoreNames<Tables>;

/** Each table's key and indexes; a table without a key path has its one row under `only`. */
export const stores: Record<
	StoreName,
	{ keyPath?: string; autoIncrement?: true; indexes?: readonly string[] }
> = {
	products: { keyPath: "id" },
	categories: { keyPath: "id" },
	businesses: { keyPath: "id" },
	device: {},
	outbox: {
		keyPath: "position",
		autoIncrement: true,
		indexes: ["state", "id", "version"],
	},
	carts: { keyPath: "id" },
};

/** The browser's own durable storage for one business. */
export async function openLocal(businessId: string): Promise<LocalDatabase> {
	return openDB<Tables>(`counterfoil-${businessId}`, 2, {
		upgrade(database, from, _to, tx) {
			for (const [name, { indexes = [], ...options }] of Object.entries(
				stores,
			)) {
				const store =
					from === 0
						? database.createObjectStore(name as StoreName, options)
						: tx.objectStore(name as StoreName);
				for (const index of indexes)
					if (!store.indexNames.contains(index as never))
						store.createIndex(index as never, index);
			}
		},
		// A newer version of the app in another window waits for this one to let go.
		blocking: () => location.reload(),
	});
}
