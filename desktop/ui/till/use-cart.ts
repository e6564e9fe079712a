import { useCallback, useEffect, useRef, useState } from "react";
import { useShop } from "../session.tsx";
import { type Cart, emptyCart } from "./cart.ts";

type Change = (cart: Cart) => Cart;

/** The sale in the making of this window and the held ones: kept in this browser, through reloads and new sign-ins. */
export function useCart() {
	const { carts } = useShop().shop;
	const [cart, setCart] = useState<Cart>(() => emptyCart(carts.id));
	// What is scanned faster than the page is drawn counts, too.
	const latest = useRef(cart);
	// What is scanned before it is known what was kept comes after it.
	const early = useRef<Change[] | undefined>([]);
	const [held, setHeld] = useState<Cart[]>([]);

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
				// It goes on in another window.
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
		});
		void readHeld();
		return carts.onHeld(() => void readHeld());
	}, [carts, change, readHeld, show]);

	const clear = useCallback(
		() => change(() => emptyCart(carts.id)),
		[carts, change],
	);

	const hold = useCallback(async () => {
		const now = latest.current;
		if (now.lines.length === 0) return;
		// Emptied at once: two keys or two taps hold it once.
		show(emptyCart(carts.id));
		await carts.hold(now);
		await readHeld();
	}, [carts, readHeld, show]);

	/** Takes a held sale up again; one that is in the making is held in its place. */
	const resume = useCallback(
		async (id: string) => {
			const found = await carts.resume(id, latest.current);
			if (found) show(found);
			await readHeld();
		},
		[carts, readHeld, show],
	);

	return { cart, latest, held, change, clear, hold, resume };
}
