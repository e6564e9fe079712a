import type * as z from "zod";
import { mutationsByName } from "../entities/index.ts";
import { lowerRole } from "../entities/permission.ts";
import { pinLock } from "../entities/pin-lock.ts";
import type { Caller } from "../log/log.ts";
import { ShopError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import {
	assertSameBusiness,
	type MutationMessage,
} from "../protocol/protocol.ts";
import {
	type ChangeKind,
	type MutationCall,
	type StorageStatus,
	type TillApi,
	type TillStatus,
	unknownStatus,
} from "../protocol/till-api.ts";
import { findQuery } from "../queries/selling.ts";
import type { OutboxState } from "../replica/outbox.ts";
import type { Replica } from "../replica/replica.ts";
import type { SyncLoop } from "../replica/sync-loop.ts";
import type { Shop } from "../shop.ts";
import { type Carts, openCarts, takeOut } from "./carts.ts";
import { readLocalSales } from "./local-sales.ts";
import { openStaff, type Staff, type staffAnswer } from "./staff.ts";

/** A shop on this computer, with everything that its pages ask of it. */
export interface Till {
	/**
	 * Returns the calls that pages of the signed-in member make.
	 *
	 * @throws ShopError `wrong_business`
	 */
	as(caller: Caller): TillApi;
	/**
	 * Calls back after each change that pages show.
	 *
	 * @returns a function that unsubscribes
	 */
	onChange(listener: (kind: ChangeKind) => void): () => void;
	/** Reports a change that only the host sees, such as the end of a sync. */
	tell(kind: ChangeKind): void;
}

/** The parts of a till that syncs with a server. */
interface FollowedServer {
	replica: Replica;
	syncLoop: Pick<SyncLoop, "syncNow" | "isOnline">;
	/** A getter, since it may change. Absent outside a browser. */
	keeping?: StorageStatus;
	/** Asks the server who has a PIN. Undefined if it can't be reached or doesn't say. */
	readStaff(): Promise<z.output<typeof staffAnswer> | undefined>;
}

const { storage, storageError, storageId } = unknownStatus;
const storedOnDisk: StorageStatus = { storage, storageError, storageId };

/** A shop without a server has nothing pending. */
const alone: TillStatus = { ...unknownStatus, isOnline: true, isFilled: true };

/** @param following absent for a shop without a server */
export function openTill(
	shop: Shop,
	businessId: string,
	following?: FollowedServer,
): Till {
	const listeners = new Set<(kind: ChangeKind) => void>();
	const carts = openCarts(shop.store, businessId);
	const staff = openStaff(shop.store, shop.env, businessId);

	function tell(kind: ChangeKind): void {
		for (const listener of listeners) listener(kind);
	}

	shop.onHead(businessId, () => {
		tell("rows");
		if (following) tell("standing");
	});

	async function standing(): Promise<TillStatus> {
		if (!following) return alone;
		const { replica, syncLoop } = following;
		const [status, rejected, waiting] = await Promise.all([
			replica.status(),
			replica.rejected(),
			replica.waiting(),
		]);
		return {
			...status,
			rejected,
			waiting,
			isOnline: syncLoop.isOnline(),
			isFilled: status.lastSyncAt !== null,
			...(following.keeping ?? storedOnDisk),
		};
	}

	function replicaOf(): Replica {
		if (following) return following.replica;
		throw new ShopError(
			"not_found",
			"This shop has no server to send changes to",
		);
	}

	/** Reports the page's own change like any other. */
	async function told<T>(kind: ChangeKind, done: Promise<T>): Promise<T> {
		const result = await done;
		tell(kind);
		return result;
	}

	async function bring(
		caller: Caller,
		messages: readonly MutationMessage[],
	): Promise<string[]> {
		const results = await shop.take(caller, messages);
		const over: string[] = [];
		for (const [i, { id }] of messages.entries()) {
			// A shop without a server keeps rejected mutations in its log.
			const isOver = following
				? isSettled(await following.replica.stateOf(id))
				: results[i]?.status !== "deferred";
			if (isOver) over.push(id);
		}
		return over;
	}

	return {
		tell,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		as(caller) {
			assertSameBusiness(businessId, caller.businessId);
			/** Reports a PIN that was locked: somebody may be guessing it. */
			async function watched<T extends { outcome: string; isNew?: true }>(
				userId: string,
				check: Promise<T>,
			): Promise<T> {
				const tried = await check;
				const args = { id: newId(shop.env), userId };
				if (tried.isNew) await shop.mutate(caller, pinLock, args);
				return tried;
			}
			return {
				ask: (query, args) => ask(shop, caller, query, args),
				mutate: (made) => mutate(shop, staff, caller, made),
				bring: (messages) => bring(caller, messages),
				standing,
				stateOf: async (id) =>
					following ? following.replica.stateOf(id) : "acknowledged",
				madeOn: (day) =>
					shop.store.read((tx) => readLocalSales(tx, businessId, day)),
				tryNow: async () => following?.syncLoop.syncNow(),
				async retry(id) {
					await told("standing", replicaOf().retry(id));
					await following?.syncLoop.syncNow();
				},
				discard: (id) => told("standing", replicaOf().discard(id)),
				restore: (id) => told("standing", replicaOf().restore(id)),
				...callsOf(carts, told),
				staff: staff.list,
				checkPin: (id, pin) => watched(id, staff.check(id, pin)),
				approve: (id, pin, act) => watched(id, staff.approve(id, pin, act)),
				async refreshStaff() {
					const answer = await following?.readStaff();
					if (answer) await staff.replace(answer.people);
				},
			};
		},
	};
}

/** The server has applied it, or a person has discarded it. */
const isSettled = (state: OutboxState | undefined) =>
	state === "acknowledged" || state === "discarded";

function callsOf(
	carts: Carts,
	told: <T>(kind: ChangeKind, done: Promise<T>) => Promise<T>,
) {
	return {
		readCart: carts.read,
		keepCart: carts.keep,
		cartOwners: carts.owners,
		takeOverCart: carts.takeOver,
		heldCarts: carts.held,
		holdCart: (...args: Parameters<Carts["hold"]>) =>
			told("carts", carts.hold(...args)),
		resumeCart: (...args: Parameters<Carts["resume"]>) =>
			told("carts", carts.resume(...args)),
	};
}

async function ask(shop: Shop, caller: Caller, name: string, args: unknown) {
	const query = await findQuery(name);
	if (!query) throw new ShopError("unknown_query", name);
	return shop.ask(caller, query, args);
}

async function mutate(
	shop: Shop,
	staff: Staff,
	caller: Caller,
	{ id, name, args, cartId, by }: MutationCall,
) {
	const mutation = mutationsByName.get(name);
	if (!mutation) throw new ShopError("unknown_mutation", name);
	const role = by === undefined ? undefined : await staff.roleOf(by);
	const maker = role
		? { ...caller, role: lowerRole(caller.role, role) }
		: caller;
	return shop.mutate(maker, mutation, args, {
		id,
		asksApproval: true,
		...(role && { by }),
		...(cartId !== undefined && {
			alongside: (tx) => takeOut(tx, caller.businessId, cartId),
		}),
	});
}
