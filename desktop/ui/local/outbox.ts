import { v7 as newId } from "uuid";
import { toIso } from "../../../sync/clock.ts";
import { ShopError } from "../../../sync/errors.ts";
import type { MutationMessage, PushAnswer } from "../../../sync/protocol.ts";
import {
	type Device,
	type LocalDatabase,
	type OutboxEntry,
	only,
} from "./database.ts";

/** Kept for this long at least after the server took it, in case the server loses it (as on a desktop till). */
const keptMs = 30 * 24 * 3_600_000;

export function newDevice(): Device {
	return { deviceId: newId(), lastNumber: 0, lastReceipt: 0 };
}

/** This browser to the server, made at the first look. */
export async function readDevice(database: LocalDatabase): Promise<Device> {
	const tx = database.transaction("device", "readwrite");
	const known = await tx.store.get(only);
	const device = known ?? newDevice();
	if (!known) await tx.store.put(device, only);
	await tx.done;
	return device;
}

/**
 * Writes a mutation down for good, numbered next for this device. What this resolves to has been written: a crash after
 * it loses nothing; where it throws, nothing was written.
 *
 * @param argsOf makes the arguments, with the device's next receipt number and the corrected time
 * @param by the signed-in member
 * @param cartId of the sale in the making that this completes: it is removed in the same moment
 * @param id of whoever may have to ask again: what was written down under it before is what this resolves to
 */
export async function append(
	database: LocalDatabase,
	name: string,
	argsOf: (receiptNumber: () => string, at: string) => unknown,
	by: string,
	cartId?: string,
	id: string = newId(),
): Promise<OutboxEntry> {
	const tx = database.transaction(["device", "outbox", "carts"], "readwrite", {
		durability: "strict",
	});
	try {
		const outbox = tx.objectStore("outbox");
		const known = await outbox.index("id").get(id);
		if (known) return known;
		const carts = tx.objectStore("carts");
		if (cartId !== undefined && (await carts.getKey(cartId)) === undefined)
			throw new ShopError(
				"cart_taken",
				"Another window has taken over this cart",
			);
		const device = (await tx.objectStore("device").get(only)) as Device;
		const next = { ...device, lastNumber: device.lastNumber + 1 };
		const at = toIso(correctedNow(device));
		// Arguments that can't be sold throw here, before anything is written.
		const args = argsOf(() => {
			next.lastReceipt += 1;
			// The server has not named a prefix yet: it will take this one over.
			next.prefix ??= randomPrefix();
			return `${next.prefix}-${String(next.lastReceipt).padStart(6, "0")}`;
		}, at);
		const entry: OutboxEntry = {
			id,
			name,
			args,
			at,
			by,
			number: next.lastNumber,
			state: "pending",
		};
		if (cartId !== undefined) await carts.delete(cartId);
		await tx.objectStore("device").put(next, only);
		const position = await outbox.add(entry);
		await tx.done;
		return { ...entry, position };
	} catch (error) {
		await rollBack(tx);
		throw error;
	}
}

/** Undoes all writes of a transaction. One that failed by itself has been rolled back already. */
async function rollBack(tx: {
	readonly done: Promise<void>;
	abort(): void;
}): Promise<void> {
	const ended = Promise.allSettled([tx.done]);
	try {
		tx.abort();
	} catch (error) {
		if ((error as DOMException).name !== "InvalidStateError") throw error;
	}
	await ended;
}

/** This computer's clock, corrected by what the server last said. */
export function correctedNow({ clockOffsetMs = 0 }: Device): number {
	return Date.now() + clockOffsetMs;
}

function randomPrefix(): string {
	return [...crypto.getRandomValues(new Uint8Array(4))]
		.map((byte) => String.fromCharCode(65 + (byte % 26)))
		.join("");
}

export function toMessage({ id, name, args, at, number, by }: OutboxEntry) {
	const message: MutationMessage = { id, name, args, at };
	if (by !== undefined) message.by = by;
	if (number !== undefined) message.number = number;
	return message;
}

export async function nextBatch(
	database: LocalDatabase,
	after: number,
	most: number,
): Promise<OutboxEntry[]> {
	const tx = database.transaction("outbox");
	const batch: OutboxEntry[] = [];
	let cursor = await tx.store.index("state").openCursor("pending");
	while (cursor && batch.length < most) {
		if ((cursor.value.position ?? 0) > after) batch.push(cursor.value);
		cursor = await cursor.continue();
	}
	return batch;
}

/** Writes down what the server said of each of a batch. */
export async function takeResults(
	database: LocalDatabase,
	batch: readonly OutboxEntry[],
	{ results, serverNow }: PushAnswer,
): Promise<void> {
	const tx = database.transaction("outbox", "readwrite", {
		durability: "strict",
	});
	for (const [i, entry] of batch.entries()) {
		const result = results[i];
		if (result?.id !== entry.id)
			throw new Error("The results are not those of what was sent");
		if (result.status === "deferred") continue;
		await tx.store.put({
			...entry,
			state: result.status === "applied" ? "acknowledged" : "rejected",
			version: result.version,
			error: result.error,
			answeredAt: serverNow,
		});
	}
	await tx.done;
}

/** Offers again all that the server once took: its history is another one now, and may lack some. */
export async function reoffer(database: LocalDatabase): Promise<void> {
	const tx = database.transaction("outbox", "readwrite");
	for (const entry of await tx.store.index("state").getAll("acknowledged"))
		await tx.store.put({
			...entry,
			state: "pending",
			number: undefined,
			version: undefined,
		});
	await tx.done;
}

/** Offers a refused one again, as a new one with the same content: the server has given its last word on the old id. */
export async function offerAnew(
	database: LocalDatabase,
	{ position }: OutboxEntry,
): Promise<void> {
	const tx = database.transaction(["device", "outbox"], "readwrite", {
		durability: "strict",
	});
	const outbox = tx.objectStore("outbox");
	const refused = await outbox.get(position as number);
	const device = (await tx.objectStore("device").get(only)) as Device;
	// Twice at once, or in two windows, it is offered once.
	if (refused?.state === "rejected") {
		const { name, args, at, by } = refused;
		const number = device.lastNumber + 1;
		tx.objectStore("device").put({ ...device, lastNumber: number }, only);
		outbox.delete(position as number);
		outbox.add({
			id: newId(),
			name,
			args,
			at,
			...(by === undefined ? {} : { by }),
			number,
			state: "pending",
		});
	}
	await tx.done;
}

/** A device that is told that its past is not its own begins anew: what is pending is counted from one. */
export async function beginAnew(database: LocalDatabase): Promise<void> {
	const tx = database.transaction(["device", "outbox"], "readwrite");
	const outbox = tx.objectStore("outbox");
	const pending = await outbox.index("state").getAll("pending");
	for (const [i, entry] of pending.entries())
		await outbox.put({ ...entry, number: i + 1 });
	await tx
		.objectStore("device")
		.put(
			{ deviceId: newId(), lastNumber: pending.length, lastReceipt: 0 },
			only,
		);
	await tx.done;
}

/** Forgets what a backup of the server covers, after its time; reads no more than it forgets, and one. */
export async function prune(
	database: LocalDatabase,
	{ backedUpTo, serverNow }: PushAnswer,
): Promise<void> {
	const before = toIso(Date.parse(serverNow) - keptMs);
	const tx = database.transaction("outbox", "readwrite");
	let cursor = await tx.store
		.index("version")
		.openCursor(IDBKeyRange.upperBound(backedUpTo));
	while (cursor && (cursor.value.answeredAt ?? "") < before) {
		if (cursor.value.state === "acknowledged") await cursor.delete();
		cursor = await cursor.continue();
	}
	await tx.done;
}

/** What is still of interest: what waits, what was refused, and what the server took after a version. */
export async function readLive(
	database: LocalDatabase,
	version: number,
): Promise<{ device: Device | undefined; entries: OutboxEntry[] }> {
	const tx = database.transaction(["device", "outbox"]);
	const outbox = tx.objectStore("outbox");
	const [device, unseen, pending, rejected] = await Promise.all([
		tx.objectStore("device").get(only),
		outbox.index("version").getAll(IDBKeyRange.lowerBound(version, true)),
		outbox.index("state").getAll("pending"),
		outbox.index("state").getAll("rejected"),
	]);
	const taken = unseen.filter(({ state }) => state === "acknowledged");
	return { device, entries: [...taken, ...pending, ...rejected] };
}
