import { useCallback, useEffect, useRef, useState } from "react";
import { useShop } from "../session.tsx";
import { type Cart, emptyCart, withRemoved } from "./cart.ts";
import { useRemovals } from "./use-removals.ts";

type Change = (cart: Cart) => Cart;

/** This window's cart and the held sales, kept in this browser through reloads and sign-ins. */
export function useCart() {
	const { carts } = useShop().shop;
	const [cart, setCart] = useState<Cart>(() => emptyCart(carts.id));
	// Scans that arrive faster than React renders count too.
	const latest = useRef(cart);
	// Scans before the saved cart has loaded are added to it.
	const early = useRef<Change[] | undefined>([]);
	const [held, setHeld] = useState<Cart[]>([]);
	const [loading] = useState(() => Promise.withResolvers<void>());

	const show = useCallback((next: Cart) => {
		latest.current = next;
		setCart(next);
	}, []);

	const readHeld = useCallback(
		async () => setHeld(await carts.held()),
		[carts],
	);

	const change = useCallback(
		(changed: Change) => {
			if (early.current) {
				early.current.push(changed);
				return;
			}
			show(changed(latest.current));
			void carts.keep(latest.current).then((isOwn) => {
				// Another window has taken the cart over.
				if (!isOwn) show(emptyCart(carts.id));
			});
		},
		[carts, show],
	);

	useEffect(() => {
		void carts.read().then((kept) => {
			const waiting = early.current ?? [];
			early.current = undefined;
			show(kept);
			for (const changed of waiting) change(changed);
			loading.resolve();
		});
		void readHeld();
		return carts.onHeld(() => void readHeld());
	}, [carts, change, loading, readHeld, show]);

	const clear = useCallback(
		() =>
			change(({ removed = [] }) => withRemoved(emptyCart(carts.id), removed)),
		[carts, change],
	);

	const hold = useCallback(async () => {
		const now = latest.current;
		if (now.lines.length === 0) return;
		// Empty the cart at once, so that two keys or taps hold it once.
		show(emptyCart(carts.id));
		try {
			await carts.hold(now);
		} catch (error) {
			show(now);
			throw error;
		}
		await readHeld();
	}, [carts, readHeld, show]);

	/** Resumes a held sale, and holds the current one in its place. */
	const resume = useCallback(
		async (id: string) => {
			const { lines, removed = [] } = latest.current;
			const found = await carts.resume(id, latest.current);
			if (found) show(found);
			// A held cart keeps its own.
			if (found && lines.length === 0)
				change((now) => withRemoved(now, removed));
			await readHeld();
		},
		[carts, change, readHeld, show],
	);
	useRemovals(cart.removed, change);

	const { promise: loaded } = loading;
	return { cart, latest, loaded, held, change, clear, hold, resume };
}
