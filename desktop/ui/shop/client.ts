import type { MutationArgs } from "../../../sync/entities/index.ts";
import type { ShopError } from "../../../sync/protocol/errors.ts";
import type {
	LocalSale,
	MadeMutation,
	OutboxState,
	TillStatus,
} from "../../../sync/protocol/till-api.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import type { Carts } from "./carts.ts";

/** The key of everything that is asked of the shop: when its rows change, all that is in sight is asked again. */
export const shopKey = "shop";

/** How the shop on this device stands to its server, and how it is kept here. */
export interface PageStanding extends TillStatus {
	/** Whether the browser has promised to keep what waits to be sent; undefined where it has not said. */
	isPersisted: boolean | undefined;
	/** How much was unsent in this browser when what it kept was lost, until somebody has seen that. */
	lost: number;
	/** Why the shop can't be opened here, where it can't. */
	problem: ShopError | undefined;
	/** Whether the server has a newer program than this page's. */
	isOutdated: boolean;
}

/** The shop as a page has it: what can be asked of it, and what can be done in it, with or without the network. */
export interface ShopClient {
	readonly businessId: string;
	/** Answers a query of `sync/queries`. @throws ShopError or ApiError why not */
	ask<Name extends keyof Queries>(
		query: Name,
		args: Queries[Name]["args"],
	): Promise<Queries[Name]["answer"]>;
	/**
	 * Makes a mutation of `sync/entities`: durable here when this resolves, and the cart that it came of removed; sent when
	 * the server can be reached.
	 *
	 * @param id the mutation's, of whoever may have to ask again
	 */
	mutate<Name extends keyof MutationArgs>(
		mutation: Name,
		args: MutationArgs[Name],
		options?: { id?: string; cartId?: string },
	): Promise<MadeMutation & { args: MutationArgs[Name] }>;
	/** Where a mutation of this device's stands; undefined for one that is not known here. */
	stateOf(mutationId: string): Promise<OutboxState | undefined>;
	/** What this device sold on a business day, as far as it still knows. */
	madeOn(day: string): Promise<LocalSale[]>;
	/** As last seen; a new object at each change. */
	standing(): PageStanding;
	/** Calls back when the shop's rows may have changed, and when its standing has. @returns a function that ends it */
	onRows(listener: () => void): () => void;
	onStanding(listener: () => void): () => void;
	/** Tries to reach the server. @returns when it was tried */
	tryNow(): Promise<void>;
	/** Offers a refused mutation again, as a new one with the same content. */
	retry(mutationId: string): Promise<void>;
	discard(mutationId: string): Promise<void>;
	/** Takes a discarded mutation back. */
	restore(mutationId: string): Promise<void>;
	/** Somebody has seen what was lost. */
	forgetLost(): Promise<void>;
	/** The shop's files in this browser as they are, as one. @throws ShopError where there are none */
	pack(): Promise<Blob>;
	readonly carts: Carts;
	/** The time by the server's clock, as far as it is known here. */
	now(): number;
	/**
	 * @param isSignedOut then what the server has goes from this browser, unless that is a till. What is unsent stays, for the
	 *   next one who signs in
	 */
	close(isSignedOut?: boolean): void;
}
