import type * as z from "zod";
import type { approval } from "../entities/approval.ts";
import type { Role } from "../entities/entity.ts";
import type { OutboxState, UnacceptedMutation } from "../replica/outbox.ts";
import type { MadeMutation } from "../shop.ts";
import type { Cart } from "../till/cart.ts";
import type { LocalSale } from "../till/local-sales.ts";
import { type PauseCode, ShopError } from "./errors.ts";
import type { MutationMessage, Refusal } from "./protocol.ts";

/*
 * What a page asks of its till, seen from the page; `dispatch.ts` is the till's side. To keep a page small, nothing
 * here validates.
 */

/** The till's sync with its server, as a page shows it. */
export interface TillStatus {
	/** Whether the server answered the last attempt. Null before the first. */
	isOnline: boolean | null;
	/** Whether the replica holds what it sells by. */
	isFilled: boolean;
	/** False while a till that sells already still gets the shop's older sales. */
	hasHistory: boolean;
	/** When records that differed from the server's were last put right, and how many. Null if none ever differed. */
	healed: { at: string; rows: number } | null;
	pending: number;
	/** Mutations that the server rejected. */
	rejected: UnacceptedMutation[];
	/** Mutations that the server deferred until a member with permission signs in. */
	waiting: UnacceptedMutation[];
	/** Why the sync is paused. Null if it is not. */
	paused: PauseCode | null;
	lastSyncAt: string | null;
	deviceId: string | null;
	/** The prefix of this device's receipt numbers. Null before the first sync. */
	prefix: string | null;
	/** How many mutations this device has made. */
	lastNumber: number;
	/** Milliseconds to add to this device's clock to get the server's. */
	clockOffsetMs: number;
	/**
	 * Where the shop is stored: `disk` holds all of it, `outbox` only the pending mutations in the browser's storage (the
	 * rest is in memory), and with `memory` all of it is gone with the page.
	 */
	storage: "disk" | "outbox" | "memory";
	/** Why the shop is not on the disk. Null if it is, or if there is none. */
	storageError: Refusal | null;
	/** The id of the browser's storage, which changes if the browser cleared it. Null outside a browser. */
	storageId: string | null;
}

/** The drawer of what a server sells itself: its device is another one after each start. */
export const serverDrawer = "server";

/** The status before the till has reported any. */
export const unknownStatus: TillStatus = {
	isOnline: null,
	isFilled: false,
	hasHistory: true,
	healed: null,
	pending: 0,
	rejected: [],
	waiting: [],
	paused: null,
	lastSyncAt: null,
	deviceId: null,
	prefix: null,
	lastNumber: 0,
	clockOffsetMs: 0,
	storage: "disk",
	storageError: null,
	storageId: null,
};

/** How a browser stores the shop. */
export type StorageStatus = Pick<
	TillStatus,
	"storage" | "storageError" | "storageId"
>;

// Types that pages name.
export type { Caller } from "../log/log.ts";
export type { OutboxState } from "../replica/outbox.ts";
export type { MadeMutation } from "../shop.ts";
export type { LocalSale } from "../till/local-sales.ts";
export type { MutationMessage } from "./protocol.ts";

/** A mutation as a page requests it. */
export interface MutationCall {
	/** Chosen by the page, so that it can repeat the call if no answer came. */
	id: string;
	name: string;
	args?: unknown;
	/** The cart that this sale completes. The same transaction removes it. */
	cartId?: string | undefined;
	/**
	 * The member who makes it, if a PIN has switched the till to another than the signed-in one. They may do what both
	 * may. An id of no member is ignored.
	 */
	by?: string | undefined;
}

/** A member who sells at a till under their PIN. */
export interface Cashier {
	id: string;
	name: string;
	role: Role;
	/** How many digits the PIN has. */
	digits: number;
}

/** The outcome of a PIN: after five wrong ones in a row it is locked, for 30 seconds and then for longer. */
export type PinCheck = WrongPin | { outcome: "right"; cashier: Cashier };
export type WrongPin =
	| { outcome: "wrong"; triesLeft: number }
	/** `isNew` if this attempt has locked it. */
	| { outcome: "locked"; seconds: number; isNew?: true };

/** What a PIN is asked to approve: a mutation, by its name, and the record that it makes. */
export interface ActToApprove {
	act: string;
	id: string;
	/** The money at stake, in decimals. */
	amount: number;
}
export type ApprovalCheck =
	| WrongPin
	| { outcome: "right"; approval: z.input<typeof approval> };

/** Everything that a page asks of its till, on behalf of the signed-in member. */
export interface TillApi {
	/** @throws ShopError as the query says */
	ask(query: string, args: unknown): Promise<unknown>;
	/**
	 * Durable when it resolves.
	 *
	 * @throws ShopError why it was refused, such as `cart_taken`
	 */
	mutate(made: MutationCall): Promise<MadeMutation>;
	/**
	 * Takes over mutations that this device made earlier and stored elsewhere. Each is done once, however often it is
	 * brought.
	 *
	 * @returns the ids of those whose other copies can be deleted
	 */
	bring(messages: MutationMessage[]): Promise<string[]>;
	standing(): Promise<TillStatus>;
	stateOf(mutationId: string): Promise<OutboxState | undefined>;
	/** The sales that this till made on a business day. */
	madeOn(day: string): Promise<LocalSale[]>;
	/** Syncs now. Resolves after the attempt. */
	tryNow(): Promise<void>;
	retry(mutationId: string): Promise<void>;
	discard(mutationId: string): Promise<void>;
	restore(mutationId: string): Promise<void>;
	readCart(id: string): Promise<Cart | undefined>;
	keepCart(id: string, kept: Cart | null, wasKept: boolean): Promise<boolean>;
	cartOwners(): Promise<string[]>;
	takeOverCart(id: string, from: string): Promise<Cart | undefined>;
	heldCarts(): Promise<Cart[]>;
	holdCart(id: string, held: Cart): Promise<void>;
	resumeCart(
		id: string,
		heldId: string,
		inPlace: Cart,
	): Promise<Cart | undefined>;
	/** The members who have a PIN. */
	staff(): Promise<Cashier[]>;
	/** Asks the server who has a PIN now. Keeps the last answer if the server gives none. */
	refreshStaff(): Promise<void>;
	/** @throws ShopError `not_found` for a person without a PIN */
	checkPin(personId: string, pin: string): Promise<PinCheck>;
	/** Signs one act with a person's PIN. @throws ShopError `not_found` for a person without a PIN */
	approve(
		personId: string,
		pin: string,
		act: ActToApprove,
	): Promise<ApprovalCheck>;
}

/** A call, serialized for the way from a page to its till. */
export interface TillCall {
	name: string;
	args: unknown[];
}

/** What changed at the till: rows of the shop, its status, or its held carts. */
export const changeKinds = ["rows", "standing", "carts"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The outcome of a call, serializable. */
export type CallResult = { answer: unknown } | { refusal: Refusal };

/**
 * Returns the answer of a call.
 *
 * @throws ShopError the refusal
 */
export function resultOf(outcome: CallResult): unknown {
	// JSON drops an undefined answer.
	if (!("refusal" in outcome)) return outcome.answer;
	throw toError(outcome.refusal);
}

export function toError({ code, message, field, amount }: Refusal): ShopError {
	return new ShopError(code, message, field, { amount });
}

/**
 * The page's side of the API.
 *
 * @param send carries a call to the till and resolves to its answer
 */
export function openTillApi(
	send: (call: TillCall) => Promise<unknown>,
): TillApi {
	return Object.fromEntries(
		Object.keys(callNames).map((name) => [
			name,
			(...args: unknown[]) => send({ name, args }),
		]),
	) as unknown as TillApi;
}

const callNames: Record<keyof TillApi, true> = {
	ask: true,
	mutate: true,
	bring: true,
	standing: true,
	stateOf: true,
	madeOn: true,
	tryNow: true,
	retry: true,
	discard: true,
	restore: true,
	readCart: true,
	keepCart: true,
	cartOwners: true,
	takeOverCart: true,
	heldCarts: true,
	holdCart: true,
	resumeCart: true,
	staff: true,
	refreshStaff: true,
	checkPin: true,
	approve: true,
};
