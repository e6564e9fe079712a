import { useRef, useState } from "react";
import { v7 as newId } from "uuid";
import { plus } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { decimalOf } from "../components/decimal.ts";
import { localValues } from "../stored-values.ts";
import type { SupplierMethod } from "./method-chips.tsx";

type Pack = NonNullable<Product["packs"]>[number];

/** A line as it is typed. */
export interface ReceivedLine {
	id: string;
	productId: string;
	name: string;
	packs: readonly Pick<Pack, "id" | "name" | "size">[];
	/** Empty for the product's unit. */
	packId: string;
	/** What a unit cost before. */
	buyingPrice: number | null;
	quantity: string;
	cost: string;
}

/** A delivery as far as it has been typed. */
interface Received {
	/** A retry records it under the same id, also after a reload. */
	id: string;
	isReturn: boolean;
	supplierId: string;
	number: string;
	lines: readonly ReceivedLine[];
	setsCosts: boolean;
	paid: string;
	method: SupplierMethod;
}

const fresh = (): Received => ({
	...{ id: newId(), isReturn: false, supplierId: "", number: "", lines: [] },
	...{ setsCosts: true, paid: "", method: "CASH" },
});

/** Keeps a delivery that is being typed over a reload. */
export function useReceived(businessId: string) {
	const key = `delivery ${businessId}`;
	const [, render] = useState(0);
	const received = useRef<Received | undefined>(undefined);
	received.current ??= JSON.parse(localValues.read(key) ?? "null") ?? fresh();
	const put = (next: Received) => {
		received.current = next;
		localValues.write(key, JSON.stringify(next));
		render((n) => n + 1);
	};
	const current = () => received.current ?? fresh();
	const set = (some: Partial<Received>) => put({ ...current(), ...some });

	return {
		...{ ...current(), set },

		/** Adds a product or a pack of it, or one more of what is there. */
		add(product: Product, packId = "", quantity = 1): void {
			const { lines } = current();
			const known = lines.find(
				(line) => line.productId === product.id && line.packId === packId,
			);
			const more = String(
				plus(decimalOf(known?.quantity ?? "") ?? 0, quantity),
			);
			set({
				lines: known
					? lines.map((line) =>
							line === known ? { ...line, quantity: more } : line,
						)
					: [...lines, toLine(product, packId, quantity)],
			});
		},

		change(id: string, some: Partial<ReceivedLine>): void {
			set({
				lines: current().lines.map((line) =>
					line.id === id ? { ...line, ...some } : line,
				),
			});
		},

		takeOut(id: string): void {
			set({ lines: current().lines.filter((line) => line.id !== id) });
		},

		/** Goes on with what isn't in the delivery that was saved under its id. */
		goOn(saved: readonly { id: string }[]): void {
			const known = new Set(saved.map(({ id }) => id));
			const lines = current().lines.filter(({ id }) => !known.has(id));
			set({ id: newId(), lines, paid: "" });
		},

		forget: () => localValues.remove(key),
	};
}

/** What a line costs by default: what a unit cost before, times the pack's size. */
export function costOf(
	{ buyingPrice, packs }: Pick<ReceivedLine, "buyingPrice" | "packs">,
	packId: string,
): string {
	if (buyingPrice === null) return "";
	const size = packs.find(({ id }) => id === packId)?.size ?? 1;
	return String(plus(0, buyingPrice * size));
}

function toLine(
	{ id: productId, name, packs = [], buyingPrice }: Product,
	packId: string,
	quantity: number,
): ReceivedLine {
	const known = packs
		.filter(({ id, isActive }) => isActive || id === packId)
		.map(({ id, name, size }) => ({ id, name, size }));
	return {
		...{ id: newId(), productId, name, packId, buyingPrice, packs: known },
		quantity: String(quantity),
		cost: costOf({ buyingPrice, packs: known }, packId),
	};
}
