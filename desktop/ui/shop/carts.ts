import type { Cart } from "../till/cart.ts";

/**
 * The sales in the making on this device: each window has its own, which a reload of it keeps, and the held ones are
 * everybody's.
 */
export interface Carts {
	/** Under which this window keeps its sale. */
	readonly id: string;
	/** The sale of this window: what it had before it was reloaded, or what one had that is gone. */
	read(): Promise<Cart>;
	/** @returns false where another window has taken it over, as of one that slept */
	keep(cart: Cart): Promise<boolean>;
	held(): Promise<Cart[]>;
	hold(cart: Cart): Promise<void>;
	/** Takes a held sale up again, and holds the one in its place. @returns undefined where it is held no longer */
	resume(id: string, inPlace: Cart): Promise<Cart | undefined>;
	onHeld(listener: () => void): () => void;
}
