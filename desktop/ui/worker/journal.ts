import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { newId, systemEnv } from "../../../sync/protocol/ids.ts";
import type { MutationMessage } from "../../../sync/protocol/protocol.ts";
import type { Cart } from "../../../sync/till/cart.ts";
import type { PinAttempts } from "../../../sync/till/staff.ts";

/** This till's identity at the server, and its mutation count. */
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
	/** The journal's id, and each shop's wrong PINs as JSON. */
	about: { key: string; value: string };
}

/**
 * What a till whose shop is in memory must not lose: unsent mutations, its device and its carts. Every tab that can't share
 * one shop writes here; the next tab takes over what a closed one left.
 */
export interface Journal {
	/** A new id if the previous journal was lost. */
	readonly id: string;
	/** In the order in which they were made, in any tab. */
	unsent(): Promise<MutationMessage[]>;
	device(deviceId: string): Promise<JournalDevice | undefined>;
	carts(): Promise<Cart[]>;
	/** Adds the missing ones; durable once it resolves. */
	add(
		messages: readonly MutationMessage[],
		device: JournalDevice,
	): Promise<void>;
	/** Removes those that the server has or a person has discarded. */
	drop(ids: readonly string[]): Promise<void>;
	/** Replaces all of this tab's carts. */
	keepCarts(carts: readonly Cart[]): Promise<void>;
	/** Removes the carts of all tabs. */
	forgetCarts(): Promise<void>;
	pinAttempts(): Promise<PinAttempts[]>;
	/** Durable once it resolves. */
	keepPinAttempts(attempts: readonly PinAttempts[]): Promise<void>;
	/** Removes the devices, unless something unsent is here. @returns whether the journal is empty */
	forget(): Promise<boolean>;
	close(): void;
}

/**
 * Begins to open a shop's journal, which a new browser creates while it opens the shop's files.
 *
 * @returns a function that answers with it, and with another one each time after that; undefined if the browser has no storage
 */
export function openJournalAhead(
	businessId: string,
): () => Promise<Journal | undefined> {
	const attempt = () =>
		openJournal(businessId).catch((error) => {
			console.error("The browser can't save anything for this page", error);
			return undefined;
		});
	let ahead: ReturnType<typeof attempt> | undefined = attempt();
	return () => {
		const journal = ahead ?? attempt();
		ahead = undefined;
		return journal;
	};
}

const strict = { durability: "strict" } as const;

/** @throws DOMException if the browser has no storage */
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
	const attemptsKey = `pin attempts ${businessId}`;

	/** Keys of this tab's own carts. */
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
		async pinAttempts() {
			return JSON.parse((await database.get("about", attemptsKey)) ?? "[]");
		},
		async keepPinAttempts(attempts) {
			const tx = database.transaction("about", "readwrite", strict);
			await tx.store.put(JSON.stringify(attempts), attemptsKey);
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
