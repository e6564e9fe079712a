import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { newId, systemEnv } from "../../../sync/protocol/ids.ts";
import type { MutationMessage } from "../../../sync/protocol/protocol.ts";
import type { Cart } from "../../../sync/till/cart.ts";

/** Who this till is to the server, and how far it has counted. */
export interface JournalDevice {
	businessId: string;
	deviceId: string;
	prefix: string | null;
	lastNumber: number;
	lastReceipt: number;
}

interface Tables extends DBSchema {
	unsent: {
		key: number;
		value: { businessId: string; message: MutationMessage };
		indexes: { businessId: string; id: string };
	};
	devices: { key: string; value: JournalDevice };
	carts: {
		key: [string, string];
		value: Cart & { businessId: string };
		indexes: { businessId: string };
	};
	/** Its id under `id`. */
	about: { key: string; value: string };
}

/**
 * What a till whose shop is in memory must not lose: its unsent mutations, who it is, and its carts. Each tab that can't share
 * one shop writes here; what one leaves behind, the next one takes up.
 */
export interface Journal {
	/** Another one where the one before is lost. */
	readonly id: string;
	/** In the order in which they were made, whichever tab made them. */
	unsent(): Promise<MutationMessage[]>;
	device(deviceId: string): Promise<JournalDevice | undefined>;
	carts(): Promise<Cart[]>;
	/** Those that are not there yet. Durable when it resolves. */
	add(
		messages: readonly MutationMessage[],
		device: JournalDevice,
	): Promise<void>;
	/** Forgets those that the server has, or that somebody has given up. */
	drop(ids: readonly string[]): Promise<void>;
	/** All that this tab has. */
	keepCarts(carts: readonly Cart[]): Promise<void>;
	/** All of them, whoever's they are. */
	forgetCarts(): Promise<void>;
	/** Forgets who these tills were, unless something of theirs is here. @returns whether nothing is */
	forget(): Promise<boolean>;
	close(): void;
}

const strict = { durability: "strict" } as const;

/** @throws DOMException where the browser keeps nothing */
export async function openJournal(businessId: string): Promise<Journal> {
	const database: IDBPDatabase<Tables> = await openDB<Tables>(
		"counterfoil-journal",
		1,
		{
			upgrade(made) {
				const unsent = made.createObjectStore("unsent", {
					autoIncrement: true,
				});
				unsent.createIndex("businessId", "businessId");
				unsent.createIndex("id", "message.id", { unique: true });
				made.createObjectStore("devices", { keyPath: "deviceId" });
				const carts = made.createObjectStore("carts", {
					keyPath: ["businessId", "id"],
				});
				carts.createIndex("businessId", "businessId");
				void made.createObjectStore("about").put(newId(systemEnv), "id");
			},
		},
	);

	const id = (await database.get("about", "id")) as string;

	/** Of this tab's carts: others' are theirs. */
	let own = new Set<string>();

	return {
		id,
		async unsent() {
			const all = await database.getAllFromIndex(
				"unsent",
				"businessId",
				businessId,
			);
			return all.map(({ message }) => message);
		},
		device: (deviceId) => database.get("devices", deviceId),
		async carts() {
			const all = await database.getAllFromIndex(
				"carts",
				"businessId",
				businessId,
			);
			return all.map(({ businessId: _, ...cart }) => cart as Cart);
		},
		async add(messages, device) {
			const tx = database.transaction(
				["unsent", "devices"],
				"readwrite",
				strict,
			);
			const unsent = tx.objectStore("unsent");
			for (const message of messages) {
				const known = await unsent.index("id").getKey(message.id);
				if (known === undefined) await unsent.add({ businessId, message });
			}
			await tx.objectStore("devices").put(device);
			await tx.done;
		},
		async drop(ids) {
			const tx = database.transaction("unsent", "readwrite");
			for (const id of ids) {
				const key = await tx.store.index("id").getKey(id);
				if (key !== undefined) await tx.store.delete(key);
			}
			await tx.done;
		},
		async keepCarts(carts) {
			const tx = database.transaction("carts", "readwrite");
			const ids = new Set(carts.map(({ id }) => id));
			for (const id of own)
				if (!ids.has(id)) await tx.store.delete([businessId, id]);
			own = ids;
			for (const cart of carts) await tx.store.put({ ...cart, businessId });
			await tx.done;
		},
		async forgetCarts() {
			const tx = database.transaction("carts", "readwrite");
			const keys = await tx.store.index("businessId").getAllKeys(businessId);
			for (const key of keys) await tx.store.delete(key);
			await tx.done;
		},
		async forget() {
			const tx = database.transaction(
				["unsent", "carts", "devices"],
				"readwrite",
			);
			for (const name of ["unsent", "carts"] as const)
				if (
					(await tx.objectStore(name).index("businessId").count(businessId)) > 0
				)
					return false;
			const devices = tx.objectStore("devices");
			for (const device of await devices.getAll())
				if (device.businessId === businessId)
					await devices.delete(device.deviceId);
			await tx.done;
			return true;
		},
		close: () => database.close(),
	};
}
