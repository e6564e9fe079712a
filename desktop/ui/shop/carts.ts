import type { Cart } from "../till/cart.ts";

/**
 * The carts on this device: each window has its own, which survives a reload, and all windows share the held sales.
 */
export interface Carts {
	/** The id of this window's cart. */
	readonly id: string;
	/** This window's cart: its own from before a reload, or that of a closed window. */
	read(): Promise<Cart>;
	/** @returns false if another window has taken the cart over, for example while this one slept */
	keep(cart: Cart): Promise<boolean>;
	held(): Promise<Cart[]>;
	hold(cart: Cart): Promise<void>;
	/** Resumes a held sale, and holds the current one in its place. @returns undefined if it is no longer held */
	resume(id: string, inPlace: Cart): Promise<Cart | undefined>;
	onHeld(listener: () => void): () => void;
}
