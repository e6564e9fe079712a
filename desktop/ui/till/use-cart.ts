import { useCallback, useEffect, useRef, useState } from "react";
import { v7 as newId } from "uuid";
import { useShop } from "../session.tsx";
import { type Cart, emptyCart } from "./cart.ts";

/** The id under which the sale in the making is kept; held ones have their own. */
const current = "current";

/** The sale in the making and the held ones: kept in this browser, through reloads and new sign-ins. */
export function useCart() {
	const { database } = useShop().shop;
	const [cart, setCart] = useState<Cart>(() => emptyCart(current));
	// What is scanned faster than the page is drawn counts, too.
	const latest = useRef(cart);
	const [held, setHeld] = useState<Cart[]>([]);

	const readHeld = useCallback(async () => {
		const all = await database.getAll("carts");
		setHeld(all.filter(({ id }) => id !== current));
	}, [database]);

	useEffect(() => {
		void database.get("carts", current).then((kept) => {
			if (!kept) return;
			latest.current = kept;
			setCart(kept);
		});
		void readHeld();
	}, [database, readHeld]);

	const change = useCallback(
		(changed: (cart: Cart) => Cart) => {
			const next = { ...changed(latest.current), id: current };
			latest.current = next;
			setCart(next);
			void database.put("carts", next);
		},
		[database],
	);

	const clear = useCallback(() => change(() => emptyCart(current)), [change]);

	const hold = useCallback(async () => {
		const now = latest.current;
		if (now.lines.length === 0) return;
		const heldAt = new Date().toISOString();
		await database.put("carts", { ...now, id: newId(), heldAt });
		clear();
		await readHeld();
	}, [clear, database, readHeld]);

	/** Takes a held sale up again; one that is in the making is held in its place. */
	const resume = useCallback(
		async (id: string) => {
			const found = await database.get("carts", id);
			if (!found) return;
			await hold();
			await database.delete("carts", id);
			change(() => ({ ...found, id: current, heldAt: undefined }));
			await readHeld();
		},
		[change, database, hold, readHeld],
	);

	return { cart, latest, held, change, clear, hold, resume };
}
