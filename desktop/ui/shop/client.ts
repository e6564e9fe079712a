import type { MutationArgs } from "../../../sync/entities/index.ts";
import type { ShopError } from "../../../sync/protocol/errors.ts";
import type {
	ActToApprove,
	ApprovalCheck,
	Cashier,
	LocalSale,
	MadeMutation,
	OutboxState,
	PinCheck,
	TillStatus,
} from "../../../sync/protocol/till-api.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import type { Carts } from "./carts.ts";

/** The key of all queries to the shop: when its rows change, the visible ones run again. */
export const shopKey = "shop";

/** The state of the shop on this device: sync, storage and build. */
export interface PageStatus extends TillStatus {
	/** Whether the browser has promised to keep the shop's files; undefined if it hasn't said. */
	isPersisted: boolean | undefined;
	/** How many unsent mutations this browser lost, until someone has seen the notice. */
	lost: number;
	/** Why the shop can't be opened here, if it can't. */
	problem: ShopError | undefined;
	/** Whether the server has a newer build than this page. */
	isOutdated: boolean;
}

/** The shop as a page uses it, online or offline: its queries and mutations. */
export interface ShopClient {
	readonly businessId: string;
	/** Answers a query of `sync/queries`. @throws ShopError, ApiError */
	ask<Name extends keyof Queries>(
		query: Name,
		args: Queries[Name]["args"],
	): Promise<Queries[Name]["answer"]>;
	/**
	 * Makes a mutation of `sync/entities`. Once this resolves, it is durable on this device and its cart is removed; it is
	 * sent when the server can be reached.
	 *
	 * @param id the mutation's id, given by a caller that may have to retry
	 */
	mutate<Name extends keyof MutationArgs>(
		mutation: Name,
		args: MutationArgs[Name],
		options?: { id?: string; cartId?: string },
	): Promise<MadeMutation & { args: MutationArgs[Name] }>;
	/** The state of a mutation made on this device; undefined for an unknown one. */
	stateOf(mutationId: string): Promise<OutboxState | undefined>;
	/** This device's sales of a business day, as far as it still has them. */
	madeOn(day: string): Promise<LocalSale[]>;
	/** The members who have a PIN. */
	staff(): Promise<Cashier[]>;
	/** Asks the server who has a PIN now. */
	refreshStaff(): Promise<void>;
	/** Checks a member's PIN on this device. @throws ShopError `not_found` for a member without one */
	checkPin(personId: string, pin: string): Promise<PinCheck>;
	/** Signs one act with a member's PIN. @throws ShopError `not_found` for a member without one */
	approve(
		personId: string,
		pin: string,
		act: ActToApprove,
	): Promise<ApprovalCheck>;
	/** The last known state; a new object after each change. */
	standing(): PageStatus;
	/** Calls back when the shop's rows may have changed, or its state has. @returns a function that stops it */
	onRows(listener: () => void): () => void;
	onStanding(listener: () => void): () => void;
	/** Tries to sync now; resolves after the attempt. */
	tryNow(): Promise<void>;
	/** Makes a rejected mutation again, as a new one with the same content. */
	retry(mutationId: string): Promise<void>;
	discard(mutationId: string): Promise<void>;
	/** Restores a discarded mutation to the rejected ones. */
	restore(mutationId: string): Promise<void>;
	/** Call it when someone has seen the notice of lost data. */
	forgetLost(): Promise<void>;
	/** Packs the shop's files in this browser into one, as they are. @throws ShopError if there are none */
	pack(): Promise<Blob>;
	readonly carts: Carts;
	/** The time by the server's clock, as far as it is known. */
	now(): number;
	/**
	 * @param isSignedOut removes what the server has from this browser, unless the browser is a till. Unsent mutations stay
	 *   until someone signs in again
	 */
	close(isSignedOut?: boolean): void;
}
