import { type DBSchema, type IDBPDatabase, openDB } from "idb";
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
		indexes: { state: OutboxState; id: string };
	};
	carts: { key: string; value: Cart };
}
export type LocalDatabase = IDBPDatabase<Tables>;

/** The one key of tables that hold one row. */
export const only = "only";

/** The browser's own durable storage for one business. */
export async function openLocal(businessId: string): Promise<LocalDatabase> {
	const database = await openDB<Tables>(`counterfoil-${businessId}`, 1, {
		upgrade(database) {
			database.createObjectStore("products", { keyPath: "id" });
			database.createObjectStore("categories", { keyPath: "id" });
			database.createObjectStore("businesses", { keyPath: "id" });
			database.createObjectStore("device");
			const outbox = database.createObjectStore("outbox", {
				keyPath: "position",
				autoIncrement: true,
			});
			outbox.createIndex("state", "state");
			outbox.createIndex("id", "id");
			database.createObjectStore("carts", { keyPath: "id" });
		},
	});
	// Without it a browser may clear what it holds when its disk is full. One that asks a person first is not waited for.
	void navigator.storage?.persist?.();
	return database;
}
