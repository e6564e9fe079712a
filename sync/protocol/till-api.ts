import type { OutboxState, UnacceptedMutation } from "../replica/outbox.ts";
import type { MadeMutation } from "../shop.ts";
import type { Cart } from "../till/cart.ts";
import type { LocalSale } from "../till/local-sales.ts";
import { type PauseCode, ShopError } from "./errors.ts";
import type { MutationMessage, Refusal } from "./protocol.ts";

/*
 * What a page asks of its till, as the page has it; `dispatch.ts` is the till's side. A page is small: nothing here checks.
 */

/** How a till stands to its server. */
export interface TillStatus {
	/** Whether the server answered at the last attempt; null before the first. */
	isOnline: boolean | null;
	/** Whether all that the shop has came here once. */
	isFilled: boolean;
	pending: number;
	/** What the server refused. */
	rejected: UnacceptedMutation[];
	/** What the server leaves here until a member who may bring it signs in. */
	waiting: UnacceptedMutation[];
	/** Why it does not sync, where it does not. */
	paused: PauseCode | null;
	lastSyncAt: string | null;
	deviceId: string | null;
	/** What receipts begin with; null until the first. */
	prefix: string | null;
	/** How many mutations this device has made. */
	lastNumber: number;
	/** How far the server's clock is ahead of this device's. */
	clockOffsetMs: number;
	/**
	 * How it is kept here: on the disk; what waits to be sent in the browser's storage, and the rest in memory; or all of it
	 * in memory, and gone with the page.
	 */
	keeps: "disk" | "unsent" | "nothing";
	/** Why it is not kept on the disk, where there is one for it that can't be used. */
	trouble: Refusal | null;
	/** What keeps it: another id where the one before is lost. Null where a browser is not what keeps it. */
	storageId: string | null;
}

/** Before anything is known. */
export const nothingKnown: TillStatus = {
	isOnline: null,
	isFilled: false,
	pending: 0,
	rejected: [],
	waiting: [],
	paused: null,
	lastSyncAt: null,
	deviceId: null,
	prefix: null,
	lastNumber: 0,
	clockOffsetMs: 0,
	keeps: "disk",
	trouble: null,
	storageId: null,
};

/** How a browser keeps a shop. */
export type StorageStatus = Pick<TillStatus, "keeps" | "trouble" | "storageId">;

// What pages name of it.
export type { Caller } from "../log/log.ts";
export type { OutboxState } from "../replica/outbox.ts";
export type { MadeMutation } from "../shop.ts";
export type { LocalSale } from "../till/local-sales.ts";
export type { MutationMessage } from "./protocol.ts";

/** A mutation as a page makes it. */
export interface MutationCall {
	/** The page's own, so that it may ask again where it hears no answer. */
	id: string;
	name: string;
	args?: unknown;
	/** Of the sale in the making that this completes: it leaves in the same transaction. */
	cartId?: string | undefined;
}

/** All that a page asks of its till, in the name of whoever is signed in on it. */
export interface TillApi {
	/** @throws ShopError as the query says */
	ask(query: string, args: unknown): Promise<unknown>;
	/** Durable when it resolves. @throws ShopError why it was refused; `cart_taken` */
	mutate(made: MutationCall): Promise<MadeMutation>;
	/**
	 * Brings what was made on this device before, and kept elsewhere: it is done once, however often it is brought.
	 *
	 * @returns the ids of those whose copies elsewhere are needed no longer
	 */
	bring(messages: MutationMessage[]): Promise<string[]>;
	standing(): Promise<TillStatus>;
	stateOf(mutationId: string): Promise<OutboxState | undefined>;
	/** What was sold here on a business day. */
	madeOn(day: string): Promise<LocalSale[]>;
	/** Tries to reach the server. @returns when it was tried */
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
}

/** A call as it travels from a page to its till. */
export interface TillCall {
	name: string;
	args: unknown[];
}

/** What a change at the till is of: the rows of the shop, how it stands to its server, or the held carts. */
export const changeKinds = ["rows", "standing", "carts"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What a call comes to, in a form that travels. */
export type CallResult = { answer: unknown } | { refusal: Refusal };

/** @throws ShopError */
export function resultOf(outcome: CallResult): unknown {
	// An answer of nothing leaves nothing in JSON.
	if (!("refusal" in outcome)) return outcome.answer;
	throw toError(outcome.refusal);
}

export function toError({ code, message, field }: Refusal): ShopError {
	return new ShopError(code, message, field);
}

/** A page's side of it. @param send takes a call to the till and brings back its answer */
export function openTillApi(
	send: (call: TillCall) => Promise<unknown>,
): TillApi {
	return Object.fromEntries(
		Object.keys(named).map((name) => [
			name,
			(...args: unknown[]) => send({ name, args }),
		]),
	) as unknown as TillApi;
}

const named: Record<keyof TillApi, true> = {
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
};
