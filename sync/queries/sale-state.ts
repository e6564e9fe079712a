import * as z from "zod";

export const saleState = z.enum([
	"sold",
	"voided",
	"refunded",
	"partly refunded",
]);

interface TakenBack {
	kind: "void" | "refund";
	/** Quantities in this file are in millionths, because sums of decimals are not exact. */
	items: { itemId: string; quantity: number }[];
}

/** Sums what was refunded of each line, by line id. */
export function quantitiesBack(refunds: TakenBack[]): Map<string, number> {
	const back = new Map<string, number>();
	for (const { items } of refunds)
		for (const { itemId, quantity } of items)
			back.set(itemId, (back.get(itemId) ?? 0) + quantity);
	return back;
}

/** Returns a sale's state. It follows from the goods and not from the money, because a free line has none. */
export function saleStateOf(
	items: { id: string; quantity: number }[],
	refunds: TakenBack[],
): z.infer<typeof saleState> {
	if (refunds.length === 0) return "sold";
	if (refunds.some(({ kind }) => kind === "void")) return "voided";
	const back = quantitiesBack(refunds);
	return items.every(({ id, quantity }) => (back.get(id) ?? 0) >= quantity)
		? "refunded"
		: "partly refunded";
}
