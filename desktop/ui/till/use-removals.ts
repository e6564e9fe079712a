import { useEffect } from "react";
import { v7 as newId } from "uuid";
import { packText } from "../../../sync/receipts/pack-text.ts";
import { useFormat } from "../format.ts";
import { useShop } from "../session.tsx";
import { type Cart, type CartLine, lineTotal } from "./cart.ts";

/** Until then the lines can be put back. */
const undoMs = 10_000;
const textMax = 500;

/** Records the lines that were taken out of a cart, once nobody can put them back by a tap any more. */
export function useRemovals(
	removed: readonly CartLine[] | undefined,
	change: (changed: (cart: Cart) => Cart) => void,
): void {
	const { shop } = useShop();
	const format = useFormat();
	// biome-ignore lint/correctness/useExhaustiveDependencies: starts again with each line that is taken out.
	useEffect(() => {
		if (!removed) return;
		const id = newId();
		async function record(lines: readonly CartLine[]): Promise<void> {
			const reason = lines
				.map((line) => {
					const pack = packText(line, format.quantity);
					const name = [pack, line.name].filter(Boolean).join(" ");
					return `${format.quantity(line.quantity)} × ${name} ${format.figure(lineTotal(line))}`;
				})
				.join(", ")
				.slice(0, textMax);
			await shop.mutate("cart.remove", { id, reason }, { id });
			change(({ removed: now, ...cart }) => {
				const left = now?.filter((line) => !lines.includes(line)) ?? [];
				return left.length > 0 ? { ...cart, removed: left } : cart;
			});
		}
		// They stay with the cart until they are recorded.
		const timer = setTimeout(
			() => void record(removed).catch(console.error),
			undoMs,
		);
		return () => clearTimeout(timer);
	}, [removed, shop]);
}
